"""Looks at the machine and says what would keep the board from working, each with its remedy.

A check is a function of the facts (`hardware.probe`) and of what the configuration wants; it
yields findings. Nothing is changed: chips are read, not set up.
"""

from __future__ import annotations

import enum
import errno
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from hardware.bus import I2cBus, measure_clock_hz
from hardware.cells import CELLS, SIDE
from hardware.errors import HardwareError
from hardware.light import CHANNEL_MA, IDLE_MA
from hardware.probe import Probe
from hardware.wiring import DIRECT, DirectWiring, MatrixWiring, Wiring

PWM_PINS: Final = frozenset({"D12", "D13", "D18", "D19"})
ROOT_PINS: Final = PWM_PINS | {"D21"}
FASTEST_I2C_HZ: Final = 400_000
SPI_FRAME_BYTES: Final = 2592 + 241
"""A frame of 81 lights with white, its prefix and its reset (`hardware.spi`)."""

_BUS_FIRST, _BUS_LAST = 0x08, 0x77
_READ_CLOCKS: Final = 48
_ROW_CLOCKS: Final = 86
"""The wire's clocks to read both ports of a chip; to select a row of the matrix and read its
columns. Source: docs/hardware.md, note 1."""

_TRANSFER_S: Final = 0.0001
"""What the kernel and Python add to a transfer. Assumed: it decides only whether the scan rate that
is wanted can be had at all."""

FROM_THE_PI_MA: Final = 1000.0
"""What the 5 V pins may give besides the Pi: a supply of 3 A, 1.5 A for the Pi, and a margin."""


class Level(enum.Enum):
    """How bad it is. Only a `FAULT` keeps the board from working."""

    GOOD = "good"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what it is, what was seen, and what to do about it."""

    level: Level
    subject: str
    seen: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the configuration asks of the machine."""

    device: str = "/dev/i2c-1"
    wiring: Wiring = DIRECT
    scan_hz: float = 200.0
    led_driver: str = "auto"
    led_pin: str = "D10"
    spi_device: str = "/dev/spidev0.0"
    max_ma: float = 1500.0
    brightness: float = 0.35
    gpio: bool = False


Check: TypeAlias = Callable[[Probe, Wanted], Iterator[Finding]]


def examine(probe: Probe, wanted: Wanted) -> list[Finding]:
    """Run every check."""
    return [finding for check in CHECKS for finding in check(probe, wanted)]


def bus_picture(bus: I2cBus) -> list[str]:
    """Return a picture of who answers on the bus, laid out as `i2cdetect` does.

    `20` answers, `UU` is used by a driver of the kernel, `--` is silent.

    Raises:
        OSError: the bus itself does not work.
    """
    lines = ["     " + "  ".join(f"{column:x}" for column in range(16))]
    for row in range(0, 0x80, 16):
        marks = [_mark(bus, row + column) for column in range(16)]
        lines.append(f"{row:02x}: " + " ".join(marks).rstrip())
    return lines


def _mark(bus: I2cBus, address: int) -> str:
    if not _BUS_FIRST <= address <= _BUS_LAST:
        return "  "
    try:
        bus.read_byte(address)
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            raise
        return "UU" if error.errno == errno.EBUSY else "--"
    return f"{address:02x}"


# --- the machine ---------------------------------------------------------------------------------


def check_model(probe: Probe, _wanted: Wanted) -> Iterator[Finding]:
    """Name the machine."""
    if "Raspberry Pi" in probe.model:
        yield Finding(Level.GOOD, "machine", probe.model)
    else:
        yield Finding(
            Level.NOTE,
            "machine",
            f"{probe.model or 'this machine'} is no Raspberry Pi",
            "'boardctl demo' plays on a simulated board",
        )


def check_pins(probe: Probe, wanted: Wanted) -> Iterator[Finding]:
    """Buttons and wires on GPIOs need a pin library that works on today's kernels."""
    if not wanted.gpio:
        return
    chosen = probe.environment.get("GPIOZERO_PIN_FACTORY", "")
    if chosen == "rpigpio" or (not chosen and not probe.installed("lgpio")):
        has_old = chosen == "rpigpio" or probe.installed("RPi.GPIO")
        seen = (
            "RPi.GPIO would drive them; its edge detection fails on kernels since 6.6"
            if has_old
            else "no pin library is installed"
        )
        yield Finding(
            Level.FAULT,
            "pins",
            seen,
            "pip install 'boardctl[pi]' and set GPIOZERO_PIN_FACTORY=lgpio",
        )
    elif not _usable(probe, "/dev/gpiochip0"):
        yield Finding(
            Level.FAULT, "pins", "/dev/gpiochip0 may not be used", "add this user to the group gpio"
        )
    else:
        yield Finding(Level.GOOD, "pins", f"{chosen or 'lgpio'} drives them")


# --- the bus -------------------------------------------------------------------------------------


