"""/dev/spidev0.0 made of software: keeps the frames that the lights would show.

The control socket answers each line with `{"leds": [[first, second, third] x 81], "dark_at": [T]}`:
the colour bytes of the newest frame in the order of the wire, and when the last dark frames came,
in monotonic seconds.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
import sys
import time
from collections import deque
from pathlib import Path
from typing import Final

from tests.machine.cuse import Call, Server

SPI: Final = 0x6B
"""The letter `k`, by which the ioctls of spidev are known."""

WRITES: Final = 1
SPI_BITS: Final = 8
CHANNELS: Final = 3
HALF_HIGH: Final = 4
"""A bit whose line is high for more than half of the time is a one (WS2812B data sheet)."""


class SpiDevice:
    """The part of spidev that strips use: settings are taken, written bytes are kept."""

    def __init__(self) -> None:
        self.newest = b""
        self.dark_at: deque[float] = deque(maxlen=100)

    def ioctl(self, call: Call) -> tuple[int, bytes]:
        """Take any setting, and answer any question about one with zero."""
        direction, size = call.command >> 30, call.command >> 16 & 0x3FFF
        if call.command >> 8 & 0xFF != SPI:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        if direction == WRITES:
            call.memory([(call.argument, size)], [])
            return 0, b""
        call.memory([], [(call.argument, size)])
        return 0, bytes(size)

    def read(self, handle: int, size: int) -> bytes:
        """Nothing ever comes back from a strip."""
        del handle
        return bytes(size)

    def write(self, handle: int, data: bytes) -> int:
        """Keep a frame."""
        del handle
        self.newest = data
        if not any(colour_bytes(data)):
            self.dark_at.append(time.monotonic())
        return len(data)


def colour_bytes(frame: bytes) -> bytes:
    """Return what WS2812 LEDs read from a frame in which each bit is eight bits of SPI."""
    bits = [byte.bit_count() for byte in frame]
    first = next((index for index, count in enumerate(bits) if count), len(bits))
    values = bytearray()
    for start in range(first, len(bits) - SPI_BITS + 1, SPI_BITS):
        group = bits[start : start + SPI_BITS]
        if 0 in group:  # the line rests: the frame is over
            break
        values.append(int("".join("1" if count > HALF_HIGH else "0" for count in group), 2))
    return bytes(values)


def main() -> None:
    """Serve `/dev/spidev0.0`: the argument is the path of the control socket."""
    device = SpiDevice()
    Server(device, "spi", Path("/dev/spidev0.0"), "spi").start()
    path = Path(sys.argv[1])
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        while True:
            client, _ = server.accept()
            with client, client.makefile("rw") as lines:
                for _line in lines:
                    leds = list(struct.iter_unpack(f"{CHANNELS}B", _whole(device.newest)))
                    answer = {"leds": leds, "dark_at": list(device.dark_at)}
                    lines.write(json.dumps(answer) + "\n")
                    lines.flush()


def _whole(frame: bytes) -> bytes:
    values = colour_bytes(frame)
    return values[: len(values) // CHANNELS * CHANNELS]


if __name__ == "__main__":
    main()
