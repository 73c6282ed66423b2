"""From raw frames to cells that can be believed.

A reed bounces for less than 1 ms, below one scan; what reaches a scan of 5 ms is a wrong sample at
an edge and the chatter of a magnet at the edge of its field. So a change of a cell counts once it
has been seen unbroken for `settle_s`; 10 ms is two scans after the first and leaves 35 ms of the 50
that a light may take to follow a hand. Longer chatter is left to the recogniser, which keeps moves
open for revision. Source: docs/hardware.md, "Reeds and
magnets".

    raw     ____|~|_|~~~~~~~~~~~~~~|_|~~~~~~~~
    settled ____________|~~~~~~~~~~~~~~~~~~~~~     each edge settle_s after its last bounce

What cannot be read is unknown at once; it is believed again when it has been readable and steady
for `settle_s`. The first frame is the state of the board, not a set of changes.
"""

from __future__ import annotations

from typing import Final

from hardware.cells import CELLS, NO_CELLS, Cells, CellSet, Frame, Instant
from hardware.naming import bits

DEFAULT_SETTLE_S: Final = 0.010

_ROUNDING_S: Final = 1e-6
"""Sums of scan periods differ in their last bits; a scan due now is not put off to the next."""

_TRUSTED: Final = 5
"""A cell is taken to have shown so many true changes before the first: one bounce damns nobody."""


class Debouncer:
    """Settles each cell on its own. Pure: time comes in with each frame."""

    def __init__(self, *, settle_s: float = DEFAULT_SETTLE_S) -> None:
        """Believe a change when it has held for *settle_s* seconds."""
        self._settle_s = settle_s
        self._frame: Frame | None = None
        self._cells = Cells(NO_CELLS)
        self._since: dict[int, Instant] = {}
        self._pending = 0
        self._edges = [0] * CELLS
        self._settlings = [0] * CELLS

    @property
    def reliability(self) -> tuple[float, ...]:
        """For each cell the share of its raw changes that proved true, 0..1; 1 is a clean switch.

        A loose wire or a reed at the edge of its magnet's field changes often and settles seldom.
        """
        return tuple(
            min(1.0, (settled + _TRUSTED) / (edges + _TRUSTED))
            for settled, edges in zip(self._settlings, self._edges, strict=True)
        )

    @property
    def cells(self) -> Cells:
        """The cells as last returned by `step`."""
        return self._cells

    @property
    def next_deadline(self) -> Instant | None:
        """When a waiting change will have settled, if the frame stays as it is."""
        if not self._pending:
            return None
        return Instant(min(self._since[cell] for cell in bits(self._pending)) + self._settle_s)

    def step(self, frame: Frame, now: Instant) -> Cells | None:
        """Take a frame seen at *now*; return the cells when they have changed."""
        last = self._frame
        if last is None:
            return self._start(frame)
        if frame is not last:
            self._note_edges(last, frame, now)
        elif not self._pending:
            return None
        return self._settle(frame, now)

    def _start(self, frame: Frame) -> Cells:
        self._frame = frame
        self._cells = Cells(CellSet(frame.closed & ~frame.unknown), frame.unknown)
        return self._cells

    def _note_edges(self, last: Frame, frame: Frame, now: Instant) -> None:
        """Remember since when each cell has read as it does, and which cells wait."""
        self._frame = frame
        for cell in bits((frame.closed ^ last.closed) | (last.unknown & ~frame.unknown)):
            self._since[cell] = now
            self._edges[cell] += 1
        cells = self._cells
        self._pending = ((frame.closed ^ cells.closed) | cells.unknown) & ~frame.unknown

    def _settle(self, frame: Frame, now: Instant) -> Cells | None:
        settled = 0
        for cell in bits(self._pending):
            if now - self._since[cell] >= self._settle_s - _ROUNDING_S:
                settled |= 1 << cell
                self._settlings[cell] += 1
        lost = frame.unknown & ~self._cells.unknown
        if not settled and not lost:
            return None
        self._pending &= ~settled
        unknown = (self._cells.unknown & ~settled) | frame.unknown
        closed = (self._cells.closed & ~settled) | (frame.closed & settled)
        self._cells = Cells(CellSet(closed & ~unknown), CellSet(unknown))
        return self._cells
