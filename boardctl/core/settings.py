"""What a session needs to know from the configuration, and what may change while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from boardctl.core.commands import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

PALETTES: Final = ("default", "deuteranopia", "high-contrast")
LANGUAGES: Final = ("en", "de", "da")

_SWITCH: Final = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """The table's settings, as far as the session and its lights use them.

    Attributes:
        variant: name of the game (or path of its ruleset) that a set-up begins.
        options: its options, as on the command line.
        palette: one of `PALETTES`.
        brightness: 0..1, of the lights; the session only passes it on.
        hints: whether a hint may be asked for.
        danger: whether a king who could be taken by the next move is shown.
        sound: whether the buzzer speaks.
        language: one of `LANGUAGES`, of the table's own texts.
        archive: whether a ply is shown as final only once the archive holds it.
        attract_after_s: seconds without a touch and without a game before the lights play alone.
        help_after_s: seconds of fault or mismatch before the table calls for help.
        abandon_after_s: seconds without a touch after which a game whose board has mostly been
            cleared is given up.
    """

    variant: str = "sea-battle"
    options: Mapping[str, str] = field(default_factory=dict)
    palette: str = "default"
    brightness: float = 0.5
    hints: bool = True
    danger: bool = False
    sound: bool = True
    language: str = "en"
    archive: bool = False
    attract_after_s: float = 180.0
    help_after_s: float = 60.0
    abandon_after_s: float = 900.0


def changed(settings: SessionSettings, setting: Setting, value: str) -> SessionSettings:
    """Return the settings with one of them set from its text.

    Raises:
        ValueError: the value is not one of those allowed; the message names them.
    """
    match setting:
        case Setting.BRIGHTNESS:
            return replace(settings, brightness=_fraction(value))
        case Setting.PALETTE:
            return replace(settings, palette=_one_of(value, PALETTES))
        case Setting.LANGUAGE:
            return replace(settings, language=_one_of(value, LANGUAGES))
        case Setting.HINTS:
            return replace(settings, hints=_switch(value))
        case Setting.DANGER:
            return replace(settings, danger=_switch(value))
        case Setting.SOUND:
            return replace(settings, sound=_switch(value))


def value_text(settings: SessionSettings, setting: Setting) -> str:
    """Return a setting as the text that `changed` reads."""
    value = getattr(settings, setting.value)
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _fraction(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"not a brightness: {value!r}; a number from 0 to 1")
    return number


def _one_of(value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"unknown value: {value!r}; one of {', '.join(allowed)}")
    return value


def _switch(value: str) -> bool:
    try:
        return _SWITCH[value.lower()]
    except KeyError:
        raise ValueError(f"neither on nor off: {value!r}") from None
