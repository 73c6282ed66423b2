"""Parts of the board that are read together: one chip when wired directly, the whole matrix.

A section knows how to set its chips up, read its switches as a short list of bytes, and turn that
list into cells; when to do so, and what a failure means, is decided by `hardware.mcp_scanner`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from hardware.cells import ALL_CELLS, SIDE, CellSet
from hardware.mcp23017 import INPUT_BITS, Mcp23017
from hardware.wiring import DirectWiring, MatrixWiring, Pin, Wiring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.bus import I2cBus


class Section(Protocol):
    """Cells that are read together, and lost together. Reading raises OSError."""

    @property
    def cells(self) -> CellSet:
        """The cells of this section."""

    @property
    def address(self) -> int:
        """The chip that was spoken to last: the culprit when it failed."""

    def configure(self) -> None:
        """Set the chips up, from any state."""

    def read(self) -> list[int]:
        """Return the raw bytes of the switches; equal lists mean that nothing changed."""

    def settings_intact(self) -> bool:
        """Tell whether every chip still has its settings."""

    def closed(self, raw: Sequence[int]) -> int:
        """Return the cells closed in *raw*, or `MISREAD` when no chip can have sent it."""


MISREAD: Final = -1
"""Bit 7 is an output that is held low: a byte that has it set was damaged on its way."""


class ChipSection:
    """One directly wired chip."""

    def __init__(
        self, bus: I2cBus, address: int, wiring: DirectWiring, *, interrupts: bool
    ) -> None:
        """Prepare a table for each port, so that decoding is two look-ups."""
        self.address = address
        self._chip = Mcp23017(bus, address, interrupts=interrupts)
        self.configure = self._chip.configure
        self.read = self._chip.read_switches
        self.settings_intact = self._chip.settings_intact
        mine = [(cell, pin) for cell, pin in enumerate(wiring.pins) if pin.address == address]
        self.cells = CellSet(sum(1 << cell for cell, _ in mine))
        self._tables = tuple(_table(mine, port) for port in (0, 1))

    def closed(self, raw: Sequence[int]) -> int:
        """Return the cells closed in *raw*, or `MISREAD`."""
        if (raw[0] | raw[1]) & ~INPUT_BITS:
            return MISREAD
        return self._tables[0][raw[0]] | self._tables[1][raw[1]]


def _table(wires: Sequence[tuple[int, Pin]], port: int) -> tuple[int, ...]:
    """Return the closed cells for each byte of a port."""
    cells = [(1 << cell, 1 << pin.bit) for cell, pin in wires if pin.port == port]
    return tuple(sum(cell for cell, bit in cells if byte & bit) for byte in range(INPUT_BITS + 1))


class MatrixSection:
    """Nine rows by nine columns over two chips.

    The wire to the next row's chip takes 27 clocks, 68 us at 400 kHz, between selecting a row and
    sampling the columns: time enough for a column to rise through its pull-up (100 kOhm, 200 pF:
    20 us), so no settling delay is added.
    """

    cells = ALL_CELLS

    def __init__(self, bus: I2cBus, wiring: MatrixWiring, *, interrupts: bool) -> None:
        """Know both chips; the row chip never raises interrupts, its inputs are its own rows."""
        self._columns = Mcp23017(bus, wiring.columns[0].address, interrupts=interrupts)
        self._rows = Mcp23017(bus, wiring.rows[0].address)
        self._wiring = wiring
        self.address = self._columns.address
        self._cell_at = {crossing: cell for cell, crossing in enumerate(wiring.crossings)}

    def configure(self) -> None:
        """Set both chips up, the row chip first: it is the one that may drive pins."""
        for chip in (self._rows, self._columns):
            self.address = chip.address
            chip.configure()

    def read(self) -> list[int]:
        """Select each row in turn and read both column ports."""
        raw: list[int] = []
        rows, columns = self._rows, self._columns
        for pin in self._wiring.rows:
            self.address = rows.address
            rows.drive_low(pin.port, 1 << pin.bit)
            self.address = columns.address
            raw += columns.read_switches()
        return raw

    def settings_intact(self) -> bool:
        """Check both chips."""
        for chip in (self._rows, self._columns):
            self.address = chip.address
            if not chip.settings_intact():
                return False
        return True

    def closed(self, raw: Sequence[int]) -> int:
        """Return the cells closed in *raw*, or `MISREAD`."""
        closed = 0
        for row in range(SIDE):
            ports = raw[2 * row : 2 * row + 2]
            if (ports[0] | ports[1]) & ~INPUT_BITS:
                return MISREAD
            for column, pin in enumerate(self._wiring.columns):
                if ports[pin.port] >> pin.bit & 1:
                    closed |= 1 << self._cell_at[row, column]
        return closed


def sections_of(bus: I2cBus, wiring: Wiring, *, interrupts: bool = False) -> list[Section]:
    """Return the sections of a wiring."""
    if isinstance(wiring, MatrixWiring):
        return [MatrixSection(bus, wiring, interrupts=interrupts)]
    return [ChipSection(bus, chip, wiring, interrupts=interrupts) for chip in wiring.addresses]
