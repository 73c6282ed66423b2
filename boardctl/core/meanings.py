"""Which meaning a piece, a side or an ally has in the lights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core.palette import Meaning
from boardctl.core.snapshot import Nation
from engine.pieces import Piece, Side

if TYPE_CHECKING:
    from boardctl.core.snapshot import Snapshot
    from engine.squares import Square

PIECES: Final = {
    Piece.ATTACKER: Meaning.ATTACKERS,
    Piece.DEFENDER: Meaning.DEFENDERS,
    Piece.KING: Meaning.KING,
}
SIDES: Final = {Side.ATTACKER: Meaning.ATTACKERS, Side.DEFENDER: Meaning.DEFENDERS}

_NATIONS: Final = {
    Nation.ENGLAND: Meaning.ENGLAND,
    Nation.FRANCE: Meaning.FRANCE,
    Nation.TURKEY: Meaning.TURKEY,
    Nation.SARDINIA: Meaning.SARDINIA,
}


def piece_meaning(snapshot: Snapshot, square: Square) -> Meaning | None:
    """Return the meaning of the piece the game has on *square*, its ally's where there are any.

    None where the game has no piece.
    """
    nation = snapshot.nations.get(square)
    if nation is not None:
        return _NATIONS[nation]
    piece = snapshot.position.piece_at(square)
    return None if piece is None else PIECES[piece]
