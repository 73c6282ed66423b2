"""The same questions to an archive's file and to the table that has it open."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from boardctl.archive import Archive, ArchiveError, Keeper, Store
from boardctl.archive.exchange import from_json, to_json
from boardctl.archive.exchange import record_of as record_from
from boardctl.archive.jobs import Take
from boardctl.archive.queries import PAGE
from boardctl.archive.scribe import Stamp
from boardctl.cli.sources import Source, TableSource, open_file, table_of
from boardctl.core.effects import GameOver
from boardctl.errors import BadRequestError
from boardctl.link import MAX_LINE, LinkError
from boardctl.link.server import LinkServer
from engine import Outcome, Reason, Result, Side
from tests.support.archives import keeper_of
from tests.support.records import played, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMES = 2 * PAGE + 7
SHORT = record_of(played(2))
LONG = record_of(played(8, variant="linnaeus", seed=2))
WON = GameOver(GAMES, Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED))


class Table:
    """An archive's thread and its link, turned by a thread as the loop turns them."""

    def __init__(self, keeper: Keeper, link: Path) -> None:
        self._archive = Archive(keeper)
        self._link = LinkServer(link)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._turn)

    def __enter__(self) -> Self:
        self._archive.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._archive.close()
        self._link.close()

    def _turn(self) -> None:
        while not self._end.wait(0.001):
            for request in self._link.poll():
                self._archive.ask(request)
            for request, status, body in self._archive.answers():
                self._link.reply(request, status, body)


@pytest.fixture(params=["file", "table"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Source]:
    table = keeper_of(tmp_path)
    table.open()
    stamp = Stamp(1.0, "2026-11-30T12:00:00+00:00")
    shorts = [Take(tuple(SHORT), stamp)] * (GAMES - 1)
    assert table.write([*shorts, Take((*LONG, WON), stamp)]) is not None
    if request.param == "file":
        table.close()
        with open_file(tmp_path / "games.db", writing=True) as found:
            yield found
    else:
        with Table(table, tmp_path / "link"):
            asked = table_of(tmp_path / "games.db", tmp_path / "link")
            assert asked is not None
            yield asked


def numbers(games: Iterator[dict[str, Any]]) -> list[int]:
    return [game["id"] for game in games]


def test_all_games_are_listed_however_many_a_line_holds(source: Source) -> None:
    assert numbers(source.games(None)) == list(range(GAMES, 0, -1))


@pytest.mark.parametrize("limit", [1, PAGE - 1, PAGE, PAGE + 1])
def test_so_many_are_listed_as_are_wanted(source: Source, limit: int) -> None:
    assert numbers(source.games(limit)) == list(range(GAMES, GAMES - limit, -1))


def test_games_of_one_variant_are_listed(source: Source) -> None:
    assert numbers(source.games(50, "linnaeus")) == [GAMES]
    assert numbers(source.games(50, "chess")) == []


def test_a_game_is_told_whole_and_an_unknown_one_refused(source: Source) -> None:
    assert len(source.game(GAMES)["moves"]) == 8
    for number in (GAMES + 1, 0, -1, 1 << 63, 1 << 70):
        with pytest.raises(BadRequestError, match=f"no game {number} in this archive"):
            source.game(number)


def test_endings_are_counted(source: Source) -> None:
    found = source.statistics()
    assert list(found) == ["linnaeus"]
    assert (found["linnaeus"]["games"], found["linnaeus"]["mean_plies"]) == (1, 8.0)
    assert found["linnaeus"]["endings"]["attackers"]["games"] == 1


def test_games_that_are_brought_are_kept_once_and_whole(source: Source) -> None:
    brought = from_json(to_json([source.game(1), source.game(GAMES)]), "f")
    assert source.bring(brought) == 0
    brought = [replace(game, uid=f"{game.uid}-elsewhere") for game in brought]
    assert source.bring(brought) == 2
    assert source.bring(brought) == 0
    again, given = source.game(GAMES + 2), source.game(GAMES)
    assert (again["source"], again["moves"]) == ("import", given["moves"])
    assert [ply["revisions"] for ply in again["record"]] == [
        ply["revisions"] for ply in given["record"]
    ]


def test_a_table_answers_for_its_own_archive_only(tmp_path: Path) -> None:
    assert table_of(tmp_path / "games.db", tmp_path / "link") is None
    table = keeper_of(tmp_path)
    table.open()
    with Table(table, tmp_path / "link"):
        assert table_of(tmp_path / "other.db", tmp_path / "link") is None
        assert table_of(tmp_path / "games.db", tmp_path / "link") is not None


def test_a_table_that_may_not_be_asked_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "connect", refused)
    with pytest.raises(LinkError, match="permission denied"):
        table_of(tmp_path / "games.db", tmp_path / "link")


def test_a_table_knows_its_archive_by_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "other").symlink_to("real")
    table = keeper_of(tmp_path / "other")
    table.open()
    monkeypatch.chdir(tmp_path)
    with Table(table, tmp_path / "link"):
        assert table_of(Path("real/games.db"), tmp_path / "link") is not None


def test_games_that_are_dropped_meanwhile_are_passed_over(source: Source) -> None:
    games = source.every()
    assert next(games)["id"] == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "game", lambda *_: None)
        assert list(games) == []


def test_a_table_that_keeps_nothing_says_why(tmp_path: Path) -> None:
    table = keeper_of(tmp_path / "missing")
    table.open()
    with Table(table, tmp_path / "link"):
        source = table_of(tmp_path / "missing" / "games.db", tmp_path / "link")
        assert source is not None
        with pytest.raises(ArchiveError, match="unable to open database file"):
            source.statistics()


def test_a_game_that_no_line_holds_is_refused_before_any_is_sent(tmp_path: Path) -> None:
    game = {
        "variant": "market",
        "position": "x",
        "side": "attackers",
        "moves": [],
        "table": "x" * MAX_LINE,
    }

    with pytest.raises(BadRequestError, match=r"game 1: \d+ bytes, more than the 262144"):
        TableSource(tmp_path / "nobody").bring([record_from(game, "game")])
