"""Character devices in user space: the kernel's CUSE protocol, without libfuse.

A program that opens the device speaks to a true device node by true system calls; the kernel
passes each of them to this process. Source: `include/uapi/linux/fuse.h` and `fs/fuse/cuse.c` of
Linux; 64-bit little-endian machines only.

The device is announced under the *name* that the genuine driver has in /proc/devices (`i2c`,
`spi`), so that `DeviceAllow=char-i2c` of the shipped unit means this one as well; its node is made
here, as udev would.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

IN_HEADER: Final = struct.Struct("<IIQQIIII")
OUT_HEADER: Final = struct.Struct("<IiQ")
INIT_IN: Final = struct.Struct("<IIII")
INIT_OUT: Final = struct.Struct("<IIIIIIII40x")
OPEN_OUT: Final = struct.Struct("<QII")
IOCTL_IN: Final = struct.Struct("<QIIQII")
IOCTL_OUT: Final = struct.Struct("<iIII")
SPAN: Final = struct.Struct("<QQ")
READ_IN: Final = struct.Struct("<QQIIQII")
WRITE_OUT: Final = struct.Struct("<II")

OPEN, READ, WRITE, RELEASE, FSYNC, FLUSH, INTERRUPT, IOCTL, CUSE_INIT = (
    14, 15, 16, 18, 20, 25, 36, 39, 4096,
)  # fmt: skip
UNRESTRICTED_IOCTL: Final = 1
RETRY: Final = 4
LARGEST: Final = 65536

Span = tuple[int, int]
"""Address and length of memory of the calling program."""


class MoreMemory(Exception):  # noqa: N818  no error: it asks the kernel to call again
    """Says which memory of the caller an ioctl reads and writes."""

    def __init__(self, inputs: list[Span], outputs: list[Span]) -> None:
        super().__init__()
        self.inputs = inputs
        self.outputs = outputs


@dataclass(frozen=True, slots=True)
class Call:
    """One ioctl: what was asked, and the caller's memory as far as it has been fetched."""

    handle: int
    command: int
    argument: int
    data: bytes
    room: int

    def memory(self, inputs: list[Span], outputs: list[Span]) -> bytes:
        """Return the bytes of *inputs* in a row; the kernel calls again with them if need be."""
        wanted = sum(length for _, length in inputs)
        room = sum(length for _, length in outputs)
        if len(self.data) < wanted or self.room < room:
            raise MoreMemory(inputs, outputs)
        return self.data[:wanted]


class Device(Protocol):
    """What stands behind a node. Each method raises OSError to fail the system call."""

    def ioctl(self, call: Call) -> tuple[int, bytes]:
        """Return the result and the bytes for the caller's memory."""

    def read(self, handle: int, size: int) -> bytes:
        """Answer read()."""

    def write(self, handle: int, data: bytes) -> int:
        """Answer write()."""


class Server:
    """Serves one device until the process ends."""

    def __init__(self, device: Device, name: str, node: Path, group: str) -> None:
        """Announce *device* as *name*; its *node* belongs to *group*."""
        self._device = device
        self._name = name
        self._node = node
        self._group = group
        self._handles = 0
        self._fd = os.open("/dev/cuse", os.O_RDWR)

    def start(self) -> None:
        """Serve on a thread; return when the node exists."""
        threading.Thread(target=self._serve, daemon=True).start()
        number = Path(f"/sys/class/cuse/{self._name}/dev")
        while not number.exists():
            time.sleep(0.02)  # noqa: TID251  a process of its own, on real time
        major, minor = (int(part) for part in number.read_text().split(":"))
        self._node.unlink(missing_ok=True)
        os.mknod(self._node, stat.S_IFCHR | 0o660, os.makedev(major, minor))
        self._node.chmod(0o660)
        import grp

        os.chown(self._node, 0, grp.getgrnam(self._group).gr_gid)

    def _serve(self) -> None:
        while True:
            try:
                message = os.read(self._fd, 2 * LARGEST)
            except OSError as error:
                if error.errno in {errno.EINTR, errno.EAGAIN, errno.ENOENT}:
                    continue
                raise
            length, code, unique, *_ = IN_HEADER.unpack_from(message)
            self._answer(code, unique, message[IN_HEADER.size : length])

    def _answer(self, code: int, unique: int, body: bytes) -> None:
        try:
            answer = self._dispatch(code, body)
        except MoreMemory as more:
            spans = b"".join(SPAN.pack(*span) for span in (*more.inputs, *more.outputs))
            answer = IOCTL_OUT.pack(0, RETRY, len(more.inputs), len(more.outputs)) + spans
        except OSError as error:
            os.write(
                self._fd, OUT_HEADER.pack(OUT_HEADER.size, -(error.errno or errno.EIO), unique)
            )
            return
        if answer is not None:
            os.write(self._fd, OUT_HEADER.pack(OUT_HEADER.size + len(answer), 0, unique) + answer)

    def _dispatch(self, code: int, body: bytes) -> bytes | None:  # noqa: PLR0911  a table
        """Return the answer to one request; None: none is expected."""
        if code == IOCTL:
            return self._ioctl(body)
        if code == READ:
            handle, _, size, *_ = READ_IN.unpack_from(body)
            return self._device.read(handle, size)
        if code == WRITE:
            handle, _, size, *_ = READ_IN.unpack_from(body)
            data = body[READ_IN.size : READ_IN.size + size]
            return WRITE_OUT.pack(self._device.write(handle, data), 0)
        if code == OPEN:
            self._handles += 1
            return OPEN_OUT.pack(self._handles, 0, 0)
        if code == CUSE_INIT:
            major, minor, *_ = INIT_IN.unpack_from(body)
            head = INIT_OUT.pack(major, minor, 0, UNRESTRICTED_IOCTL, LARGEST, LARGEST, 0, 0)
            return head + f"DEVNAME={self._name}\0".encode()
        if code in {RELEASE, FSYNC, FLUSH}:
            return b""
        if code == INTERRUPT:
            return None
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    def _ioctl(self, body: bytes) -> bytes:
        handle, _, command, argument, size, room = IOCTL_IN.unpack_from(body)
        data = body[IOCTL_IN.size : IOCTL_IN.size + size]
        result, answer = self._device.ioctl(Call(handle, command, argument, data, room))
        return IOCTL_OUT.pack(result, 0, 0, 0) + answer
