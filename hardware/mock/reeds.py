"""A magnet over reed switches: which contacts close, when, and how uncleanly.

A switch feels a magnet within `width_mm` along the way of the piece, centred on itself. What
follows from that geometry (pitch p, width w):

    switch           A               B               C
                 ____|____       ____|____       ____|____
    w < p    ---|    w    |-----|         |-----|         |---    gaps: none is closed
    w > p    -|      w      |#|             |#|             |-    overlap: both are closed
    dead     ---|   |_|   |-----                                  open right above its middle

A hand moves a piece with a minimum-jerk speed profile, so the position after the fraction u of
the time is s(u) = 10u³ - 15u⁴ + 6u⁵: slow at both ends, where the piece lingers over the
first and the last switch. Source: Flash and Hogan 1985, whose profile fits hand movements of
any length and speed.

Each edge then bounces (a millisecond at most, N1) and, at a landing or a lifting, may chatter
for tens of milliseconds as the piece rocks at the rim of the field (N2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hardware.cells import CELLS, Cell, CellSet, Instant

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

    from hardware.mock.effects import Effects, Lognormal

_P95: Final = 1.6449
"""The standard normal distribution's 95th percentile."""


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A contact changes: from `at` on, the switch of `cell` is closed or open."""

    at: Instant
    cell: Cell
    closed: bool


def lognormal(rng: random.Random, spread: Lognormal) -> float:
    """Draw from the lognormal distribution of this median and 95th percentile."""
    median, p95 = spread
    return median * math.exp(rng.gauss(0.0, math.log(p95 / median) / _P95))


def progress(time: float) -> float:
    """Return the fraction of the way after the fraction *time* of a minimum-jerk movement."""
    return time**3 * (10.0 - 15.0 * time + 6.0 * time**2)


def arrival(way: float) -> float:
    """Return the fraction of the time at which the fraction *way* is reached."""
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if progress(middle) < way else (low, middle)
    return (low + high) / 2


class Reeds:
    """The 81 switches of one board, with the quirks this board was built with.

    It knows the state of each contact, so that an edge is only ever a change.
    """

    def __init__(self, effects: Effects, rng: random.Random, closed: CellSet) -> None:
        self._effects = effects
        self._rng = rng
        self._closed = int(closed)
        self.width_mm = rng.choice(effects.widths_mm or (effects.width_mm,))
        self.dead = frozenset(
            Cell(cell) for cell in range(CELLS) if rng.random() < effects.dead_centre
        )

    def feels(self, cell: Cell) -> bool:
        """Return whether the contact of *cell* is closed once all has come to rest."""
        return bool(self._closed >> cell & 1)

    def settle(self, cell: Cell, *, closed: bool) -> None:
        """Take the contact of *cell* to be as somebody else has left it."""
        self._closed = self._closed & ~(1 << cell) | closed << cell

    def reaches(self, cell: Cell, offset_mm: float) -> bool:
        """Return whether a magnet at rest *offset_mm* from the middle closes the contact."""
        gap = self._effects.dead_mm if cell in self.dead else 0.0
        return gap <= abs(offset_mm) < self.width_mm / 2

    def switch(self, cell: Cell, at: Instant, *, closed: bool, rests: bool) -> list[Edge]:
        """Return the edges of a contact that changes at *at*; none if it does not change.

        `rests`: the piece lands there or is lifted from there, so that it may rock.
        """
        if self.feels(cell) == closed:
            return []
        self._closed ^= 1 << cell
        edges = [Edge(at, cell, closed), *self._bounce(cell, at, closed=closed)]
        if rests and self._rng.random() < self._effects.chatter:
            edges += self._chatter(cell, at, closed=closed)
        return sorted(edges)

    def flicker(self, cell: Cell, at: Instant, until: Instant) -> list[Edge]:
        """Return the edges of a contact that opens and closes slowly, closed in the end."""
        edges: list[Edge] = []
        period = 1.0 / self._rng.uniform(*self._effects.flicker_hz)
        now = at + period * self._rng.random()
        while now + period < until:
            edges += [
                Edge(Instant(now), cell, closed=False),
                Edge(Instant(now + period / 2), cell, closed=True),
            ]
            now += period
        return edges

    def pass_over(self, path: Sequence[Cell], at: Instant, duration_s: float) -> list[Edge]:
        """Return the edges of a piece pushed along *path*, first and last square included."""
        pitch = self._effects.pitch_mm
        length = pitch * (len(path) - 1)
        edges: list[Edge] = []
        for number, cell in enumerate(path):
            ends = number in {0, len(path) - 1}
            if not ends and self._rng.random() >= self._effects.passed_closes:
                continue
            for place, closed in self._borders(cell, pitch * number, length):
                moment = Instant(at + duration_s * arrival(place / length))
                edges += self.switch(cell, moment, closed=closed, rests=ends)
        return sorted(edges)

    def _borders(self, cell: Cell, centre: float, length: float) -> Iterator[tuple[float, bool]]:
        """Yield the places on the way where the contact closes or opens, in order.

        A piece starts and ends where its switch feels it: the dead centre counts on the way only.
        """
        half = self.width_mm / 2
        gap = self._effects.dead_mm
        yield from ((centre - half, True),) if centre > 0 else ()
        if cell in self.dead and 0 < centre < length:
            yield (centre - gap, False)
            yield (centre + gap, True)
        yield from ((centre + half, False),) if centre < length else ()

    def _bounce(self, cell: Cell, at: Instant, *, closed: bool) -> list[Edge]:
        """Return one wrong state that ends within the time of bouncing."""
        length = self._rng.uniform(*self._effects.bounce_s)
        if not length:
            return []
        start = Instant(at + length * 0.3)
        return [Edge(start, cell, not closed), Edge(Instant(at + length), cell, closed)]

    def _chatter(self, cell: Cell, at: Instant, *, closed: bool) -> list[Edge]:
        """Return an even number of edges, spread at random over the length of a chatter."""
        effects = self._effects
        length = min(lognormal(self._rng, effects.chatter_s), 2 * effects.chatter_s[1])
        pairs = round(self._rng.uniform(*effects.chatter_toggles) / 2)
        moments = sorted(at + 0.002 + length * self._rng.random() for _ in range(2 * pairs))
        return [
            Edge(Instant(moment), cell, closed if number % 2 else not closed)
            for number, moment in enumerate(moments)
        ]


class EdgeQueue:
    """Edges in the order of time, of many gestures that may overlap.

    A new gesture on a cell ends whatever was still to come there: a piece that is lifted no
    longer chatters from its landing.
    """

    def __init__(self) -> None:
        self._pending: dict[Cell, list[Edge]] = {}

    def add(self, edges: Iterable[Edge]) -> None:
        """Queue the edges of one gesture."""
        touched: set[Cell] = set()
        for edge in edges:
            pending = self._pending.setdefault(edge.cell, [])
            if edge.cell not in touched:
                touched.add(edge.cell)
                pending[:] = [old for old in pending if old.at < edge.at]
            pending.append(edge)

    def waits(self, cell: Cell) -> bool:
        """Return whether something is still to come on *cell*."""
        return bool(self._pending.get(cell))

    def take(self, until: Instant) -> list[Edge]:
        """Remove and return the edges before *until*, in order."""
        taken: list[Edge] = []
        for pending in self._pending.values():
            due = [edge for edge in pending if edge.at < until]
            taken += due
            del pending[: len(due)]
        return sorted(taken)
