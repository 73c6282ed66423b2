"""NeoPixels on the kernel's SPI device, without any library: the fallback for every Pi.

Each bit of a LED is eight bits of SPI at 6.4 MHz, 1.25 us in all; the LED tells 0 from 1 by how
long the line is high (WS2812B data sheet; tolerance 150 ns):

    0   ##______   0.31 us high (wanted 0.4)      1   #####___   0.78 us high (wanted 0.8)

A frame is a zero byte, the bits, and 300 us of low that make the LEDs show what they took.
The zero byte is for the first LED: the data line may idle high until the clock starts, and that
first edge would make it read a one too many (green, in GRB order).

81 LEDs are 1944 bytes, with white 2592; one write may carry 4096 (`spidev.bufsiz`), and a frame
that must be cut in two would show twice. The rate follows the core clock on a Pi 3, Zero 2 W or 4:
fix it with `core_freq=250` or `core_freq_min=500`.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.chain import Chain
    from hardware.strip import Rgb

SPI_HZ: Final = 6_400_000
RESET_S: Final = 300e-6
"""The newer WS2812B shows a frame after 280 us of low; the older asked for 50."""

BUFSIZ: Final = Path("/sys/module/spidev/parameters/bufsiz")
"""The kernel's limit for one write, in bytes."""

_ZERO, _ONE = 0b1100_0000, 0b1111_1000
_PREFIX: Final = b"\0"

# The numbers of linux/spi/spidev.h.
_WR_MODE: Final = 0x40016B01
_WR_BITS: Final = 0x40016B03
_WR_HZ: Final = 0x40046B04
_MODE_0: Final = 0
_WORD_BITS: Final = 8


def spi_bits(value: int) -> bytes:
    """Return the eight SPI bytes of one colour byte, its highest bit first."""
    return bytes(_ONE if value >> bit & 1 else _ZERO for bit in range(7, -1, -1))


_TABLE: Final = tuple(spi_bits(value) for value in range(256))


def encode(data: bytes, *, spi_hz: int = SPI_HZ) -> bytes:
    """Return what goes over the wire for the colour bytes *data*."""
    reset = bytes(round(RESET_S * spi_hz / 8))
    return b"".join([_PREFIX, *[_TABLE[value] for value in data], reset])


class SpiStrip:
    """A LedStrip on `/dev/spidevX.Y`."""

    def __init__(
        self,
        chain: Chain,
        *,
        device: str = "/dev/spidev0.0",
        spi_hz: int = SPI_HZ,
        bufsiz: Path = BUFSIZ,
        ioctl: Callable[[int, int, bytes], object] = fcntl.ioctl,
    ) -> None:
        """Open the device and go dark.

        Args:
            chain: the LEDs.
            device: the device node.
            spi_hz: the rate; another than the default when the real clock differs.
            bufsiz: where the kernel tells its limit.
            ioctl: sets the device up.

        Raises:
            HardwareError: the device is absent, may not be used, or takes too short a frame.
        """
        self._chain = chain
        self._device = device
        self._spi_hz = spi_hz
        self._fd = -1
        try:
            self._fd = os.open(device, os.O_WRONLY | os.O_CLOEXEC)
            ioctl(self._fd, _WR_MODE, struct.pack("B", _MODE_0))
            ioctl(self._fd, _WR_BITS, struct.pack("B", _WORD_BITS))
            ioctl(self._fd, _WR_HZ, struct.pack("=I", spi_hz))
        except OSError as error:
            self._release()
            raise HardwareError(error.errno or errno.EIO, _remedy(error, device)) from error
        try:
            self._check_length(bufsiz)
            self.show(self._chain.dark)
        except HardwareError:
            self._release()
            raise

    def show(self, colours: Sequence[Rgb]) -> None:
        """Send one frame."""
        frame = encode(self._chain.wire_bytes(colours), spi_hz=self._spi_hz)
        try:
            sent = os.write(self._fd, frame)
        except OSError as error:
            raise HardwareError(error.errno or errno.EIO, _remedy(error, self._device)) from error
        if sent != len(frame):
            raise HardwareError(errno.EIO, f"{self._device} took {sent} of {len(frame)} bytes")

    def close(self) -> None:
        """Go dark and release the device."""
        if self._fd < 0:
            return
        try:
            self.show(self._chain.dark)
        finally:
            self._release()

    def _release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _check_length(self, bufsiz: Path) -> None:
        """Refuse a chain whose frame does not fit into one write."""
        length = len(encode(self._chain.wire_bytes(self._chain.dark), spi_hz=self._spi_hz))
        try:
            limit = int(bufsiz.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return
        if length > limit:
            raise HardwareError(
                errno.EMSGSIZE,
                f"a frame is {length} bytes and {self._device} takes {limit} at once; add"
                " 'spidev.bufsiz=8192' to the kernel's command line (cmdline.txt)",
            )


def _remedy(error: OSError, device: str) -> str:
    """Return what to do about a device that fails."""
    if error.errno in {errno.ENOENT, errno.ENXIO, errno.ENODEV}:
        return f"{device} is absent; enable SPI with 'raspi-config nonint do_spi 0', then reboot"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"{device} may not be used; add this user to the group spi, then log in again"
    return f"{device} fails: {error.strerror or error}; see 'boardctl doctor'"
