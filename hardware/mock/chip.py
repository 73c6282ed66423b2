"""An MCP23017 made of registers, as its data sheet (DS20001952 revision D) describes it.

Standard library only: the same model answers unit tests, the demo, and the kernel's own I2C calls
in the machine tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(11)
_PAIRS: Final = 11
_LAST_BANK0: Final = 0x15
_LAST_BANK1: Final = 0x1A
_READ_ONLY: Final = frozenset({INTF, INTCAP})
_IOCON_BANK: Final = 0x80
_IOCON_MIRROR: Final = 0x40
_IOCON_SEQOP: Final = 0x20

Levels: TypeAlias = "Callable[[ChipModel, int], int]"
"""Returns the eight levels outside the pins of a port (0 A, 1 B): 1 is high."""


class ChipModel:
    """One chip. `registers[pair]` holds the bytes of ports A and B."""

    def __init__(self, address: int, levels: Levels) -> None:
        """Power the chip up; *levels* tells what the wires outside do."""
        self.address = address
        self._levels = levels
        self.reset()

    def reset(self) -> None:
        """Return to power-on: all pins inputs, everything else zero. Table 3-2."""
        self.registers = [[0, 0] for _ in range(_PAIRS)]
        self.registers[IODIR] = [0xFF, 0xFF]
        self._pointer = 0
        self._compared = [self.level(0), self.level(1)]

    def level(self, port: int) -> int:
        """Return the levels at the pins: latches where they drive, the world elsewhere."""
        inputs = self.registers[IODIR][port]
        outside = self._levels(self, port)
        return (self.registers[OLAT][port] & ~inputs & 0xFF) | (outside & inputs)

    @property
    def interrupt(self) -> tuple[bool, bool]:
        """Whether INTA and INTB are active. Section 3.6."""
        a, b = (bool(flags) for flags in self.registers[INTF])
        return (a or b, a or b) if self.registers[IOCON][0] & _IOCON_MIRROR else (a, b)

    def sample(self) -> None:
        """Let the interrupt logic look at the pins; called whenever the world may have changed."""
        for port in (0, 1):
            enabled = self.registers[GPINTEN][port]
            if not enabled:
                continue
            level = self.level(port)
            if not self.registers[INTF][port]:
                to_default = self.registers[INTCON][port]
                changed = (level ^ self._compared[port]) & ~to_default
                changed |= (level ^ self.registers[DEFVAL][port]) & to_default
                if changed & enabled:
                    self.registers[INTF][port] = changed & enabled
                    self.registers[INTCAP][port] = level ^ self.registers[IPOL][port]
            self._compared[port] = level

    def point(self, register: int) -> None:
        """Set the address that the next byte goes to or comes from."""
        self._pointer = register

    def read(self) -> int:
        """Return the byte at the pointer and move on."""
        pair, port = self._decode()
        value = 0
        if pair == GPIO:
            polarity = self.registers[IPOL][port] & self.registers[IODIR][port]
            value = self.level(port) ^ polarity
        elif pair is not None:
            value = self.registers[pair][port]
        if pair in {GPIO, INTCAP} and self.registers[GPINTEN][port]:
            self.registers[INTF][port] = 0
            self._compared[port] = self.level(port)
        self._advance()
        return value

    def write(self, value: int) -> None:
        """Store a byte at the pointer and move on."""
        pair, port = self._decode()
        if pair == GPIO:
            self.registers[OLAT][port] = value
        elif pair == IOCON:
            self.registers[IOCON] = [value & 0xFE, value & 0xFE]
        elif pair is not None and pair not in _READ_ONLY:
            self.registers[pair][port] = value
            if pair == GPINTEN:
                self._compared[port] = self.level(port)
        self._advance()

    def _decode(self) -> tuple[int | None, int]:
        """Return the register pair and the port at the pointer. Tables 3-1 and 3-2."""
        if self.registers[IOCON][0] & _IOCON_BANK:
            pair, port = self._pointer & 0x0F, self._pointer >> 4 & 1
        else:
            pair, port = self._pointer >> 1, self._pointer & 1
        return (pair, port) if pair < _PAIRS and self._pointer < 0x20 else (None, 0)  # noqa: PLR2004

    def _advance(self) -> None:
        """Move the pointer: on through the bank, or between A and B in byte mode. Section 3.2.1."""
        bank = self.registers[IOCON][0] & _IOCON_BANK
        if self.registers[IOCON][0] & _IOCON_SEQOP:
            self._pointer ^= 0 if bank else 1
            return
        self._pointer += 1
        if bank and self._pointer == _PAIRS:
            self._pointer = 0x10
        elif self._pointer > (_LAST_BANK1 if bank else _LAST_BANK0):
            self._pointer = 0
