"""Facts about the machine that `hardware.doctor` judges: what is there, and what may be used.

Every fact is read below a root folder, so a test can lay out any machine as a tree of files.
"""

from __future__ import annotations

import importlib.util
import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.bus import I2cBus

_MODELS: Final = ("proc/device-tree/model", "sys/firmware/devicetree/base/model")
_CONFIG_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
_READ_WRITE: Final = 0o6
_SECTIONS: Final = {
    "all": "",
    "pi0": "Pi Zero",
    "pi02": "Pi Zero 2",
    "pi3": "Pi 3",
    "pi4": "Pi 4",
    "pi5": "Pi 5",
}
"""The filters of config.txt, and what the name of the model must hold for each."""


@dataclass(frozen=True, slots=True)
class Who:
    """The user on whose behalf devices are to be opened."""

    uid: int
    gids: frozenset[int]

    @classmethod
    def current(cls) -> Who:
        """Return the user of this process."""
        return cls(os.geteuid(), frozenset({os.getegid(), *os.getgroups()}))


def is_installed(module: str) -> bool:
    """Tell whether a Python module can be imported, without importing it."""
    if module in sys.modules:
        return sys.modules[module] is not None
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Probe:
    """The machine.

    Attributes:
        root: where its files are; `/` unless a test lays out another.
        who: who wants to use the devices.
        environment: the variables of the process.
        open_bus: opens an I2C bus by its path.
        clock: monotonic seconds, to measure the bus with; None: it is not measured.
        installed: tells whether a Python module can be imported.
    """

    open_bus: Callable[[str], I2cBus]
    root: Path = Path("/")
    who: Who = field(default_factory=Who.current)
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    clock: Callable[[], float] | None = None
    installed: Callable[[str], bool] = is_installed

    @property
    def model(self) -> str:
        """The model as the device tree names it; empty on another machine."""
        for name in _MODELS:
            text = self._text(name)
            if text:
                return text.strip("\0\n ")
        return ""

    @property
    def boot_settings(self) -> dict[str, str]:
        """The keys of config.txt that hold for this model; a `dtparam` counts by its own key."""
        settings: dict[str, str] = {}
        applies = True
        for line in next(filter(None, map(self._text, _CONFIG_FILES)), "").splitlines():
            words = line.split("#")[0].strip()
            if words.startswith("["):
                applies = _SECTIONS.get(words[1:-1], "no such model") in self.model
            elif applies and "=" in words:
                key, _, value = words.removeprefix("dtparam=").partition("=")
                settings[key.strip()] = value.strip()
        return settings

    def exists(self, path: str) -> bool:
        """Tell whether there is such a file or device."""
        return self._path(path).exists()

    def may_use(self, path: str) -> bool:
        """Tell whether the user may read and write a file or device."""
        status = self._path(path).stat()
        if self.who.uid == 0:
            return True
        if status.st_uid == self.who.uid:
            return stat.S_IMODE(status.st_mode) >> 6 & _READ_WRITE == _READ_WRITE
        if status.st_gid in self.who.gids:
            return stat.S_IMODE(status.st_mode) >> 3 & _READ_WRITE == _READ_WRITE
        return stat.S_IMODE(status.st_mode) & _READ_WRITE == _READ_WRITE

    def number(self, path: str) -> int | None:
        """Return the number in a file; None when there is none."""
        text = self._text(path).strip()
        return int(text) if text.isdecimal() else None

    def module_loaded(self, name: str) -> bool:
        """Tell whether the kernel has loaded a module."""
        lines = self._text("proc/modules").splitlines()
        return any(line.split(" ")[0] == name for line in lines)

    def _path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def _text(self, path: str) -> str:
        try:
            return self._path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
