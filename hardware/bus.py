"""The I2C bus: the part of smbus2 that the drivers use, and how it is opened.

Only SMBus block transfers are used. The bcm2835 controller of every Raspberry Pi before the 5
takes one read message a transfer, and it must be the last, so whole scans cannot be batched; and
word reads are not what they seem on the kernel's i2c-stub. Source: `i2c-bcm2835.c` and
`i2c-stub.c` of Linux.
"""

from __future__ import annotations

import errno
import fcntl
import math
import statistics
from typing import TYPE_CHECKING, Any, Final, Protocol

import smbus2

from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

I2C_TIMEOUT: Final = 0x0702
"""The ioctl that bounds a transfer, in units of 10 ms. Source: `linux/i2c-dev.h`."""

TIMEOUT_UNITS: Final = 5
"""50 ms. The longest transfer used here (17 bytes at 62.5 kHz) takes 2.5 ms; the kernel's own
default of 1 s a chip would freeze the lights for six seconds on a bus that is held low."""


class I2cBus(Protocol):
    """What the drivers ask of a bus; `smbus2.SMBus` fits as it is. One thread owns it.

    Every method raises OSError when the chip or the bus fails; `errno` tells which.
    """

    def read_byte(self, i2c_addr: int) -> int:
        """Read one byte without naming a register: whoever answers, answers this."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read *length* registers, beginning with *register*."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write *data* to the registers that begin with *register*."""

    def close(self) -> None:
        """Release the bus. Closing twice is allowed."""


def open_bus(
    device: str,
    *,
    new_bus: Callable[[str], Any] = smbus2.SMBus,
    ioctl: Callable[[int, int, int], object] = fcntl.ioctl,
) -> I2cBus:
    """Open *device*, such as `/dev/i2c-1`, and bound the time of its transfers.

    Args:
        device: the device node.
        new_bus: makes the bus from its path; the simulated board passes its own.
        ioctl: sets the time-out; the simulated board passes its own.

    Raises:
        HardwareError: the bus is absent or may not be used; `errno` is kept.
    """
    try:
        bus = new_bus(device)
        ioctl(bus.fd, I2C_TIMEOUT, TIMEOUT_UNITS)
    except OSError as error:
        raise HardwareError(error.errno or errno.EIO, _remedy(error, device)) from error
    opened: I2cBus = bus
    return opened


def measure_clock_hz(
    bus: I2cBus, address: int, clock: Callable[[], float], *, rounds: int = 20
) -> float:
    """Return the true speed of the wire: what is asked for is not what a Pi gives.

    Reads two registers and fourteen in turn: the difference is twelve bytes of nine clocks each,
    and what the kernel and Python add to every transfer cancels out. Takes 20 ms at 400 kHz.

    Raises:
        OSError: the chip at *address* does not answer.
    """
    differences = []
    for _ in range(rounds):
        start = clock()
        bus.read_i2c_block_data(address, 0, 2)
        middle = clock()
        bus.read_i2c_block_data(address, 0, 14)
        differences.append(clock() - middle - (middle - start))
    typical_s = statistics.median(differences)
    return 12 * 9 / typical_s if typical_s > 0 else math.inf


def _remedy(error: OSError, device: str) -> str:
    """Return what to do about a bus that cannot be opened."""
    if error.errno in {errno.ENOENT, errno.ENXIO, errno.ENODEV}:
        return f"{device} is absent; enable I2C with 'raspi-config nonint do_i2c 0', then reboot"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"{device} may not be used; add this user to the group i2c, then log in again"
    return f"{device} cannot be opened: {error.strerror or error}; see 'boardctl doctor'"
