"""The archive's database: how it is opened, and its tables in numbered migrations.

docs/archive.md describes the tables for people. `PRAGMA user_version` holds the number of the last
migration; each runs in one transaction with the change of that number, so that a power cut leaves
the old state or the new one.

Who writes has the file alone. SQLite then keeps the index of its log in memory of its own, where
it would otherwise map a file that all share: on a card that has become read-only the kernel kills
whoever writes to such a map (SIGBUS), be it in the middle of a game.
"""

from __future__ import annotations

import contextlib
import enum
import json
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl.errors import BoardctlError

if TYPE_CHECKING:
    from collections.abc import Iterator

APPLICATION_ID: Final = 0x7461_666C
"""`tafl`: marks the file as an archive of ours (`PRAGMA application_id`)."""

CACHE_KIB: Final = 256
"""Pages of the file that SQLite keeps in memory: plenty for a game's rows. Its own choice, 2 MB, is
filled by an archive that grows to that size: the daemon would seem to leak for its first days."""

MIGRATIONS: Final = (
    """
    CREATE TABLE boots (
        id INTEGER PRIMARY KEY,
        started TEXT NOT NULL,
        version TEXT NOT NULL
    );
    CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        boot INTEGER REFERENCES boots (id),
        table_name TEXT NOT NULL,
        variant TEXT NOT NULL,
        options TEXT NOT NULL,
        position TEXT NOT NULL,
        side TEXT NOT NULL,
        started TEXT NOT NULL,
        finished TEXT,
        winner TEXT,
        result TEXT,
        reason TEXT
    );
    CREATE INDEX games_by_variant ON games (variant, result);
    CREATE TABLE plies (
        id INTEGER PRIMARY KEY,
        game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        move TEXT NOT NULL,
        final INTEGER NOT NULL,
        revisions TEXT NOT NULL,
        boot INTEGER,
        at_s REAL NOT NULL,
        wall TEXT NOT NULL,
        retracted TEXT
    );
    CREATE UNIQUE INDEX standing_plies ON plies (game, number) WHERE retracted IS NULL;
    CREATE INDEX plies_by_game ON plies (game);
    CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        position TEXT NOT NULL,
        side TEXT NOT NULL,
        wall TEXT NOT NULL
    );
    CREATE INDEX corrections_by_game ON corrections (game);
    CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
)


BUSY_S: Final = 1.0
"""How long to wait for another's lock: a reader has it for moments, a running table for good."""

LOG_PAGES: Final = 256
"""Pages of 4 KiB after which the log beside the file is worked into it: 1 MB, where SQLite's own
choice is 4."""


_READ_ONLY_REMEDY: Final = (
    "let this user write the file and its directory, or see 'dmesg' about the disk"
)


class _Way(enum.Enum):
    """How a file is opened: parameters of SQLite's URIs (sqlite.org/uri.html, sqlite.org/vfs.html).

    All but SHARING have the index of the log in memory of their own.
    """

    WRITING = "mode=rwc"
    """Alone: all others find the file locked."""
    SHARING = "mode=ro"
    """With other readers."""
    NO_LOCKS = "mode=ro&vfs=unix-none"
    """Whatever others do, where the index that readers share cannot be made."""
    NO_LOG = "mode=ro&immutable=1"
    """As NO_LOCKS, where there is no log and none can be made."""


class DamagedError(BoardctlError):
    """The file is no database of ours, or its pages contradict each other."""


class ArchiveError(BoardctlError):
    """The archive cannot be used; the text says which file, why, and what to do."""


def open_database(
    path: Path, *, read_only: bool = False, patience_s: float = BUSY_S
) -> sqlite3.Connection:
    """Open the archive at *path* and bring its tables up to date; it is made when missing.

    Who opens it to write has it alone until the connection is closed; who only reads shares it
    with other readers, also on a read-only disk. The connection may be handed to another thread,
    one at a time. Another's lock is waited for, *patience_s* at the most, also later.

    Raises:
        DamagedError: what lies there is no sound archive.
        ArchiveError: it cannot be opened or written, or a newer boardctl has made it.
    """
    with explained(path):
        if not read_only:
            check_writable(path)  # SQLite would speak of a lock that it does not get
            return _opened(path, _Way.WRITING, patience_s)
        try:
            return _opened(path, _Way.SHARING, patience_s)
        except sqlite3.OperationalError as error:
            if _code(error) not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}:
                raise
        # This user may not make the readers' common index: a disk that is read-only, a guest. A
        # table that starts meanwhile is not seen, and what is read may look damaged then.
        has_log = log_of(Path(os.path.realpath(path))).exists()
        way = _Way.NO_LOCKS if has_log else _Way.NO_LOG
        return _opened(path, way, patience_s)


