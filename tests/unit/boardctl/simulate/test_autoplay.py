"""Two simulated players at the demonstration's board."""

from __future__ import annotations

import random

from boardctl.core import occupancy
from boardctl.core.events import BoardSeen, Tick
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Phase
from boardctl.simulate.autoplay import Autoplay
from engine import load_variant
from engine.squares import SquareSet
from hardware.cells import CellSet, Instant
from hardware.mock.board import MockBoard
from hardware.mock.effects import SCENARIOS

STEP_S = 0.05


class Demonstration:
    """A session over a simulated board with two players; time in steps."""

    def __init__(self, variant: str, scenario: str = "S0", seed: int = 1) -> None:
        self.board = MockBoard()
        self.board.set(CellSet(load_variant(variant).start.occupied))
        self.now = 100.0
        settings = SessionSettings(variant=variant)
        self.session = Session(settings, occupancy.Instant(self.now), random.Random(seed))
        self.hands = Autoplay(self.board, random.Random(seed), SCENARIOS[scenario])
        self._seen: CellSet | None = None

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += STEP_S
            now = occupancy.Instant(self.now)
            self.hands.step(self.session.snapshot, Instant(self.now))
            if self.board.closed != self._seen:
                self._seen = self.board.closed
                seen = occupancy.Occupancy(SquareSet(self._seen))
                self.session.handle(BoardSeen(seen), now)
            deadline = self.session.next_deadline
            if deadline is not None and deadline <= now:
                self.session.handle(Tick(), now)


def test_they_play_and_the_table_follows() -> None:
    table = Demonstration("market")
    table.run(40.0)
    assert len(table.session.snapshot.plies) >= 5


def test_they_wait_for_the_lot() -> None:
    table = Demonstration("imperial")
    table.run(60.0)
    assert table.session.snapshot.game == 1
    assert table.session.snapshot.plies


def test_they_play_one_game_after_the_other() -> None:
    table = Demonstration("market", seed=4)
    for _ in range(60):
        table.run(10.0)
        if table.session.snapshot.game == 2 and table.session.snapshot.plies:
            break
    assert table.session.snapshot.game == 2
    assert table.session.snapshot.phase is not Phase.MISMATCH


def test_they_set_a_wild_board_up_first() -> None:
    table = Demonstration("market")
    table.board.set(CellSet(0b1011))
    table.run(30.0)
    assert table.session.snapshot.plies
