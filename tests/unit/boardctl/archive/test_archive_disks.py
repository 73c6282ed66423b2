"""What disks do to an archive: full, read-only, locked, damaged."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.archive.place import Place
from boardctl.archive.records import GameRecord, full, rebuild
from boardctl.archive.schema import ArchiveError, DamagedError, open_database
from boardctl.archive.store import Store
from boardctl.core.effects import PlyFinal, PlyRetracted, PlyShown, SettingChanged
from boardctl.core.events import Committed
from tests.support.archives import fault, keeper_of, kept, kept_by, opened, reopened, take
from tests.support.disks import needs_read_only, pages, read_only, tear
from tests.support.records import played, record_of, started

if TYPE_CHECKING:
    from boardctl.archive.keeper import Keeper

GAME = played(8)
NINTH = GAME.legal_plies[0]
FURTHER = GAME.push(NINTH)


def without_room(archive: Keeper) -> sqlite3.Connection:
    """Let the database of an open archive grow no more."""
    database: sqlite3.Connection = archive._place.store.database  # type: ignore[union-attr]
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    return database


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(started(GAME))])
    database = without_room(archive)
    big = take(SettingChanged("palette", "x" * 10_000), *record_of(GAME)[1:])
    assert archive.write([big]) is None
    assert "games are not being kept" in fault(archive)
    assert "make room" in fault(archive)
    database.execute("PRAGMA max_page_count = 10000")
    assert len(archive.write([big]) or ()) == 8
    assert not fault(archive)
    archive.close()
    assert len(kept(tmp_path).moves) == 8


def test_a_read_only_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    database = archive._place.store.database  # type: ignore[union-attr]  # opened above
    database.execute("PRAGMA query_only = ON")
    assert archive.write([take(*record_of(GAME))]) is None
    assert "let this user write" in fault(archive)
    database.execute("PRAGMA query_only = OFF")
    assert archive.write([take(*record_of(GAME))]) is not None
    assert not fault(archive)


def test_a_directory_that_comes_late_is_used_when_it_comes(tmp_path: Path) -> None:
    archive = keeper_of(tmp_path / "later")
    assert archive.open() == (None, {})
    assert "check that the directory exists" in fault(archive)
    assert archive.answer({"query": "games"})[0] == 503
    archive.give_up(GameRecord(1, "", "", "", "", {}, "", "", ""))
    (tmp_path / "later").mkdir()
    assert archive.write([take(*record_of(GAME))]) is not None
    assert not fault(archive)


def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"no database at all" * 1000)
    archive = keeper_of(tmp_path)
    assert archive.open() == (None, {})
    assert not fault(archive)
    assert archive.notice == f"a damaged archive was set aside as {tmp_path}/games.db.damaged-1"
    assert archive.write([take(*record_of(GAME))]) is not None
    archive.close()
    assert len(kept(tmp_path).moves) == 8


def test_a_foreign_database_is_set_aside_unharmed(tmp_path: Path) -> None:
    foreign = sqlite3.connect(tmp_path / "games.db")
    foreign.execute("PRAGMA application_id = 77")
    foreign.close()
    archive = opened(tmp_path)
    assert archive.notice is not None
    other = sqlite3.connect(tmp_path / "games.db.damaged-1")
    assert other.execute("PRAGMA application_id").fetchone() == (77,)
    other.close()


@pytest.mark.parametrize("resumed", [False, True])
def test_after_a_torn_page_the_game_in_play_goes_on_in_a_new_database(
    tmp_path: Path, *, resumed: bool
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(played(20))) for _ in range(80)])
    archive.write([take(*record_of(GAME))])
    if resumed:
        archive.close()
        archive = reopened(tmp_path)
    archive._place.store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    tear(tmp_path / "games.db", range(4, pages(tmp_path / "games.db")))
    # The pages in SQLite's memory are sound; another connection drops them.
    archive._place.store.database.execute("PRAGMA shrink_memory")  # type: ignore[union-attr]
    archive.tidy()
    effects = [take(PlyShown(9, NINTH), PlyFinal(9, NINTH))]
    for _ in range(2):  # the first write may be what finds the damage
        acknowledged = archive.write(effects)
        if acknowledged is not None:
            break
    assert acknowledged is not None
    assert Committed(1, 9) in acknowledged
    assert archive.notice is not None
    archive.close()
    assert (tmp_path / "games.db.damaged-1").exists()
    assert rebuild(kept(tmp_path)).position == FURTHER.position


def test_damage_is_told_apart_from_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"x" * 8192)
    with pytest.raises(DamagedError, match="damaged"):
        open_database(tmp_path / "games.db")


def test_who_writes_has_the_archive_alone_and_maps_no_file(tmp_path: Path) -> None:
    # Writing to a mapped file kills the process when the disk becomes read-only meanwhile.
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.db", "games.db-wal"]
    assert str(tmp_path) not in Path("/proc/self/maps").read_text()
    for reading in (True, False):
        with pytest.raises(ArchiveError, match="a running table has it"):
            open_database(tmp_path / "games.db", read_only=reading, patience_s=0.0)
    archive.close()
    assert kept(tmp_path).moves == [str(ply) for ply in GAME.plies]


def test_readers_share_an_archive(tmp_path: Path) -> None:
    opened(tmp_path).close()
    one = open_database(tmp_path / "games.db", read_only=True)
    other = open_database(tmp_path / "games.db", read_only=True)
    assert one.execute("SELECT id FROM boots").fetchone()[0] == 1
    assert other.execute("SELECT id FROM boots").fetchone()[0] == 1
    one.close()
    other.close()


@pytest.mark.parametrize("endings", [("",), ("", "-wal")], ids=["without log", "with log"])
def test_an_archive_is_read_where_nothing_can_be_made_beside_it(
    tmp_path: Path, endings: tuple[str, ...]
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    if "-wal" not in endings:
        archive.close()
    (tmp_path / "card").mkdir()
    for ending in endings:
        copied = (tmp_path / f"games.db{ending}").read_bytes()
        (tmp_path / "card" / f"games.db{ending}").write_bytes(copied)
    # A directory in its place: SQLite cannot make the index, whoever runs this.
    (tmp_path / "card" / "games.db-shm").mkdir()
    assert kept(tmp_path / "card").moves == [str(ply) for ply in GAME.plies]
    archive.close()


@needs_read_only
def test_nothing_is_acknowledged_that_a_read_only_disk_seems_to_take(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    with read_only([tmp_path / "games.db"]):  # not its log: its writes succeed, as do its syncs
        assert archive.write([take(*record_of(GAME))]) is None
        assert "read-only; let this user write" in fault(archive)
    assert archive.write([take(*record_of(GAME))]) is not None
    assert not fault(archive)
    archive.close()


@needs_read_only
def test_a_read_only_disk_is_named_as_such_and_its_game_is_found(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    archive.close()
    with read_only([*tmp_path.iterdir(), tmp_path]):
        again = keeper_of(tmp_path)
        record, _ = again.open()
        assert record is not None
        assert len(record.moves) == 8
        assert f"{tmp_path}/games.db: read-only; let this user write" in fault(again)
        assert again.write([]) is None
    again.tidy()
    assert not fault(again)
    assert again.boot == 2
    again.close()


@needs_read_only
def test_a_game_that_is_brought_to_a_read_only_disk_is_refused(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    brought = full(replace(kept_by(archive), uid="elsewhere"))
    with read_only([tmp_path / "games.db"]):
        status, body = archive.bring({"game": brought})
    assert status == 503
    assert "read-only" in body["error"]
    assert "read-only" in fault(archive)
    archive.close()


def test_a_directory_that_may_not_be_searched_stops_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(tmp_path).close()

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/card")

    archive = keeper_of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refused)
        patch.setattr(os, "access", lambda *_: False)
        assert archive.open() == (None, {})
    assert "/card: permission denied; let this user write" in fault(archive)
    assert archive.write([]) == []
    archive.close()


def test_past_games_are_told_while_none_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_database, "__kwdefaults__", {"read_only": False, "patience_s": 0.0})
    before = opened(tmp_path)
    before.write([take(*record_of(GAME))])
    before.close()
    reader = open_database(tmp_path / "games.db", read_only=True)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM games").fetchone()[0] == 1
    archive = opened(tmp_path)
    assert "a running table has it, or a command that is soon done" in fault(archive)
    status, body = archive.answer({"query": "games"})
    assert (status, len(body["games"])) == (200, 1)
    reader.close()
    assert archive.write([]) == []
    archive.close()


def test_a_finished_game_outlives_the_removal_of_its_file_and_a_stop(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME), SettingChanged("language", "de"))])
    for file in tmp_path.glob("games.db*"):
        file.unlink()
    archive.close()
    again = keeper_of(tmp_path)
    record, settings = again.open()
    assert record is not None
    assert record.moves == [str(ply) for ply in GAME.plies]
    assert settings == {"language": "de"}
    again.close()


def test_a_table_waits_for_a_command_that_writes_and_finds_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(tmp_path)
    before.write([take(*record_of(GAME))])
    before.close()
    command = open_database(tmp_path / "games.db")
    command.execute("BEGIN IMMEDIATE")
    soon = threading.Timer(0.05, command.close)

    def refused(_: Place) -> None:
        soon.start()
        raise ArchiveError("locked")

    archive = keeper_of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Place, "open", refused)
        record, _ = archive.open()
    soon.join()
    assert record is not None
    assert archive.write([]) == []
    archive.close()


def test_a_fault_ends_when_the_disk_takes_something_and_not_before(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    brought = full(kept_by(archive))
    without_room(archive)
    assert archive.write([take(SettingChanged("palette", "x" * 10_000))]) is None
    commits = archive.commits
    assert archive.bring({"game": brought}) == (200, {"added": False})
    assert archive.bring({})[0] == 400
    assert archive.write([]) == []
    assert "make room" in fault(archive)
    assert archive.commits == commits
    archive.tidy()  # there is room for what is as long as before
    assert not fault(archive)
    archive.close()


def test_a_damaged_file_is_named_after_its_replacement_was_refused_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    monkeypatch.setattr(Store, "check", lambda _: "page 3 is torn")

    def refused(_: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr("boardctl.archive.backup.set_aside", refused)
        archive.tidy()
        assert "page 3 is torn, and cannot be set aside" in fault(archive)
        archive.tidy()
        assert "page 3 is torn, and cannot be set aside" in fault(archive)
    archive.tidy()
    assert archive.notice == f"a damaged archive was set aside as {tmp_path}/games.db.damaged-1"
    assert not fault(archive)
    archive.close()
    assert kept(tmp_path).moves == [str(ply) for ply in GAME.plies]


def test_where_a_damaged_file_went_is_told_though_no_new_one_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    monkeypatch.setattr(Store, "check", lambda _: "page 3 is torn")

    def full_disk(_: Place) -> None:
        raise ArchiveError("make room")

    with monkeypatch.context() as patch:
        patch.setattr(Place, "open", full_disk)
        archive.tidy()
    assert "make room" in fault(archive)
    assert archive.notice == f"a damaged archive was set aside as {tmp_path}/games.db.damaged-1"
    assert archive.write([take(PlyRetracted(8))]) == []
    assert not fault(archive)
    archive.close()
    assert kept(tmp_path).moves == [str(ply) for ply in GAME.plies[:7]]


@pytest.mark.parametrize(
    "sql", ["UPDATE games SET options = '{'", "UPDATE plies SET revisions = '['"]
)
def test_a_text_that_a_card_has_changed_is_damage(tmp_path: Path, sql: str) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    archive.close()
    database = open_database(tmp_path / "games.db")
    database.execute(sql)
    database.close()
    archive = opened(tmp_path)
    assert archive.notice == f"a damaged archive was set aside as {tmp_path}/games.db.damaged-1"
    assert not fault(archive)
    archive.close()


def test_settings_that_could_not_be_written_at_the_start_are_written_later(tmp_path: Path) -> None:
    before = opened(tmp_path)
    assert before.settings_for({}, "one") == {}
    before.write([take(SettingChanged("language", "de"))])
    before.close()
    archive = keeper_of(tmp_path)
    _, stored = archive.open()
    archive._place.close()
    assert archive.settings_for(stored, "two") == {}
    archive.write([take(SettingChanged("language", "da"))])
    archive.close()
    again = keeper_of(tmp_path)
    _, stored = again.open()
    assert again.settings_for(stored, "two") == {"language": "da"}
    again.close()
