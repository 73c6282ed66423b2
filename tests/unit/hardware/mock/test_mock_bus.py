from __future__ import annotations

import errno
import random
from typing import Any

import pytest
import smbus2

from hardware.mock.bus import ADAPTER_FUNCTIONS, SimulatedBus
from hardware.mock.chip import ChipModel


def made() -> SimulatedBus:
    bus = SimulatedBus(random.Random(0))
    for address in (0x20, 0x21):
        bus.chips[address] = ChipModel(address, lambda _chip, port: 0xF0 + port)
    return bus


def test_the_bus_under_test_is_the_genuine_library_and_leaves_the_installed_one_alone() -> None:
    simulated = made().new_bus("/dev/i2c-1")
    assert type(simulated).__module__ == "smbus2.smbus2"
    assert type(simulated) is not smbus2.SMBus
    assert simulated.funcs == ADAPTER_FUNCTIONS
    with pytest.raises(OSError, match="i2c-99"):
        smbus2.SMBus("/dev/i2c-99")


def test_every_kind_of_transfer_reaches_the_registers() -> None:
    bus = made().new_bus("x")
    bus.write_byte_data(0x20, 0x00, 0x7F)
    assert bus.read_byte_data(0x20, 0x00) == 0x7F
    bus.write_word_data(0x20, 0x02, 0x3412)
    assert bus.read_word_data(0x20, 0x02) == 0x3412
    bus.write_i2c_block_data(0x20, 0x0C, [0x56, 0x78])
    assert bus.read_i2c_block_data(0x20, 0x0C, 2) == [0x56, 0x78]
    bus.write_byte(0x20, 0x0C)
    assert bus.read_byte(0x20) == 0x56
    bus.write_quick(0x20)
    write, read = messages(bus, 0x21)
    bus.i2c_rdwr(write, read)
    assert list(read) == [0xF0, 0xF1]


def messages(bus: Any, address: int) -> tuple[Any, Any]:
    """Both messages of reading the ports, of the library's class that *bus* belongs to."""
    i2c_msg = type(bus).i2c_rdwr.__globals__["i2c_msg"]
    return i2c_msg.write(address, [0x12]), i2c_msg.read(address, 2)


def test_two_reads_in_one_transfer_are_refused_as_the_pi_refuses_them() -> None:
    bus = made().new_bus("x")
    with pytest.raises(OSError, match="not supported") as caught:
        bus.i2c_rdwr(*messages(bus, 0x20), *messages(bus, 0x21))
    assert caught.value.errno == errno.EOPNOTSUPP


def test_what_the_adapter_cannot_do_is_refused() -> None:
    bus = made().new_bus("x")
    with pytest.raises(OSError, match="not supported"):
        bus.process_call(0x20, 0, 0)
    with pytest.raises(OSError, match=r"[Ii]nappropriate"):
        made().ioctl(1000, 0x1234)


def test_an_absent_or_silent_chip_does_not_acknowledge() -> None:
    simulated = made()
    bus = simulated.new_bus("x")
    simulated.silent.add(0x21)
    for address in (0x21, 0x22):
        with pytest.raises(OSError, match=r"[Rr]emote") as caught:
            bus.read_byte_data(address, 0)
        assert caught.value.errno == errno.EREMOTEIO


def test_a_held_clock_costs_the_time_out_that_was_set() -> None:
    simulated = made()
    bus = simulated.new_bus("x")
    simulated.ioctl(bus.fd, 0x0702, 5)
    simulated.holding.add(0x20)
    with pytest.raises(OSError, match="timed out"):
        bus.read_byte_data(0x20, 0)
    assert simulated.elapsed_s == pytest.approx(0.05)
    assert bus.read_byte_data(0x21, 0) == 0xFF
    simulated.stuck = True
    with pytest.raises(OSError, match="timed out"):
        bus.read_byte_data(0x21, 0)


def test_transfers_are_lost_and_bytes_garbled_at_random() -> None:
    simulated = made()
    bus = simulated.new_bus("x")
    simulated.noise = 0.5
    values = [bus.read_byte_data(0x20, 0) for _ in range(100)]
    assert 20 < values.count(0xFF) < 80
    simulated.noise, simulated.loss = 0, 0.5
    lost = 0
    for _ in range(100):
        try:
            bus.read_byte_data(0x20, 0)
        except OSError:
            lost += 1
    assert 50 < lost < 95, "a read is two messages, each lost with one chance in two"


def test_the_time_on_the_wire_is_that_of_its_clocks() -> None:
    simulated = made()
    bus = simulated.new_bus("x")
    bus.read_i2c_block_data(0x20, 0x12, 2)
    assert simulated.elapsed_s * simulated.clock_hz == pytest.approx(49)


def test_closing_forgets_the_file() -> None:
    simulated = made()
    bus = simulated.new_bus("x")
    bus.read_byte_data(0x20, 0)
    bus.close()
    assert bus.fd is None
