"""What to do with a game that was cut off, once the board has been seen.

Everything a hand may have done since (nothing, a ply or two, a piece taken along, victims left
standing, some pieces knocked over) is read by the recogniser, which follows the game and guides
the repair. Only two boards say that the game is over with: one that has been set up anew, and one
that has been cleared or taken by something else.
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
    """Return whether the board in *seen* shows *game*, possibly disturbed.

    Args:
        game: the last game, as far as it was stored.
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
