"""Seeded faults of what the lights need of the machine: each is named with its remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.doctor import SPI_FRAME_BYTES, Level, Wanted
from hardware.spi import encode
from tests.support.machines import Machine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_8_analog_audio_beside_pwm(machine: Machine) -> None:
    machine.uid = 0
    machine.write("boot/firmware/config.txt", "dtparam=audio=on\n")
    ((subject, seen, remedy),) = machine.faults(Wanted(led_driver="neopixel", led_pin="D18"))
    assert subject == "audio"
    assert "D18" in seen
    assert "audio=off" in remedy


def test_8b_audio_loaded_by_hand_counts_too(machine: Machine) -> None:
    machine.uid = 0
    machine.write("proc/modules", "snd_bcm2835 24576 1 - Live 0x0\n")
    assert [f[0] for f in machine.faults(Wanted(led_driver="neopixel", led_pin="D18"))] == ["audio"]


def test_9_spi_switched_off(machine: Machine) -> None:
    (machine.root / "dev/spidev0.0").unlink()
    ((subject, seen, remedy),) = machine.faults(Wanted(led_driver="spi"))
    assert (subject, seen) == ("SPI", "/dev/spidev0.0 is absent")
    assert "do_spi 0" in remedy


def test_9b_no_permission_for_spi(machine: Machine) -> None:
    (machine.root / "dev/spidev0.0").chmod(0o600)
    machine.uid = 1001
    ((_, seen, remedy),) = machine.faults(Wanted(led_driver="spi"))
    assert seen == "/dev/spidev0.0 may not be used"
    assert "usermod -aG spi" in remedy


def test_10_an_spi_buffer_too_small_for_a_frame(machine: Machine) -> None:
    machine.write("sys/module/spidev/parameters/bufsiz", "1024\n")
    ((subject, seen, remedy),) = machine.faults(Wanted(led_driver="spi"))
    assert subject == "SPI buffer"
    assert seen.startswith("1024 bytes")
    assert "spidev.bufsiz=4096" in remedy


def test_the_frame_that_must_fit_is_the_one_that_is_sent() -> None:
    assert len(encode(bytes(81 * 4))) == SPI_FRAME_BYTES


@pytest.mark.parametrize(
    ("model", "wish"),
    [
        ("Raspberry Pi 4 Model B", "core_freq_min=500"),
        ("Raspberry Pi 3 Model B Plus", "core_freq=250"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "core_freq=250"),
    ],
)
def test_11_a_core_clock_that_moves_the_colours(machine: Machine, model: str, wish: str) -> None:
    machine.write("proc/device-tree/model", model)
    machine.write("boot/firmware/config.txt", "dtparam=i2c_arm=on\n")
    ((subject, _, remedy),) = machine.faults(Wanted(led_driver="spi"))
    assert subject == "core clock"
    assert wish in remedy
    machine.write("boot/firmware/config.txt", f"{wish}\n")
    assert machine.faults(Wanted(led_driver="spi")) == []


def test_a_setting_for_another_model_does_not_count(machine: Machine) -> None:
    machine.write("boot/firmware/config.txt", "[pi5]\ncore_freq_min=500\n")
    assert [fault[0] for fault in machine.faults(Wanted(led_driver="spi"))] == ["core clock"]


def test_12_missing_libraries_for_the_lights(machine: Machine) -> None:
    machine.modules -= {"gpiod", "_rpi_ws281x"}
    ((subject, seen, remedy),) = machine.faults()
    assert (subject, seen) == ("neopixel", "gpiod, _rpi_ws281x cannot be imported")
    assert "boardctl[pi]" in remedy


def test_12b_with_auto_they_are_no_fault_since_spi_is_there(machine: Machine) -> None:
    machine.modules -= {"gpiod", "_rpi_ws281x"}
    findings = machine.examine(Wanted())
    assert [f.level for f in findings if f.subject == "neopixel"] == [Level.NOTE]
    assert machine.faults(Wanted()) == []


def test_13_a_pin_that_needs_root(machine: Machine) -> None:
    ((subject, seen, remedy),) = machine.faults(Wanted(led_driver="neopixel", led_pin="D21"))
    assert (subject, seen) == ("neopixel", "D21 needs root on this Pi")
    assert "D10" in remedy


def test_14_a_pi_5_without_its_pio_device(machine: Machine) -> None:
    machine.write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0")
    ((_, seen, remedy),) = machine.faults(Wanted(led_driver="neopixel", led_pin="D18"))
    assert seen == "/dev/pio0 is absent or may not be used"
    assert "rpi-eeprom-update" in remedy
    machine.write("dev/pio0", "").chmod(0o666)
    assert machine.faults(Wanted(led_driver="neopixel", led_pin="D18")) == []


def test_14b_a_pi_5_drives_any_pin_without_spi(machine: Machine) -> None:
    machine.write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0")
    machine.write("dev/pio0", "").chmod(0o666)
    (machine.root / "dev/spidev0.0").unlink()
    assert machine.faults(Wanted(led_driver="neopixel", led_pin="D10")) == []


def test_bright_lights_want_a_supply_of_their_own(machine: Machine) -> None:
    findings = machine.examine(Wanted(max_ma=6000, brightness=1))
    (power,) = [finding for finding in findings if finding.subject == "power"]
    assert power.level is Level.NOTE
    assert "at most 4941 mA" in power.seen
    assert "supply of their own" in power.remedy


@pytest.mark.parametrize("driver", ["none", "simulated"])
def test_a_table_without_lights_is_told_so(machine: Machine, driver: str) -> None:
    findings = machine.examine(Wanted(led_driver=driver))
    (lights,) = [finding for finding in findings if finding.subject == "lights"]
    assert lights.level is Level.NOTE