def log_of(path: Path) -> Path:
    """Return where SQLite keeps the log (WAL) of the database at *path*, no symbolic link."""
    return path.with_name(f"{path.name}-wal")


def check_writable(path: Path) -> None:
    """Raise ArchiveError if there is a file at *path* that takes no writes.

    A file that was opened before may seem to take them: on an ext4 that was made read-only without
    an error of its own (`mount`, sysrq) Linux keeps them in memory, and `fsync` reports success.
    """
    if not os.access(path, os.W_OK) and path.exists():
        raise ArchiveError(f"{path}: read-only; {_READ_ONLY_REMEDY}")


def _opened(path: Path, way: _Way, patience_s: float) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"file:{_quoted(path)}?{way.value}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=patience_s,
    )
    database.row_factory = sqlite3.Row
    try:
        # Before the first look at the file, or the index of the log is shared already.
        mode = "NORMAL" if way is _Way.SHARING else "EXCLUSIVE"
        database.execute(f"PRAGMA locking_mode = {mode}")
        _prepare(database, path, read_only=way is not _Way.WRITING)
    except BaseException:
        database.close()
        raise
    return database


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _prepare(database: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    mark = database.execute("PRAGMA application_id").fetchone()[0]
    if mark not in {0, APPLICATION_ID} or (version and mark != APPLICATION_ID):
        raise DamagedError(f"{path}: a database, but no archive of boardctl")
    if version > len(MIGRATIONS):
        raise ArchiveError(
            f"{path}: made by a newer boardctl (format {version}, this one knows "
            f"{len(MIGRATIONS)}); install that version again, or set archive.file to another file"
        )
    database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    if read_only:
        return
    if version == 0:
        # Only an empty file can be told to give back the space of deleted games.
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    # FULL: a commit is on the card when it returns, not merely on its way (power cuts).
    for pragma in (
        "journal_mode = WAL",
        f"wal_autocheckpoint = {LOG_PAGES}",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        database.execute(f"PRAGMA {pragma}")
    _migrate(database, version)


def open_in_memory() -> sqlite3.Connection:
    """Open an empty archive that no disk holds."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.row_factory = sqlite3.Row
    _migrate(database, 0)
    return database


def _migrate(database: sqlite3.Connection, version: int) -> None:
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        with transaction(database):
            for statement in script.split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {number}")


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, also over a power cut."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after a full disk or an I/O error.
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk about *path* into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explain(error, path) from error
    except json.JSONDecodeError as error:
        raise DamagedError(f"{path}: damaged: {error}") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArchiveError(f"{error.filename or path}: {reason}; {_READ_ONLY_REMEDY}") from error


def _explain(error: sqlite3.Error, path: Path) -> BoardctlError:
    """Return what *error* means for a person."""
    code = _code(error)
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return DamagedError(f"{path}: damaged: {error}")
    remedies = {
        sqlite3.SQLITE_FULL: "make room on that disk",
        sqlite3.SQLITE_READONLY: _READ_ONLY_REMEDY,
        sqlite3.SQLITE_CANTOPEN: "check that the directory exists and may be used",
        sqlite3.SQLITE_IOERR: "check the card; see 'dmesg'",
        sqlite3.SQLITE_BUSY: "a running table has it, or a command that is soon done",
    }
    return ArchiveError(f"{path}: {error}; {remedies.get(code, 'see the log')}")


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0: the error is not SQLite's own."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
