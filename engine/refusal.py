"""Why a move is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import IllegalReason
from engine.lookup import THRONE
from engine.squares import SIZE, Square, SquareSet

if TYPE_CHECKING:
    from engine.position import Position
    from engine.ruleset import Ruleset


def obstacle(ruleset: Ruleset, position: Position, origin: Square, target: Square) -> IllegalReason:
    """Return what keeps a piece of the side to move from going where the core says it cannot."""
    if origin == target or not _on_one_line(origin, target):
        return IllegalReason.NOT_STRAIGHT
    if position.occupied >> target & 1:
        return IllegalReason.OCCUPIED
    if position.occupied & _between(origin, target):
        return IllegalReason.BLOCKED
    is_king = origin == position.king
    if is_king and _distance(origin, target) > ruleset.king_range:
        return IllegalReason.TOO_FAR
    if target != THRONE:
        return IllegalReason.THRONE_PASS
    return IllegalReason.NO_RETURN if is_king else IllegalReason.THRONE


def wrong_captures(wanted: SquareSet, taken: SquareSet) -> IllegalReason:
    """Return what is wrong with captures that differ from those a move makes."""
    return IllegalReason.NOT_A_VICTIM if wanted & ~taken else IllegalReason.MORE_VICTIMS


def _on_one_line(origin: Square, target: Square) -> bool:
    return origin // SIZE == target // SIZE or origin % SIZE == target % SIZE


def _distance(origin: Square, target: Square) -> int:
    """Return how many squares a straight move goes."""
    gap = abs(origin - target)
    return gap if gap < SIZE else gap // SIZE


def _between(origin: Square, target: Square) -> int:
    """Return the squares between two on one line, as bits."""
    low, high = sorted((origin, target))
    step = SIZE if low % SIZE == high % SIZE else 1
    return sum(1 << square for square in range(low + step, high, step))
