"""Every input of a Session."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from boardctl.core.commands import Command
    from boardctl.core.occupancy import Occupancy
    from engine.squares import SquareSet


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """The switches changed; `occupancy` is what they say now."""

    occupancy: Occupancy


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """The hardware reports trouble on some squares; `reason` is one line for a person."""

    reason: str
    squares: SquareSet


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """All hardware answers again."""


class Button(enum.Enum):
    """The buttons a table may have."""

    CONFIRM = "confirm"
    NEW_GAME = "new-game"
    TAKE_BACK = "take-back"
    HINT = "hint"
    SHUT_DOWN = "shut-down"


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button was pressed (held for its time, where it must be held)."""

    button: Button


@dataclass(frozen=True, slots=True)
class ButtonHeld:
    """A button that must be held is down: `fraction` of its time has passed, 0..1."""

    button: Button
    fraction: float


@dataclass(frozen=True, slots=True)
class CommandGiven:
    """A person's wish; `by` says whose: `operator`, `menu`, `button`."""

    command: Command
    by: str = "operator"


@dataclass(frozen=True, slots=True)
class Committed:
    """The archive holds the plies of game `game_number` up to ply `ply`, on disk."""

    game_number: int
    ply: int


@dataclass(frozen=True, slots=True)
class Stopping:
    """The daemon is about to stop."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; nothing else happened."""


Event: TypeAlias = (
    BoardSeen
    | FaultSeen
    | FaultCleared
    | ButtonPressed
    | ButtonHeld
    | CommandGiven
    | Committed
    | Stopping
    | Tick
)
