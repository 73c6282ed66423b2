"""Whether a game that was cut off goes on, once the board has been seen.

What hands may have done since (nothing, a ply or two, a ply carried on or taken back, a piece in
the air, victims left standing, pieces knocked over) is read by the recogniser: it follows the
game with all plies that were shown, and guides the repair. Decided before is only whether the
board shows that game at all. Two boards say that it does not: one that has been set up anew, and
one that has been cleared or taken for something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from boardctl.core.occupancy import Occupancy
    from engine.game import Game
    from engine.squares import SquareSet

_OPENING_PLIES: Final = 2
"""A game so young may have been taken back by hand; that is no new game."""


def goes_on(game: Game, start: SquareSet, seen: Occupancy) -> bool:
    """Return whether the board shows *game*, possibly disturbed.

    Args:
        game: the last game with all plies that were shown.
        start: where the pieces stand when a game of the table's variant begins.
        seen: the switches now; squares that cannot be read decide nothing.
    """
    known = ~int(seen.unknown)
    occupied = int(game.position.occupied)
    closed = int(seen.closed) & known
    if closed == int(start) & known and game.ply_count >= _OPENING_PLIES:
        return (closed ^ occupied) & known == 0
    in_place = (closed & occupied).bit_count()
    return 2 * in_place >= (occupied & known).bit_count()
