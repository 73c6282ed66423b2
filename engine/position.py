"""What stands where, and who is to move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.pieces import Piece, Side
from engine.squares import NO_SQUARES, Square, SquareSet

if TYPE_CHECKING:
    from engine.moves import Ply


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

    def after(self, ply: Ply) -> Position:
        """Return the position after a legal ply of the side to move."""
        step = 1 << ply.move.from_square | 1 << ply.move.to_square
        left = ~ply.captures
        if self.side is Side.ATTACKER:
            taken = self.king is not None and ply.captures >> self.king & 1
            return Position(
                SquareSet(self.attackers ^ step),
                SquareSet(self.defenders & left),
                None if taken else self.king,
                Side.DEFENDER,
            )
        attackers = SquareSet(self.attackers & left)
        if ply.move.from_square == self.king:
            return Position(attackers, self.defenders, ply.move.to_square, Side.ATTACKER)
        return Position(attackers, SquareSet(self.defenders ^ step), self.king, Side.ATTACKER)
