from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from hardware.backends import (
    open_buttons,
    open_buzzer,
    open_interrupt_line,
    open_reset_line,
    open_scanner,
    open_simulation,
    open_strip,
)
from hardware.cells import CellSet, Instant
from hardware.errors import HardwareError
from hardware.mock.strip import RecordingStrip
from hardware.neopixel import NeoPixelStrip
from hardware.strip import NoStrip
from hardware.wiring import DIRECT, DirectWiring
from tests.support.neopixels import Wire
from tests.support.pins import pins

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pins"]


def test_the_simulation_is_read_by_the_real_driver() -> None:
    simulation = open_simulation(seed=0)
    simulation.board.set(CellSet(5))
    assert simulation.scanner.scan(Instant(0)).closed == 5


def test_the_simulated_board_may_be_wired_otherwise_than_the_driver_believes() -> None:
    swapped = DirectWiring((DIRECT.pins[1], DIRECT.pins[0], *DIRECT.pins[2:]))
    simulation = open_simulation(seed=0, real_wiring=swapped)
    simulation.board.set(CellSet(1))
    assert simulation.scanner.scan(Instant(0)).closed == 2


def test_an_absent_bus_is_an_error_at_once() -> None:
    with pytest.raises(HardwareError, match="enable I2C"):
        open_scanner(device="/dev/i2c-99")


def test_a_table_may_have_no_lights() -> None:
    strip = open_strip(driver="none")
    assert isinstance(strip, NoStrip)
    strip.show([(0, 0, 0)] * 81)
    strip.close()


def test_auto_takes_the_library_where_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire(monkeypatch)
    strip = open_strip(pin="NEOPIXEL", prefix=2)
    assert isinstance(strip, NeoPixelStrip)
    strip.show([(255, 255, 255)] * 81)
    assert wire.frames[-1] == bytes(6) + b"\xff" * 243
    strip.close()


def test_auto_names_both_obstacles_where_nothing_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "neopixel", None)
    with pytest.raises(HardwareError, match=r"boardctl\[pi\].*; .*enable SPI"):
        open_strip(spi_device=str(tmp_path / "spidev0.0"))


@pytest.mark.usefixtures("pins")
def test_what_hangs_on_pins_opens_through_the_back_ends() -> None:
    buttons = open_buttons(pins={"hint": 5}, hold_s={}, bounce_s=0.03)
    buzzer = open_buzzer(13)
    reset, interrupt = open_reset_line(27), open_interrupt_line(17)
    for pin in (5, 13, 17, 27):
        with pytest.raises(HardwareError, match=f"GPIO {pin}"):
            open_buzzer(pin)
    for part in (buttons, buzzer, reset, interrupt):
        part.close()
    for pin in (5, 13, 17, 27):
        open_buzzer(pin).close()


def test_simulated_lights_are_dark_at_first() -> None:
    assert isinstance(open_strip(driver="simulated"), RecordingStrip)
