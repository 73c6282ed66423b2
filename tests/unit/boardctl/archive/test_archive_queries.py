"""What is asked and brought by others: answered, or refused with a reason; never the end of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from boardctl.archive import Archive
from boardctl.archive.records import full
from boardctl.link.server import Request
from tests.support.archives import keeper_of, kept_by, opened, take
from tests.support.records import played, record_of

if TYPE_CHECKING:
    from pathlib import Path

GAME = {"variant": "market", "position": "x", "side": "attackers", "moves": []}
NOBODY_LOST = {"winner": "attackers", "result": "draw", "reason": "agreed"}
PLY = {"number": 1, "move": "a1-a2"}
DEEP: Any = "x"
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"query": "games", "limit": 0}, "'limit' is 1 to 200"),
        ({"query": "games", "limit": True}, "'limit' is 1 to 200"),
        ({"query": "games", "before": "7"}, "'before' is the number"),
        ({"query": "games", "before": 1 << 64}, "'before' is the number"),
        ({"query": "games", "variant": 7}, "'variant' is a text"),
        ({"query": "games", "variant": "\ud800"}, "'variant' is a text"),
        ({"query": "dance"}, "unknown query"),
        ({}, "unknown query"),
    ],
)
def test_a_wrong_question_is_refused(tmp_path: Path, body: dict[str, Any], complaint: str) -> None:
    table = opened(tmp_path)
    status, told = table.answer(body)
    assert status == 400
    assert complaint in told["error"]
    table.close()


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (None, "an object is needed"),
        ({"variant": "market"}, "no 'moves'"),
        ({**GAME, "outcome": 7}, "'outcome' is an object; got 7"),
        ({**GAME, "outcome": {"reason": 1 << 70}}, "no 'result'"),
        ({**GAME, "outcome": {"result": "draw", "reason": 1 << 70}}, "1180591620717411303424"),
        ({**GAME, "outcome": {"result": "draw", "reason": [1]}}, "[1]"),
        ({**GAME, "outcome": {"result": "win", "reason": "resigned"}}, "'win' goes with a winner"),
        ({**GAME, "outcome": NOBODY_LOST}, "'draw' goes with no winner"),
        ({**GAME, "variant": "\ud800"}, "surrogates not allowed"),
        ({**GAME, "record": [{**PLY, "number": 1 << 70}]}, "'number' is 1 to 999999"),
        ({**GAME, "record": [{**PLY, "number": 0}]}, "'number' is 1 to 999999"),
        ({**GAME, "record": [{**PLY, "at_s": 10**400}]}, "too large"),
        ({**GAME, "record": [{**PLY, "at_s": float("nan")}]}, "'at_s' is a number of seconds"),
        ({**GAME, "record": [{**PLY, "at_s": "7"}]}, "'at_s' is a number of seconds"),
        ({**GAME, "record": {"number": 1}}, "'record' is a list of objects"),
        ({**GAME, "record": [{**PLY, "revisions": [7]}]}, "'revisions' is a list of texts"),
        ({**GAME, "record": [{**PLY, "retracted": 7}]}, "'retracted' is a text"),
        ({**GAME, "corrections": [7]}, "'corrections' is a list of objects"),
        ({**GAME, "table": DEEP}, "recursion"),
        ({**GAME, "table": [1]}, "'table' is a text"),
        ({**GAME, "options": 7}, "not iterable"),
        ({**GAME, "options": {"first": 7}}, "'first' is a text"),
    ],
)
def test_a_wrong_game_is_refused(tmp_path: Path, game: object, complaint: str) -> None:
    table = opened(tmp_path)
    status, told = table.bring({"game": game})
    assert status == 400
    assert told["error"].startswith("game:")
    assert complaint in told["error"]
    assert table.answer({"query": "games"}) == (200, {"games": []})
    table.close()


def test_a_game_is_brought_once(tmp_path: Path) -> None:
    table = opened(tmp_path)
    table.write([take(*record_of(played(8)))])
    game = full(kept_by(table))
    assert table.bring({"game": game}) == (200, {"added": False})
    assert table.bring({"game": {**game, "uid": "elsewhere"}}) == (200, {"added": True})
    assert kept_by(table, 2).moves == kept_by(table, 1).moves
    table.close()


def test_no_question_ends_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = keeper_of(tmp_path)
    keeper.open()
    archive = Archive(keeper)

    def broken(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(keeper, "answer", broken)
    status, body = archive._answer(Request(1, 1, "query", {"query": "games"}))
    assert (status, "see the table's log" in body["error"]) == (500, True)
    keeper.close()


def test_an_archive_whose_thread_has_ended_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = keeper_of(tmp_path)
    keeper.open()
    archive = Archive(keeper)
    assert archive.report()["ok"] is True
    monkeypatch.setattr(archive, "_run", lambda: None)
    archive._thread._target = archive._run  # type: ignore[attr-defined]
    archive.start()
    archive._thread.join()
    assert archive.report()["ok"] is False
    assert "the archive's thread has ended" in (archive.fault or "")
    keeper.close()
