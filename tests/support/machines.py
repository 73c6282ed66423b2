"""A Raspberry Pi laid out as files, for the checks of `boardctl doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.bus import I2cBus, open_bus
from hardware.doctor import Finding, Level, Wanted, examine
from hardware.mock.board import MockBoard
from hardware.probe import Probe, Who

if TYPE_CHECKING:
    from pathlib import Path

GOOD_CONFIG = """
# comment
dtparam=i2c_arm=on
dtparam=i2c_arm_baudrate=400000
dtparam=spi=on
dtparam=audio=off
[pi4]
core_freq_min=500
[cm4]
dtparam=audio=on
[all]
"""
MODULES = {"lgpio", "neopixel", "gpiod", "_rpi_ws281x", "adafruit_raspberry_pi5_neopixel_write"}
PEOPLE = frozenset({1000})


class Machine:
    """A Raspberry Pi 4 on which all is well, until a test changes it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.board = MockBoard()
        self.modules = set(MODULES)
        self.environment: dict[str, str] = {}
        self.uid = 1000
        self.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        self.write("boot/firmware/config.txt", GOOD_CONFIG)
        self.write("sys/module/spidev/parameters/bufsiz", "4096\n")
        self.write("proc/modules", "i2c_dev 1 0 - Live\n")
        for device in ("i2c-1", "spidev0.0", "gpiochip0"):
            self.write(f"dev/{device}", "").chmod(0o666)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def _open(self, _device: str) -> I2cBus:
        return open_bus("x", new_bus=self.board.bus.new_bus, ioctl=self.board.bus.ioctl)

    def examine(self, wanted: Wanted | None = None) -> list[Finding]:
        probe = Probe(
            open_bus=self._open,
            root=self.root,
            who=Who(self.uid, PEOPLE),
            environment=self.environment,
            clock=lambda: self.board.bus.elapsed_s,
            installed=self.modules.__contains__,
        )
        return examine(probe, wanted or Wanted(led_driver="neopixel", gpio=True, max_ma=900))

    def faults(self, wanted: Wanted | None = None) -> list[tuple[str, str, str]]:
        found = self.examine(wanted)
        return [(f.subject, f.seen, f.remedy) for f in found if f.level is Level.FAULT]
