"""NeoPixels through Adafruit's library.

| data pin  | Pi      | how                          | needs                                     |
|-----------|---------|------------------------------|-------------------------------------------|
| D10       | up to 4 | SPI, through rpi_ws281x      | groups spi and gpio                       |
| D12, D18  | up to 4 | PWM                          | root; silences the analog audio           |
| D21       | up to 4 | PCM                          | root                                      |
| any       | 5       | PIO                          | /dev/pio0, group gpio                     |

`board` and `neopixel` are imported when a strip is opened: off a Pi their import fails. The library
of a Pi up to 4 waits 3 ms after each frame of 81 lights.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
from typing import TYPE_CHECKING, Any

from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.chain import Chain
    from hardware.strip import Rgb


class NeoPixelStrip:
    """A LedStrip on `neopixel.NeoPixel`."""

    def __init__(self, chain: Chain, *, pin: str = "D10") -> None:
        """Open the strip and go dark.

        Args:
            chain: the LEDs.
            pin: the data pin by its name in `board`.

        Raises:
            HardwareError: the library, the pin or the privilege is missing; the text says which.
        """
        self._chain = chain
        self._pixels: Any = None
        # Without this Blinka asks on a terminal whether it may install packages.
        os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
        try:
            neopixel = importlib.import_module("neopixel")
            data_pin = getattr(importlib.import_module("board"), pin)
            self._pixels = neopixel.NeoPixel(
                data_pin,
                chain.count,
                bpp=len(chain.order),
                auto_write=False,
                pixel_order=chain.order,
            )
        except (ImportError, NotImplementedError, AttributeError, RuntimeError, OSError) as error:
            raise HardwareError(errno.ENODEV, _remedy(error, pin)) from error
        try:
            self.show(chain.dark)
        except HardwareError:
            self.close()
            raise

    def show(self, colours: Sequence[Rgb]) -> None:
        """Send one frame."""
        self._pixels[:] = self._chain.pixels(colours)
        try:
            self._pixels.show()
        except (RuntimeError, OSError) as error:
            raise HardwareError(errno.EIO, f"the lights refuse a frame: {error}") from error

    def close(self) -> None:
        """Go dark and release the pin."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            # A device that refuses frames cannot be darkened; its pin is released all the same.
            with contextlib.suppress(RuntimeError, OSError):
                pixels.deinit()
            pixels.pin.deinit()


def _remedy(error: Exception, pin: str) -> str:
    """Return what to do about a strip that cannot be opened."""
    if isinstance(error, NotImplementedError):
        return "the neopixel library knows no pins of this machine; it is no Raspberry Pi"
    if isinstance(error, ImportError):
        return f"{error}; install the extra: pip install 'boardctl[pi]', or set leds.driver='spi'"
    if isinstance(error, AttributeError):
        return f"this Pi has no pin {pin!r}; leds.pin is D10, D12, D18 or D21"
    return f"the lights on {pin} cannot be opened ({error}); use D10, or set leds.driver='spi'"