def check_bus(probe: Probe, wanted: Wanted) -> Iterator[Finding]:
    """The I2C bus: there, allowed, alive, with the chips that the wiring names."""
    device = wanted.device
    if not probe.exists(device):
        on = probe.boot_settings.get("i2c_arm") == "on"
        loaded = "load it now: modprobe i2c-dev; for good: add i2c-dev to /etc/modules"
        remedy = loaded if on else "enable I2C: raspi-config nonint do_i2c 0, then reboot"
        yield Finding(Level.FAULT, "I2C", f"{device} is absent", remedy)
        return
    if not probe.may_use(device):
        yield Finding(
            Level.FAULT,
            "I2C",
            f"{device} may not be used",
            "add this user to the group i2c: usermod -aG i2c USER, then log in again",
        )
        return
    try:
        bus = probe.open_bus(device)
    except HardwareError as error:
        yield Finding(Level.FAULT, "I2C", str(error), "see the kernel's log: dmesg | grep i2c")
        return
    try:
        yield from _check_chips(bus, wanted)
        yield from _check_clock(probe, bus, wanted)
    except OSError as error:
        yield Finding(
            Level.FAULT,
            "I2C",
            f"nothing moves on {device} ({error.strerror or error})",
            "SDA or SCL is held low: look for a short circuit, unplug the chips one by one",
        )
    finally:
        bus.close()


def _check_chips(bus: I2cBus, wanted: Wanted) -> Iterator[Finding]:
    answering = []
    for address in wanted.wiring.addresses:
        mark = _mark(bus, address)
        name = f"chip {address:#04x}"
        if mark == "--":
            yield Finding(
                Level.FAULT,
                name,
                f"does not answer; {_lost(wanted.wiring, address)} cannot be read",
                "check its power, the address pins A0-A2, SDA and SCL; RESET must be tied high",
            )
        elif mark == "UU":
            yield Finding(
                Level.FAULT,
                name,
                "is claimed by a driver of the kernel",
                "remove its dtoverlay (mcp23017) from config.txt, then reboot",
            )
        elif not _is_expander(bus, address):
            yield Finding(
                Level.FAULT,
                name,
                "another kind of device answers there",
                "give the MCP23017 or that device another address",
            )
        else:
            answering.append(name)
    if answering:
        yield Finding(Level.GOOD, "chips", f"{', '.join(answering)} answer")


def _is_expander(bus: I2cBus, address: int) -> bool:
    """Tell an MCP23017 by IOCON: one register at two addresses whose bit 0 is always 0."""
    first, second = bus.read_i2c_block_data(address, 0x0A, 2)
    return first == second and not first & 1


def _lost(wiring: Wiring, address: int) -> str:
    """Say which part of the board hangs on a chip."""
    if isinstance(wiring, DirectWiring):
        return f"{sum(pin.address == address for pin in wiring.pins)} squares"
    return "the whole board"


def _check_clock(probe: Probe, bus: I2cBus, wanted: Wanted) -> Iterator[Finding]:
    asked = probe.boot_settings.get("i2c_arm_baudrate", "100000")
    if asked.isdecimal() and int(asked) > FASTEST_I2C_HZ:
        yield Finding(
            Level.FAULT,
            "I2C clock",
            f"{asked} Hz is set; at 3.3 V the chips keep up with 400000",
            "set dtparam=i2c_arm_baudrate=400000 in config.txt, then reboot",
        )
    if probe.clock is None:
        return
    there = [chip for chip in wanted.wiring.addresses if _mark(bus, chip) not in {"--", "UU"}]
    if not there:
        return
    clock_hz = measure_clock_hz(bus, there[0], probe.clock)
    scan_s = _scan_s(wanted.wiring, clock_hz)
    seen = f"runs at {clock_hz / 1000:.0f} kHz; a scan takes about {scan_s * 1000:.1f} ms"
    if scan_s * wanted.scan_hz > 1:
        yield Finding(
            Level.FAULT,
            "I2C clock",
            f"{seen}, too long for {wanted.scan_hz:.0f} scans a second",
            "set dtparam=i2c_arm_baudrate=400000 in config.txt, or lower switches.scan_hz",
        )
    else:
        yield Finding(Level.GOOD, "I2C clock", seen)


def _scan_s(wiring: Wiring, clock_hz: float) -> float:
    """Estimate how long one scan takes: a transfer a chip, or two a row of the matrix."""
    if isinstance(wiring, MatrixWiring):
        return SIDE * (_ROW_CLOCKS / clock_hz + 2 * _TRANSFER_S)
    return len(wiring.addresses) * (_READ_CLOCKS / clock_hz + _TRANSFER_S)


# --- the lights ----------------------------------------------------------------------------------


