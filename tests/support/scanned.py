"""A simulated board under its true scanner, and the time."""

from __future__ import annotations

import pytest

from hardware.backends import Simulation, open_simulation
from hardware.cells import ALL_CELLS, CellSet, Frame, Instant
from hardware.wiring import DIRECT, MATRIX, Wiring

START = CellSet(0x380804223FF888402038)
CHIP_CELLS = CellSet(0x3FFF)
both_wirings = pytest.mark.parametrize("wiring", [DIRECT, MATRIX], ids=["direct", "matrix"])


class Table:
    """A simulated board under its scanner, and the time."""

    def __init__(self, wiring: Wiring = DIRECT, *, seed: int = 0) -> None:
        self.simulation: Simulation = open_simulation(seed=seed, wiring=wiring)
        self.board = self.simulation.board
        self.scanner = self.simulation.scanner
        self.board.set(START)
        self.now = 0.0

    def scan(self, *, after: float = 0.005) -> Frame:
        self.now += after
        return self.scanner.scan(Instant(self.now))

    def scan_for(self, seconds: float) -> list[Frame]:
        return [self.scan() for _ in range(round(seconds / 0.005))]

    @property
    def reasons(self) -> list[str]:
        return [fault.reason for fault in self.scanner.faults]


def lost_cells(wiring: Wiring) -> CellSet:
    return CHIP_CELLS if wiring is DIRECT else ALL_CELLS
