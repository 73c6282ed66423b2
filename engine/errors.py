"""Errors of the rules engine: one base, each with the data a caller can act on."""

from __future__ import annotations

import enum


class EngineError(Exception):
    """Anything the rules engine refuses."""


class NotationError(EngineError, ValueError):
    """A text that is no square, position, move or game record.

    The message names the offending text, the place in it, and what is allowed there.
    """


class RulesetError(EngineError, ValueError):
    """A ruleset that cannot be played; `problems` lists every fault, one line each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class IllegalReason(enum.Enum):
    """Why a move is refused. The value is the phrase a person reads."""

    GAME_OVER = "game over: no move follows the end"
    NO_PIECE = "no piece stands there"
    NOT_YOUR_PIECE = "not your piece"
    NOT_STRAIGHT = "not straight: pieces move along a row or a column"
    BLOCKED = "blocked: a piece stands in the way"
    OCCUPIED = "blocked: the target is occupied"
    THRONE = "throne: only the king may stand on it"
    THRONE_PASS = "throne: other pieces may not pass it"  # noqa: S105  no password
    TOO_FAR = "too far for the king or emperor"
    MUST_CHOOSE = "must choose a victim"
    NOT_A_VICTIM = "not a victim: the move takes nothing there"
    MORE_VICTIMS = "the move takes more than that"
    NO_RETURN = "throne: the king may not return to it"


class IllegalMoveError(EngineError, ValueError):
    """A move that the rules refuse in this position.

    Attributes:
        move: the move's text as it was asked for.
        reason: why it is refused.
        choices: the squares to choose from, when the reason is `MUST_CHOOSE`.
    """

    def __init__(self, move: str, reason: IllegalReason, choices: tuple[str, ...] = ()) -> None:
        hint = f": one of {', '.join('x' + name for name in choices)}" if choices else ""
        super().__init__(f"illegal move {move!r}: {reason.value}{hint}")
        self.move = move
        self.reason = reason
        self.choices = choices
