"""The archive on its disk, whatever the disk does: writes, refusals, damage, quiet moments.

    ok ── refused (full, read-only, gone) ──► fault ── a write succeeds ──► ok
     ├─── damaged ──► set aside, new database ──┐
     └─── removed or replaced (seen at a write) ─┴─► the game in play written anew ──► ok (or fault)

One thread uses it; nothing here raises for a disk that misbehaves.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from boardctl.archive.backup import back_up
from boardctl.archive.jobs import Job, Restore, Take, in_memory, substance, write_job
from boardctl.archive.place import Place
from boardctl.archive.queries import answer, bring
from boardctl.archive.schema import ArchiveError, DamagedError, explained, transaction
from boardctl.archive.scribe import Scribe
from boardctl.core.effects import GameStarted, SettingChanged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from boardctl.archive.records import GameRecord
    from boardctl.archive.store import Store
    from boardctl.core.events import Committed
    from boardctl.errors import BoardctlError

log = logging.getLogger(__name__)

_START_PATIENCE_S: Final = 20.0
"""How long a table that starts waits for a command that writes to the archive (a large import), to
read which game is in play. systemd allows 60 s for the start."""

_CONFIGURATION = "configuration"
"""The name among the settings under which the file's own are remembered."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept: copies, and bytes of the database."""

    backup_dir: Path | None
    backups: int
    max_bytes: float


