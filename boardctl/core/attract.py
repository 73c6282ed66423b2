"""Nobody is at the table: the lights play by themselves until somebody touches the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core.desk import Desk, Go
from boardctl.core.hints import suggest
from boardctl.core.occupancy import Instant
from boardctl.core.snapshot import AttractView
from boardctl.core.transitions import State
from engine.game import Game
from engine.pieces import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

WAVE_S: Final = 10.0
"""How long the wave is shown before each game."""

PLY_S: Final = 1.5
"""From one ply of the game to the next."""

MAX_PLIES: Final = 40
"""A game that has not ended by then is left for the next wave."""

_SAMPLE: Final = 12
"""Moves looked at for one ply of the show: a touch must be answered at once."""


class Attract:
    """A wave, then a game of the table against itself, one ply at a time; over and over."""

    state = State.ATTRACT

    def __init__(self, now: Instant) -> None:
        self.since = now
        self._game: Game | None = None
        self._next_at = Instant(now + WAVE_S)

    @property
    def view(self) -> AttractView:
        """What the lights show."""
        if self._game is None:
            return AttractView(None, None)
        return AttractView(self._game.position, self._game.last)

    def touched(self) -> Go:
        """Any touch ends it."""
        return Go(State.SETUP)

    def step(self, desk: Desk, now: Instant) -> Go | None:
        """Play on when it is time; never leaves the state by itself."""
        if now < self._next_at:
            return None
        game = self._game
        if game is None:
            side = desk.ruleset.first or desk.rng.choice((Side.ATTACKER, Side.DEFENDER))
            self._game = Game.start(desk.ruleset, side=side)
        else:
            self._play(desk, game, now)
        self._next_at = Instant(now + (PLY_S if self._game is not None else WAVE_S))
        return None

    def _play(self, desk: Desk, game: Game, now: Instant) -> None:
        ply = suggest(game, desk.rng, sample=_SAMPLE)
        if ply is None or game.ply_count >= MAX_PLIES:
            self._game = None
            self.since = now
        else:
            self._game = game.push(ply)

    def deadlines(self, _desk: Desk) -> Iterable[Instant | None]:
        """Return when the next ply is due."""
        return (self._next_at,)
