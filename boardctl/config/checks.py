"""Checks that need more than one key, or knowledge of the games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import RulesetError
from hardware.errors import WiringError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.config.sections import Config

CHAIN_MAX: Final = 256
"""Lights on a chain that a map may name: a board is often cut from a longer reel."""


def cross_checks(config: Config) -> Iterator[tuple[str, str]]:
    """Yield (`section.key`, problem) for everything that single keys cannot show."""
    yield from _game(config)
    yield from _wiring(config)


def _game(config: Config) -> Iterator[tuple[str, str]]:
    """The game exists and has these options."""
    from engine import load_variant, with_options  # noqa: PLC0415  rules are loaded when needed

    try:
        ruleset = load_variant(config.table.variant)
    except RulesetError as error:
        yield from (("table.variant", problem) for problem in error.problems)
        return
    try:
        with_options(ruleset, config.table.options)
    except RulesetError as error:
        yield from (("table.options", problem) for problem in error.problems)


def _wiring(config: Config) -> Iterator[tuple[str, str]]:
    """Every switch has a pin and every light a place on the chain, none of them twice."""
    from hardware.wiring import (  # noqa: PLC0415  as above
        MATRIX,
        direct_wiring,
        led_map,
        matrix_wiring,
    )

    switches, leds = config.switches, config.leds
    try:
        if switches.wiring == "matrix":
            matrix_wiring(
                switches.rows or [str(pin) for pin in MATRIX.rows],
                switches.columns or [str(pin) for pin in MATRIX.columns],
                switches.map or None,
            )
        elif switches.map:
            direct_wiring(switches.map)
    except WiringError as error:
        yield from (("switches", problem) for problem in error.problems)
    try:
        if leds.map:
            led_map(leds.map, count=CHAIN_MAX)
    except WiringError as error:
        yield from (("leds", problem) for problem in error.problems)
