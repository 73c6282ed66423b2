"""What stands where, and who is to move."""

from __future__ import annotations

from dataclasses import dataclass

from engine.pieces import Piece, Side
from engine.squares import NO_SQUARES, Square, SquareSet


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces on the board and the side to move: a value, equal when all of it is equal.

    Attributes:
        attackers: the squares of the attackers' pieces.
        defenders: the squares of the defenders' pieces, the king's not among them.
        king: the king's square; None once he has been taken.
        side: the side to move.
    """

    attackers: SquareSet
    defenders: SquareSet
    king: Square | None
    side: Side

    @property
    def king_set(self) -> SquareSet:
        """The king's square as a set; empty once he has been taken."""
        return NO_SQUARES if self.king is None else SquareSet(1 << self.king)

    @property
    def occupied(self) -> SquareSet:
        """Every square that holds a piece."""
        return SquareSet(self.attackers | self.defenders | self.king_set)

    def pieces(self, side: Side) -> SquareSet:
        """Return the squares of one side's pieces; the king counts as a defender."""
        if side is Side.ATTACKER:
            return self.attackers
        return SquareSet(self.defenders | self.king_set)

    def piece_at(self, square: Square) -> Piece | None:
        """Return what stands on a square."""
        if self.attackers >> square & 1:
            return Piece.ATTACKER
        if self.defenders >> square & 1:
            return Piece.DEFENDER
        return Piece.KING if square == self.king else None
