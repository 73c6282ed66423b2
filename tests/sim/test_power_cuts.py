"""The crash drill in simulated time: session and archive, thousands of power cuts in minutes.

`tests/crash/drill.py` kills a true process and waits for true hands; this one cuts off a session
between two of its events. What the archive has not written by then is lost.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from boardctl.archive import Keeper, Limits, rebuild
from boardctl.archive.jobs import Take
from boardctl.archive.scribe import Stamp
from boardctl.core.events import BoardSeen, Tick
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.resume import goes_on
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Phase
from engine import VARIANTS, Game, Side, load_variant
from engine.squares import NO_SQUARES, SquareSet
from tests.crash.hands import Hands

if TYPE_CHECKING:
    from boardctl.archive import GameRecord
    from boardctl.core.effects import Effect
    from boardctl.core.events import Event

SEEN_S: Final = 0.0125
"""From a motion to the loop's knowing of it: half a scan and the debouncer."""

SETTLE_S: Final = 8.0
"""The table shows the hands' game within so long of its start."""

LONGEST_LIFE_S: Final = 3.0
DARK: Final = 0.3
"""How often hands go on without power, where the table knew all that went before."""

PAUSES_S: Final = (0.06, 0.15, 0.3, 0.6)
PLY_PAUSE_S: Final = 0.4
DISK_S: Final = (0.002, 0.01, 0.04)
"""How long the archive's thread takes."""


@dataclass
class House:
    """A wooden board, two players, and a card that outlives the power."""

    variant: str
    rng: random.Random
    folder: Path
    now: Instant
    resumed: int = 0
    confirmed: list[str] = field(default_factory=list)
    agreed_at: float | None = None
    waiting: list[tuple[float, Effect]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.set_up()

    def set_up(self) -> None:
        game = Game.start(load_variant(self.variant), side=Side.ATTACKER)
        self.hands = Hands(game, self.rng, int(game.position.occupied))
        self.confirmed = []

    # -- one life -------------------------------------------------------------------------

    def live(self) -> None:
        """Switch on, play, and cut the power at any moment."""
        limits = Limits(backup_dir=None, backups=0, max_bytes=1e9)
        keeper = Keeper(self.folder / "games.db", limits, table_name="t", version="1")
        with contextlib.closing(keeper):
            self.keeper = keeper
            self.start(keeper.open()[0])
            self.settle()
            self.play(self.now + self.rng.uniform(0.0, LONGEST_LIFE_S))
            self.write(self.now - self.rng.choice(DISK_S))
        self.waiting = []
        rested = self.agreed_at is not None and self.now > self.agreed_at + 0.5
        if rested and self.rng.random() < DARK:
            self.play_in_the_dark()
        self.now = Instant(self.rng.uniform(1.0, 1000.0))

    def start(self, record: GameRecord | None) -> None:
        """Begin as the daemon does (`boardctl.app`)."""
        self.agreed_at = None
        game = final = None
        if record is not None:
            game, final = rebuild(record), record.final
            assert goes_on(game, game.ruleset.start.occupied, self.seen)
            assert record.moves[: len(self.confirmed)] == self.confirmed
            self.keeper.resume(record)
            self.resumed += bool(self.confirmed)
        settings = SessionSettings(
            variant=self.variant, options={"first": "attackers"}, archive=True
        )
        self.session = Session(settings, self.now, self.rng, game=game, final=final)
        self.handle(BoardSeen(self.seen))

    def settle(self) -> None:
        until = self.now + SETTLE_S
        while self.moves != self.hands.plies or self.session.snapshot.phase is Phase.MISMATCH:
            assert self.now < until, f"{self.moves} are shown, {self.hands.plies} were made"
            self.wait(Instant(self.now + 0.05))

    def play(self, until: float) -> None:
        while self.now < until:
            square = self.hands.next_motion()
            if square is None:
                self.end()
                return
            self.hands.move(square)
            self.agreed_at = None
            self.wait(Instant(self.now + SEEN_S))
            self.handle(BoardSeen(self.seen))
            pause_s = self.rng.choice(PAUSES_S) + PLY_PAUSE_S * self.hands.is_resting
            self.wait(Instant(min(until, self.now + pause_s)))

    def end(self) -> None:
        """See the end told, and set the pieces up again."""
        until = self.now + SETTLE_S
        while self.session.snapshot.phase is not Phase.FINISHED:
            assert self.now < until, "the end is not told"
            self.wait(Instant(self.now + 0.1))
        self.wait(Instant(self.now + 1.0))
        self.set_up()
        self.agreed_at = None

    def play_in_the_dark(self) -> None:
        """Finish the ply that is half made, or make one."""
        hands = self.hands
        first = hands.next_motion()
        if first is not None:
            hands.move(first)
        while hands.motions:
            hands.move(hands.motions.pop(0))

    # -- session and archive --------------------------------------------------------------

    @property
    def seen(self) -> Occupancy:
        return Occupancy(SquareSet(self.hands.pieces), NO_SQUARES)

    @property
    def moves(self) -> list[str]:
        return [str(ply) for ply in self.session.snapshot.plies]

    def wait(self, until: Instant) -> None:
        while (due := self.session.next_deadline) is not None and due < until:
            self.now = Instant(max(self.now + 0.005, due))
            self.handle(Tick())
        self.now = Instant(max(self.now, until))

    def handle(self, event: Event) -> None:
        effects = self.session.handle(event, self.now)
        self.waiting += [(self.now, effect) for effect in effects]
        self.write(self.now - self.rng.choice(DISK_S))
        if self.session.snapshot.phase not in {Phase.SETUP, Phase.FINISHED}:
            self.check()

    def write(self, until: float) -> None:
        """Let the archive's thread have written what happened before."""
        done = [(at, effect) for at, effect in self.waiting if at <= until]
        self.waiting = self.waiting[len(done) :]
        takes = [Take((effect,), Stamp(at, "")) for at, effect in done]
        for committed in (self.keeper.write(takes) or ()) if takes else ():
            self.session.handle(committed, self.now)

    def check(self) -> None:
        """Nothing is invented, nothing confirmed is lost."""
        moves, made = self.moves, self.hands.plies
        assert moves == made[: len(moves)]
        if moves != made:
            self.agreed_at = None
        elif self.agreed_at is None:
            self.agreed_at = self.now
        assert moves[: len(self.confirmed)] == self.confirmed
        self.confirmed = moves[: max(len(self.confirmed), self.session.snapshot.final)]


def drill(seed: int, lives: int) -> int:
    """Cut the power of one table so many times; return how often confirmed plies came back."""
    with tempfile.TemporaryDirectory() as folder:
        variant, rng = VARIANTS[seed % len(VARIANTS)], random.Random(seed)
        house = House(variant, rng, Path(folder), Instant(100.0))
        for _ in range(lives):
            house.live()
        return house.resumed


@pytest.mark.parametrize("seed", range(len(VARIANTS)))
def test_power_cuts_lose_and_invent_nothing(seed: int) -> None:
    assert drill(seed, 25) > 10


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(100, 104))
def test_a_thousand_power_cuts_lose_and_invent_nothing(seed: int) -> None:
    for block in range(10):
        assert drill(seed + 4 * block, 25) > 10
