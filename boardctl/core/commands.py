"""A person's wishes that come from the page, a button or the menu."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.pieces import Side


@dataclass(frozen=True, slots=True)
class NewGame:
    """End the game at the board and start the same variant anew."""

    swap_sides: bool = False


@dataclass(frozen=True, slots=True)
class SetVariant:
    """Play another game from now on: `variant` by name, `options` as on the command line."""

    variant: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last ply back; the lights then lead the piece home."""


@dataclass(frozen=True, slots=True)
class Resign:
    """`side` gives up."""

    side: Side


@dataclass(frozen=True, slots=True)
class AgreeDraw:
    """Both players agree on a draw."""


@dataclass(frozen=True, slots=True)
class DeclareUndecidable:
    """Both players agree that the game cannot be decided any more (SEA R9)."""


@dataclass(frozen=True, slots=True)
class ConfirmPosition:
    """Take the position given (an OpenTafl record), or the one on the board, as the truth."""

    position: str | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class DeclareResult:
    """The operator ends the game with this winner; None is a draw."""

    winner: Side | None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop following the board until `Resume`."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Follow the board again."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Show a legal, sensible move for some seconds."""


@dataclass(frozen=True, slots=True)
class StartLesson:
    """Begin the tutorial on the board at lesson `number` (1..6)."""

    number: int = 1


class Setting(enum.Enum):
    """What an operator can change while the table runs."""

    BRIGHTNESS = "brightness"
    PALETTE = "palette"
    HINTS = "hints"
    DANGER = "danger"
    SOUND = "sound"
    LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Change one setting; `value` is its text form."""

    setting: Setting
    value: str


Command: TypeAlias = (
    NewGame
    | SetVariant
    | Undo
    | Resign
    | AgreeDraw
    | DeclareUndecidable
    | ConfirmPosition
    | DeclareResult
    | Pause
    | Resume
    | Hint
    | StartLesson
    | ChangeSetting
)
