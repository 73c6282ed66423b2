"""Two clumsy players at the simulated board of the demonstration, in real time.

    waiting ──a game has just begun, and the board shows its start──► playing
       ▲                                                                 │
       └── set the start position up, piece by piece ◄── pause ◄── over, or the table follows
                                                                   something else

The players do not look at the lights; they only see whether the table follows their game at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.simulate.players import Players
from engine import Game, load_variant, with_options
from engine.squares import SquareSet, members
from hardware.cells import Cell, Instant
from hardware.mock.effects import SCENARIOS

if TYPE_CHECKING:
    import random

    from boardctl.core.snapshot import Snapshot
    from engine import Ruleset
    from hardware.mock.board import MockBoard
    from hardware.mock.effects import Effects

_AHEAD_S: Final = 5.0
"""Plies are decided so long before their time: a hand may reach back in time a little."""

_PAUSE_S: Final = 12.0
"""From the end of a game until hands set up the next one."""

_PIECE_S: Final = 0.25
"""From piece to piece while setting up."""

_PATIENCE_S: Final = 60.0
"""A table that has not shown a new ply for so long does not follow the game."""


class Autoplay:
    """Plays game after game on a simulated board."""

    def __init__(
        self, board: MockBoard, rng: random.Random, effects: Effects = SCENARIOS["S3"]
    ) -> None:
        self._board = board
        self._rng = rng
        self._effects = effects
        self._players: Players | None = None
        self._game = 0
        self._over = False
        self._shown = 0
        self._changed_at: Instant | None = None
        self._set_up_at: Instant | None = None

    def step(self, snapshot: Snapshot, now: Instant) -> None:
        """Do what hands do until *now*; *snapshot* is what the table shows."""
        if self._players is None:
            self._wait(snapshot, now)
        elif self._given_up(snapshot, now):
            self._players = None
            self._set_up_at = Instant(now + _PAUSE_S)
        else:
            self._play(self._players, now)

    def _wait(self, snapshot: Snapshot, now: Instant) -> None:
        """Begin when the table follows a game that has just begun; else set one up."""
        begun = snapshot.side is not None and not snapshot.plies and snapshot.outcome is None
        closed = SquareSet(self._board.closed)
        if begun and snapshot.game != self._game and closed == snapshot.position.occupied:
            game = Game.start(_ruleset(snapshot), side=snapshot.side)
            self._players = Players(game, self._effects, self._rng, now)
            self._game, self._over = snapshot.game, False
            self._shown, self._changed_at = 0, now
        elif self._set_up_at is None or now >= self._set_up_at:
            self._set_up_at = Instant(now + _PIECE_S)
            self._move_one_piece(int(_ruleset(snapshot).start.occupied))

    def _move_one_piece(self, start: int) -> None:
        """Bring the board one piece closer to the start position."""
        closed = int(self._board.closed)
        for square in members(SquareSet(closed & ~start)):
            self._board.lift(Cell(square))
            return
        for square in members(SquareSet(start & ~closed)):
            self._board.put(Cell(square))
            return

    def _play(self, players: Players, now: Instant) -> None:
        """Decide what comes next, and move the pieces whose time has come."""
        while not self._over and players.table.now < now + _AHEAD_S:
            self._over = not players.play_ply()
        for edge in players.table.edges.take(now):
            (self._board.put if edge.closed else self._board.lift)(edge.cell)

    def _given_up(self, snapshot: Snapshot, now: Instant) -> bool:
        """Return whether this game is over, or no longer the one that the table follows."""
        if len(snapshot.plies) != self._shown:
            self._shown, self._changed_at = len(snapshot.plies), now
        stuck = self._changed_at is not None and now - self._changed_at > _PATIENCE_S
        players = self._players
        played = players is None or (self._over and now > players.table.now)
        return snapshot.game != self._game or stuck or played


def _ruleset(snapshot: Snapshot) -> Ruleset:
    return with_options(load_variant(snapshot.variant), snapshot.options)
