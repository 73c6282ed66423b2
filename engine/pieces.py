"""Sides and pieces."""

from __future__ import annotations

import enum


class Side(enum.Enum):
    """The two parties. The value is the name used in every interface."""

    ATTACKER = "attackers"
    DEFENDER = "defenders"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.DEFENDER if self is Side.ATTACKER else Side.ATTACKER


class Piece(enum.IntEnum):
    """What can stand on a square. The king counts as a defender."""

    ATTACKER = 1
    DEFENDER = 2
    KING = 3

    @property
    def side(self) -> Side:
        """The party that moves this piece."""
        return Side.ATTACKER if self is Piece.ATTACKER else Side.DEFENDER
