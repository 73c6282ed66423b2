"""The archive on its disk, whatever the disk does: writes, refusals, damage, quiet moments.

    ok ── refused (full, read-only, gone) ──► fault ── a write succeeds ──► ok
     ├─── damaged ──► set aside, new database ──┐
     └─── file removed or replaced ─────────────┴──► the game in play written anew ──► ok (or fault)

One thread uses it; nothing here raises for a disk that misbehaves.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from boardctl.archive.backup import back_up, set_aside
from boardctl.archive.queries import answer, bring
from boardctl.archive.schema import (
    ArchiveError,
    DamagedError,
    check_writable,
    explain,
    open_database,
    transaction,
)
from boardctl.archive.scribe import Page, Scribe, Stamp
from boardctl.archive.store import Store
from boardctl.core.effects import GameStarted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from boardctl.archive.records import GameRecord
    from boardctl.core.effects import Effect
    from boardctl.core.events import Committed
    from boardctl.errors import BoardctlError

log = logging.getLogger(__name__)

_CONFIGURATION = "configuration"
"""The name among the settings under which the file's own are remembered."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept: copies, and bytes of the database."""

    backup_dir: Path | None
    backups: int
    max_bytes: float


@dataclass(frozen=True, slots=True)
class Take:
    """Effects to be written, and when they happened."""

    effects: tuple[Effect, ...]
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Restore:
    """A game that an earlier run has begun, to be written whole into a new database."""

    record: GameRecord


Job: TypeAlias = Take | Restore

_Identity: TypeAlias = tuple[int, int]