_TROUBLE: Final = (ArchiveError, DamagedError)


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
        self._place = Place(path)
        self._limits = limits
        self._version = version
        self._wall = wall
        self._scribe = Scribe(table_name=table_name, new_uid=lambda: secrets.token_hex(8))
        self._in_play: list[Job] = []
        self._settings: dict[str, str] | None = None
        self._is_settled = True
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
            return self._last_state(self._open())
        except _TROUBLE as error:
            self._refused(error)
        if self.fault is not None:
            with (
                contextlib.suppress(*_TROUBLE),
                self._place.readable(patience_s=_START_PATIENCE_S) as store,
            ):
                return self._last_state(store)
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
        if self._settings is not None:
            self._settings = {_CONFIGURATION: configuration}
            self._is_settled = False
            if self._place.store is not None:
                self.write(())
        return {}

    def give_up(self, record: GameRecord) -> None:
        """Close a game that `open` has returned and that the board does not show any more."""
        try:
            store = self._place.store
            if store is not None:
                with self._transaction(store):
                    store.abandon(record.id, self._wall())
        except _TROUBLE as error:
            self._refused(error)

    def write(self, jobs: Sequence[Job]) -> list[Committed] | None:
        """Write *jobs* in one transaction; None: nothing was written, try again later."""
        try:
            acknowledgements = self._commit(self._current(), jobs)
        except _TROUBLE as error:
            self._refused(error)
            return None
        self._remember(jobs)
        if jobs:
            self._wrote()
        return acknowledgements

    def bring(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Keep a game that is brought from elsewhere; return a status and a body."""
        try:
            with self._explained():
                answered = bring(self._current(), body)
        except _TROUBLE as error:
            self._refused(error)
            return 503, {"error": str(error)}
        if answered[1].get("added"):
            self._wrote()
        return answered

    def answer(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Answer a question about past games with a status and a body."""
        if body.get("query") == "archive":
            return 200, {"file": str(self._place.path)}
        try:
            with self._place.readable() as store:
                return answer(store, body)
        except _TROUBLE as error:
            return 503, {"error": str(error)}

    def tidy(self) -> None:
        """Use a quiet moment: check the file once a start, keep its size, copy it once a day."""
        try:
            store = self._current()
            with self._explained():
                self._check(store)
                if self.fault is not None:
                    self._try(store)
        except _TROUBLE as error:
            self._refused(error)
            return
        try:
            with self._explained():
                self._prune(store)
                self._copy(store)
        except _TROUBLE as error:
            log.warning("archive: neither cut to its size nor copied: %s", error)

    def close(self) -> None:
        """Close the database."""
        if self._place.store is not None:
            with contextlib.suppress(*_TROUBLE):
                self._current()  # the game in play belongs into the file that lies there now
        self._place.close()

    # --- writing ---------------------------------------------------------------------------------

    def _current(self) -> Store:
        """Return the database that lies at the path now, with the game in play in it."""
        self._place.leave_what_is_gone()
        if self._place.store is None:
            self._is_settled = False
        store = self._place.store or self._open()
        self._place.check_writable()
        if not self._is_settled:
            self._settle(store)
            self._is_settled = True
        return store

    def _settle(self, store: Store) -> None:
        """Have the game in play and the settings in a database that was opened again."""
        with self._transaction(store):
            if self._settings is None:
                self._settings = store.settings()
            elif self._settings != store.settings():
                store.forget_settings()
                for name, value in self._settings.items():
                    store.set_setting(name, value)
            moved = self._move(store)
        if moved:
            self.notice = f"{self._place.path} was removed or replaced; the game goes on in another"
            log.warning("archive: %s", self.notice)

    def _move(self, store: Store) -> bool:
        """Write the game in play whole, unless *store* holds it as it is; return whether it was."""
        if self._scribe.page.game is None:
            return False
        record, page = in_memory(self._in_play)
        record = replace(record, uid=self._scribe.page.uid)
        found = store.game(self._scribe.page.game)
        if found is not None and substance(found) == substance(record):
            return False
        self._scribe.move(store, record, page, self._wall())
        return True

    def _try(self, store: Store) -> None:
        """Write something, to see whether the disk takes it again."""
        if self._scribe.boot is not None:
            with transaction(store.database):
                store.touch(self._scribe.boot)
            self._wrote()

    def _commit(self, store: Store, jobs: Sequence[Job]) -> list[Committed]:
        with self._transaction(store):
            return [each for job in jobs for each in write_job(self._scribe, store, job)]

    @contextlib.contextmanager
    def _transaction(self, store: Store) -> Iterator[None]:
        """All or nothing, in the database and on the scribe's page."""
        page = self._scribe.page
        try:
            with self._explained(), transaction(store.database):
                yield
        except BaseException:
            self._scribe.page = page
            raise

    def _wrote(self) -> None:
        self.commits += 1
        if self.fault is not None:
            log.info("archive: games are being kept again")
            self.fault = None

    def _remember(self, jobs: Sequence[Job]) -> None:
        """Keep the game in play and the settings, so that another database can have them."""
        for job in jobs:
            if isinstance(job, Take):
                changes = [effect for effect in job.effects if isinstance(effect, SettingChanged)]
                self._settings = (self._settings or {}) | {
                    each.setting: each.value for each in changes
                }
            if isinstance(job, Restore) or any(isinstance(e, GameStarted) for e in job.effects):
                self._in_play = []
            self._in_play.append(job)

    # --- quiet moments ---------------------------------------------------------------------------

    def _check(self, store: Store) -> None:
        if not self._checked:
            damage = store.check()
            if damage is not None:
                raise DamagedError(f"{self._place.path}: damaged: {damage}")
            self._checked = True

    def _prune(self, store: Store) -> None:
        if store.size() <= self._limits.max_bytes:
            return
        with transaction(store.database):
            dropped = store.prune(self._limits.max_bytes, but=self._scribe.page.game)
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
        store = self._place.open()
        try:
            with self._transaction(store):
                self._scribe.boot = store.start_boot(self._wall(), self._version)
        except BaseException:
            self._place.close()
            raise
        return store

    def _last_state(self, store: Store) -> tuple[GameRecord | None, Mapping[str, str]]:
        with self._explained():
            self._settings = store.settings()
            return store.unfinished(), dict(self._settings)

    def _explained(self) -> contextlib.AbstractContextManager[None]:
        return explained(self._place.path)

    def _refused(self, error: BoardctlError) -> None:
        """Do what can be done about *error*: begin anew after damage, else wait."""
        if isinstance(error, DamagedError):
            self._set_aside(error)
        else:
            self._fail(str(error))

    def _fail(self, reason: str) -> None:
        text = f"games are not being kept: {reason}"
        if text != self.fault:
            log.error("archive: %s", text)
        self.fault = text

    def _set_aside(self, error: BoardctlError) -> None:
        """Begin a new database with the game in play."""
        try:
            aside = self._place.set_aside()
        except _TROUBLE as again:
            self._fail(f"{error}, and cannot be set aside: {again}")
            return
        self._checked = False
        self._settings = self._settings or {}
        notice = f"a damaged archive was set aside as {aside}"
        log.error("archive: %s; %s; copies lie in %s", error, notice, self._limits.backup_dir)
        try:
            self._current()
        except _TROUBLE as again:
            self._fail(str(again))
        else:
            self._wrote()
        self.notice = notice
