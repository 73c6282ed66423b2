"""Every output of a Session: what the shell is to do or to tell."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.moves import Ply
    from engine.pieces import Side
    from engine.rules import Outcome
    from engine.squares import Square, SquareSet


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins. `number` counts the games of this session, 1 the first."""

    number: int
    variant: str
    options: Mapping[str, str]
    position: str
    side: Side


@dataclass(frozen=True, slots=True)
class PlyShown:
    """The board shows ply `number` (1 the first of the game); it may still be revised."""

    number: int
    ply: Ply


@dataclass(frozen=True, slots=True)
class PlyRevised:
    """Ply `number` reads differently now."""

    number: int
    ply: Ply


@dataclass(frozen=True, slots=True)
class PlyRetracted:
    """Ply `number` was taken back by hand or by command."""

    number: int


@dataclass(frozen=True, slots=True)
class PlyFinal:
    """Ply `number` cannot be revised by hand any more: store it."""

    number: int
    ply: Ply


@dataclass(frozen=True, slots=True)
class VictimRemoved:
    """A captured piece left the board."""

    square: Square


@dataclass(frozen=True, slots=True)
class Attention:
    """Board and game disagree: pieces are missing, or stand where none belongs."""

    missing: SquareSet
    extra: SquareSet


@dataclass(frozen=True, slots=True)
class Clear:
    """Board and game agree again."""


@dataclass(frozen=True, slots=True)
class UnknownSquares:
    """These squares, and no others, are not believed now."""

    squares: SquareSet


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; announced once, when the last move has rested.

    An `Undo` after it opens the game again: `GameReopened` tells.
    """

    number: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class GameReopened:
    """The end of game `number` was taken back; a `PlyRetracted` follows if a ply was, too."""

    number: int


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """Game `number` was left unfinished: another game was begun, or the table was cleared."""

    number: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """The operator set the position or the side to move; kept in the record as what it is.

    `number` is the game's, `ply` the count of plies played before the correction. The plies that
    follow go on counting from there; an `Undo` never reaches back over a correction.
    """

    number: int
    position: str
    side: Side
    ply: int = 0


class Sound(enum.Enum):
    """The buzzer's signals."""

    ACCEPTED = "accepted"
    CAPTURE = "capture"
    ILLEGAL = "illegal"
    RAICKI = "raicki"
    TUICKU = "tuicku"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class Play:
    """Sound this signal."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Refused:
    """A command cannot be obeyed now; `reason` is one line for the person who gave it."""

    reason: str


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """Store this setting and use it."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Stop the daemon and the machine."""


Effect: TypeAlias = (
    GameStarted
    | PlyShown
    | PlyRevised
    | PlyRetracted
    | PlyFinal
    | VictimRemoved
    | Attention
    | Clear
    | UnknownSquares
    | GameOver
    | GameReopened
    | GameAbandoned
    | Corrected
    | Play
    | Refused
    | SettingChanged
    | ShutDown
)
