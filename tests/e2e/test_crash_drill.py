"""Power cuts at random moments; `make test-crash` makes a thousand of them."""

from __future__ import annotations

import contextlib
import random
import resource
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.crash.drill import Drill, Observer, run

if TYPE_CHECKING:
    from pathlib import Path


def test_ten_power_cuts_lose_and_invent_nothing() -> None:
    totals = run(10, seed=1)
    assert totals["cuts"] == 10
    assert totals["checked"] >= 5


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_power_cuts_lose_and_invent_nothing() -> None:
    assert run(50, seed=100)["cuts"] == 50


class Refusing(Drill):
    """A table whose disk takes no byte more while somebody plays; `fault` is what it tells."""

    fault: dict[str, Any] | None = None

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
        assert self._resumed(observer)

    def watch(self, observer: Observer, seconds: float) -> None:
        """Look on for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for snapshot in observer.snapshots():
                self._check(snapshot)
            time.sleep(0.02)  # noqa: TID251  a process is awaited

    def _check(self, snapshot: dict[str, Any]) -> None:
        self.fault = snapshot["fault"]
        super()._check(snapshot)

    def connected(self) -> Observer:
        """Switch on; return an observer of the game as the hands have it."""
        self._start()
        observer = self._connect(time.monotonic() + 60.0)
        assert observer is not None
        assert self._resumed(observer)
        return observer


def test_a_disk_that_takes_nothing_more_costs_no_confirmed_ply(tmp_path: Path) -> None:
    drill = Refusing(tmp_path, "market", random.Random(3))
    with contextlib.closing(drill.connected()) as observer:
        drill.make(observer, 3)
        drill.watch(observer, 2.0)
        confirmed = list(drill._confirmed)
        assert len(confirmed) == 2
        drill.refuse()
        drill.make(observer, 1)
        drill.watch(observer, 3.0)
        assert drill.fault is not None
        assert "games are not being kept" in drill.fault["reason"]
        assert drill._confirmed == confirmed
    drill._cut()
    drill._check_archive()
    with contextlib.closing(drill.connected()) as observer:
        drill.make(observer, 2)
        drill.watch(observer, 2.0)
        assert len(drill._confirmed) == 5
    drill._cut()
    drill._check_archive()
