"""Recorded frames through exactly the code that the daemon runs: no hardware, no waiting.

    Trace ── Frame ─ Debouncer ─ Cells ─ Occupancy ── BoardSeen ─┐
      │                                                       Session ── effects with their times
      └── scans between two samples, where something is due ─ Tick ─┘

The daemon acts at scans and at nothing else, so time passes here in steps of the trace's scan;
scans at which nothing can happen are skipped.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from boardctl.core.effects import (
    Effect,
    GameStarted,
    PlyRetracted,
    PlyRevised,
    PlyShown,
)
from boardctl.core.events import BoardSeen, Tick
from boardctl.core.occupancy import Instant
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.loop import occupancy_of
from engine.game import Game
from engine.notation import parse_position
from engine.rules import load_variant, with_options
from hardware import cells as hardware_cells
from hardware.debounce import Debouncer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.trace import Header, Trace
    from engine.moves import Ply
    from hardware.cells import Frame

AFTER_S: Final = 3.0
"""The board is followed for so long after the end: long enough for a win to be announced."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An effect and when it was decided, in milliseconds from the start of the trace."""

    t_ms: float
    effect: Effect


def replay(trace: Trace, *, settle_s: float | None = None) -> Iterator[Decision]:
    """Yield what the daemon would have decided, in order.

    Args:
        trace: the recording.
        settle_s: the debouncer's time; None: the default of the configuration.

    Raises:
        EngineError: the header names no game that can be played.
    """
    return _Replay(trace, settle_s).run()


def starting_game(header: Header) -> Game:
    """Return the game that the frames begin with.

    Raises:
        EngineError: an unknown game, option or position, or nobody is named to move first.
    """
    ruleset = with_options(load_variant(header.variant), header.options)
    first = header.side if header.side is not None else header.first
    if header.position is None:
        return Game.start(ruleset, side=first)
    side = first if first is not None else ruleset.first
    if side is None:
        raise ValueError("the header gives a position but not whose move it is")
    return Game.start(ruleset, side=side, position=parse_position(header.position, side))


class _Replay:
    def __init__(self, trace: Trace, settle_s: float | None) -> None:
        self._trace = trace
        self._scan_s = trace.header.scan_ms / 1000
        self._debouncer = Debouncer() if settle_s is None else Debouncer(settle_s=settle_s)
        self._game = starting_game(trace.header)
        self._session: Session | None = None

    def run(self) -> Iterator[Decision]:
        last: tuple[Frame, Instant] | None = None
        for sample in self._trace.samples:
            now = Instant(sample.t_ms / 1000)
            if last is not None:
                yield from self._wait(*last, until=now)
            yield from self._scan(sample.frame, now)
            last = sample.frame, now
        if last is not None:
            yield from self._wait(*last, until=Instant(self._trace.end_ms / 1000 + AFTER_S))

    def _wait(self, frame: Frame, now: Instant, until: Instant) -> Iterator[Decision]:
        """Let the scans pass that see the same frame again, as far as they matter."""
        while True:
            due = [time for time in self._deadlines() if time is not None]
            if not due:
                return
            scans = math.ceil((min(due) - now) / self._scan_s - 1e-6)
            now = Instant(now + max(1, scans) * self._scan_s)
            if now >= until - 1e-6:
                return
            yield from self._scan(frame, now)

    def _deadlines(self) -> tuple[float | None, float | None]:
        session = self._session
        return self._debouncer.next_deadline, None if session is None else session.next_deadline

    def _scan(self, frame: Frame, now: Instant) -> Iterator[Decision]:
        """Do what the daemon's loop does at a scan."""
        cells = self._debouncer.step(frame, hardware_cells.Instant(now))
        if self._session is None:
            settings = SessionSettings(variant=self._trace.header.variant, sound=False)
            # The game is given, so nothing is left to chance.
            self._session = Session(settings, now, random.Random(0), game=self._game)  # noqa: S311
        if cells is not None:
            yield from self._handle(BoardSeen(occupancy_of(cells)), now)
        deadline = self._session.next_deadline
        if deadline is not None and now >= deadline:
            yield from self._handle(Tick(), now)

    def _handle(self, event: BoardSeen | Tick, now: Instant) -> Iterator[Decision]:
        assert self._session is not None  # noqa: S101 - for the type checker: _scan has made it
        for effect in self._session.handle(event, now):
            yield Decision(round(now * 1000, 3), effect)


@dataclass(slots=True)
class Score:
    """The moves of the games in a stream of effects, as they now stand.

    Attributes:
        plies: those of the game being played.
        ended: those of the games before it.
    """

    plies: list[Ply] = field(default_factory=list)
    ended: list[list[Ply]] = field(default_factory=list)

    def note(self, effect: Effect) -> None:
        """Take an effect in."""
        match effect:
            case PlyShown(number, ply) | PlyRevised(number, ply):
                self.plies[number - 1 :] = [ply]
            case PlyRetracted(number):
                del self.plies[number - 1 :]
            case GameStarted():
                self.ended.append(self.plies)
                self.plies = []

    @property
    def moves(self) -> list[Ply]:
        """The moves of the last game that has any."""
        played = [plies for plies in (*self.ended, self.plies) if plies]
        return played[-1] if played else []
