"""Before a game: the pieces are put up, and the first mover is drawn where the rules say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core.desk import REST_S, Desk, Go
from boardctl.core.occupancy import Instant
from boardctl.core.transitions import State
from engine.game import Game
from engine.pieces import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.position import Position

LOT_S: Final = 4.0
"""How long the light runs before it stops on the side that moves first."""

LOT_SHOWN_S: Final = 1.5
"""How long it then stays there."""


class SetUp:
    """Waits until every square of the start position has its piece and no other square has one.

    The pieces come from any heap in any order; the lights name the kind that belongs on each
    square. A start position found complete at the very first look begins at once.
    """

    state = State.SETUP

    def __init__(self, desk: Desk, now: Instant) -> None:
        self.since = now
        self.start: Position = desk.ruleset.start
        self._fresh = desk.occupancy is None

    def step(self, desk: Desk, now: Instant) -> Go | None:
        """Look at the board, or let time pass."""
        if desk.occupancy is None:
            return None
        fresh, self._fresh = self._fresh, False
        if desk.shows(self.start.occupied):
            return begin(desk, now, sweep=False) if fresh else self.arrive(desk, now)
        if desk.menu_at is not None and now >= desk.menu_at:
            return Go(State.MENU)
        if now >= self._attract_at(desk):
            return Go(State.ATTRACT)
        return None

    def arrive(self, desk: Desk, now: Instant) -> Go | None:
        """Begin if the start position has rested."""
        if desk.shows(self.start.occupied) and now >= desk.rested(REST_S):
            return begin(desk, now, sweep=True)
        return None

    def deadlines(self, desk: Desk) -> Iterable[Instant | None]:
        """Return when time alone may change something."""
        return (desk.rested(REST_S), desk.menu_at, self._attract_at(desk))

    def _attract_at(self, desk: Desk) -> Instant:
        """Attract waits from the last touch or from the entry into this state."""
        return Instant(max(desk.changed_at, self.since) + desk.settings.attract_after_s)


def begin(desk: Desk, now: Instant, *, sweep: bool) -> Go:
    """Return what follows a completed set-up: the lot, or the game."""
    if sweep:
        desk.swept_at = now
    if desk.ruleset.first is None:
        return Go(State.LOT)
    return Go(State.PLAYING, game=Game.start(desk.ruleset))


class Drawing:
    """The lot for the first move; the winner is drawn on entry and revealed by the lights."""

    state = State.LOT
    duration_s = LOT_S

    def __init__(self, desk: Desk, now: Instant) -> None:
        self.since = now
        self.winner = desk.rng.choice((Side.ATTACKER, Side.DEFENDER))

    def step(self, desk: Desk, now: Instant) -> Go | None:
        """Wait for the light to stop, and a little longer."""
        if now < self._shown_until:
            return None
        return Go(State.PLAYING, game=Game.start(desk.ruleset, side=self.winner))

    @property
    def _shown_until(self) -> Instant:
        return Instant(self.since + LOT_S + LOT_SHOWN_S)

    def deadlines(self, _desk: Desk) -> Iterable[Instant | None]:
        """Return when the game begins."""
        return (self._shown_until,)
