"""A session played by a script: hands and commands at times, every snapshot kept.

The pictures of the documentation and the tests are made by it, so that both show what the
daemon's own session and scene would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardctl.core.events import BoardSeen, ButtonPressed, CommandGiven, Tick
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.scene import lights, scene
from boardctl.core.session import Session
from engine.squares import NO_SQUARES, SquareSet, parse_square

if TYPE_CHECKING:
    import random

    from boardctl.core.commands import Command
    from boardctl.core.effects import Effect
    from boardctl.core.events import Button, Event
    from boardctl.core.light import Frame
    from boardctl.core.palette import Rgb
    from boardctl.core.settings import SessionSettings
    from boardctl.core.snapshot import Snapshot
    from engine.game import Game

_HAND_S = 0.6
"""Seconds from one act of a hand to the next, unless the script says otherwise."""

_MAX_TICKS = 100_000


class Rehearsal:
    """A board without wood.

    Attributes:
        now: the time; hands move it on, and ticks come when the session asks for them.
        record: all effects so far.
        shown: every (time, snapshot) at which something happened.
        closed: the squares where a piece stands.
    """

    def __init__(
        self,
        settings: SessionSettings,
        rng: random.Random,
        *,
        game: Game | None = None,
        set_up: bool = True,
    ) -> None:
        self.now = Instant(100.0)
        self.session = Session(settings, self.now, rng, game=game)
        self.record: list[Effect] = []
        self.closed = NO_SQUARES
        self.unknown = NO_SQUARES
        self.shown: list[tuple[Instant, Snapshot]] = [(self.now, self.snapshot)]
        if set_up:
            self.board(self.snapshot.position.occupied)

    @property
    def snapshot(self) -> Snapshot:
        """What the session shows now."""
        return self.session.snapshot

    def send(self, event: Event) -> list[Effect]:
        """Give the session an event now."""
        effects = self.session.handle(event, self.now)
        self.record += effects
        self.shown.append((self.now, self.snapshot))
        return effects

    def wait(self, seconds: float) -> list[Effect]:
        """Let time pass; return what has happened by itself.

        Raises:
            RuntimeError: the session asks to be woken without end.
        """
        end = Instant(self.now + seconds)
        start = len(self.record)
        for _ in range(_MAX_TICKS):
            due = self.session.next_deadline
            if due is None or due > end:
                self.now = max(self.now, end)
                return self.record[start:]
            self.now = Instant(max(due, self.now))
            self.send(Tick())
        raise RuntimeError("the session asks to be woken without end")

    def board(self, closed: SquareSet, unknown: SquareSet | None = None) -> list[Effect]:
        """All switches at once."""
        self.closed = closed
        if unknown is not None:
            self.unknown = unknown
        return self.send(BoardSeen(Occupancy(self.closed, self.unknown)))

    def lift(self, square: str, after: float = _HAND_S) -> list[Effect]:
        """A hand takes the piece on a square, `after` seconds from now.

        Raises:
            ValueError: none stands there.
        """
        self.wait(after)
        bit = 1 << parse_square(square)
        if not self.closed & bit:
            raise ValueError(f"no piece stands on {square}")
        return self.board(SquareSet(self.closed & ~bit))

    def put(self, square: str, after: float = _HAND_S) -> list[Effect]:
        """A hand puts a piece on a square, `after` seconds from now.

        Raises:
            ValueError: one stands there already.
        """
        self.wait(after)
        bit = 1 << parse_square(square)
        if self.closed & bit:
            raise ValueError(f"a piece stands on {square} already")
        return self.board(SquareSet(self.closed | bit))

    def move(self, text: str) -> None:
        """A whole move by hand, its victims taken off the board: `e8-a8xa7/b8`."""
        way, _, victims = text.partition("x")
        start, _, end = way.partition("-")
        self.lift(start)
        self.put(end)
        for victim in filter(None, victims.split("/")):
            self.lift(victim)
        self.wait(_HAND_S)

    def command(self, command: Command, by: str = "operator") -> list[Effect]:
        """A person's wish."""
        return self.send(CommandGiven(command, by))

    def press(self, button: Button) -> list[Effect]:
        """A button."""
        return self.send(ButtonPressed(button))

    def scene(self, after: float = 0.0) -> tuple[Rgb, ...]:
        """The lights some seconds from now, should nothing happen until then."""
        return scene(self.snapshot, Instant(self.now + after))

    def lights(self, after: float = 0.0) -> Frame:
        """The same by meaning and level."""
        return lights(self.snapshot, Instant(self.now + after))
