"""The thread beside the loop. A condition awaited here comes within milliseconds."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from boardctl.archive import Archive, Keeper, Limits, Store, open_database
from boardctl.core.effects import Clear, PlyFinal
from boardctl.core.events import Committed
from boardctl.core.occupancy import Instant
from boardctl.link.server import Request
from tests.support.records import played, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

GAME = played(8)
NOW = Instant(1.0)


def archive_in(folder: Path) -> Archive:
    keeper = Keeper(folder / "games.db", Limits(None, 1, 1e9), table_name="t", version="1")
    keeper.open()
    archive = Archive(keeper)
    archive.start()
    return archive


def awaited(poll: Callable[[], Sequence[Any]], count: int) -> list[Any]:
    """Poll until so many have come."""
    found: list[Any] = []
    pause = threading.Event()
    for _ in range(5000):
        found += poll()
        if len(found) >= count:
            return found
        pause.wait(0.001)
    raise AssertionError(f"only {found}")


def test_what_is_taken_is_acknowledged_in_order(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    for effect in record_of(GAME):
        archive.take([effect, Clear()], NOW)
    assert awaited(archive.committed, 8) == [Committed(1, ply) for ply in range(1, 9)]
    archive.close()
    report = archive.report()
    assert report["ok"] is True
    assert report["waiting"] == 0


def test_a_question_is_answered_after_what_was_taken_before_it(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    archive.take(record_of(GAME), NOW)
    request = Request(1, 7, "query", {"query": "game", "game": 1})
    archive.ask(request)
    ((answered, status, body),) = awaited(archive.answers, 1)
    assert (answered, status) == (request, 200)
    assert body["moves"] == [str(ply) for ply in GAME.plies]
    for question, expected in (
        ({"query": "games"}, 200),
        ({"query": "stats"}, 200),
        ({"query": "game", "game": 99}, 404),
        ({"query": "game", "game": "x"}, 404),
        ({"query": "weather"}, 400),
    ):
        archive.ask(Request(1, 8, "query", question))
        ((_, status, _),) = awaited(archive.answers, 1)
        assert status == expected, question
    archive.close()


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    archive.take(record_of(GAME), NOW)
    archive.close()
    store = Store(open_database(tmp_path / "games.db"))
    game = store.game(1)
    store.database.close()
    assert game is not None
    assert len(game.moves) == 8


def test_a_disk_that_refuses_is_told_and_written_to_later(tmp_path: Path) -> None:
    archive = archive_in(tmp_path / "missing")
    archive.take(record_of(GAME), NOW)
    faults: list[str] = []
    awaited(lambda: faults if archive.fault is None else [archive.fault], 1)
    (tmp_path / "missing").mkdir()
    archive.take([PlyFinal(8, GAME.plies[-1])], NOW)  # news wakes the thread before its next try
    assert len(awaited(archive.committed, 9)) == 9
    assert archive.fault is None
    archive.close()


def test_effects_that_are_no_record_wake_nobody(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    archive.take([Clear()], NOW)
    archive.close()
    assert archive.report()["commits"] == 0