def check_lights(probe: Probe, wanted: Wanted) -> Iterator[Finding]:
    """The driver of the lights: what it needs of the machine."""
    if wanted.led_driver in {"none", "simulated"}:
        yield Finding(Level.NOTE, "lights", f"driver is {wanted.led_driver!r}; none will glow")
        return
    by_pio = wanted.led_driver == "neopixel" and "Pi 5" in probe.model
    if wanted.led_driver == "spi" or (wanted.led_pin == "D10" and not by_pio):
        yield from _check_spi(probe, wanted)
    if wanted.led_driver != "spi":
        yield from _check_neopixel(probe, wanted)


def _check_spi(probe: Probe, wanted: Wanted) -> Iterator[Finding]:
    device = wanted.spi_device
    if not probe.exists(device):
        yield Finding(
            Level.FAULT,
            "SPI",
            f"{device} is absent",
            "enable SPI: raspi-config nonint do_spi 0, then reboot",
        )
        return
    if not probe.may_use(device):
        yield Finding(
            Level.FAULT,
            "SPI",
            f"{device} may not be used",
            "add this user to the group spi: usermod -aG spi USER, then log in again",
        )
    bufsiz = probe.number("sys/module/spidev/parameters/bufsiz")
    if bufsiz is not None and bufsiz < SPI_FRAME_BYTES:
        yield Finding(
            Level.FAULT,
            "SPI buffer",
            f"{bufsiz} bytes; a frame of 81 lights needs up to {SPI_FRAME_BYTES}",
            "add 'spidev.bufsiz=4096' to cmdline.txt, then reboot",
        )
    yield from _check_core_clock(probe)
    yield Finding(Level.GOOD, "SPI", f"{device} is there")


def _check_core_clock(probe: Probe) -> Iterator[Finding]:
    """The SPI clock of a Pi 3, Zero 2 W and 4 follows the core clock, which idles."""
    settings, model = probe.boot_settings, probe.model
    if "Pi 4" in model and settings.get("core_freq_min") != "500":
        wish = "core_freq_min=500"
    elif any(name in model for name in ("Pi 3", "Zero 2")) and settings.get("core_freq") != "250":
        wish = "core_freq=250"
    else:
        return
    yield Finding(
        Level.FAULT,
        "core clock",
        "it changes with the load, and the rate of SPI with it: wrong colours",
        f"set {wish} in config.txt, then reboot",
    )


def _check_neopixel(probe: Probe, wanted: Wanted) -> Iterator[Finding]:
    five = "Pi 5" in probe.model
    library = "adafruit_raspberry_pi5_neopixel_write" if five else "_rpi_ws281x"
    optional = Level.NOTE if wanted.led_driver == "auto" else Level.FAULT
    missing = [name for name in ("neopixel", "gpiod", library) if not probe.installed(name)]
    if missing:
        yield Finding(
            optional,
            "neopixel",
            f"{', '.join(missing)} cannot be imported",
            "pip install 'boardctl[pi]', or set leds.driver = \"spi\"",
        )
    if five and not _usable(probe, "/dev/pio0"):
        yield Finding(
            optional,
            "neopixel",
            "/dev/pio0 is absent or may not be used",
            "update the firmware (rpi-eeprom-update) and add this user to the group gpio, or set"
            ' leds.driver = "spi"',
        )
    if not five and wanted.led_pin in ROOT_PINS and probe.who.uid != 0:
        yield Finding(
            Level.FAULT,
            "neopixel",
            f"{wanted.led_pin} needs root on this Pi",
            'wire the lights to D10 and set leds.pin = "D10"',
        )
    audio = probe.boot_settings.get("audio") == "on" or probe.module_loaded("snd_bcm2835")
    if not five and wanted.led_pin in PWM_PINS and audio:
        yield Finding(
            Level.FAULT,
            "audio",
            f"the analog audio uses the same timer as {wanted.led_pin}: wild colours",
            "set dtparam=audio=off in config.txt and reboot, or wire the lights to D10",
        )


def check_power(_probe: Probe, wanted: Wanted) -> Iterator[Finding]:
    """Whether the current budget asks more than a common supply gives."""
    idle = CELLS * IDLE_MA
    most = min(wanted.max_ma, idle + CELLS * 3 * CHANNEL_MA * wanted.brightness)
    seen = f"the lights draw at most {most:.0f} mA (limit {wanted.max_ma:.0f}, dark {idle:.0f})"
    if most > FROM_THE_PI_MA:
        yield Finding(
            Level.NOTE,
            "power",
            seen,
            f"over {FROM_THE_PI_MA:.0f} mA they need a 5 V supply of their own, its ground joined"
            " to the Pi's; or lower leds.max_ma",
        )
    else:
        yield Finding(Level.GOOD, "power", seen)


def _usable(probe: Probe, path: str) -> bool:
    return probe.exists(path) and probe.may_use(path)


CHECKS: Final[tuple[Check, ...]] = (check_model, check_bus, check_lights, check_pins, check_power)
