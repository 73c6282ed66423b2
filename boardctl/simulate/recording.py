"""A simulated game as a reader sees it, beside what truly happened."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.simulate.players import Players, PowerCut, TruePly
from engine import Game, Side, load_variant
from hardware.cells import CellSet, Instant
from hardware.mock.effects import SCENARIOS, Effects, slide_sweep
from hardware.mock.sampling import (
    CHIPS,
    BadSwitch,
    Silence,
    TimedFrame,
    draw_silences,
    sample,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_AFTER_S: Final = 8.0
"""A recording goes on for so long after the last hand."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What truly happened.

    Attributes:
        game: the game at its end.
        plies: its plies with their times.
        disturbed: when board and game truly disagreed: effect, from, until.
        bad: the switches that went bad.
        silences: the expanders that fell silent.
        cut: the power cut, if there was one: the reader loses what it has not stored.
        undecidable: why no reader of the frames could know the whole record; empty when one can.
    """

    game: Game
    plies: tuple[TruePly, ...]
    disturbed: tuple[tuple[str, Instant, Instant], ...]
    bad: tuple[BadSwitch, ...]
    silences: tuple[Silence, ...]
    cut: PowerCut | None
    undecidable: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole game: `start` is where it begins, `frames` what the switches said until `end`."""

    variant: str
    start: Game
    frames: tuple[TimedFrame, ...]
    end: Instant
    scan_s: float
    truth: Truth


def seeded(*parts: object) -> random.Random:
    """Return a generator that depends on *parts* only, on every machine alike."""
    return random.Random(zlib.crc32(repr(parts).encode()))  # noqa: S311 # a simulation


def scenario(name: str) -> Effects:
    """Return a scenario by its name.

    Raises:
        ValueError: there is no such scenario.
    """
    base, _, speed = name.partition("@")
    try:
        return slide_sweep(float(speed)) if base == "S5" and speed else SCENARIOS[name]
    except (KeyError, ValueError):
        raise ValueError(f"no scenario {name!r}: S0 to S7, or S5@SPEED") from None


def start_game(variant: str, rng: random.Random) -> Game:
    """Return a game of a variant at its start; *rng* draws the first side where the lot does."""
    ruleset = load_variant(variant)
    lot = rng.choice((Side.ATTACKER, Side.DEFENDER))
    return Game.start(ruleset, side=None if ruleset.first else lot)


def record(variant: str, effects: Effects | str, seed: int) -> Recording:
    """Return one simulated game; the same for the same arguments.

    *effects* is a table of parameters or a scenario's name: S0 to S7, or S5 at a speed in m/s,
    such as `S5@0.05`.

    Raises:
        ValueError: there is no such scenario.
    """
    name = effects if isinstance(effects, str) else repr(effects)
    rng = seeded(variant, name, seed)
    table = scenario(effects) if isinstance(effects, str) else effects
    players = Players(start_game(variant, rng), table, rng)
    start = beginning(players.game)
    while players.play_ply():
        pass
    end = Instant(players.table.now + _AFTER_S)
    silences = draw_silences(table, rng, end)
    edges = players.table.edges.take(end)
    frames = sample(
        CellSet(players.start), edges, end, table, rng, bad=players.bad, silences=silences
    )
    truth = Truth(
        game=players.game,
        plies=tuple(players.plies),
        disturbed=tuple(players.table.disturbed),
        bad=tuple(players.bad),
        silences=silences,
        cut=players.cut,
        undecidable=_undecidable(players.plies, silences),
    )
    return Recording(variant, start, tuple(frames), end, table.scan_s, truth)


def beginning(game: Game) -> Game:
    """Return the game before its first ply."""
    while game.parent is not None:
        game = game.parent
    return game


def _undecidable(plies: Sequence[TruePly], silences: Sequence[Silence]) -> str:
    """Say why a silent expander hides what the record depends on; empty when it does not.

    Hidden are two plies of one side wholly inside the dark squares, because their order is
    lost, and a landing in the dark of a piece that moves on or is taken before the light.
    """
    for silence in silences:
        dark = CHIPS[silence.chip]
        during = [p for p in plies if silence.start <= p.landed_at and p.lifted_at <= silence.end]
        landed = [p for p in during if dark >> p.ply.to_square & 1]
        inside = [p for p in landed if dark >> p.ply.from_square & 1]
        if len(inside) > 1:
            return f"{inside[0].ply} and {inside[1].ply} happened wholly in the dark"
        for ply in landed:
            for later in during[during.index(ply) + 1 :]:
                taken = later.ply.captures >> ply.ply.to_square & 1
                if later.ply.from_square == ply.ply.to_square or taken:
                    return f"{ply.ply} landed in the dark and was gone by {later.ply}"
    return ""
