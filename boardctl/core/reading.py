"""What the board says relative to the game: the recogniser's answer."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.squares import NO_SQUARES, Square, SquareSet

if TYPE_CHECKING:
    from boardctl.core.occupancy import Instant
    from engine.game import Game
    from engine.moves import Move


class Situation(enum.Enum):
    """The one thing to tell the players now. The value is the word of the snapshot's `reading`."""

    IN_SYNC = "in-sync"
    IN_HAND = "in-hand"
    REMOVE_CAPTURED = "remove-captured"
    CHOOSE_VICTIM = "choose-victim"
    MISMATCH = "mismatch"


class Disbelief(enum.Enum):
    """Why a square is not believed. The value is the phrase a person reads."""

    UNREADABLE = "cannot be read"
    FLICKERS = "flickers"
    STUCK_CLOSED = "stuck closed"
    STUCK_OPEN = "stuck open, or its piece is lost"


@dataclass(frozen=True, slots=True)
class Reading:
    """The likeliest story of the board: the game so far and what the hands are doing.

    Attributes:
        game: the game as it now stands; its last plies may still be revised or taken back.
        final: how many plies of `game` cannot change any more.
        situation: the summary of the fields below.
        lifted: squares whose piece (of either side) is in a hand or off the board for a moment.
        victims: captured pieces that still stand on the board.
        pending: a move that waits for its choice of victim (Imperial Contest), not yet in `game`.
        choices: the squares to choose from, when `pending` is set.
        misplaced: extra squares that hold a piece of the game put where it may not stand:
            an illegal target, or a move of the side that is not to move.
        home: the square(s) those misplaced pieces came from.
        missing: squares where the game has a piece and the board has none, unexplained by a
            hand that has just lifted it.
        extra: squares where the board has a piece and the game has none (`misplaced` included).
        unknown: squares that are not believed: unreadable, or found stuck or flickering.
        disbeliefs: the reason for each square of `unknown`, a1 first.
        settled_at: since when the board has agreed with `game`; None while it does not.
    """

    game: Game
    final: int
    situation: Situation
    lifted: SquareSet = NO_SQUARES
    victims: SquareSet = NO_SQUARES
    pending: Move | None = None
    choices: SquareSet = NO_SQUARES
    misplaced: SquareSet = NO_SQUARES
    home: SquareSet = NO_SQUARES
    missing: SquareSet = NO_SQUARES
    extra: SquareSet = NO_SQUARES
    unknown: SquareSet = NO_SQUARES
    disbeliefs: tuple[tuple[Square, Disbelief], ...] = ()
    settled_at: Instant | None = None
