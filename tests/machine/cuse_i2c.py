"""/dev/i2c-N made of software: the board's expanders behind the kernel's own I2C calls.

The chips are the register-level model of `hardware.mock`, so faults and brown-outs of the unit
tests exist here as well; the daemon that opens the node is the shipped one, unchanged.

A control socket takes one JSON object a line and answers with one:

    {"op": "set", "cells": MASK}    {"op": "put", "cell": 4}    {"op": "lift", "cell": 4}
    {"op": "silent", "chip": 33, "on": true}   {"op": "holds", "chip": 33, "on": true}
    {"op": "reset", "chip": 33}     {"op": "registers", "chip": 33} -> {"registers": [[a, b] ...]}
"""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hardware.mock.board import MockBoard
from hardware.mock.bus import ADAPTER_FUNCTIONS, Message
from tests.machine.cuse import Call, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

SLAVE: Final = frozenset({0x0703, 0x0706})
SET_ONLY: Final = frozenset({0x0701, 0x0702, 0x0704, 0x0708})
FUNCS, RDWR, SMBUS = 0x0705, 0x0707, 0x0720
SMBUS_REQUEST: Final = struct.Struct("<BBxxIQ")
SMBUS_DATA: Final = 34
RDWR_REQUEST: Final = struct.Struct("<QI4x")
MESSAGE: Final = struct.Struct("<HHH2xQ")
MOST_MESSAGES: Final = 42
IS_READ: Final = 1
QUICK, BYTE, BYTE_DATA, WORD_DATA, I2C_BLOCK = 0, 1, 2, 3, 8
LENGTHS: Final = {BYTE_DATA: 1, WORD_DATA: 2}


class I2cDevice:
    """The ioctls of i2c-dev, carried out on a simulated board."""

    def __init__(self, board: MockBoard) -> None:
        self._board = board
        self._addresses: dict[int, int] = {}
        self.lock = threading.Lock()

    def ioctl(self, call: Call) -> tuple[int, bytes]:
        """Answer as `drivers/i2c/i2c-dev.c` does."""
        if call.command in SLAVE:
            self._addresses[call.handle] = call.argument
            return 0, b""
        if call.command in SET_ONLY:
            return 0, b""
        if call.command == FUNCS:
            call.memory([], [(call.argument, 8)])
            return 0, struct.pack("<Q", ADAPTER_FUNCTIONS)
        if call.command == SMBUS:
            return self._smbus(call)
        if call.command == RDWR:
            return self._rdwr(call)
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))

    def read(self, handle: int, size: int) -> bytes:
        """A plain read from the chip that was addressed."""
        message = Message(self._addresses.get(handle, 0), True, bytearray(size))
        self._transfer([message])
        return bytes(message.data)

    def write(self, handle: int, data: bytes) -> int:
        """A plain write to the chip that was addressed."""
        self._transfer([Message(self._addresses.get(handle, 0), False, bytearray(data))])
        return len(data)

    def _transfer(self, messages: list[Message]) -> None:
        with self.lock:
            self._board.bus.transfer(messages)

    def _smbus(self, call: Call) -> tuple[int, bytes]:
        """The messages that the kernel makes of an SMBus request (`i2c_smbus_xfer_emulated`)."""
        head = (call.argument, SMBUS_REQUEST.size)
        is_read, command, size, pointer = SMBUS_REQUEST.unpack(call.memory([head], []))
        block = (pointer, SMBUS_DATA)
        data = bytearray()
        if pointer:
            data += call.memory([head, block], [block])[SMBUS_REQUEST.size :]
        address = self._addresses.get(call.handle, 0)
        register = Message(address, False, bytearray([command]))
        if size in {QUICK, BYTE}:
            self._short(address, is_read, size, command, data)
        elif size in LENGTHS or size == I2C_BLOCK:
            start = 1 if size == I2C_BLOCK else 0
            length = min(data[0], 32) if size == I2C_BLOCK else LENGTHS[size]
            if is_read:
                answer = Message(address, True, bytearray(length))
                self._transfer([register, answer])
                data[start : start + length] = answer.data
            else:
                register.data += data[start : start + length]
                self._transfer([register])
        else:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        return 0, bytes(data)

    def _short(self, address: int, is_read: int, size: int, command: int, data: bytearray) -> None:
        """Quick and byte transfers: what `i2cdetect` probes with."""
        if is_read:
            answer = Message(address, True, bytearray(size))
            self._transfer([answer])
            data[:size] = answer.data
        else:
            self._transfer([Message(address, False, bytearray([command] * size))])

    def _rdwr(self, call: Call) -> tuple[int, bytes]:
        """Plain I2C messages."""
        head = (call.argument, RDWR_REQUEST.size)
        pointer, count = RDWR_REQUEST.unpack(call.memory([head], []))
        if not 0 < count <= MOST_MESSAGES:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        table = (pointer, MESSAGE.size * count)
        raw = call.memory([head, table], [])[RDWR_REQUEST.size :]
        asked = list(MESSAGE.iter_unpack(raw))
        writes = [(where, length) for _, flags, length, where in asked if not flags & IS_READ]
        reads = [(where, length) for _, flags, length, where in asked if flags & IS_READ]
        sent = iter_bytes(call.memory([head, table, *writes], reads)[head[1] + table[1] :])
        messages = [
            Message(address, True, bytearray(length))
            if flags & IS_READ
            else Message(address, False, bytearray(next(sent) for _ in range(length)))
            for address, flags, length, _ in asked
        ]
        self._transfer(messages)
        return count, b"".join(bytes(one.data) for one in messages if one.is_read)


def iter_bytes(data: bytes) -> Iterator[int]:
    """Iterate over *data* byte by byte."""
    return iter(data)


def obey(board: MockBoard, order: dict[str, Any]) -> dict[str, Any]:
    """Carry out one order of the control socket."""
    match order:
        case {"op": "set", "cells": cells}:
            board.set(cells)
        case {"op": "put", "cell": cell}:
            board.put(cell)
        case {"op": "lift", "cell": cell}:
            board.lift(cell)
        case {"op": "silent", "chip": chip, "on": on}:
            board.chip_silent(chip, on)
        case {"op": "holds", "chip": chip, "on": on}:
            board.chip_holds(chip, on)
        case {"op": "reset", "chip": chip}:
            board.chip_reset(chip)
        case {"op": "registers", "chip": chip}:
            return {"registers": board.bus.chips[chip].registers}
        case _:
            return {"error": f"unknown order {order}"}
    return {}


def control(board: MockBoard, device: I2cDevice, path: Path) -> None:
    """Take orders for ever."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        while True:
            client, _ = server.accept()
            with client, client.makefile("rw") as lines:
                for line in lines:
                    with device.lock:
                        answer = obey(board, json.loads(line))
                    lines.write(json.dumps(answer) + "\n")
                    lines.flush()


def main() -> None:
    """Serve `/dev/i2c-N`: arguments are N and the path of the control socket."""
    board = MockBoard()
    device = I2cDevice(board)
    Server(device, "i2c", Path(f"/dev/i2c-{sys.argv[1]}"), "i2c").start()
    control(board, device, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
