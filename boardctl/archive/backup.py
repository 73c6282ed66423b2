"""Daily copies of the archive, and what happens to a damaged one."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from typing import TYPE_CHECKING, Final

from boardctl.archive.schema import explained

if TYPE_CHECKING:
    from pathlib import Path

_NAME: Final = re.compile(r"games-\d{4}-\d{2}-\d{2}\.db")
_SIDE_FILES: Final = ("-wal", "-shm")


def back_up(database: sqlite3.Connection, directory: Path, day: str, *, keep: int) -> Path:
    """Copy the archive to `games-<day>.db` in *directory* and drop all but the newest *keep*.

    The copy appears under its name only when it is complete and on the disk. It replaces one of
    the same day.

    Raises:
        ArchiveError: there is no room, or the directory cannot be written.
        OSError: likewise.
    """
    directory.mkdir(parents=True, exist_ok=True)
    target = directory / f"games-{day}.db"
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with explained(partial), contextlib.closing(sqlite3.connect(partial)) as copy:
        database.backup(copy)
    _sync(partial)
    partial.replace(target)
    _sync(directory)
    for old in copies(directory)[:-keep]:
        old.unlink(missing_ok=True)
    return target


def copies(directory: Path) -> list[Path]:
    """Return the copies in *directory*, oldest first."""
    if not directory.is_dir():
        return []
    return sorted(file for file in directory.iterdir() if _NAME.fullmatch(file.name))


def set_aside(path: Path) -> Path:
    """Rename a damaged archive (with its WAL, which may hold its last games) out of the way.

    Returns the new name, `games.db.damaged-1` or the next free number.
    """
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    aside = path.with_name(f"{path.name}.damaged-{number}")
    path.replace(aside)
    for ending in _SIDE_FILES:
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.replace(aside.with_name(aside.name + ending))
    return aside


def _sync(path: Path) -> None:
    """Have the card write what it holds of *path*."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
