from __future__ import annotations

import itertools
import sqlite3
from pathlib import Path

import pytest

from boardctl.archive.keeper import Keeper, Limits, Take
from boardctl.archive.records import ABANDONED, GameRecord, rebuild
from boardctl.archive.schema import (
    CACHE_KIB,
    MIGRATIONS,
    ArchiveError,
    DamagedError,
    open_database,
)
from boardctl.archive.scribe import Stamp
from boardctl.archive.store import Store
from boardctl.core.effects import (
    Corrected,
    Effect,
    GameAbandoned,
    GameOver,
    GameReopened,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
    SettingChanged,
)
from boardctl.core.events import Committed
from engine import Game, Outcome, Reason, Result, Side, format_position
from tests.support.disks import needs_read_only, pages, read_only, tear
from tests.support.records import played, record_of, started

GAME = played(8)


def keeper(folder: Path, *, max_bytes: float = 1e9, day: str = "2026-11-30") -> Keeper:
    limits = Limits(backup_dir=folder / "backup", backups=2, max_bytes=max_bytes)
    return Keeper(
        folder / "games.db", limits, table_name="t", version="1", wall=lambda: f"{day}T12:00:00"
    )


def opened(folder: Path, *, make: bool = False) -> Keeper:
    if make:
        folder.mkdir()
    fresh = keeper(folder)
    fresh.open()
    return fresh


def fault(archive: Keeper) -> str:
    return archive.fault or ""


def take(*effects: Effect, at: float = 1.0) -> Take:
    return Take(effects, Stamp(at, "2026-11-30T12:00:00"))


def kept(folder: Path, number: int = 1) -> GameRecord:
    store = Store(open_database(folder / "games.db", read_only=True))
    game = store.game(number)
    store.database.close()
    assert game is not None
    return game


def test_a_game_is_acknowledged_ply_by_ply_and_kept(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    for effect in record_of(GAME):
        expected = [Committed(1, effect.number)] if isinstance(effect, PlyFinal) else []
        assert archive.write([take(effect)]) == expected
    archive.close()
    game = kept(tmp_path)
    assert game.moves == [str(ply) for ply in GAME.plies]
    assert game.finished is None
    assert rebuild(game).position == GAME.position


def test_an_unfinished_game_is_found_by_the_next_run(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME), SettingChanged("palette", "high-contrast"))])
    archive.close()
    again = keeper(tmp_path)
    record, settings = again.open()
    assert record is not None
    assert settings == {"palette": "high-contrast"}
    assert again.boot == 2
    again.resume(record)
    further = GAME.push(GAME.legal_plies[0])
    assert further.last is not None
    assert again.write([take(PlyFinal(9, further.last))]) == [Committed(1, 9)]
    again.close()
    assert rebuild(kept(tmp_path)).position == further.position


def test_plies_that_were_only_shown_outlive_a_cut(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    plies = GAME.plies
    effects: list[Effect] = [started(GAME), PlyShown(1, plies[0]), PlyFinal(1, plies[0])]
    archive.write([take(*effects, PlyShown(2, plies[1]), PlyShown(3, plies[2]))])
    archive.close()
    assert [ply.final for ply in kept(tmp_path).plies] == [True, False, False]
    again = keeper(tmp_path)
    record, _ = again.open()
    assert record is not None
    assert len(rebuild(record).plies) == 3
    assert record.final == 1
    again.resume(record)
    again.write([take(PlyFinal(2, plies[1]), PlyRetracted(3))])
    again.close()
    game = kept(tmp_path)
    assert game.moves == [str(ply) for ply in plies[:2]]
    assert [ply.final for ply in game.standing] == [True, True]


def test_a_finished_or_given_up_game_is_not_gone_on_with(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    outcome = Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED)
    archive.write([take(*record_of(GAME), GameOver(1, outcome))])
    archive.close()
    again = keeper(tmp_path)
    assert again.open()[0] is None
    again.write([take(*record_of(GAME))])
    again.close()
    third = keeper(tmp_path)
    record, _ = third.open()
    assert record is not None
    third.give_up(record)
    third.close()
    fourth = keeper(tmp_path)
    assert fourth.open()[0] is None
    fourth.close()
    assert kept(tmp_path, 1).outcome == {
        "winner": "attackers",
        "result": "win",
        "reason": "resigned",
    }
    assert kept(tmp_path, 2).reason == ABANDONED


def test_a_new_game_closes_the_one_before_it(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(started(GAME)), take(started(GAME, number=2))])
    archive.write([take(GameAbandoned(2))])
    archive.close()
    assert [kept(tmp_path, number).reason for number in (1, 2)] == [ABANDONED, ABANDONED]


