"""Named colours: what each meaning looks like, in three palettes.

A colour is what a screen shows for the same three numbers, 0..255 for red, green and blue: the
strip's gamma and brightness come after. A faint meaning has a dark colour here; motions only
ever scale it down. `SEEN_TOGETHER` lists the
meanings that one scene can show; within each group every two colours of every palette keep
`MIN_DIFFERENCE` (CIEDE2000), also as seen with protanopia and deuteranopia
`MIN_DIFFERENCE_CVD`: tests/unit/boardctl/core/test_palette.py measures them.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, TypeAlias

from boardctl.core.motion import Motion

if TYPE_CHECKING:
    from collections.abc import Mapping

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green, blue, 0..255 each, before brightness and gamma."""

DARK: Final[Rgb] = (0, 0, 0)


class Meaning(enum.Enum):
    """What a light says."""

    ATTACKERS = "attackers"
    DEFENDERS = "defenders"
    KING = "king"
    ENGLAND = "england"
    FRANCE = "france"
    TURKEY = "turkey"
    SARDINIA = "sardinia"
    TURN_ATTACKERS = "turn-attackers"
    TURN_DEFENDERS = "turn-defenders"
    LAST_MOVE = "last-move"
    OWN = "own"
    TARGET = "target"
    CAPTURE = "capture"
    WIN = "win"
    THREATENED = "threatened"
    VICTIM = "victim"
    CHOICE = "choice"
    WRONG = "wrong"
    NOT_YOURS = "not-yours"
    SUGGESTION = "suggestion"
    CALL = "call"
    DANGER = "danger"
    KEEPER = "keeper"


MOTIONS: Final[Mapping[Meaning, Motion]] = {
    Meaning.ATTACKERS: Motion.BREATHE,
    Meaning.DEFENDERS: Motion.BREATHE,
    Meaning.KING: Motion.BREATHE,
    Meaning.ENGLAND: Motion.BREATHE,
    Meaning.FRANCE: Motion.BREATHE,
    Meaning.TURKEY: Motion.BREATHE,
    Meaning.SARDINIA: Motion.BREATHE,
    Meaning.TURN_ATTACKERS: Motion.TIDE,
    Meaning.TURN_DEFENDERS: Motion.TIDE,
    Meaning.LAST_MOVE: Motion.EMBER,
    Meaning.OWN: Motion.BREATHE,
    Meaning.TARGET: Motion.STEADY,
    Meaning.CAPTURE: Motion.WINK,
    Meaning.WIN: Motion.RUN,
    Meaning.THREATENED: Motion.SIMMER,
    Meaning.VICTIM: Motion.PULSE,
    Meaning.CHOICE: Motion.TURNS,
    Meaning.WRONG: Motion.BLINK,
    Meaning.NOT_YOURS: Motion.DOUBLE,
    Meaning.SUGGESTION: Motion.STEADY,
    Meaning.CALL: Motion.RUN,
    Meaning.DANGER: Motion.BEAT,
    Meaning.KEEPER: Motion.GLINT,
}
"""The motion of each meaning."""

_DEFAULT: Final[Mapping[Meaning, Rgb]] = {
    Meaning.ATTACKERS: (255, 96, 0),
    Meaning.DEFENDERS: (0, 60, 255),
    Meaning.KING: (255, 190, 40),
    Meaning.ENGLAND: (255, 40, 60),
    Meaning.FRANCE: (90, 160, 255),
    Meaning.TURKEY: (0, 170, 80),
    Meaning.SARDINIA: (230, 230, 230),
    Meaning.TURN_ATTACKERS: (110, 40, 0),
    Meaning.TURN_DEFENDERS: (0, 26, 110),
    Meaning.LAST_MOVE: (20, 26, 26),
    Meaning.OWN: (255, 255, 255),
    Meaning.TARGET: (0, 190, 60),
    Meaning.CAPTURE: (255, 90, 0),
    Meaning.WIN: (255, 220, 60),
    Meaning.THREATENED: (70, 0, 8),
    Meaning.VICTIM: (255, 0, 30),
    Meaning.CHOICE: (255, 0, 170),
    Meaning.WRONG: (255, 0, 0),
    Meaning.NOT_YOURS: (120, 0, 255),
    Meaning.SUGGESTION: (80, 30, 0),
    Meaning.CALL: (255, 190, 0),
    Meaning.DANGER: (255, 80, 120),
    Meaning.KEEPER: (150, 40, 255),
}

PALETTES: Final[Mapping[str, Mapping[Meaning, Rgb]]] = {
    "default": _DEFAULT,
    "deuteranopia": _DEFAULT,
    "high-contrast": _DEFAULT,
}


def colour(palette: str, meaning: Meaning, level: float) -> Rgb:
    """Return the colour of *meaning* at *level* 0..1 in the palette of that name."""
    red, green, blue = PALETTES[palette][meaning]
    return (round(red * level), round(green * level), round(blue * level))
