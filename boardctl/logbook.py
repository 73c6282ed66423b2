"""What happens at the table, as lines for the person who reads journalctl."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from boardctl.core.effects import (
    Attention,
    Clear,
    Corrected,
    GameAbandoned,
    GameOver,
    GameReopened,
    GameStarted,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
    Refused,
    SettingChanged,
    ShutDown,
    UnknownSquares,
    VictimRemoved,
)
from engine.squares import square_name, square_names

if TYPE_CHECKING:
    from boardctl.core.effects import Effect
    from engine.squares import SquareSet

_QUIET = (PlyFinal, VictimRemoved)
"""What follows from another line by itself."""


class Logbook:
    """Writes effects to a log; of a disorder its beginning, not each piece knocked or put right."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._disorder = False

    def note(self, effect: Effect) -> None:
        """Log *effect*, if anybody wants to read of it."""
        text, loudness = line(effect), level(effect)
        if isinstance(effect, Attention):
            loudness = logging.DEBUG if self._disorder else loudness
            self._disorder = True
        elif isinstance(effect, Clear | GameStarted):
            self._disorder = False
        if text is not None:
            self._log.log(loudness, text)


def level(effect: Effect) -> int:
    """Return how loudly *effect* is logged: game events are for people, the rest for bug hunts."""
    if isinstance(effect, Attention | UnknownSquares):
        return logging.WARNING
    return logging.DEBUG if isinstance(effect, _QUIET) else logging.INFO


def line(effect: Effect) -> str | None:  # noqa: PLR0911  a line an effect
    """Return one line about *effect*; None for what nobody wants to read (sounds)."""
    match effect:
        case GameStarted(number, variant, _, _, side):
            return f"game {number} begins: {variant}, the {side.value} move first"
        case PlyShown(number, ply):
            return f"ply {number}: {ply}"
        case PlyRevised(number, ply):
            return f"ply {number} read anew: {ply}"
        case PlyRetracted(number):
            return f"ply {number} taken back"
        case PlyFinal(number, ply):
            return f"ply {number} is final: {ply}"
        case VictimRemoved(square):
            return f"the piece taken on {square_name(square)} is off the board"
        case GameOver(number, outcome):
            who = f" by the {outcome.winner.value}" if outcome.winner else ""
            return f"game {number} is over: {outcome.result.value}{who} ({outcome.reason.value})"
        case _:
            return _rare(effect)


def _rare(effect: Effect) -> str | None:  # noqa: PLR0911  as above
    match effect:
        case GameReopened(number):
            return f"game {number} goes on after all"
        case GameAbandoned(number):
            return f"game {number} is left unfinished"
        case Corrected(number, _, side, ply):
            return f"game {number}: position corrected after ply {ply}, {side.value} to move"
        case Attention(missing, extra):
            return f"board and game disagree: missing {_names(missing)}, extra {_names(extra)}"
        case Clear():
            return "board and game agree again"
        case UnknownSquares(squares):
            return f"squares that cannot be read: {_names(squares)}"
        case Refused(reason):
            return f"refused: {reason}"
        case SettingChanged(setting, value):
            return f"{setting} set to {value}"
        case ShutDown():
            return "shut down at the table"
        case _:
            return None


def _names(squares: SquareSet) -> str:
    return ", ".join(square_names(squares)) or "none"
