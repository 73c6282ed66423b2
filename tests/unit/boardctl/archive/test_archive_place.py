"""Files that are removed, moved or replaced under a running table."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from boardctl.archive.records import full, rebuild
from boardctl.archive.schema import open_database
from boardctl.archive.store import Store
from boardctl.core.effects import GameOver, GameReopened, PlyFinal, PlyShown
from boardctl.core.events import Committed
from engine import Outcome, Reason, Result, Side
from tests.support.archives import (
    all_games,
    fault,
    keeper_of,
    kept,
    kept_by,
    opened,
    reopened,
    take,
)
from tests.support.disks import needs_read_only, read_only
from tests.support.records import played, record_of, started

if TYPE_CHECKING:
    from pathlib import Path

GAME = played(8)
NINTH = GAME.legal_plies[0]
FURTHER = GAME.push(NINTH)
WON = Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED)


@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("there", ["nothing", "copy", "older copy", "garbage", "another"])
def test_a_file_that_is_removed_or_replaced_takes_the_game_in_play_with_it_nowhere(
    tmp_path: Path, there: str, *, resumed: bool
) -> None:
    archive = opened(tmp_path)
    effects = record_of(GAME)
    archive.write([take(*effects[:4])])
    if there == "older copy":
        archive.tidy()
    archive.write([take(*effects[4:])])
    if resumed:
        archive.close()
        archive = reopened(tmp_path)
    if there == "copy":
        archive.tidy()
    replace_by(tmp_path, there)
    last = [take(PlyShown(9, NINTH), PlyFinal(9, NINTH))]
    assert Committed(1, 9) in (archive.write(last) or archive.write(last) or [])
    assert not fault(archive)
    archive.close()
    game = kept(tmp_path, 2 if there == "older copy" else 1)
    assert rebuild(game).position == FURTHER.position
    assert [ply.number for ply in game.plies] == list(range(1, 10))
    unfinished = [number for number in (1, 2) if is_unfinished(tmp_path, number)]
    assert unfinished == [game.id]


def replace_by(folder: Path, there: str) -> None:
    """Have something else at the archive's place."""
    new = folder / "new"
    if there == "nothing":
        for file in folder.glob("games.db*"):
            file.unlink()
        return
    if there == "garbage":
        new.write_bytes(b"no database at all" * 1000)
    elif there == "another":
        opened(folder / "new-folder", make=True).close()
        (folder / "new-folder" / "games.db").rename(new)
    else:
        (folder / "backup" / "games-2026-11-30.db").rename(new)
    new.rename(folder / "games.db")


def is_unfinished(folder: Path, number: int) -> bool:
    store = Store(open_database(folder / "games.db", read_only=True))
    game = store.game(number)
    store.database.close()
    return game is not None and game.finished is None


@needs_read_only
def test_an_older_copy_that_comes_while_the_file_is_closed_gets_the_whole_game(
    tmp_path: Path,
) -> None:
    before = opened(tmp_path)
    effects = record_of(GAME)
    before.write([take(*effects[:4])])
    before.tidy()
    before.write([take(*effects[4:])])
    before.close()
    with read_only([tmp_path / "games.db"]):
        archive = reopened(tmp_path)
    replace_by(tmp_path, "older copy")
    assert archive.write([take(PlyFinal(9, NINTH))]) == [Committed(1, 9)]
    archive.close()
    assert rebuild(kept(tmp_path, 2)).position == FURTHER.position


def test_another_file_gets_the_game_though_its_first_opening_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = opened(tmp_path)
    effects = record_of(GAME)
    archive.write([take(*effects[:4])])
    archive.tidy()
    archive.write([take(*effects[4:])])
    replace_by(tmp_path, "older copy")

    def refused(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "start_boot", refused)
        assert archive.write([]) is None
    assert archive.write([take(PlyFinal(9, NINTH))]) == [Committed(1, 9)]
    archive.close()
    assert rebuild(kept(tmp_path, 2)).position == FURTHER.position


