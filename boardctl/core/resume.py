"""What to do with a game that was cut off, once the board has been seen.

What a hand may have done since (nothing, a ply or two, a piece taken along, victims left standing,
some pieces knocked over) is read by the recogniser, which follows the game and guides the repair.
Two things are decided before: how far the game had come, because its last plies had been shown
but were not final, and whether the board shows that game at all. Only two boards say that it is
over with: one that has been set up anew, and one that has been cleared or taken for something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.squares import NO_SQUARES

if TYPE_CHECKING:
    from boardctl.core.occupancy import Occupancy
    from engine.game import Game
    from engine.squares import SquareSet

_OPENING_PLIES: Final = 2
"""A game so young may have been taken back by hand; that is no new game."""


def resume(game: Game, final: int, start: SquareSet, seen: Occupancy) -> Game | None:
    """Return the game to go on with; None when the board shows another one, or none.

    Of the plies that were not final those are kept which bring the game closest to the board; the
    recogniser reads anew what is left.

    Args:
        game: the last game with all plies that were shown.
        final: how many of its plies were final.
        start: where the pieces stand when a game of the table's variant begins.
        seen: the switches now; squares that cannot be read decide nothing.
    """
    best = game
    while game.ply_count > final and game.parent is not None:
        game = game.parent
        if _distance(game, seen) <= _distance(best, seen) and _distance(best, seen):
            best = game
    return best if _goes_on(best, start, seen) else None


def _distance(game: Game, seen: Occupancy) -> int:
    """Return how many squares differ; the last ply's victims may still stand or not."""
    victims = game.last.captures if game.last is not None else NO_SQUARES
    decided = ~(int(seen.unknown) | int(victims))
    return ((int(seen.closed) ^ int(game.position.occupied)) & decided).bit_count()


def _goes_on(game: Game, start: SquareSet, seen: Occupancy) -> bool:
    """Return whether the board shows *game*, possibly disturbed."""
    known = ~int(seen.unknown)
    occupied = int(game.position.occupied)
    closed = int(seen.closed) & known
    if closed == int(start) & known and game.ply_count >= _OPENING_PLIES:
        return (closed ^ occupied) & known == 0
    in_place = (closed & occupied).bit_count()
    return 2 * in_place >= (occupied & known).bit_count()