def test_revisions_and_plies_taken_back_stay_in_the_record(tmp_path: Path) -> None:
    first, second = GAME.plies[:2]
    others = [ply for ply in Game.start(GAME.ruleset).legal_plies if ply != first]
    archive = opened(tmp_path)
    effects: list[Effect] = [
        started(GAME),
        PlyShown(1, others[0]),
        PlyRevised(1, others[1]),
        PlyRevised(1, first),
        PlyFinal(1, first),
        PlyShown(2, second),
        PlyRetracted(2),
        PlyRetracted(1),
        PlyShown(1, others[2]),
        PlyFinal(1, others[2]),
    ]
    archive.write([take(*effects)])
    archive.close()
    back, never_final, stands = kept(tmp_path).plies
    assert (never_final.move, never_final.final) == (str(second), False)
    assert never_final.retracted is not None
    assert back.revisions == (str(others[0]), str(others[1]))
    assert back.move == str(first)
    assert back.retracted is not None
    assert (stands.move, stands.revisions, stands.retracted) == (str(others[2]), (), None)
    assert kept(tmp_path).moves == [str(others[2])]


def test_taking_a_ply_back_reopens_a_game_that_was_over(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    outcome = Outcome(None, Result.DRAW, Reason.AGREED)
    archive.write([take(*record_of(GAME), GameOver(1, outcome), PlyRetracted(8))])
    archive.close()
    game = kept(tmp_path)
    assert game.finished is game.result is None
    assert len(game.moves) == 7


def test_a_game_that_is_reopened_is_gone_on_with(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    outcome = Outcome(None, Result.DRAW, Reason.AGREED)
    archive.write([take(*record_of(GAME), GameOver(1, outcome), GameReopened(1))])
    archive.close()
    record, _ = keeper(tmp_path).open()
    assert record is not None
    assert len(record.moves) == 8


def test_a_correction_is_kept_as_one_and_gone_on_from(tmp_path: Path) -> None:
    assert GAME.parent is not None
    assert GAME.side is not None
    corrected = GAME.parent
    assert corrected.side is not None
    side = corrected.side
    archive = opened(tmp_path)
    position = format_position(corrected.position)
    archive.write([take(*record_of(GAME), Corrected(1, position, side, 8))])
    further = Game.start(GAME.ruleset, side=side, position=corrected.position)
    ply = further.legal_plies[0]
    archive.write([take(PlyFinal(9, ply))])
    archive.close()
    again = keeper(tmp_path)
    record, _ = again.open()
    assert record is not None
    assert record.moves[-1] == str(ply)
    assert len(record.moves) == 9
    game = rebuild(record)
    assert game.position == further.push(ply).position
    assert game.ply_count == 1
    # The session counts a resumed game from what it was given: the archive goes on counting.
    again.resume(record)
    next_ply = game.legal_plies[0]
    assert again.write([take(PlyFinal(2, next_ply))]) == [Committed(1, 2)]
    again.close()
    assert [ply.number for ply in kept(tmp_path).standing] == [*range(1, 11)]


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    archive = opened(tmp_path)
    archive.write([take(started(GAME))])
    database = archive._store.database  # type: ignore[union-attr]  # opened above
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
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
    database = archive._store.database  # type: ignore[union-attr]  # opened above
    database.execute("PRAGMA query_only = ON")
    assert archive.write([take(*record_of(GAME))]) is None
    assert "let this user write" in fault(archive)
    database.execute("PRAGMA query_only = OFF")
    assert archive.write([take(*record_of(GAME))]) is not None
    assert not fault(archive)


def test_a_directory_that_comes_late_is_used_when_it_comes(tmp_path: Path) -> None:
    archive = keeper(tmp_path / "later")
    assert archive.open() == (None, {})
    assert "check that the directory exists" in fault(archive)
    assert archive.answer("query", {"query": "games"})[0] == 503
    archive.give_up(GameRecord(1, "", "", "", "", {}, "", "", ""))
    (tmp_path / "later").mkdir()
    assert archive.write([take(*record_of(GAME))]) is not None
    assert not fault(archive)


def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"no database at all" * 1000)
    archive = keeper(tmp_path)
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
        archive = keeper(tmp_path)
        record, _ = archive.open()
        assert record is not None
        archive.resume(record)
    archive._store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    tear(tmp_path / "games.db", range(4, pages(tmp_path / "games.db")))
    # The pages in SQLite's memory are sound; another connection drops them.
    archive._store.database.execute("PRAGMA shrink_memory")  # type: ignore[union-attr]
    archive.tidy()
    further = GAME.push(GAME.legal_plies[0])
    assert further.last is not None
    effects = [take(PlyShown(9, further.last), PlyFinal(9, further.last))]
    for _ in range(2):  # the first write may be what finds the damage
        acknowledged = archive.write(effects)
        if acknowledged is not None:
            break
    assert acknowledged is not None
    assert Committed(1, 9) in acknowledged
    assert archive.notice is not None
    archive.close()
    assert (tmp_path / "games.db.damaged-1").exists()
    assert rebuild(kept(tmp_path)).position == further.position


@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("there", ["nothing", "copy", "garbage", "another"])
def test_a_file_that_is_removed_or_replaced_takes_the_game_in_play_with_it_nowhere(
    tmp_path: Path, there: str, *, resumed: bool
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    if resumed:
        archive.close()
        archive = keeper(tmp_path)
        record, _ = archive.open()
        assert record is not None
        archive.resume(record)
    new = tmp_path / "new"
    if there == "copy":
        archive.tidy()
        (tmp_path / "backup" / "games-2026-11-30.db").rename(new)
    elif there == "garbage":
        new.write_bytes(b"no database at all" * 1000)
    elif there == "another":
        opened(tmp_path / "new-folder", make=True).close()
        (tmp_path / "new-folder" / "games.db").rename(new)
    if there == "nothing":
        for file in tmp_path.glob("games.db*"):
            file.unlink()
    else:
        new.rename(tmp_path / "games.db")
    further = GAME.push(GAME.legal_plies[0])
    assert further.last is not None
    effects = [take(PlyShown(9, further.last), PlyFinal(9, further.last))]
    assert Committed(1, 9) in (archive.write(effects) or archive.write(effects) or [])
    assert not fault(archive)
    archive.close()
    number = 2 if there == "copy" else 1
    game = kept(tmp_path, number)
    assert rebuild(game).position == further.position
    assert [ply.number for ply in game.plies] == list(range(1, 10))


def test_a_file_that_cannot_be_seen_for_a_while_keeps_its_one_game(tmp_path: Path) -> None:
    folder = tmp_path / "card"
    folder.mkdir()
    archive = opened(folder)
    archive.write([take(*record_of(GAME))])
    folder.rename(tmp_path / "out")
    further = GAME.push(GAME.legal_plies[0])
    assert further.last is not None
    effects = [take(PlyShown(9, further.last), PlyFinal(9, further.last))]
    assert archive.write(effects) is None
    assert "check that the directory exists" in fault(archive)
    (tmp_path / "out").rename(folder)
    assert archive.write(effects) == [Committed(1, 9)]
    assert not fault(archive)
    archive.close()
    assert rebuild(kept(folder)).position == further.position
    store = Store(open_database(folder / "games.db"))
    assert len(list(store.all_games())) == 1
    store.database.close()


def test_a_newer_archive_is_left_alone(tmp_path: Path) -> None:
    opened(tmp_path).close()
    database = sqlite3.connect(tmp_path / "games.db")
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    archive = keeper(tmp_path)
    archive.open()
    assert "made by a newer boardctl" in fault(archive)
    with pytest.raises(ArchiveError, match="newer"):
        open_database(tmp_path / "games.db", read_only=True)


def test_a_quiet_moment_copies_the_archive_once_a_day_and_keeps_the_newest(tmp_path: Path) -> None:
    for day in ("2026-11-28", "2026-11-29", "2026-11-30"):
        archive = keeper(tmp_path, day=day)
        archive.open()
        archive.write([take(*record_of(GAME))])
        archive.tidy()
        archive.tidy()
        archive.close()
    copies = sorted(file.name for file in (tmp_path / "backup").iterdir())
    assert copies == ["games-2026-11-29.db", "games-2026-11-30.db"]
    store = Store(open_database(tmp_path / "backup" / copies[-1]))
    assert len(list(store.all_games())) == 3
    store.database.close()


def test_the_archive_stays_within_its_size_by_dropping_the_oldest_games(tmp_path: Path) -> None:
    archive = keeper(tmp_path, max_bytes=200_000)
    archive.open()
    games_played = [record_of(played(20, seed=seed)) for seed in range(5)]
    for number in range(150):
        archive.write([take(*games_played[number % 5])])
        if number % 25 == 24:
            archive.tidy()
    archive.close()
    assert (tmp_path / "games.db").stat().st_size < 300_000
    store = Store(open_database(tmp_path / "games.db"))
    games = [game.id for game in store.all_games()]
    store.database.close()
    assert games == [*range(games[0], 151)]
    assert games[0] > 1


def test_an_archive_cut_off_at_any_write_holds_every_acknowledged_ply(tmp_path: Path) -> None:
    """What a reader finds at any moment is what was acknowledged by then, or one ply more."""
    archive = opened(tmp_path)
    archive.write([take(started(GAME))])
    for number, ply in zip(itertools.count(1), GAME.plies, strict=False):
        archive.write([take(PlyFinal(number, ply))])
        copy = tmp_path / "cut"
        copy.mkdir(exist_ok=True)
        for ending in ("", "-wal"):
            (copy / f"games.db{ending}").write_bytes((tmp_path / f"games.db{ending}").read_bytes())
        assert len(kept(copy).moves) == number


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
            open_database(tmp_path / "games.db", read_only=reading)
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
        again = keeper(tmp_path)
        record, _ = again.open()
        assert record is not None
        assert len(record.moves) == 8
        assert f"{tmp_path}/games.db: read-only; let this user write" in fault(again)
        assert again.write([]) is None
    assert again.write([]) == []
    assert not fault(again)
    assert again.boot == 2
    again.close()


def test_an_archive_of_any_size_keeps_few_pages_in_memory(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")
    assert database.execute("PRAGMA cache_size").fetchone()[0] == -CACHE_KIB
    database.close()
