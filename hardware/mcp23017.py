"""The MCP23017 port expander: 14 switches read over I2C.

Source of registers and bits: Microchip DS20001952 revision D (2022), called the data sheet below.

GPA7 and GPB7 are outputs only: as inputs they can corrupt the data line while they change, which
stops the bus. The revision corrects the document, not the silicon: chips of any age do it. At
power-on *all* pins are inputs, so IODIR is the first register written, before any switch is read.

After a dip of its supply a chip comes back with the registers of power-on: pull-ups off, polarity
plain. It then answers every read without an error, and closed switches look open: an empty board.
Only reading the settings back tells, so `settings_intact` does, and the scanner asks it whenever a
switch seems to have changed as well as once a second.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hardware.bus import I2cBus


class Register(enum.IntEnum):
    """Addresses of port A's registers with BANK = 0; port B's follow each by one. Table 3-1."""

    IODIR = 0x00
    IPOL = 0x02
    GPINTEN = 0x04
    DEFVAL = 0x06
    INTCON = 0x08
    IOCON = 0x0A
    GPPU = 0x0C
    INTF = 0x0E
    INTCAP = 0x10
    GPIO = 0x12
    OLAT = 0x14


INPUT_BITS: Final = 0x7F
"""The pins of a port that may be inputs: all but bit 7."""

USABLE_PINS: Final = 14
"""Inputs of one chip: GPA0-6 and GPB0-6."""

FIRST_ADDRESS: Final = 0x20
LAST_ADDRESS: Final = 0x27
"""The eight addresses that the pins A0-A2 choose from. Figure 1-2."""

_IOCON_BANK1: Final = 0x05
"""IOCON's address while BANK = 1; with BANK = 0 it is GPINTENB, where a zero does no harm."""

_MIRROR_ODR: Final = 0x44
"""IOCON.MIRROR: INTA and INTB act as one. IOCON.ODR: open drain, so that chips share one line."""

_SETTINGS: Final = 14
"""Registers from IODIRA to GPPUB, written and read back in one transfer."""

RESET_TEXT: Final = "lost its settings (a dip of its supply, or a loose RESET wire)"


class Mcp23017:
    """One chip, all its usable pins inputs with pull-ups; a pin reads 1 while its switch is closed.

    Every method raises OSError when the chip or the bus fails.
    """

    def __init__(self, bus: I2cBus, address: int, *, interrupts: bool = False) -> None:
        """Know the chip at *address*; with *interrupts* it pulls its INT pins low on a change."""
        self.address = address
        self._bus = bus
        self._read = bus.read_i2c_block_data
        enabled = INPUT_BITS if interrupts else 0
        iocon = _MIRROR_ODR if interrupts else 0
        inputs = [INPUT_BITS, INPUT_BITS]
        self._settings = [*inputs, *inputs, enabled, enabled, 0, 0, 0, 0, iocon, iocon, *inputs]

    def configure(self) -> None:
        """Bring the chip from any state to the wanted settings, and check that it keeps them."""
        self._settings[:2] = [INPUT_BITS, INPUT_BITS]
        write = self._bus.write_i2c_block_data
        write(self.address, Register.IODIR, self._settings[:2])
        # A glitch may have set BANK or SEQOP, which would scatter a block over wrong registers.
        write(self.address, _IOCON_BANK1, [0])
        write(self.address, Register.IOCON, [self._settings[Register.IOCON]])
        write(self.address, Register.IODIR, self._settings)
        write(self.address, Register.OLAT, [0, 0])
        if not self.settings_intact():
            raise OSError("answers but does not keep its settings; it may be another kind of chip")

    def settings_intact(self) -> bool:
        """Tell whether the chip still has the settings it was given."""
        return self._read(self.address, Register.IODIR, _SETTINGS) == self._settings

    def read_switches(self) -> list[int]:
        """Return the bytes of ports A and B; a bit is 1 while its switch is closed."""
        return self._read(self.address, Register.GPIO, 2)

    def drive_low(self, port: int, mask: int) -> None:
        """Pull the pins in *mask* of *port* (0 A, 1 B) low, and let every other pin go.

        The unselected pins become inputs again instead of outputs driven high: two closed switches
        of one column then never connect a high output to a low one, diodes or not.
        """
        directions = [INPUT_BITS, INPUT_BITS]
        directions[port] &= ~mask
        self._settings[:2] = directions
        self._bus.write_i2c_block_data(self.address, Register.IODIR, directions)
