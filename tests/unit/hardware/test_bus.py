from __future__ import annotations

import errno
import itertools
import math

import pytest

from hardware.bus import I2C_TIMEOUT, measure_clock_hz, open_bus
from hardware.errors import HardwareError
from hardware.mock.board import MockBoard


def test_transfers_are_bounded_to_50_milliseconds() -> None:
    board = MockBoard()
    asked: list[tuple[int, int]] = []

    def ioctl(fd: int, request: int, argument: int) -> int:
        asked.append((request, argument))
        return board.bus.ioctl(fd, request, argument)

    open_bus("x", new_bus=board.bus.new_bus, ioctl=ioctl).close()
    assert asked == [(I2C_TIMEOUT, 5)]
    assert board.bus.timeout_s == pytest.approx(0.05)


def test_an_absent_bus_is_named_with_its_remedy() -> None:
    with pytest.raises(HardwareError, match=r"/dev/i2c-99 is absent; enable I2C") as caught:
        open_bus("/dev/i2c-99")
    assert caught.value.errno == errno.ENOENT


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.EACCES, "group i2c"),
        (errno.EPERM, "group i2c"),
        (errno.ENODEV, "enable I2C"),
        (errno.EBUSY, "boardctl doctor"),
    ],
)
def test_each_way_to_fail_has_its_remedy(number: int, remedy: str) -> None:
    def refuse(_device: str) -> object:
        raise OSError(number, "refused")

    with pytest.raises(HardwareError, match=remedy) as caught:
        open_bus("/dev/i2c-1", new_bus=refuse)
    assert caught.value.errno == number


@pytest.mark.parametrize("clock_hz", [62_500, 100_000, 400_000])
def test_the_speed_of_the_wire_is_measured_whatever_each_transfer_adds(clock_hz: float) -> None:
    board = MockBoard()
    board.bus.clock_hz = clock_hz
    bus = open_bus("x", new_bus=board.bus.new_bus, ioctl=board.bus.ioctl)
    calls = itertools.count()
    measured = measure_clock_hz(bus, 0x20, lambda: board.bus.elapsed_s + next(calls) * 1e-4)
    assert measured == pytest.approx(clock_hz)


def test_a_clock_that_stands_still_is_no_division_by_zero() -> None:
    board = MockBoard()
    bus = open_bus("x", new_bus=board.bus.new_bus, ioctl=board.bus.ioctl)
    assert measure_clock_hz(bus, 0x20, lambda: 0.0) == math.inf
