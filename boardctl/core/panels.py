"""What a snapshot shows of the menu and of a lesson."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardctl.core.occupancy import Instant
    from engine.moves import Move
    from engine.squares import Square


class MenuKind(enum.Enum):
    """What a menu square is for; the value is the word of the JSON snapshot."""

    GAME = "game"
    PALETTE = "palette"
    BRIGHTNESS = "brightness"
    SWITCH = "switch"
    OPTION = "option"
    LESSON = "lesson"
    END_ATTACKERS = "end-attackers"
    END_DEFENDERS = "end-defenders"


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One square of the menu.

    Attributes:
        square: where the piece is put to choose it.
        kind: what it is for.
        value: its meaning in words, such as `market`, `draw`, `danger`.
        chosen: whether it is what holds now.
    """

    square: Square
    kind: MenuKind
    value: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class MenuView:
    """The menu: its squares, the one the piece stands on, a wish and what must confirm it."""

    items: tuple[MenuItem, ...]
    at: Square | None
    at_since: Instant
    ring_s: float
    wish: MenuItem | None = None
    confirm: MenuItem | None = None


class LessonStep(enum.Enum):
    """Where a pupil is within a lesson."""

    PLACE = "place"
    TRY = "try"
    AGAIN = "again"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class LessonView:
    """A lesson: its number (1..6), its name, what is to do, and the move the lights lead to.

    The lights lead from `lead_at` on: in some lessons the pupil is to find out first.
    """

    number: int
    name: str
    text: str
    step: LessonStep
    since: Instant
    move: Move
    lead_at: Instant
