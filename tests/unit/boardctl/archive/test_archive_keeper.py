from __future__ import annotations

import itertools
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.archive.records import ABANDONED, rebuild
from boardctl.archive.schema import (
    CACHE_KIB,
    MIGRATIONS,
    ArchiveError,
    open_database,
)
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
from engine.errors import EngineError
from tests.support.archives import all_games, fault, keeper_of, kept, opened, take
from tests.support.records import played, record_of, started

if TYPE_CHECKING:
    from pathlib import Path

GAME = played(8)


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
    again = keeper_of(tmp_path)
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
    again = keeper_of(tmp_path)
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
    again = keeper_of(tmp_path)
    assert again.open()[0] is None
    again.write([take(*record_of(GAME))])
    again.close()
    third = keeper_of(tmp_path)
    record, _ = third.open()
    assert record is not None
    third.give_up(record)
    third.close()
    fourth = keeper_of(tmp_path)
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
    record, _ = keeper_of(tmp_path).open()
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
    again = keeper_of(tmp_path)
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


def test_a_newer_archive_is_left_alone(tmp_path: Path) -> None:
    opened(tmp_path).close()
    database = sqlite3.connect(tmp_path / "games.db")
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    archive = keeper_of(tmp_path)
    archive.open()
    assert "made by a newer boardctl" in fault(archive)
    with pytest.raises(ArchiveError, match="newer"):
        open_database(tmp_path / "games.db", read_only=True)


def test_a_quiet_moment_copies_the_archive_once_a_day_and_keeps_the_newest(tmp_path: Path) -> None:
    for day in ("2026-11-28", "2026-11-29", "2026-11-30"):
        archive = keeper_of(tmp_path, day=day)
        archive.open()
        archive.write([take(*record_of(GAME))])
        archive.tidy()
        archive.tidy()
        archive.close()
    copies = sorted(file.name for file in (tmp_path / "backup").iterdir())
    assert copies == ["games-2026-11-29.db", "games-2026-11-30.db"]
    store = Store(open_database(tmp_path / "backup" / copies[-1]))
    assert len(all_games(store)) == 3
    store.database.close()


def test_the_archive_stays_within_its_size_by_dropping_the_oldest_games(tmp_path: Path) -> None:
    archive = keeper_of(tmp_path, max_bytes=200_000)
    archive.open()
    games_played = [record_of(played(20, seed=seed)) for seed in range(5)]
    for number in range(150):
        archive.write([take(*games_played[number % 5])])
        if number % 25 == 24:
            archive.tidy()
    archive.close()
    assert (tmp_path / "games.db").stat().st_size < 300_000
    store = Store(open_database(tmp_path / "games.db"))
    games = [game.id for game in all_games(store)]
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


def test_an_archive_of_any_size_keeps_few_pages_in_memory(tmp_path: Path) -> None:
    database = open_database(tmp_path / "games.db")
    assert database.execute("PRAGMA cache_size").fetchone()[0] == -CACHE_KIB
    database.close()


@pytest.mark.parametrize(
    "spoilt", [{"side": "defendfrs"}, {"options": []}, {"result": "wim", "reason": "resigned"}]
)
def test_a_record_with_a_word_that_is_none_is_no_game(
    tmp_path: Path, spoilt: dict[str, Any]
) -> None:
    archive = opened(tmp_path)
    archive.write([take(*record_of(GAME))])
    archive.close()
    with pytest.raises(EngineError):
        rebuild(replace(kept(tmp_path), **spoilt))