def test_a_file_that_is_moved_away_and_back_has_its_game_once(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    (tmp_path / "games.db").rename(tmp_path / "old.db")
    assert archive.write([]) == []
    (tmp_path / "old.db").rename(tmp_path / "games.db")
    assert archive.write([]) == []
    archive.close()
    store = Store(open_database(tmp_path / "games.db"))
    assert len(all_games(store)) == 1
    store.database.close()


def test_a_log_that_cannot_be_worked_in_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    (tmp_path / "old").mkdir()
    (tmp_path / "games.db").rename(tmp_path / "old" / "games.db")
    with monkeypatch.context() as patch:
        patch.setattr("boardctl.archive.place._worked_in", lambda _: False)
        assert archive.write([]) == []
    archive.close()
    (tmp_path / "games.db.removed-wal").rename(tmp_path / "old" / "games.db-wal")
    assert kept(tmp_path / "old").moves == kept(tmp_path).moves == [str(ply) for ply in GAME.plies]


def test_the_game_that_was_just_played_is_not_dropped_for_room(tmp_path: Path) -> None:
    archive = keeper_of(tmp_path, max_bytes=1)
    archive.open()
    archive.write([take(*record_of(GAME), GameOver(1, WON))])
    archive.write([])
    archive.tidy()
    assert archive.notice is None
    archive.write([take(GameReopened(1))])
    assert not fault(archive)
    archive.close()
    assert kept(tmp_path).finished is None


def test_a_file_that_cannot_be_seen_for_a_while_keeps_its_one_game(tmp_path: Path) -> None:
    folder = tmp_path / "card"
    folder.mkdir()
    archive = opened(folder)
    archive.write([take(*record_of(GAME))])
    folder.rename(tmp_path / "out")
    effects = [take(PlyShown(9, NINTH), PlyFinal(9, NINTH))]
    assert archive.write(effects) is None
    assert "check that the directory exists" in fault(archive)
    (tmp_path / "out").rename(folder)
    assert archive.write(effects) == [Committed(1, 9)]
    assert not fault(archive)
    archive.close()
    assert rebuild(kept(folder)).position == FURTHER.position
    store = Store(open_database(folder / "games.db"))
    assert len(all_games(store)) == 1
    store.database.close()


def test_a_game_that_is_brought_goes_where_the_archive_lies_now(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    brought = full(replace(kept_by(archive), uid="elsewhere"))
    for file in tmp_path.glob("games.db*"):
        file.unlink()
    assert archive.bring({"game": brought}) == (200, {"added": True})
    archive.close()
    assert [kept(tmp_path, number).source for number in (1, 2)] == ["table", "import"]


def test_a_file_that_is_moved_away_takes_all_that_was_written_to_it(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    (tmp_path / "old").mkdir()
    (tmp_path / "games.db").rename(tmp_path / "old" / "games.db")
    assert archive.write([]) == []
    assert archive.notice is not None
    archive.close()
    assert kept(tmp_path / "old").moves == kept(tmp_path).moves == [str(ply) for ply in GAME.plies]


def test_a_directory_that_is_made_anew_gets_the_game_in_play(tmp_path: Path) -> None:
    folder = tmp_path / "card"
    folder.mkdir()
    archive = opened(folder)
    archive.write([take(*record_of(GAME))])
    shutil.rmtree(folder)
    assert archive.write([]) is None  # now the number of the file's inode is free again
    folder.mkdir()
    assert archive.write([take(PlyFinal(9, NINTH))]) == [Committed(1, 9)]
    archive.close()
    assert rebuild(kept(folder)).position == FURTHER.position


def test_a_log_that_is_removed_takes_nothing_with_it(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(started(GAME), *(PlyFinal(1, ply) for ply in GAME.plies[:1]))])
    (tmp_path / "games.db-wal").unlink()
    assert archive.write([take(PlyFinal(2, GAME.plies[1]))]) == [Committed(1, 2)]
    (tmp_path / "cut").mkdir()
    for ending in ("", "-wal"):  # as a power cut leaves it
        (tmp_path / "cut" / f"games.db{ending}").write_bytes(
            (tmp_path / f"games.db{ending}").read_bytes()
        )
    assert kept(tmp_path / "cut").moves == [str(ply) for ply in GAME.plies[:2]]
    archive.close()


@needs_read_only
@pytest.mark.parametrize("there", ["nothing", "another"])
def test_a_table_that_started_read_only_writes_into_no_game_of_others(
    tmp_path: Path, there: str
) -> None:
    before = opened(tmp_path)
    before.write([take(*record_of(GAME))])
    before.close()
    other = opened(tmp_path / "other", make=True)
    other.write([take(*record_of(played(4, seed=9)))])
    other.close()
    with read_only([tmp_path / "games.db"]):
        archive = reopened(tmp_path)
    (tmp_path / "games.db").unlink()
    if there == "another":
        (tmp_path / "other" / "games.db").rename(tmp_path / "games.db")
    assert archive.write([take(PlyFinal(9, NINTH))]) == [Committed(1, 9)]
    archive.close()
    assert rebuild(kept(tmp_path, 2 if there == "another" else 1)).position == FURTHER.position
    if there == "another":
        assert len(kept(tmp_path).moves) == 4


def test_an_archive_behind_a_link_has_its_log_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "games.db").symlink_to(tmp_path / "stick" / "games.db")
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    other = opened(tmp_path / "other", make=True)
    other.write([take(*record_of(played(4, seed=9)))])
    other.close()
    (tmp_path / "other" / "games.db").rename(tmp_path / "stick" / "games.db")
    archive.write([])
    archive.close()
    assert [len(kept(tmp_path, number).moves) for number in (1, 2)] == [4, 8]
