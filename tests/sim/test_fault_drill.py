"""Every fault of the bus at random moments of whole games, through the daemon's own parts.

Hands move pieces over the simulated board; the true driver reads it over the genuine smbus2; the
debouncer and the session follow. A fault comes at a random moment, in the middle of a move too, and
goes again. At the end the record must be the game that was played, the fault must have been named
within 2 s, and no scan may have waited long.

A fault is put where a reader who sees the board again could know what happened meanwhile: at most
one ply falls into the dark. (Two plies of which nothing was seen are not decidable by anyone.)
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from boardctl.core import occupancy
from boardctl.core.effects import GameOver, PlyRetracted, PlyRevised, PlyShown
from boardctl.core.events import BoardSeen, FaultCleared, FaultSeen, Tick
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.loop import occupancy_of
from boardctl.simulate.players import Players, TruePly
from boardctl.simulate.recording import seeded, start_game
from engine import VARIANTS
from engine.squares import SquareSet
from hardware.backends import open_simulation
from hardware.cells import CellSet, Instant
from hardware.debounce import Debouncer
from hardware.mock.effects import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.game import Game
    from hardware.mock.board import MockBoard

SCAN_S = 0.005
NAMED_WITHIN_S = 2.0
LONGEST_WAIT_S = 0.101
AFTER_S = 8.0


@dataclass(frozen=True)
class FaultKind:
    """A fault of the model: how to bring it about and how to end it.

    `names` is what the reason must say; None where a repeated transfer hides the fault.
    """

    begin: Callable[[MockBoard, int], None]
    end: Callable[[MockBoard, int], None]
    names: str | None
    longest_s: float = 5.0


def clear(board: MockBoard, address: int) -> None:
    board.chip_silent(address, silent=False)
    board.chip_holds(address, holds=False)
    board.bus.stuck, board.bus.loss, board.bus.noise = False, 0.0, 0.0


def silent(board: MockBoard, address: int) -> None:
    board.chip_silent(address)


def silent_and_reset(board: MockBoard, address: int) -> None:
    board.chip_silent(address)
    board.chip_reset(address)


def holds(board: MockBoard, address: int) -> None:
    board.chip_holds(address)


def reset(board: MockBoard, address: int) -> None:
    board.floating = "low"
    board.chip_reset(address)


def reset_floating(board: MockBoard, address: int) -> None:
    board.floating = "random"
    board.chip_reset(address)


def all_reset(board: MockBoard, _address: int) -> None:
    for address in board.bus.chips:
        board.chip_reset(address)


def stuck(board: MockBoard, _address: int) -> None:
    board.bus.stuck = True


def lossy(board: MockBoard, _address: int) -> None:
    board.bus.loss = 0.02


def noisy(board: MockBoard, _address: int) -> None:
    board.bus.noise = 0.002


KINDS = {
    "silent": FaultKind(silent, clear, "chip {address:#04x} does not answer"),
    "power lost": FaultKind(silent_and_reset, clear, "chip {address:#04x} does not answer"),
    "holds": FaultKind(holds, clear, "chip {address:#04x} blocks the bus"),
    "reset": FaultKind(reset, clear, "chip {address:#04x} lost its settings", 0.5),
    "reset, floating": FaultKind(reset_floating, clear, "chip {address:#04x} lost its", 0.5),
    "all reset": FaultKind(all_reset, clear, "lost its settings", 0.5),
    "stuck": FaultKind(stuck, clear, "SDA or SCL is held low"),
    "lossy": FaultKind(lossy, clear, None),
    "noisy": FaultKind(noisy, clear, None),
}


@dataclass
class Window:
    """When a fault holds."""

    start: float
    end: float


def choose_window(plies: list[TruePly], kind: FaultKind, end: float, rng: random.Random) -> Window:
    """A random moment at which at most one ply happens in the dark."""
    for attempt in range(200):
        length = rng.uniform(0.05, kind.longest_s) / (1 + attempt / 20)
        start = rng.uniform(0.5, max(1.0, end - length))
        # A chip is asked again within a second and believed a moment later.
        dark_until = start + length + 1.2
        during = [p for p in plies if p.lifted_at <= dark_until and p.known_at >= start]
        if len(during) <= 1:
            return Window(start, start + length)
    raise AssertionError("no moment is calm enough")


class Drill:
    """One game, one fault."""

    def __init__(self, variant: str, kind: str, seed: int) -> None:
        self.rng = seeded("fault drill", variant, kind, seed)
        game = start_game(variant, self.rng)
        players = Players(game, SCENARIOS["S1"], self.rng)
        while players.play_ply():
            pass
        self.truth = [done.ply for done in players.plies]
        self.end = players.table.now + AFTER_S
        self.simulation = open_simulation(seed=seed)
        self.board = self.simulation.board
        self.board.set(CellSet(players.start))
        for edge in players.table.edges.take(Instant(self.end)):
            self.board.schedule(edge.at, edge.cell, edge.closed)
        self.kind = KINDS[kind]
        self.address = self.rng.choice(list(self.board.bus.chips))
        self.window = choose_window(players.plies, self.kind, self.end - AFTER_S, self.rng)
        self._follow(game)

    def _follow(self, game: Game) -> None:
        self.session = Session(
            SessionSettings(), occupancy.Instant(0.0), random.Random(0), game=game
        )
        self.debouncer = Debouncer()
        self.record: list[object] = []
        self.over = False
        self.named_at: float | None = None
        self.longest_wait_s = 0.0
        self._faults: tuple[object, ...] = ()

    def run(self) -> None:
        """Play the game to its end."""
        now, begun, ended = 0.0, False, False
        while now < self.end:
            if not begun and now >= self.window.start:
                self.kind.begin(self.board, self.address)
                begun = True
            if not ended and now >= self.window.end:
                self.kind.end(self.board, self.address)
                ended = True
            self._scan(now)
            now = self._next(now, busy=begun and now < self.window.end + 1.5)

    def _next(self, now: float, *, busy: bool) -> float:
        """The next scan at which something can be new; scans between see the same."""
        wanted = [
            now + (SCAN_S if busy else 0.5),
            self.board.next_change or math.inf,
            self.debouncer.next_deadline or math.inf,
            self.session.next_deadline or math.inf,
            *(edge for edge in (self.window.start, self.window.end) if edge > now),
        ]
        steps = max(1, math.ceil((min(wanted) - now) / SCAN_S - 1e-6))
        return now + steps * SCAN_S

    def _scan(self, now: float) -> None:
        at, moment = Instant(now), occupancy.Instant(now)
        self.board.advance(at)
        before = self.board.bus.elapsed_s
        frame = self.simulation.scanner.scan(at)
        self.longest_wait_s = max(self.longest_wait_s, self.board.bus.elapsed_s - before)
        cells = self.debouncer.step(frame, at)
        if cells is not None:
            self._note(self.session.handle(BoardSeen(occupancy_of(cells)), moment))
        faults = tuple(self.simulation.scanner.faults)
        if faults != self._faults:
            self._faults = faults
            self._tell(now)
        deadline = self.session.next_deadline
        if deadline is not None and now >= deadline:
            self._note(self.session.handle(Tick(), moment))

    def _tell(self, now: float) -> None:
        faults = self.simulation.scanner.faults
        moment = occupancy.Instant(now)
        if not faults:
            self._note(self.session.handle(FaultCleared(), moment))
            return
        squares = 0
        for fault in faults:
            squares |= fault.cells
        text = "; ".join(fault.reason for fault in faults)
        self._note(self.session.handle(FaultSeen(text, SquareSet(squares)), moment))
        shown = self.session.snapshot.fault
        wanted = (self.kind.names or "").format(address=self.address)
        if self.named_at is None and shown is not None and wanted in shown.reason:
            self.named_at = now

    def _note(self, effects: object) -> None:
        for effect in effects:  # type: ignore[attr-defined] # effects of a session
            match effect:
                case GameOver():
                    self.over = True
                case PlyShown(number, ply) | PlyRevised(number, ply) if not self.over:
                    self.record[number - 1 :] = [ply]
                case PlyRetracted(number) if not self.over:
                    del self.record[number - 1 :]
                case _:
                    pass


def check(variant: str, kind: str, seed: int) -> None:
    drill = Drill(variant, kind, seed)
    drill.run()
    assert [str(ply) for ply in drill.record] == [str(ply) for ply in drill.truth]
    assert not drill.simulation.scanner.faults
    assert drill.longest_wait_s <= LONGEST_WAIT_S
    if drill.kind.names is not None:
        assert drill.named_at is not None
        assert drill.named_at - drill.window.start <= NAMED_WITHIN_S


def drills(seeds: range) -> list[tuple[str, str, int]]:
    return [
        (VARIANTS[(seed + number) % len(VARIANTS)], kind, seed)
        for number, kind in enumerate(KINDS)
        for seed in seeds
    ]


@pytest.mark.parametrize(("variant", "kind", "seed"), drills(range(1)))
def test_the_record_is_right_after_a_fault(variant: str, kind: str, seed: int) -> None:
    check(variant, kind, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "kind", "seed"), drills(range(1, 24)))
def test_the_record_is_right_after_a_fault_in_200_games(variant: str, kind: str, seed: int) -> None:
    check(variant, kind, seed)
