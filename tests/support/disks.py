"""What a failing disk does to a database's file."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import FileIO

_GET_FLAGS: Final = 0x80086601
_SET_FLAGS: Final = 0x40086602
_IMMUTABLE: Final = 0x10
"""`FS_IOC_GETFLAGS`, `FS_IOC_SETFLAGS` and `FS_IMMUTABLE_FL` of Linux on 64-bit machines
(include/uapi/linux/fs.h): what chattr uses."""

PAGE = 4096
"""The size of SQLite's pages; the first of a file holds its header."""


def pages(file: Path) -> int:
    """How many whole pages a database has."""
    return file.stat().st_size // PAGE


def tear(file: Path, torn: range) -> None:
    """Overwrite whole pages, as a dying card does."""
    with file.open("r+b") as out:
        for page in torn:
            out.seek(page * PAGE)
            out.write(b"\xa5" * PAGE)


@contextlib.contextmanager
def read_only(files: Iterable[Path]) -> Iterator[None]:
    """Let the kernel refuse every write to *files*, also by who has them open or mapped (ext4).

    Raises:
        OSError: this user, or the file system, cannot do that.
    """
    with contextlib.ExitStack() as stack:
        for file in files:
            _set_immutable(file, immutable=True)
            stack.callback(_set_immutable, file, immutable=False)
        yield


def _set_immutable(file: Path, *, immutable: bool) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        (flags,) = struct.unpack("L", fcntl.ioctl(handle, _GET_FLAGS, struct.pack("L", 0)))
        flags = flags | _IMMUTABLE if immutable else flags & ~_IMMUTABLE
        fcntl.ioctl(handle, _SET_FLAGS, struct.pack("L", flags))
    finally:
        os.close(handle)


def _can_be_read_only() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        with file.open("wb", buffering=0) as out:
            try:
                with read_only([file]):
                    return _refuses(out)
            except OSError:
                return False


def _refuses(out: FileIO) -> bool:
    try:
        out.write(b"x")
    except PermissionError:
        return True
    return False


needs_read_only = pytest.mark.skipif(
    not _can_be_read_only(), reason="needs a user and a file system that can make files immutable"
)
"""Elsewhere `make test-machine` has a whole disk read-only."""
