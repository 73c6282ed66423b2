"""A table with an interrupt wire sleeps longer while nobody touches it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.core.occupancy import Instant
from boardctl.loop import IDLE_AFTER_S, IDLE_SCAN_S
from engine.squares import parse_square
from hardware.cells import Cell
from tests.support.shell import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator


SCAN_HZ = 100.0


@pytest.fixture
def bench() -> Iterator[Bench]:
    # pytest's own folders may be longer than the name of a Unix socket may be
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder), scan_hz=SCAN_HZ)
        yield made
        made.close()


class Table:
    """Runs the loop in made-up time; at `touch_at` a piece is lifted and the wire goes low."""

    def __init__(self, bench: Bench, *, wire: bool, works: bool = True) -> None:
        self.bench = bench
        self.now = 1000.0
        self.slept: list[float] = []
        self.waited: list[float] = []
        self.touch_at = float("inf")
        self.lifted = False
        if wire:
            bench.parts.wake = self._wake if works else self._dead_wire

    def _touch(self, until: float) -> bool:
        """Let time pass until *until*, or to the touch."""
        touched = not self.lifted and self.touch_at <= until
        if touched:
            self.bench.simulation.board.lift(Cell(parse_square("e7")))
            self.lifted = True
        return touched

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._touch(self.now + seconds)
        self.now += seconds

    def _wake(self, seconds: float) -> bool:
        self.waited.append(seconds)
        woken = self._touch(self.now + seconds)
        self.now = self.touch_at if woken else self.now + seconds
        return woken

    def _dead_wire(self, seconds: float) -> bool:
        self._wake(seconds)
        return False

    def run(self, until: float) -> None:
        """Turn the loop as `boardctl.pace.run` does, but do not end the session."""
        while self.now < until:
            deadline = self.bench.loop.turn(Instant(self.now))
            self.bench.loop.rest(deadline, lambda: Instant(self.now), self._sleep)


def test_without_the_wire_the_table_is_scanned_at_full_rate_for_ever(bench: Bench) -> None:
    table = Table(bench, wire=False)
    table.run(1000 + 40)
    assert bench.loop.scans.count == pytest.approx(40 * SCAN_HZ, rel=0.01)


def test_with_the_wire_an_untouched_table_is_scanned_as_often_as_it_is_lit(bench: Bench) -> None:
    table = Table(bench, wire=True)
    table.run(1000 + IDLE_AFTER_S)
    before = bench.loop.scans.count
    assert before == pytest.approx(IDLE_AFTER_S * SCAN_HZ, rel=0.01)
    table.run(1000 + IDLE_AFTER_S + 20)
    assert bench.loop.scans.count - before == pytest.approx(20 / IDLE_SCAN_S, rel=0.05)
    assert bench.loop.scans.skipped == 0


def test_the_interrupt_ends_the_wait_and_the_full_rate_is_back(bench: Bench) -> None:
    table = Table(bench, wire=True)
    table.run(1000 + IDLE_AFTER_S + 5)
    table.touch_at = table.now + 0.012
    table.run(table.touch_at + 0.031)
    assert bench.loop.state()["lifted"] == ["e7"]
    before = bench.loop.scans.count
    table.run(table.now + 1)
    assert bench.loop.scans.count - before == pytest.approx(SCAN_HZ, rel=0.02)


def test_a_broken_wire_costs_the_first_touch_one_picture(bench: Bench) -> None:
    table = Table(bench, wire=True, works=False)
    table.run(1000 + IDLE_AFTER_S + 5)
    table.touch_at = table.now + 0.001
    table.run(table.touch_at + IDLE_SCAN_S + 0.021)
    assert bench.loop.state()["lifted"] == ["e7"]


def test_a_faulty_board_is_never_left_alone(bench: Bench) -> None:
    table = Table(bench, wire=True)
    bench.simulation.board.chip_silent(0x25)
    table.run(1000 + IDLE_AFTER_S + 5)
    assert table.waited == []


def test_a_wire_that_is_always_low_never_makes_the_loop_spin(bench: Bench) -> None:
    table = Table(bench, wire=True)
    bench.parts.wake = lambda _seconds: True
    table.run(1000 + IDLE_AFTER_S + 5)
    assert bench.loop.scans.count == pytest.approx((IDLE_AFTER_S + 5) * SCAN_HZ, rel=0.01)
    assert min(table.slept) > 0.009
