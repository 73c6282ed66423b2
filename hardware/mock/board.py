"""The wooden board made of software: magnets, reeds, wires and expanders.

A magnet on a cell closes its reed, unless the reed is stuck. The wires follow a `Wiring`, which may
differ from what the driver believes: that is how calibration is tested. Cells and times only; what
hands and noisy reeds do is queued with `schedule` and happens in `advance`.
"""

from __future__ import annotations

import heapq
import itertools
import random
from typing import Final

from hardware.cells import SIDE, Cell, CellSet, Instant
from hardware.mock.bus import SimulatedBus
from hardware.mock.chip import GPPU, IODIR, OLAT, ChipModel
from hardware.wiring import DIRECT, MatrixWiring, Pin, Wiring

_HIGH: Final = 0xFF


class MockBoard:
    """81 reeds, their wires and the bus.

    Attributes:
        bus: the bus, with its own fault switches.
        wiring: how the reeds are really wired.
        floating: what an input without pull-up reads: `low`, or `random` for each read.
    """

    def __init__(self, *, wiring: Wiring = DIRECT, rng: random.Random | None = None) -> None:
        """Build an empty board; *rng* feeds the faults that are random."""
        self._rng = rng if rng is not None else random.Random(0)  # noqa: S311 # no secret
        self.wiring = wiring
        self.bus = SimulatedBus(self._rng)
        self.floating = "low"
        self._bridged: set[tuple[int, int]] = set()
        self._magnets = 0
        self._stuck_closed = 0
        self._stuck_open = 0
        self._queue: list[tuple[Instant, int, Cell, bool]] = []
        self._order = itertools.count()
        self._wires: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._low: dict[tuple[int, int], int] = {}
        self._row_columns = [0] * SIDE
        if not isinstance(wiring, MatrixWiring):
            for cell, pin in enumerate(wiring.pins):
                self._wires.setdefault((pin.address, pin.port), []).append((cell, 1 << pin.bit))
        for address in wiring.addresses:
            self.bus.chips[address] = ChipModel(address, self._levels)

    # --- reeds -----------------------------------------------------------------------------------

    @property
    def closed(self) -> CellSet:
        """The reeds that are closed now."""
        return CellSet((self._magnets & ~self._stuck_open) | self._stuck_closed)

    @property
    def magnets(self) -> CellSet:
        """The cells with a magnet over them, whatever their reeds say."""
        return CellSet(self._magnets)

    def put(self, cell: Cell) -> None:
        """Bring a magnet over *cell*."""
        self._magnets |= 1 << cell
        self._changed()

    def lift(self, cell: Cell) -> None:
        """Take the magnet from *cell*."""
        self._magnets &= ~(1 << cell)
        self._changed()

    def set(self, cells: CellSet) -> None:
        """Have magnets over exactly these cells."""
        self._magnets = int(cells)
        self._changed()

    def schedule(self, at: Instant, cell: Cell, closed: bool) -> None:
        """Queue a change of the magnet over *cell*; changes of one instant keep their order."""
        heapq.heappush(self._queue, (at, next(self._order), cell, closed))

    @property
    def next_change(self) -> Instant | None:
        """When the next queued change is due."""
        return self._queue[0][0] if self._queue else None

    def advance(self, now: Instant) -> None:
        """Apply every queued change that is due by *now*."""
        while self._queue and self._queue[0][0] <= now:
            _, _, cell, closed = heapq.heappop(self._queue)
            if closed:
                self.put(cell)
            else:
                self.lift(cell)

    # --- faults ----------------------------------------------------------------------------------

    def stick(self, cell: Cell, closed: bool | None) -> None:
        """Jam the reed of *cell* closed or open; None frees it."""
        bit = 1 << cell
        self._stuck_closed = self._stuck_closed | bit if closed else self._stuck_closed & ~bit
        self._stuck_open = self._stuck_open | bit if closed is False else self._stuck_open & ~bit
        self._changed()

    def bridge(self, *crossings: tuple[int, int]) -> None:
        """Take away the diodes at these (row, column) of a matrix, none: all of them."""
        every = self.wiring.crossings if isinstance(self.wiring, MatrixWiring) else ()
        self._bridged = set(crossings or every)
        self._changed()

    def chip_silent(self, address: int, silent: bool = True) -> None:
        """Cut a chip off the bus, or connect it again."""
        (self.bus.silent.add if silent else self.bus.silent.discard)(address)

    def chip_holds(self, address: int, holds: bool = True) -> None:
        """Let every transfer with a chip time out, or end that."""
        (self.bus.holding.add if holds else self.bus.holding.discard)(address)

    def chip_reset(self, address: int) -> None:
        """Dip the supply of a chip: its registers are those of power-on, nothing else is seen."""
        self.bus.chips[address].reset()

    def reset_line(self) -> None:
        """Pull the RESET pin of all chips low for a moment; frees a chip that holds the bus."""
        self.bus.holding.clear()
        for chip in self.bus.chips.values():
            chip.reset()

    @property
    def interrupt(self) -> bool:
        """Whether any chip pulls the shared INT line."""
        return any(any(chip.interrupt) for chip in self.bus.chips.values())

    # --- wires -----------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Work out which pins the closed reeds connect, then let the chips notice."""
        closed = self.closed
        if isinstance(self.wiring, MatrixWiring):
            self._row_columns = _connected(self.wiring, closed, self._bridged)
        else:
            for key, wires in self._wires.items():
                self._low[key] = sum(bit for cell, bit in wires if closed >> cell & 1)
        for chip in self.bus.chips.values():
            chip.sample()

    def _levels(self, chip: ChipModel, port: int) -> int:
        """Return the levels outside a port: pulled up, floating, or connected to a low."""
        pulled = chip.registers[GPPU][port]
        level = pulled if self.floating == "low" else pulled | self._float(pulled)
        if isinstance(self.wiring, MatrixWiring):
            return level & ~self._low_columns(self.wiring, chip.address, port)
        return level & ~self._low.get((chip.address, port), 0)

    def _float(self, pulled: int) -> int:
        return self._rng.randrange(256) & ~pulled & _HIGH

    def _low_columns(self, wiring: MatrixWiring, address: int, port: int) -> int:
        """Return the pins of a port that a selected row pulls low through closed switches."""
        if address != wiring.columns[0].address:
            return 0
        low = 0
        for pin, columns in zip(wiring.rows, self._row_columns, strict=True):
            if columns and self._drives_low(pin):
                low |= columns
        return sum(
            1 << pin.bit
            for column, pin in enumerate(wiring.columns)
            if pin.port == port and low >> column & 1
        )

    def _drives_low(self, pin: Pin) -> bool:
        chip = self.bus.chips[pin.address]
        drives = not chip.registers[IODIR][pin.port] >> pin.bit & 1
        return drives and not chip.registers[OLAT][pin.port] >> pin.bit & 1


def _connected(wiring: MatrixWiring, closed: int, bridged: set[tuple[int, int]]) -> list[int]:
    """Return the columns that each row pulls low, once it is selected.

    Current flows from a column through a closed switch into a row; back from the row into another
    column only through a switch whose diode is missing.
    """
    forward = [0] * len(wiring.rows)
    backward = [0] * len(wiring.rows)
    for cell, (row, column) in enumerate(wiring.crossings):
        if closed >> cell & 1:
            forward[row] |= 1 << column
            backward[row] |= (1 << column) if (row, column) in bridged else 0
    reached = list(forward)
    while bridged:
        wider = [_joined(columns, forward, backward) for columns in reached]
        if wider == reached:
            break
        reached = wider
    return reached


def _joined(low: int, forward: list[int], backward: list[int]) -> int:
    """Return *low* and the columns pulled low through rows that low columns pull low."""
    for into, out in zip(forward, backward, strict=True):
        if out & low:
            low |= into
    return low