def utc_now() -> str:
    """Return the wall time as a label: UTC, ISO 8601. A Pi without a network may be years off."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Keeper:
    """The database of one table.

    Attributes:
        fault: why games are not being kept; None while they are.
        notice: what happened to an earlier database, for the operator.
        commits: transactions that have reached the disk.
    """

    def __init__(
        self,
        path: Path,
        limits: Limits,
        *,
        table_name: str,
        version: str,
        wall: Callable[[], str] = utc_now,
    ) -> None:
        self._path = path
        self._limits = limits
        self._version = version
        self._wall = wall
        self._scribe = Scribe(table_name=table_name, new_uid=lambda: secrets.token_hex(8))
        self._store: Store | None = None
        self._file: _Identity | None = None
        self._log: _Identity | None = None
        self._in_play: list[Job] = []
        self._is_elsewhere = False
        self._checked = False
        self._copied_on: str | None = None
        self.fault: str | None = None
        self.notice: str | None = None
        self.commits = 0

    @property
    def boot(self) -> int | None:
        """The number of this start of the daemon; None while there is no database."""
        return self._scribe.boot

    def open(self) -> tuple[GameRecord | None, Mapping[str, str]]:
        """Open the database; return the game to go on with and the settings changed at the table.

        A damaged one is set aside. One that cannot be written now is read, where that is
        possible; `write` tries to open it again.
        """
        try:
            self._store = self._open()
            return _last_state(self._store)
        except (DamagedError, ArchiveError, sqlite3.Error) as error:
            self._refused(error)
        if self.fault is not None:
            with contextlib.suppress(ArchiveError, DamagedError, sqlite3.Error):
                reader = Store(open_database(self._path, read_only=True))
                with contextlib.closing(reader.database):
                    return _last_state(reader)
        return None, {}

    def resume(self, record: GameRecord) -> None:
        """Write on in *record*, a game that `open` has returned."""
        plies = tuple(replace(ply, boot=None) for ply in record.plies)
        self._scribe.resume(record)
        self._in_play = [Restore(replace(record, plies=plies, boot=None))]

    def settings_for(self, stored: Mapping[str, str], configuration: str) -> Mapping[str, str]:
        """Return which of the *stored* settings, as `open` returned them, still hold.

        A change at the table lasts until the file says something else: *configuration* stands
        for what it says now.
        """
        changes = {name: value for name, value in stored.items() if name != _CONFIGURATION}
        if stored.get(_CONFIGURATION) == configuration:
            return changes
        try:
            if self._store is not None:
                with transaction(self._store.database):
                    self._store.forget_settings()
                    self._store.set_setting(_CONFIGURATION, configuration)
        except sqlite3.Error as error:
            self._refused(error)
        return {}

    def give_up(self, record: GameRecord) -> None:
        """Close a game that `open` has returned and that the board does not show any more."""
        try:
            if self._store is not None:
                with transaction(self._store.database):
                    self._store.abandon(record.id, self._wall())
        except sqlite3.Error as error:
            self._refused(error)

    def write(self, jobs: Sequence[Job]) -> list[Committed] | None:
        """Write *jobs* in one transaction; None: nothing was written, try again later."""
        try:
            acknowledgements = self._commit(self._current(), jobs)
        except (sqlite3.Error, ArchiveError, DamagedError) as error:
            self._refused(error)
            return None
        except OSError as error:
            self._fail(f"{self._path}: {error.strerror}")
            return None
        self._remember(jobs)
        self.commits += 1
        if self.fault is not None:
            log.info("archive: games are being kept again")
            self.fault = None
        return acknowledgements

    def answer(self, kind: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Answer a question about past games, or keep one that is brought ("import")."""
        if body.get("query") == "archive":
            return 200, {"file": str(self._path.absolute())}
        if self._store is None:
            return 503, {"error": self.fault or "the archive is not open"}
        try:
            return (bring if kind == "import" else answer)(self._store, body)
        except sqlite3.Error as error:
            return 503, {"error": str(explain(error, self._path))}
        except ValueError as error:
            # A text that is none (half of a surrogate pair): nothing that a file could hold.
            return 400, {"error": str(error)}

    def tidy(self) -> None:
        """Use a quiet moment: check the file once a start, keep its size, copy it once a day."""
        try:
            if self._store is None:
                self.write(())
                return
            self._check(self._store)
            self._prune(self._store)
            self._copy(self._store)
        except DamagedError as error:
            self._refused(error)
        except (ArchiveError, sqlite3.Error, OSError) as error:
            log.warning("archive: no daily copy: %s", error)

    def close(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.database.close()
            self._store = None

    # --- writing ---------------------------------------------------------------------------------

    def _current(self) -> Store:
        """Return the database in the file that lies at the path now, with the game in play in it.

        A file that was removed or replaced takes writes as long as it is open, and they are lost.
        """
        if self._store is not None and _identity(self._path) != self._file:
            log.error(
                "archive: %s was removed or replaced; the game in play is written", self._path
            )
            self.close()
        if self._store is None:
            self._store = self._open_anew()
        check_writable(self._path)
        if self._is_elsewhere:
            self._scribe.page = Page()
            self._commit(self._store, self._in_play)
            self._is_elsewhere = False
        return self._store

    def _open_anew(self) -> Store:
        """Open what lies at the path after a failure, or after a file that is gone."""
        is_gone = self._file is not None and _identity(self._path) != self._file
        log_file = _log_of(self._path)
        if is_gone and _identity(log_file) == self._log:
            # SQLite would take it for the log of what lies there now.
            log_file.unlink(missing_ok=True)
        store = self._open()
        self._is_elsewhere |= is_gone
        return store

    def _commit(self, store: Store, jobs: Sequence[Job]) -> list[Committed]:
        page = self._scribe.page
        acknowledgements = []
        try:
            with transaction(store.database):
                for job in jobs:
                    acknowledgements += self._written(store, job)
        except BaseException:
            self._scribe.page = page
            raise
        return acknowledgements

    def _written(self, store: Store, job: Job) -> list[Committed]:
        if isinstance(job, Restore):
            self._scribe.restore(store, job.record)
            return []
        written = [self._scribe.write(store, effect, job.stamp) for effect in job.effects]
        return [acknowledged for acknowledged in written if acknowledged is not None]

    def _remember(self, jobs: Sequence[Job]) -> None:
        """Keep the game in play, so that a new database can begin with it."""
        for job in jobs:
            if isinstance(job, Restore) or any(isinstance(e, GameStarted) for e in job.effects):
                self._in_play = []
            self._in_play.append(job)

    # --- quiet moments ---------------------------------------------------------------------------

    def _check(self, store: Store) -> None:
        if not self._checked:
            self._checked = True
            damage = store.check()
            if damage is not None:
                raise DamagedError(f"{self._path}: damaged: {damage}")

    def _prune(self, store: Store) -> None:
        if store.size() <= self._limits.max_bytes:
            return
        with transaction(store.database):
            dropped = store.prune(self._limits.max_bytes)
        store.database.execute("PRAGMA incremental_vacuum").fetchall()
        store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        log.warning("archive: full; the %d oldest games were dropped", dropped)

    def _copy(self, store: Store) -> None:
        day = self._wall()[:10]
        directory = self._limits.backup_dir
        if directory is not None and day != self._copied_on:
            self._copied_on = day
            back_up(store.database, directory, day, keep=self._limits.backups)

    # --- opening and failing ---------------------------------------------------------------------

    def _open(self) -> Store:
        store = Store(open_database(self._path))
        try:
            with transaction(store.database):
                self._scribe.boot = store.start_boot(self._wall(), self._version)
        except BaseException:
            store.database.close()
            raise
        self._file, self._log = _identity(self._path), _identity(_log_of(self._path))
        return store

    def _refused(self, error: sqlite3.Error | BoardctlError) -> None:
        """Do what can be done about *error*: begin anew after damage, else wait."""
        explained = explain(error, self._path) if isinstance(error, sqlite3.Error) else error
        if isinstance(explained, DamagedError):
            self._set_aside(explained)
        else:
            self._fail(str(explained))

    def _fail(self, reason: str) -> None:
        text = f"games are not being kept: {reason}"
        if text != self.fault:
            log.error("archive: %s", text)
        self.fault = text

    def _set_aside(self, error: BoardctlError) -> None:
        """Begin a new database with the game in play."""
        self.close()
        try:
            aside = set_aside(self._path)
            self._store = self._open()
        except (OSError, sqlite3.Error, ArchiveError, DamagedError) as again:
            self._fail(str(again))
            return
        self._checked = False
        self.notice = f"a damaged archive was set aside as {aside}"
        log.error("archive: %s; %s; copies lie in %s", error, self.notice, self._limits.backup_dir)
        self._is_elsewhere = True
        self.write(())


def _log_of(path: Path) -> Path:
    """Return where SQLite keeps the log (WAL) of the database at *path*."""
    return path.with_name(f"{path.name}-wal")


def _identity(path: Path) -> _Identity | None:
    """Return what tells the file at *path* from any other that lay there; None: there is none."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino


def _last_state(store: Store) -> tuple[GameRecord | None, Mapping[str, str]]:
    return store.unfinished(), store.settings()
