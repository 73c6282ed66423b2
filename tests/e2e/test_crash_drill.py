"""Power cuts at random moments; `make test-crash` makes a thousand of them."""

from __future__ import annotations

import contextlib
import random
import resource
import sqlite3
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.crash.drill import SETTLE_S, Drill, Observer, run
from tests.support.disks import needs_read_only, pages, read_only, tear

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_ten_power_cuts_lose_and_invent_nothing() -> None:
    totals = run(10, seed=1)
    assert totals["cuts"] == 10
    assert totals["checked"] >= 5


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_power_cuts_lose_and_invent_nothing() -> None:
    totals = run(50, seed=100)
    assert totals["cuts"] == 50
    assert totals["checked"] >= 25


class Calm(Drill):
    """A table where people play calmly and the disk may refuse; `shown` is what it says last."""

    shown: dict[str, Any]

    @property
    def fault(self) -> str:
        """What the table says of its disk; empty: nothing."""
        fault = self.shown["fault"]
        return "" if fault is None else str(fault["reason"])

    def refuse(self) -> None:
        """Let every write of the daemon to a file fail from now on."""
        assert self._process is not None
        unlimited = resource.RLIM_INFINITY
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (0, unlimited))

    def make(self, observer: Observer, number: int) -> None:
        """Make so many plies, and see them."""
        for _ in range(number):
            made = len(self._hands.plies)
            while len(self._hands.plies) == made or not self._hands.is_resting:
                self._play(observer, time.monotonic() + 0.1)
        until = time.monotonic() + SETTLE_S
        while self.shown["moves"] != self._hands.plies:
            assert time.monotonic() < until, (self.shown, self._hands.plies)
            self.watch(observer, 0.1)

    def watch(self, observer: Observer, seconds: float) -> None:
        """Look on for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for snapshot in observer.snapshots():
                self._check(snapshot)
            time.sleep(0.02)  # noqa: TID251  a process is awaited

    def _check(self, snapshot: dict[str, Any]) -> None:
        self.shown = snapshot
        super()._check(snapshot)

    @contextlib.contextmanager
    def power(self) -> Iterator[Observer]:
        """Switch on; yield an observer of the game that the hands have; cut and check the rest."""
        self._start()
        observer = self._connect(time.monotonic() + 60.0)
        assert observer is not None
        with contextlib.closing(observer):
            assert self._resumed(observer)
            yield observer
        self._cut()
        self._check_archive()

    def begin(self, observer: Observer) -> list[str]:
        """Make three plies, and return the two that are confirmed of them."""
        self.make(observer, 3)
        self.watch(observer, 2.0)
        assert len(self._confirmed) == 2
        return list(self._confirmed)

    def evening(self, plies: int) -> None:
        """Make so many plies, let them rest, and cut the power."""
        with self.power() as observer:
            self.make(observer, plies)
            self.watch(observer, 2.0)


def test_a_torn_database_is_set_aside_and_games_are_kept_in_a_new_one(tmp_path: Path) -> None:
    drill = Calm(tmp_path, "market", random.Random(4))
    drill.evening(3)
    assert len(drill._confirmed) == 2
    torn = tmp_path / "games.db"
    with contextlib.closing(sqlite3.connect(torn)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    tear(torn, range(1, pages(torn)))
    drill._hands, drill._confirmed = drill._new_hands(), []
    drill.evening(3)
    assert len(drill._confirmed) == 2
    assert (tmp_path / "games.db.damaged-1").exists()
    assert "a damaged archive was set aside as" in (tmp_path / "log").read_text()


def test_a_disk_that_takes_nothing_more_costs_no_confirmed_ply(tmp_path: Path) -> None:
    drill = Calm(tmp_path, "market", random.Random(3))
    with drill.power() as observer:
        confirmed = drill.begin(observer)
        drill.refuse()
        drill.make(observer, 1)
        drill.watch(observer, 3.0)
        assert "games are not being kept" in drill.fault
        assert drill._confirmed == confirmed
    drill.evening(2)
    assert len(drill._confirmed) == 5


@needs_read_only
def test_a_disk_that_becomes_read_only_stops_no_game_and_costs_no_confirmed_ply(
    tmp_path: Path,
) -> None:
    drill = Calm(tmp_path, "market", random.Random(3))
    with drill.power() as observer:
        confirmed = drill.begin(observer)
        with read_only(tmp_path.glob("games.db*")):
            drill.make(observer, 2)
            drill.watch(observer, 2.0)
            assert "games are not being kept" in drill.fault
            assert drill._confirmed == confirmed
        drill.make(observer, 1)
        drill.watch(observer, 2.0)
        assert drill.fault == ""
        assert len(drill._confirmed) == 5
    drill.evening(2)
    assert len(drill._confirmed) == 7


@needs_read_only
def test_a_table_that_starts_on_a_read_only_disk_goes_on_with_its_game(tmp_path: Path) -> None:
    drill = Calm(tmp_path, "market", random.Random(3))
    drill.evening(3)
    confirmed = list(drill._confirmed)
    with contextlib.ExitStack() as evening:
        with read_only(tmp_path.glob("games.db*")):
            observer = evening.enter_context(drill.power())
            drill.make(observer, 1)
            drill.watch(observer, 2.0)
            assert "let this user write the file" in drill.fault
            assert drill._confirmed == confirmed
        drill.make(observer, 1)
        drill.watch(observer, 2.0)
        assert drill.fault == ""
        assert len(drill._confirmed) == 4
