"""Adafruit's genuine neopixel library off a Pi, with the wire in our hands."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

# Read when Blinka is first imported, so it cannot wait for a fixture.
os.environ["BLINKA_OS_AGNOSTIC"] = "1"


class Wire:
    """The bytes that the library sends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take the place of the library's last step: putting bytes on a pin."""
        self.frames: list[bytes] = []
        self.error: Exception | None = None
        neopixel = importlib.import_module("neopixel")
        monkeypatch.setattr(neopixel, "neopixel_write", self._write)

    def _write(self, _pin: Any, data: bytearray) -> None:
        if self.error is not None:
            raise self.error
        self.frames.append(bytes(data))
