"""Hands over a simulated board in real time, as clean or as unruly as somebody sets them.

Clean by default: a piece that is put closes its reed once. Each knob turns one thing of
`hardware.mock.effects` up, so that a visitor sees how a real table behaves, and how it is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hardware.cells import CELLS, Cell, CellSet, Instant
from hardware.mock.effects import only
from hardware.mock.hands import Hands
from hardware.mock.reeds import EdgeQueue

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from hardware.mock.board import MockBoard
    from hardware.mock.effects import Effects
    from hardware.mock.hands import Gesture


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing that can be turned up, from `least` to `most`; `usual` is where it begins."""

    least: float
    most: float
    usual: float
    unit: str


KNOBS: Final[Mapping[str, Knob]] = {
    "bounce_ms": Knob(0.0, 30.0, 0.0, "ms"),
    "chatter": Knob(0.0, 1.0, 0.0, ""),
    "reach_mm": Knob(15.0, 60.0, 25.0, "mm"),
    "slide_m_s": Knob(0.1, 2.0, 0.75, "m/s"),
    "missed": Knob(0.0, 1.0, 0.0, ""),
    "read_error": Knob(0.0, 0.05, 0.0, ""),
}
"""Bounce of each contact; chance that a landing or lifting chatters; how far along its way a reed
feels a piece (neighbours are 45 mm apart); speed of a pushed piece; chance that a reed misses one
that passes; chance that a transfer of the bus fails."""


def effects_of(values: Mapping[str, float]) -> Effects:
    """Return the effects that these knobs stand for; everything else is clean."""
    bounce_s = values["bounce_ms"] / 1000
    return only(
        bounce_s=(bounce_s / 3, bounce_s),
        chatter=values["chatter"],
        width_mm=values["reach_mm"],
        passed_closes=1.0 - values["missed"],
    )


class NoisyHands:
    """Lifts, puts and pushes pieces on a board; `advance` does what is due.

    Others may move pieces on the same board: a gesture begins from what is there.
    """

    def __init__(self, board: MockBoard, rng: random.Random) -> None:
        self.board = board
        self._rng = rng
        self._queue = EdgeQueue()
        self._values = {name: knob.usual for name, knob in KNOBS.items()}
        self._hands = Hands(effects_of(self._values), rng, CellSet(0))

    @property
    def knobs(self) -> Mapping[str, Knob]:
        """What can be turned."""
        return KNOBS

    @property
    def values(self) -> Mapping[str, float]:
        """Where each knob stands."""
        return dict(self._values)

    def turn(self, values: Mapping[str, float]) -> None:
        """Set some knobs; pieces in motion go on as they began.

        Raises:
            ValueError: no such knob, or a value out of its bounds; nothing is set.
        """
        for name, value in values.items():
            knob = KNOBS.get(name)
            if knob is None:
                raise ValueError(f"no knob {name!r}; one of {', '.join(KNOBS)}")
            if not knob.least <= value <= knob.most:
                raise ValueError(f"{name!r} is {knob.least:g} to {knob.most:g}; got {value!r}")
        self._values |= values
        closed = sum(1 << cell for cell in range(CELLS) if self.stands(Cell(cell)))
        self._hands = Hands(effects_of(self._values), self._rng, CellSet(closed))
        self.board.bus.loss = self._values["read_error"]

    def stands(self, cell: Cell) -> bool:
        """Return whether a piece stands on *cell*, or comes to rest there soon."""
        if self._queue.waits(cell):
            return self._hands.reeds.feels(cell)
        return bool(self.board.magnets >> cell & 1)

    def lift(self, cell: Cell, at: Instant) -> Instant:
        """Take a piece off; return when its reed has come to rest."""
        self._begin(cell)
        return self._do(self._hands.lift(cell, at))

    def put(self, cell: Cell, at: Instant) -> Instant:
        """Set a piece down; return when its reed has come to rest."""
        self._begin(cell)
        return self._do(self._hands.put(cell, at))

    def push(self, path: Sequence[Cell], at: Instant) -> Instant:
        """Push a piece along neighbouring cells; return when all reeds have come to rest."""
        for cell in path:
            self._begin(cell)
        return self._do(self._hands.push(path, at, self._values["slide_m_s"]))

    def advance(self, now: Instant) -> None:
        """Do what is due by *now*."""
        for edge in self._queue.take(Instant(math.nextafter(now, math.inf))):
            (self.board.put if edge.closed else self.board.lift)(edge.cell)
        self.board.advance(now)

    def forget(self) -> None:
        """Drop what is still to come: all pieces have been put elsewhere."""
        self._queue = EdgeQueue()

    def _begin(self, cell: Cell) -> None:
        self._hands.reeds.settle(cell, closed=self.stands(cell))

    def _do(self, gesture: Gesture) -> Instant:
        self._queue.add(gesture.edges)
        return max([gesture.ends, *(edge.at for edge in gesture.edges)])
