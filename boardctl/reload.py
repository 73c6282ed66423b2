"""SIGHUP: the configuration is read again, and what may change does so between two games."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from boardctl.config import load
from boardctl.config.shown import shown
from boardctl.core.commands import ChangeSetting, Setting, SetVariant
from boardctl.core.events import CommandGiven
from boardctl.core.snapshot import Phase
from boardctl.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boardctl.config import Config, Loaded
    from boardctl.core.snapshot import Snapshot

log = logging.getLogger(__name__)

_BETWEEN: Final = frozenset({Phase.SETUP, Phase.FINISHED, Phase.ATTRACT})

_LIVE: Final = {
    "leds.brightness": Setting.BRIGHTNESS,
    "leds.palette": Setting.PALETTE,
    "hints.moves": Setting.HINTS,
    "hints.danger": Setting.DANGER,
    "buttons.sound": Setting.SOUND,
    "table.language": Setting.LANGUAGE,
}
"""Keys that change while the daemon runs; the others are said to need a restart."""


class Reloader:
    """Holds the configuration in force; `wanted` may be set by a signal handler."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.wanted = False

    def shown(self, snapshot: Snapshot) -> list[dict[str, Any]]:
        """Return the configuration in force; what people have changed at the table is marked."""
        return shown(self._loaded, dict(_changed(self._loaded.config, snapshot)))

    def between_games(self, snapshot: Snapshot) -> Sequence[CommandGiven]:
        """Return the commands that bring the table to the file's present state, if asked for."""
        if not self.wanted or snapshot.phase not in _BETWEEN:
            return ()
        self.wanted = False
        fresh, problems = _load_again(self._loaded)
        for problem in problems:
            log.error("the configuration stays as it was: %s", problem)
        old, self._loaded = self._loaded, fresh
        differing = list(_differing(old.config, fresh.config))
        restart = [key for key in differing if key not in _LIVE and not key.startswith("table.")]
        if restart:
            log.warning("configuration: these need a restart: %s", ", ".join(restart))
        log.info("configuration read again: %s", ", ".join(differing) or "nothing differs")
        return [
            CommandGiven(command, by="configuration") for command in _commands(differing, fresh)
        ]


def _changed(config: Config, snapshot: Snapshot) -> Iterator[tuple[str, object]]:
    """Yield `section.key` and the value in force where the table has another than the file."""
    now: dict[str, object] = {
        place: getattr(snapshot.settings, setting.value) for place, setting in _LIVE.items()
    }
    now |= {
        "table.variant": snapshot.settings.variant,
        "table.options": dict(snapshot.settings.options),
    }
    for place, value in now.items():
        section, _, key = place.partition(".")
        if getattr(getattr(config, section), key) != value:
            yield place, value


def _load_again(loaded: Loaded) -> tuple[Loaded, tuple[str, ...]]:
    """Return the file's present state, or the one in force and what is wrong with the file."""
    try:
        return load(loaded.file), ()
    except ConfigurationError as error:
        return loaded, error.problems


def _differing(old: Config, new: Config) -> Iterator[str]:
    """Yield `section.key` of every value that is not the same."""
    for section, keys in new.model_dump().items():
        before = getattr(old, section).model_dump()
        yield from (f"{section}.{key}" for key, value in keys.items() if before[key] != value)


def _commands(differing: list[str], loaded: Loaded) -> Iterator[ChangeSetting | SetVariant]:
    table = loaded.config.table
    if {"table.variant", "table.options"} & set(differing):
        yield SetVariant(table.variant, table.options)
    for place, setting in _LIVE.items():
        if place in differing:
            section, _, key = place.partition(".")
            value = getattr(getattr(loaded.config, section), key)
            text = ("on" if value else "off") if isinstance(value, bool) else str(value)
            yield ChangeSetting(setting, text)
