"""The archive's file, which others may move, remove, replace or damage while it is open."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from boardctl.archive import backup
from boardctl.archive.schema import BUSY_S, check_writable, explained, log_of, open_database
from boardctl.archive.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

log = logging.getLogger(__name__)

_Identity: TypeAlias = tuple[int, int]


class Place:
    """Where the archive lies, and the database there while it is open.

    Whatever the disk does, its methods raise ArchiveError or DamagedError only.

    Attributes:
        path: with no symbolic link in it: SQLite keeps the log beside the file itself.
        store: the database; None while it is closed.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))
        self.store: Store | None = None
        self._file: _Identity | None = None
        self._log: _Identity | None = None

    def open(self) -> Store:
        """Open what lies here, or begin a new archive."""
        with explained(self.path):
            store = Store(open_database(self.path))
            try:
                self._file, self._log = _identity(self.path), _identity(log_of(self.path))
            except BaseException:
                store.database.close()
                raise
        self.store = store
        return store

    def leave_what_is_gone(self) -> None:
        """Close the database if its file, or its log, does not lie here any more.

        A file that was removed or replaced takes writes as long as it is open, and they are lost.
        """
        with explained(self.path):
            file, beside = _identity(self.path), _identity(log_of(self.path))
            self._log = self._log or beside
            if self.store is None or (file, beside) == (self._file, self._log):
                return
            log.warning("archive: %s or its log was removed or replaced", self.path)
            # SQLite works the log neither into a file that was moved nor from one without a name.
            is_whole = _worked_in(self.store.database)
            self.close()
            if file != self._file and beside is not None and beside == self._log:
                # It would be taken for the log of what lies here now.
                old_log = log_of(self.path)
                if is_whole:
                    old_log.unlink(missing_ok=True)
                else:
                    old_log.replace(old_log.with_name(f"{self.path.name}.removed-wal"))

    def check_writable(self) -> None:
        """Raise ArchiveError if the file takes no writes."""
        with explained(self.path):
            check_writable(self.path)

    @contextlib.contextmanager
    def readable(self, *, patience_s: float = BUSY_S) -> Iterator[Store]:
        """Yield the database or, while it is closed, another connection that only reads.

        Others who read share it; one who writes is waited for so long.
        """
        with explained(self.path):
            if self.store is not None:
                yield self.store
                return
            store = Store(open_database(self.path, read_only=True, patience_s=patience_s))
            with contextlib.closing(store.database):
                yield store

    def set_aside(self) -> Path:
        """Close the database, and rename its file out of the way; return the new name."""
        self.close()
        with explained(self.path):
            return backup.set_aside(self.path)

    def close(self) -> None:
        """Close the database; closing twice is allowed."""
        if self.store is not None:
            self.store.database.close()
            self.store = None


def _worked_in(database: sqlite3.Connection) -> bool:
    """Have the file hold all that was written to it; return whether it does."""
    try:
        row = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        return False
    return bool(row[0] == 0)


def _identity(path: Path) -> _Identity | None:
    """Return device and inode of the file at *path*; None: there is none.

    They tell it from any other that exists at the same time.
    """
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino
