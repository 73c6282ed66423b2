"""Hands over the board: gestures in, edges of contacts out. Cells and times, no rules of a game.

A gesture happens at a given instant and says when it is over. Where several gestures touch the
same cell, they must be made in the order of time; on different cells any order will do, so that
two players' hands can be interleaved freely.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.cells import Cell, CellSet, Instant
from hardware.mock.reeds import Edge, Reeds, lognormal

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from hardware.mock.effects import Effects

_SIZE = 9
_FASTEST_M_S = 2.0


@dataclass(frozen=True, slots=True)
class Gesture:
    """What a gesture does.

    Attributes:
        edges: the changes of contacts, in order.
        ends: when the hand is done.
    """

    edges: tuple[Edge, ...]
    ends: Instant


class Hands:
    """Lift, put, push and shift pieces on one simulated board."""

    def __init__(self, effects: Effects, rng: random.Random, closed: CellSet) -> None:
        self.reeds = Reeds(effects, rng, closed)
        self._effects = effects
        self._rng = rng

    def lift(self, cell: Cell, at: Instant) -> Gesture:
        """Take the piece off *cell*."""
        return Gesture(tuple(self.reeds.switch(cell, at, closed=False, rests=True)), at)

    def put(self, cell: Cell, at: Instant) -> Gesture:
        """Set a piece down on *cell*, more or less in the middle."""
        offset = self._resting_place(cell)
        if not self.reeds.reaches(cell, offset):
            return Gesture((), at)
        edges = self.reeds.switch(cell, at, closed=True, rests=True)
        return Gesture(tuple(edges + self._unrest(cell, offset, at)), at)

    def shift(self, cell: Cell, at: Instant) -> Gesture:
        """Push the piece on *cell* to where its switch feels it."""
        return Gesture(tuple(self.reeds.switch(cell, at, closed=True, rests=True)), at)

    def push(self, path: Sequence[Cell], at: Instant, speed_m_s: float) -> Gesture:
        """Push a piece along *path*, a straight line of neighbouring cells."""
        length_m = (len(path) - 1) * self._effects.pitch_mm / 1000
        duration = length_m / speed_m_s
        edges = self.reeds.pass_over(path, at, duration)
        ends = Instant(at + duration)
        offset = self._resting_place(path[-1])
        if not self.reeds.reaches(path[-1], offset):
            edges += self.reeds.switch(path[-1], ends, closed=False, rests=False)
        else:
            edges += self._unrest(path[-1], offset, ends)
        return Gesture(tuple(edges), ends)

    def speed(self) -> float:
        """Draw the mean speed of a slide, in m/s."""
        drawn = lognormal(self._rng, self._effects.slide_m_s)
        return min(_FASTEST_M_S, max(self._effects.slide_slowest_m_s, drawn))

    def _resting_place(self, cell: Cell) -> float:
        """Draw how far from the middle a piece comes to rest, in mm."""
        reach = self.reeds.width_mm / 2
        if self._rng.random() < self._effects.off_centre:
            return reach + 1.0
        if cell not in self.reeds.dead:
            return 0.0
        return min(reach - 0.5, abs(self._rng.gauss(0.0, self._effects.rest_mm)))

    def _unrest(self, cell: Cell, offset: float, at: Instant) -> list[Edge]:
        """Return the flickering of a piece that rests on the rim of a dead centre."""
        effects = self._effects
        if cell not in self.reeds.dead or offset > effects.dead_mm + effects.flicker_rim_mm:
            return []
        until = Instant(at + self._rng.uniform(*effects.flicker_s))
        return self.reeds.flicker(cell, at, until)


def line(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """Return the cells from *start* to *end*, both included.

    Raises:
        ValueError: the two are not in one row or column.
    """
    if start // _SIZE != end // _SIZE and start % _SIZE != end % _SIZE:
        raise ValueError(f"cells {start} and {end} are not in one row or column")
    step = 1 if start // _SIZE == end // _SIZE else _SIZE
    step = step if end > start else -step
    return tuple(Cell(cell) for cell in range(start, end + step, step))


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the up to four cells beside *cell*."""
    column, row = cell % _SIZE, cell // _SIZE
    beside = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return tuple(Cell(r * _SIZE + c) for c, r in beside if 0 <= c < _SIZE and 0 <= r < _SIZE)
