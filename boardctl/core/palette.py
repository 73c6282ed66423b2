"""Named colours: what each meaning looks like, in three palettes.

A colour is what a screen shows for the same three numbers, 0..255 for red, green and blue: the
strip's gamma and brightness come after. A faint meaning has a dark colour here; motions only
ever scale it down. `SEEN_TOGETHER` lists the meanings that one scene can show; within each group
every two colours of every palette keep `MIN_DIFFERENCE` (CIEDE2000), and `MIN_DIFFERENCE_CVD` as
seen with protanopia and deuteranopia: tests/unit/boardctl/core/test_palette.py measures them.
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
    Meaning.ATTACKERS: (237, 132, 23),
    Meaning.DEFENDERS: (33, 108, 251),
    Meaning.KING: (248, 235, 132),
    Meaning.ENGLAND: (254, 127, 154),
    Meaning.FRANCE: (145, 199, 215),
    Meaning.TURKEY: (40, 155, 98),
    Meaning.SARDINIA: (255, 254, 254),
    Meaning.TURN_ATTACKERS: (131, 92, 0),
    Meaning.TURN_DEFENDERS: (14, 43, 111),
    Meaning.LAST_MOVE: (66, 98, 82),
    Meaning.OWN: (246, 252, 252),
    Meaning.TARGET: (8, 236, 139),
    Meaning.CAPTURE: (240, 115, 29),
    Meaning.WIN: (251, 182, 16),
    Meaning.THREATENED: (120, 33, 41),
    Meaning.VICTIM: (223, 62, 108),
    Meaning.CHOICE: (244, 30, 166),
    Meaning.WRONG: (230, 23, 51),
    Meaning.NOT_YOURS: (130, 18, 204),
    Meaning.SUGGESTION: (76, 27, 5),
    Meaning.CALL: (255, 255, 4),
    Meaning.DANGER: (241, 172, 191),
    Meaning.KEEPER: (172, 142, 220),
}
_DEUTERANOPIA: Final[Mapping[Meaning, Rgb]] = {
    Meaning.ATTACKERS: (218, 91, 1),
    Meaning.DEFENDERS: (6, 31, 223),
    Meaning.KING: (222, 200, 47),
    Meaning.ENGLAND: (132, 33, 73),
    Meaning.FRANCE: (76, 125, 175),
    Meaning.TURKEY: (10, 121, 21),
    Meaning.SARDINIA: (241, 241, 241),
    Meaning.TURN_ATTACKERS: (153, 107, 0),
    Meaning.TURN_DEFENDERS: (7, 1, 119),
    Meaning.LAST_MOVE: (60, 90, 75),
    Meaning.OWN: (250, 251, 254),
    Meaning.TARGET: (86, 193, 175),
    Meaning.CAPTURE: (128, 32, 0),
    Meaning.WIN: (249, 255, 0),
    Meaning.THREATENED: (57, 4, 26),
    Meaning.VICTIM: (172, 28, 124),
    Meaning.CHOICE: (197, 12, 141),
    Meaning.WRONG: (223, 112, 128),
    Meaning.NOT_YOURS: (78, 100, 255),
    Meaning.SUGGESTION: (80, 36, 4),
    Meaning.CALL: (233, 186, 117),
    Meaning.DANGER: (183, 123, 115),
    Meaning.KEEPER: (221, 167, 255),
}
_HIGH_CONTRAST: Final[Mapping[Meaning, Rgb]] = {
    Meaning.ATTACKERS: (248, 83, 4),
    Meaning.DEFENDERS: (6, 7, 231),
    Meaning.KING: (244, 206, 32),
    Meaning.ENGLAND: (242, 143, 105),
    Meaning.FRANCE: (63, 204, 219),
    Meaning.TURKEY: (36, 104, 95),
    Meaning.SARDINIA: (248, 245, 244),
    Meaning.TURN_ATTACKERS: (97, 51, 0),
    Meaning.TURN_DEFENDERS: (5, 58, 111),
    Meaning.LAST_MOVE: (81, 103, 99),
    Meaning.OWN: (250, 254, 247),
    Meaning.TARGET: (23, 199, 151),
    Meaning.CAPTURE: (240, 95, 33),
    Meaning.WIN: (247, 255, 20),
    Meaning.THREATENED: (76, 0, 49),
    Meaning.VICTIM: (244, 74, 168),
    Meaning.CHOICE: (245, 72, 167),
    Meaning.WRONG: (188, 0, 53),
    Meaning.NOT_YOURS: (135, 17, 251),
    Meaning.SUGGESTION: (133, 118, 8),
    Meaning.CALL: (249, 173, 29),
    Meaning.DANGER: (254, 205, 240),
    Meaning.KEEPER: (130, 145, 255),
}

PALETTES: Final[Mapping[str, Mapping[Meaning, Rgb]]] = {
    "default": _DEFAULT,
    "deuteranopia": _DEUTERANOPIA,
    "high-contrast": _HIGH_CONTRAST,
}
"""All palettes. The numbers were found by a search for the greatest least difference within
`SEEN_TOGETHER`, each colour kept within the hues that its name in docs/lights.md allows."""

_TURNS: Final = (Meaning.TURN_ATTACKERS, Meaning.TURN_DEFENDERS)
_HAND: Final = frozenset(
    {
        Meaning.OWN,
        Meaning.TARGET,
        Meaning.CAPTURE,
        Meaning.WIN,
        Meaning.THREATENED,
        Meaning.KEEPER,
    }
)
_CALM: Final = frozenset(
    {Meaning.LAST_MOVE, Meaning.VICTIM, Meaning.CALL, Meaning.DANGER, Meaning.KEEPER}
)
_PUTTING: Final = frozenset({Meaning.DEFENDERS, Meaning.KING, Meaning.WRONG, Meaning.KEEPER})

SEEN_TOGETHER: Final[tuple[frozenset[Meaning], ...]] = (
    # set-up, mismatch, reveal
    _PUTTING | {Meaning.ATTACKERS},
    # the same with four allies
    _PUTTING | {Meaning.ENGLAND, Meaning.FRANCE, Meaning.TURKEY, Meaning.SARDINIA},
    # menu
    frozenset(
        {
            Meaning.ATTACKERS,
            Meaning.DEFENDERS,
            Meaning.OWN,
            Meaning.TARGET,
            Meaning.CALL,
            Meaning.KEEPER,
        }
    ),
    # celebration
    frozenset({Meaning.ATTACKERS, Meaning.DEFENDERS, Meaning.KING, Meaning.VICTIM, Meaning.KEEPER}),
    # the game that the lights play alone
    frozenset(
        {Meaning.ATTACKERS, Meaning.DEFENDERS, Meaning.KING, Meaning.LAST_MOVE, Meaning.KEEPER}
    ),
    *(
        group | {corner}
        for corner in _TURNS
        for group in (
            # a piece in the mover's hand
            _HAND | _CALM,
            # a piece in the opponent's hand, or moved out of turn
            _CALM | {Meaning.OWN, Meaning.NOT_YOURS, Meaning.SUGGESTION},
            # a choice of victims
            _HAND | {Meaning.LAST_MOVE, Meaning.CHOICE, Meaning.DANGER, Meaning.NOT_YOURS},
            # a piece on an illegal square
            _HAND | {Meaning.WRONG},
        )
    ),
)
"""The meanings that one scene can show, one set a kind of scene."""

MIN_DIFFERENCE: Final = {"default": 20.0, "deuteranopia": 20.0, "high-contrast": 20.0}
"""The least CIEDE2000 of two colours in a group, as people see them who see all colours."""

MIN_DIFFERENCE_CVD: Final = {"default": 10.0, "deuteranopia": 15.0, "high-contrast": 10.0}
"""The same as seen with protanopia or deuteranopia."""


def colour(palette: str, meaning: Meaning, level: float) -> Rgb:
    """Return the colour of *meaning* at *level* 0..1 in the palette of that name."""
    red, green, blue = PALETTES[palette][meaning]
    return (round(red * level), round(green * level), round(blue * level))
