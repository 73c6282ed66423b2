"""An I2C bus made of software, under the genuine smbus2.

`SimulatedBus.new_bus` makes an `SMBus` of a *private copy* of smbus2's module, whose `ioctl` and
`os.open` end here: the true code of the library runs, down to its ctypes structures, and no other
bus of the process notices anything. `transfer` itself needs the standard library only.

Faults: a chip that does not acknowledge (`silent`), one that holds the clock (`holding`), a bus
whose lines are held low (`stuck`), transfers lost at random (`loss`), bytes garbled at random
(`noise`).
"""

from __future__ import annotations

import ctypes
import errno
import importlib.util
import itertools
import os
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from hardware.mock.chip import ChipModel

ADAPTER_FUNCTIONS: Final = 0x0EFF0009
"""What the bcm2835 adapter reports: plain I2C and emulated SMBus."""

_SLAVE: Final = frozenset({0x0703, 0x0706})
_TIMEOUT, _FUNCS, _RDWR, _SMBUS = 0x0702, 0x0705, 0x0707, 0x0720
_QUICK, _BYTE, _BYTE_DATA, _WORD_DATA, _I2C_BLOCK = 0, 1, 2, 3, 8
_LENGTHS: Final = {_QUICK: 0, _BYTE: 1, _BYTE_DATA: 1, _WORD_DATA: 2}
_TIMEOUT_UNIT_S: Final = 0.01
_START_STOP_CLOCKS: Final = 2
_BYTE_CLOCKS: Final = 9


@dataclass(slots=True)
class Message:
    """One message of a transfer; a read fills `data`."""

    address: int
    is_read: bool
    data: bytearray


class SimulatedBus:
    """The wires, the chips on them, and what is wrong with both.

    Attributes:
        chips: the chips by address.
        one_read_last: refuse what the bcm2835 controller refuses: a read that is not the last.
        silent: addresses that do not acknowledge.
        holding: addresses that hold the clock low until the transfer times out.
        stuck: nothing moves at all.
        loss: the chance that a transfer is not acknowledged.
        noise: the chance that a byte read arrives garbled.
        clock_hz: the speed of the wire, for `elapsed_s`.
        elapsed_s: how long the bus has been busy, time-outs included.
        timeout_s: how long the kernel waits, as set by the driver; the kernel's default is 1 s.
        transfers: how many transfers were asked for.
    """

    def __init__(self, rng: random.Random, *, clock_hz: float = 400_000) -> None:
        """Lay an empty bus."""
        self.chips: dict[int, ChipModel] = {}
        self.one_read_last = True
        self.silent: set[int] = set()
        self.holding: set[int] = set()
        self.stuck = False
        self.loss = 0.0
        self.noise = 0.0
        self.clock_hz = clock_hz
        self.elapsed_s = 0.0
        self.timeout_s = 1.0
        self.transfers = 0
        self._rng = rng
        self._slaves: dict[int, int] = {}
        self._next_fd = itertools.count(1000)
        self._smbus2: ModuleType | None = None

    def transfer(self, messages: Sequence[Message]) -> None:
        """Do one transfer.

        Raises:
            OSError: EOPNOTSUPP, EREMOTEIO or ETIMEDOUT, as the Pi's controller reports them.
        """
        self.transfers += 1
        if self.one_read_last and any(message.is_read for message in messages[:-1]):
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        for message in messages:
            chip = self._addressed(message.address)
            self._spend(1 + len(message.data))
            chip.sample()
            if message.is_read:
                for index in range(len(message.data)):
                    message.data[index] = self._garble(chip.read())
            elif message.data:
                chip.point(message.data[0])
                for value in message.data[1:]:
                    chip.write(value)
            chip.sample()

    def _addressed(self, address: int) -> ChipModel:
        chip = self.chips.get(address)
        if self.stuck or address in self.holding:
            self.elapsed_s += self.timeout_s
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        lost = self.loss and self._rng.random() < self.loss
        if chip is None or address in self.silent or lost:
            self._spend(1)
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return chip

    def _garble(self, value: int) -> int:
        if self.noise and self._rng.random() < self.noise:
            return self._rng.randrange(256)
        return value

    def _spend(self, count: int) -> None:
        self.elapsed_s += (count * _BYTE_CLOCKS + _START_STOP_CLOCKS) / self.clock_hz

    # --- the kernel's side of smbus2 -------------------------------------------------------------

    def new_bus(self, device: str) -> Any:
        """Return a genuine `SMBus` on this bus; *device* may be any path."""
        if self._smbus2 is None:
            self._smbus2 = self._private_smbus2()
        return self._smbus2.SMBus(device)

    def _private_smbus2(self) -> ModuleType:
        spec = importlib.util.find_spec("smbus2.smbus2")
        if spec is None or spec.loader is None:
            raise ModuleNotFoundError("smbus2")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.ioctl = self.ioctl  # type: ignore[attr-defined] # names inside smbus2
        module.os = SimpleNamespace(  # type: ignore[attr-defined] # all it uses of os
            open=lambda _path, _flags: next(self._next_fd),
            close=lambda fd: self._slaves.pop(fd, None),
            O_RDWR=os.O_RDWR,
        )
        return module

    def ioctl(self, fd: int, request: int, argument: Any = 0) -> int:
        """Answer as the kernel's i2c-dev does."""
        if request in _SLAVE:
            self._slaves[fd] = argument
        elif request == _TIMEOUT:
            self.timeout_s = argument * _TIMEOUT_UNIT_S
        elif request == _FUNCS:
            argument.value = ADAPTER_FUNCTIONS
        elif request == _RDWR:
            self._rdwr(argument)
        elif request == _SMBUS:
            self._smbus(self._slaves[fd], argument)
        else:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        return 0

    def _rdwr(self, argument: Any) -> None:
        raw = [argument.msgs[index] for index in range(argument.nmsgs)]
        messages = [
            Message(one.addr, bool(one.flags & 1), bytearray(ctypes.string_at(one.buf, one.len)))
            for one in raw
        ]
        self.transfer(messages)
        for one, message in zip(raw, messages, strict=True):
            if message.is_read:
                ctypes.memmove(one.buf, bytes(message.data), len(message.data))

    def _smbus(self, address: int, argument: Any) -> None:
        """Do what the kernel's SMBus emulation makes of a request."""
        data = argument.data.contents
        block = argument.size == _I2C_BLOCK
        length = data.block[0] if block else _LENGTHS.get(argument.size)
        if length is None:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        at = 1 if block else 0
        alone = argument.size in {_QUICK, _BYTE}
        if not argument.read_write:
            register = [] if argument.size == _QUICK else [argument.command]
            payload = b"" if alone else bytes(data)[at : at + length]
            self.transfer([Message(address, False, bytearray([*register, *payload]))])
            return
        answer = Message(address, True, bytearray(length))
        pointer = Message(address, False, bytearray([argument.command]))
        self.transfer([answer] if alone else [pointer, answer])
        ctypes.memmove(ctypes.addressof(data) + at, bytes(answer.data), length)
