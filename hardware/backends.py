"""From a name in the configuration to a driver: the only file that names concrete ones."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.bus import open_bus
from hardware.mcp_scanner import McpScanner
from hardware.mock.board import MockBoard
from hardware.mock.strip import RecordingStrip
from hardware.wiring import DIRECT, Wiring

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Simulation:
    """A board made of software, read by the real driver."""

    board: MockBoard
    scanner: McpScanner
    strip: RecordingStrip


def open_scanner(
    *,
    device: str = "/dev/i2c-1",
    wiring: Wiring = DIRECT,
    interrupts: bool = False,
    reset: Callable[[], None] | None = None,
) -> McpScanner:
    """Open the switches of the wooden board.

    Args:
        device: the I2C bus.
        wiring: which pin is which cell.
        interrupts: let the chips pull their INT line when a switch changes.
        reset: pulses the RESET line of all chips, where one is wired.

    Raises:
        HardwareError: the bus is absent or may not be used. Chips that do not answer are no error.
    """
    bus = open_bus(device)
    return McpScanner(bus, wiring, device=device, interrupts=interrupts, reset=reset)


def open_simulation(
    *, seed: int, wiring: Wiring = DIRECT, real_wiring: Wiring | None = None
) -> Simulation:
    """Build a simulated board and the real driver on it.

    Args:
        seed: decides every random fault.
        wiring: how the driver believes the board is wired.
        real_wiring: how it is wired; None: as the driver believes.
    """
    rng = random.Random(seed)  # noqa: S311 # simulated faults, no secret
    board = MockBoard(wiring=wiring if real_wiring is None else real_wiring, rng=rng)
    bus = open_bus("simulated board", new_bus=board.bus.new_bus, ioctl=board.bus.ioctl)
    scanner = McpScanner(bus, wiring, device="the simulated bus", reset=board.reset_line)
    return Simulation(board, scanner, RecordingStrip())
