"""A session with simulated hands: events at times, and what came of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from boardctl.core.commands import Command
from boardctl.core.events import (
    BoardSeen,
    Button,
    ButtonPressed,
    CommandGiven,
    Event,
    Tick,
)
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.scene import lights, scene
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from engine.squares import NO_SQUARES, SquareSet, parse_square

if TYPE_CHECKING:
    from boardctl.core.effects import Effect
    from boardctl.core.light import Frame
    from boardctl.core.palette import Rgb
    from boardctl.core.snapshot import Snapshot
    from engine.game import Game


class Table:
    """A board without wood: every call takes time, and ticks come when the session wants them.

    Attributes:
        now: the time; hands move it on.
        record: all effects so far.
        scenes: (time, colours) at every moment that something happened.
    """

    def __init__(
        self,
        variant: str = "sea-battle",
        *,
        seed: int = 1,
        game: Game | None = None,
        settings: SessionSettings | None = None,
        options: dict[str, str] | None = None,
        set_up: bool = True,
    ) -> None:
        self.now = Instant(100.0)
        base = settings or SessionSettings(variant=variant, options=options or {})
        self.session = Session(base, self.now, random.Random(seed), game=game)
        self.record: list[Effect] = []
        self.closed = NO_SQUARES
        self.unknown = NO_SQUARES
        if set_up:
            start = game.position if game is not None else self.session.snapshot.position
            self.board(start.occupied)

    @property
    def snapshot(self) -> Snapshot:
        """What the session shows now."""
        return self.session.snapshot

    def send(self, event: Event) -> list[Effect]:
        """Give the session an event now."""
        effects = self.session.handle(event, self.now)
        self.record += effects
        return effects

    def wait(self, seconds: float) -> list[Effect]:
        """Let time pass; ticks come at the session's deadlines, as the loop sends them."""
        end = Instant(self.now + seconds)
        start = len(self.record)
        for _ in range(100_000):
            due = self.session.next_deadline
            if due is None or due > end:
                break
            self.now = Instant(max(due, self.now + 0.005))
            self.send(Tick())
        else:
            raise AssertionError("the session asks to be woken for ever")
        self.now = max(self.now, end)
        return self.record[start:]

    def board(self, closed: SquareSet, unknown: SquareSet | None = None) -> list[Effect]:
        """All switches at once."""
        self.closed = closed
        if unknown is not None:
            self.unknown = unknown
        return self.send(BoardSeen(Occupancy(self.closed, self.unknown)))

    def lift(self, square: str, after: float = 0.6) -> list[Effect]:
        """A hand takes a piece."""
        self.wait(after)
        bit = 1 << parse_square(square)
        assert self.closed & bit, f"no piece on {square}"
        return self.board(SquareSet(self.closed & ~bit))

    def put(self, square: str, after: float = 0.6) -> list[Effect]:
        """A hand puts a piece."""
        self.wait(after)
        bit = 1 << parse_square(square)
        assert not self.closed & bit, f"{square} is occupied"
        return self.board(SquareSet(self.closed | bit))

    def move(self, text: str) -> None:
        """A whole move by hand, victims removed: `e8-a8xa7/b8`."""
        way, _, victims = text.partition("x")
        start, _, end = way.partition("-")
        self.lift(start)
        self.put(end)
        for victim in filter(None, victims.split("/")):
            self.lift(victim)
        self.wait(0.6)

    def command(self, command: Command, by: str = "operator") -> list[Effect]:
        """A person's wish."""
        return self.send(CommandGiven(command, by))

    def press(self, button: Button) -> list[Effect]:
        """A button."""
        return self.send(ButtonPressed(button))

    def scene(self, after: float = 0.0) -> tuple[Rgb, ...]:
        """The lights some seconds from now, should nothing happen."""
        return scene(self.snapshot, Instant(self.now + after))

    def lights(self, after: float = 0.0) -> Frame:
        """The same by meaning and level."""
        return lights(self.snapshot, Instant(self.now + after))
