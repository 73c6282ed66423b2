"""Seeded faults on a machine laid out as files: each is found and named with its remedy."""

from __future__ import annotations

import itertools
import os
import sys
from typing import TYPE_CHECKING

import pytest

from hardware.bus import I2cBus, open_bus
from hardware.doctor import Level, Wanted, bus_picture, examine
from hardware.errors import HardwareError
from hardware.mock.board import MockBoard
from hardware.probe import Probe, Who, is_installed
from hardware.wiring import MATRIX
from tests.support.machines import GOOD_CONFIG, PEOPLE, Machine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_good_machine_has_no_faults(machine: Machine) -> None:
    findings = machine.examine()
    assert {finding.level for finding in findings} == {Level.GOOD}
    seen = {finding.subject: finding.seen for finding in findings}
    assert seen["machine"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert seen["chips"].startswith("chip 0x20, chip 0x21")
    assert seen["I2C clock"] == "runs at 400 kHz; a scan takes about 1.3 ms"
    assert seen["power"] == "the lights draw at most 900 mA (limit 900, dark 81)"


def test_1_i2c_switched_off(machine: Machine) -> None:
    (machine.root / "dev/i2c-1").unlink()
    machine.write("boot/firmware/config.txt", "core_freq_min=500\n")
    assert machine.faults() == [
        ("I2C", "/dev/i2c-1 is absent", "enable I2C: raspi-config nonint do_i2c 0, then reboot")
    ]


def test_1b_i2c_on_but_its_device_driver_not_loaded(machine: Machine) -> None:
    (machine.root / "dev/i2c-1").unlink()
    ((_, _, remedy),) = machine.faults()
    assert "modprobe i2c-dev" in remedy


def test_2_no_permission_for_the_bus(machine: Machine) -> None:
    (machine.root / "dev/i2c-1").chmod(0o660)
    ((subject, seen, remedy),) = machine.faults()
    assert (subject, seen) == ("I2C", "/dev/i2c-1 may not be used")
    assert "usermod -aG i2c" in remedy


def test_3_a_chip_that_does_not_answer(machine: Machine) -> None:
    machine.board.chip_silent(0x25)
    ((subject, seen, remedy),) = machine.faults()
    assert (subject, seen) == ("chip 0x25", "does not answer; 11 squares cannot be read")
    assert "RESET must be tied high" in remedy


def test_3b_a_silent_chip_of_a_matrix_costs_the_whole_board(machine: Machine) -> None:
    machine.board = MockBoard(wiring=MATRIX)
    machine.board.chip_silent(0x21)
    ((_, seen, _),) = machine.faults(Wanted(wiring=MATRIX))
    assert seen == "does not answer; the whole board cannot be read"


def test_3c_without_any_chip_there_is_no_clock_to_measure(machine: Machine) -> None:
    for address in machine.board.bus.chips:
        machine.board.chip_silent(address)
    findings = machine.examine()
    assert [f.subject for f in findings if f.level is Level.FAULT] == [
        f"chip {address:#04x}" for address in machine.board.bus.chips
    ]
    assert not {"chips", "I2C clock"} & {finding.subject for finding in findings}


def test_without_a_clock_the_bus_is_not_measured(machine: Machine) -> None:
    probe = Probe(open_bus=machine._open, root=machine.root, who=Who(1000, PEOPLE), clock=None)
    assert "I2C clock" not in {finding.subject for finding in examine(probe, Wanted())}


@pytest.mark.parametrize("answers", [(0x12, 0x34), (0x01, 0x01)])
def test_4_another_device_at_the_address_of_a_chip(
    machine: Machine, answers: tuple[int, int]
) -> None:
    stranger = machine.board.bus.chips[0x22]
    bytes_in_turn = itertools.cycle(answers)
    stranger.read = lambda: next(bytes_in_turn)  # type: ignore[method-assign]
    stranger.write = lambda value: None  # type: ignore[method-assign] # noqa: ARG005
    ((subject, seen, remedy),) = machine.faults()
    assert (subject, seen) == ("chip 0x22", "another kind of device answers there")
    assert "another address" in remedy


def test_5_a_bus_held_low(machine: Machine) -> None:
    machine.board.bus.stuck = True
    ((subject, seen, remedy),) = machine.faults()
    assert subject == "I2C"
    assert "nothing moves on /dev/i2c-1" in seen
    assert "short circuit" in remedy


def test_6_a_clock_that_the_chips_cannot_follow(machine: Machine) -> None:
    config = GOOD_CONFIG.replace("400000", "1000000")
    machine.write("boot/firmware/config.txt", config)
    ((subject, seen, remedy),) = machine.faults()
    assert subject == "I2C clock"
    assert "1000000 Hz is set" in seen
    assert "i2c_arm_baudrate=400000" in remedy


def test_7_a_clock_too_slow_for_the_scans(machine: Machine) -> None:
    machine.board.bus.clock_hz = 62_500
    ((subject, seen, remedy),) = machine.faults()
    assert subject == "I2C clock"
    assert seen == ("runs at 62 kHz; a scan takes about 5.2 ms, too long for 200 scans a second")
    assert "switches.scan_hz" in remedy


def test_15_no_library_for_the_pins(machine: Machine) -> None:
    machine.modules.remove("lgpio")
    ((subject, seen, remedy),) = machine.faults()
    assert (subject, seen) == ("pins", "no pin library is installed")
    assert "GPIOZERO_PIN_FACTORY=lgpio" in remedy


def test_16_the_old_library_for_the_pins(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_rpi = pytest.importorskip("fake_rpi")
    capsys.readouterr()
    assert not is_installed("RPi.GPIO")
    # fake_rpi stands for a machine where code that expects RPi.GPIO can import it.
    monkeypatch.setitem(sys.modules, "RPi", fake_rpi.RPi)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake_rpi.RPi.GPIO)
    assert is_installed("RPi.GPIO")
    machine.modules.remove("lgpio")
    machine.modules |= {name for name in ("RPi.GPIO",) if is_installed(name)}
    ((_, seen, _),) = machine.faults()
    assert "edge detection fails on kernels since 6.6" in seen


def test_16b_the_old_library_chosen_by_the_environment(machine: Machine) -> None:
    machine.environment["GPIOZERO_PIN_FACTORY"] = "rpigpio"
    assert [fault[0] for fault in machine.faults()] == ["pins"]


def test_17_no_permission_for_the_pins(machine: Machine) -> None:
    (machine.root / "dev/gpiochip0").chmod(0o600)
    machine.uid = 1001
    assert machine.faults() == [
        ("pins", "/dev/gpiochip0 may not be used", "add this user to the group gpio")
    ]


def test_18_a_chip_claimed_by_a_driver_of_the_kernel(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = machine._open("x")
    honest = bus.read_byte

    def read_byte(address: int) -> int:
        if address == 0x21:
            raise OSError(16, "busy")
        return honest(address)

    monkeypatch.setattr(bus, "read_byte", read_byte)
    monkeypatch.setattr(machine, "_open", lambda _device: bus)
    ((subject, _, remedy),) = machine.faults()
    assert subject == "chip 0x21"
    assert "dtoverlay" in remedy


def test_19_a_bus_that_opens_for_no_one(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_device: str) -> I2cBus:
        raise HardwareError(5, "broken")

    monkeypatch.setattr(machine, "_open", refuse)
    ((_, seen, remedy),) = machine.faults()
    assert "broken" in seen
    assert "dmesg" in remedy


def test_a_laptop_is_told_of_the_demo(machine: Machine) -> None:
    (machine.root / "proc/device-tree/model").unlink()
    finding = machine.examine()[0]
    assert finding.level is Level.NOTE
    assert "boardctl demo" in finding.remedy


def test_root_may_use_everything(machine: Machine) -> None:
    machine.uid = 0
    (machine.root / "dev/i2c-1").chmod(0o600)
    assert machine.faults() == []


@pytest.mark.parametrize(
    ("mode", "owner", "member", "anybody"),
    [
        (0o600, True, False, False),
        (0o660, True, True, False),
        (0o666, True, True, True),
        (0o060, False, True, False),
        (0o444, False, False, False),
    ],
)
def test_owner_group_and_others_may_use_a_device_as_its_mode_says(
    tmp_path: Path, mode: int, owner: bool, member: bool, anybody: bool
) -> None:
    machine = Machine(tmp_path)
    device = tmp_path / "dev/i2c-1"
    device.chmod(mode)
    os.chown(device, 4243 if os.geteuid() == 0 else -1, -1)
    status = device.stat()

    def may(uid: int, gids: set[int]) -> bool:
        who = Who(uid, frozenset(gids))
        return Probe(open_bus=machine._open, root=tmp_path, who=who).may_use("/dev/i2c-1")

    assert may(status.st_uid, set()) is owner
    assert may(4242, {status.st_gid}) is member
    assert may(4242, {4242}) is anybody


def test_a_probe_looks_on_behalf_of_the_user_of_the_process() -> None:
    assert Who.current() == Who(os.geteuid(), frozenset({os.getegid(), *os.getgroups()}))


def test_the_picture_of_the_bus_shows_who_answers() -> None:
    board = MockBoard()
    bus = open_bus("x", new_bus=board.bus.new_bus, ioctl=board.bus.ioctl)
    picture = bus_picture(bus)
    assert picture[0] == "     0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f"
    assert picture[1] == "00:                         -- -- -- -- -- -- -- --"
    assert picture[3] == "20: 20 21 22 23 24 25 -- -- -- -- -- -- -- -- -- --"
    assert picture[8] == "70: -- -- -- -- -- -- -- --"


def test_what_is_installed_is_found_without_importing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_installed("smbus2")
    assert not is_installed("no_such_module")
    assert not is_installed("no_such_package.module")
    monkeypatch.setitem(sys.modules, "smbus2", None)
    assert not is_installed("smbus2")
