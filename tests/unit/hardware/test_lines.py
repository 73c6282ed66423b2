from __future__ import annotations

from typing import Any

import pytest

from hardware.backends import open_simulation
from hardware.buttons import Buttons
from hardware.cells import Cell, Instant
from hardware.errors import HardwareError
from hardware.lines import InterruptLine, ResetLine
from tests.support.pins import pins

__all__ = ["pins"]


def test_a_low_line_ends_the_wait(pins: Any) -> None:
    line = InterruptLine(17)
    assert not line.wait(0.01)
    pins.pin(17).drive_low()
    assert line.wait(0.01)
    line.close()


def test_the_chips_pull_the_line_until_they_are_read(pins: Any) -> None:
    simulation = open_simulation(seed=0, interrupts=True)
    line = InterruptLine(17)
    simulation.scanner.scan(Instant(0))

    def wire() -> None:
        (pins.pin(17).drive_low if simulation.board.interrupt else pins.pin(17).drive_high)()

    wire()
    assert not line.wait(0.01)
    simulation.board.put(Cell(40))
    wire()
    assert line.wait(0.01)
    simulation.scanner.scan(Instant(1))
    wire()
    assert not line.wait(0.01)


def test_a_reset_is_a_short_low(pins: Any) -> None:
    reset = ResetLine(27)
    pin = pins.pin(27)
    assert pin.state == 1
    pin.clear_states()
    reset()
    assert [change.state for change in pin.states] == [1, 0, 1]
    reset.close()


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_an_error() -> None:
    buttons = Buttons({"hint": 17}, hold_s={}, bounce_s=0.03)
    with pytest.raises(HardwareError, match="interrupt line cannot use GPIO 17"):
        InterruptLine(17)
    with pytest.raises(HardwareError, match="reset line cannot use GPIO 17"):
        ResetLine(17)
    buttons.close()
