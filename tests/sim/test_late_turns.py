"""A busy machine or a slow card: turns come late, acknowledgements later, and every ply is read.

Whole turns of the daemon's loop in simulated time, with hands that go on as soon as the board has
answered, as scripts do and as nobody else is able to.
"""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.core.effects import PlyFinal
from boardctl.core.events import Committed
from boardctl.core.occupancy import Instant
from engine import VARIANTS, Game, Side, load_variant
from engine.squares import square_name, square_names
from tests.support.shell import Bench

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine import Ply

PLIES = 8
PATIENCE_S = 15.0

BUSY: dict[str, Callable[[random.Random], float]] = {
    "a little": lambda rng: rng.uniform(0.0, 0.01) if rng.random() < 0.95 else rng.uniform(0, 0.3),
    "busy": lambda rng: rng.uniform(0.0, 0.1) if rng.random() < 0.97 else rng.uniform(0.1, 1.0),
    "drowning": lambda rng: rng.uniform(0.01, 0.3) if rng.random() < 0.97 else rng.uniform(0, 3.0),
}
"""By how many seconds a turn comes late."""


class BusyBench(Bench):
    """A loop whose turns are late, and whose archive acknowledges late."""

    def __init__(self, folder: Path, variant: str, rng: random.Random, busy: str) -> None:
        super().__init__(folder, variant)
        self._rng = rng
        self._late_by = BUSY[busy]
        self._noted = 0
        self._due: list[tuple[float, Committed]] = []
        self._next = self.now
        self.state: dict[str, Any] = {}

    def turn(self) -> list[dict[str, Any]]:
        """Take the next turn; return what the observer is told of it."""
        for effect in self.recorder.effects[self._noted :]:
            if isinstance(effect, PlyFinal):
                at = self.now + self._rng.uniform(0.005, 0.25)
                self._due.append((at, Committed(1, effect.number)))
        self._noted = len(self.recorder.effects)
        self.recorder.acknowledged += [event for at, event in self._due if at <= self.now]
        self._due = [(at, event) for at, event in self._due if at > self.now]
        self.now = Instant(max(self._next, self.now) + self._late_by(self._rng))
        self._next = self.loop.turn(self.now)
        told = self.told()
        for message in told:
            self.state = message.get("snapshot", self.state)
        return told

    def until(self, **wanted: object) -> None:
        """Turn until these things are told, or patience ends."""
        end = self.now + PATIENCE_S
        while not wanted.items() <= self.state.items() and self.now < end:
            self.turn()
        assert {name: self.state.get(name) for name in wanted} == wanted, self.state

    def do(self, body: dict[str, Any]) -> None:
        """Move a hand, and wait until the board has answered."""
        number = self.ask("sim", body)
        while not any(
            message["kind"] == "reply" and message["id"] == number for message in self.turn()
        ):
            pass

    def play(self, ply: Ply) -> None:
        """Make a ply by hand."""
        self.do({"lift": square_name(ply.from_square)})
        self.do({"put": square_name(ply.to_square)})
        for victim in square_names(ply.captures):
            self.do({"lift": victim})


@pytest.mark.parametrize("busy", BUSY)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_read_whole_however_late_the_turns_come(
    tmp_path: Path, variant: str, busy: str
) -> None:
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with contextlib.closing(BusyBench(folder, variant, random.Random(seed), busy)) as bench:
            play_through(bench, variant, random.Random(f"{variant} {seed}"))


def play_through(bench: BusyBench, variant: str, rng: random.Random) -> None:
    """Play a game of a few plies; each must be told as it was made."""
    ruleset = load_variant(variant)
    options = {} if ruleset.first else {"first": Side.ATTACKER.value}
    bench.answer("command", {"command": "set-variant", "variant": variant, "options": options})
    bench.until(moves=[], reading="in-sync")
    game = Game.start(ruleset, side=ruleset.first or Side.ATTACKER)
    while game.outcome is None and game.ply_count < PLIES:
        ply = rng.choice(list(game.legal_plies))
        bench.play(ply)
        game = game.push(ply)
        bench.until(moves=[str(each) for each in game.plies])
