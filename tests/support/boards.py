"""A simulated board that is wired in its own way, and a person who works at it.

The person sees only what a person sees: lights under squares, and where the pieces are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.backends import open_simulation
from hardware.cells import CELLS, Cell, CellSet, Instant
from hardware.guide import Guide, Seen
from hardware.wiring import DIRECT, Wiring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.guide import Script
    from hardware.strip import Rgb

STEP_S = 0.2


class Workbench:
    """A board, its lights, the time, and a person with one piece.

    Attributes:
        cell_of_led: where each LED of the chain truly lies.
        dark: LEDs that are broken.
        tasks: everything the person was told, in order.
    """

    def __init__(
        self,
        script: Script,
        *,
        read_as: Wiring = DIRECT,
        real: Wiring | None = None,
        cell_of_led: Sequence[int] = range(CELLS),
    ) -> None:
        """Lay the board out: *read_as* is the driver's belief, *real* the truth."""
        self.simulation = open_simulation(seed=0, wiring=read_as, real_wiring=real)
        self.board = self.simulation.board
        self.cell_of_led = cell_of_led
        self.dark: set[int] = set()
        self.guide = Guide(script)
        self.tasks: list[str] = []
        self.now = 0.0

    @property
    def lit(self) -> dict[int, Rgb]:
        """The squares that glow, and in which colour."""
        return {
            self.cell_of_led[led]: colour
            for led, colour in self.guide.ask.lights.items()
            if led not in self.dark and any(colour)
        }

    def wait(self, seconds: float = STEP_S, *, step_s: float = STEP_S) -> None:
        """Let time pass; the board is scanned."""
        for _ in range(max(1, round(seconds / step_s))):
            self.now += step_s
            self.board.advance(Instant(self.now))
            frame = self.simulation.scanner.scan(Instant(self.now))
            faults = [fault.reason for fault in self.simulation.scanner.faults]
            seen = Seen(frame.closed, Instant(self.now), frame.unknown, faults)
            ask = self.guide.step(seen)
            if not self.tasks or self.tasks[-1] != ask.task:
                self.tasks.append(ask.task)

    def wait_until_told(self, text: str, *, at_most_s: float = 60) -> None:
        """Let time pass until the task contains *text*."""
        for _ in range(round(at_most_s / STEP_S)):
            if text in self.guide.ask.task or self.guide.finished:
                return
            self.wait()
        raise AssertionError(f"never told {text!r}; last: {self.guide.ask.task!r}")

    def put(self, cell: int) -> None:
        """Have one piece, on *cell*."""
        self.board.set(CellSet(0))
        self.wait()
        self.board.put(Cell(cell))
