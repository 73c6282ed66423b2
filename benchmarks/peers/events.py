"""B-2 list of lifts and places (Universal-Chess), and its variant with two slots (ChessLR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.squares import Square, SquareSet, members
from hardware.cells import CellSet, Frame, Instant
from hardware.debounce import Debouncer
from peers.base import Peer, chosen, with_route

if TYPE_CHECKING:
    from engine import Game

_SLOTS_WAIT_S = 0.75


class LiftPlaceList(Peer):
    """Keep the squares lifted so far; a piece placed elsewhere has come from one of them.

    An illegal move ends in correction: nothing is read until the board shows the record again.
    """

    def __init__(self, game: Game, now: Instant, *, debounce_s: float = 0.0) -> None:
        super().__init__(game, now)
        self._debounce_s = debounce_s
        self._debouncer = Debouncer(settle_s=debounce_s)
        self._board: SquareSet | None = None
        self._lifts: list[Square] = []

    def correct(self, game: Game, now: Instant) -> None:
        """See `Peer`."""
        self.__init__(game, now, debounce_s=self._debounce_s)  # type: ignore[misc]  # see Peer

    def step(self, frame: Frame, now: Instant) -> None:
        """See `Reader`."""
        cells = self._debouncer.step(Frame(CellSet(self.hold(frame))), now)
        self.next_deadline = self._debouncer.next_deadline
        if cells is None:
            return
        seen = SquareSet(cells.closed)
        before = seen if self._board is None else self._board
        self._board = seen
        for square in members(SquareSet(before & ~seen)):
            self._lift(square)
        for square in members(SquareSet(seen & ~before)):
            self._place(square, seen)
        if self.alarm and self.agrees(seen, self.game):
            self.alarm = False
            self._lifts.clear()

    def _lift(self, square: Square) -> None:
        if self.pending >> square & 1:
            self.pending = SquareSet(self.pending & ~(1 << square))
        elif not self.alarm and square not in self._lifts:
            self._lifts.append(square)

    def _place(self, square: Square, seen: SquareSet) -> None:
        if self.alarm:
            return
        lifts = self._lifts
        if square in lifts:
            lifts.remove(square)
            return
        source = self._source(square, seen)
        plies = with_route(self.game.legal_plies, source, square) if source is not None else []
        ply = chosen(plies, seen)
        if ply is None:
            self.alarm = True
            return
        self.commit(ply, seen)
        lifts.clear()

    def _source(self, square: Square, seen: SquareSet) -> Square | None:
        """Return where the piece on a square has come from."""
        own = self.game.position.pieces(self.game.position.side)
        if len(self._lifts) == 1:
            return self._lifts[0]
        for lifted in self._lifts:
            if own >> lifted & 1:
                return lifted
        missing = {
            ply.from_square
            for ply in self.game.legal_plies
            if ply.to_square == square and not seen >> ply.from_square & 1
        }
        return missing.pop() if len(missing) == 1 and not self._lifts else None


class TwoSlots(Peer):
    """Remember the first lift, the latest further lift and the latest place; act after a pause."""

    def __init__(self, game: Game, now: Instant) -> None:
        super().__init__(game, now)
        self._board: SquareSet | None = None
        self._up: Square | None = None
        self._second_up: Square | None = None
        self._down: Square | None = None
        self._event_at = now

    def step(self, frame: Frame, now: Instant) -> None:
        """See `Reader`."""
        before = self.seen if self._board is None else self._board
        seen = self.hold(frame)
        self._board = seen
        for square in members(SquareSet(before & ~seen & ~self.pending)):
            if self._up is None:
                self._up = square
            else:
                self._second_up = square
            self._event_at = now
        for square in members(SquareSet(seen & ~before)):
            self._down = square
            self._event_at = now
        self.drop_removed(seen)
        complete = self._up is not None and self._down is not None
        if complete and now - self._event_at >= _SLOTS_WAIT_S - 1e-6:
            self._act(seen)
        deadline = Instant(self._event_at + _SLOTS_WAIT_S)
        self.next_deadline = deadline if complete and deadline > now else None

    def _act(self, seen: SquareSet) -> None:
        source, target = self._up, self._down
        if target == source and self._second_up is not None:
            source = self._second_up
        elif target == self._second_up and self._second_up is not None:
            source = self._up
        self._up = self._second_up = self._down = None
        if source is None or target is None or source == target:
            return
        ply = chosen(with_route(self.game.legal_plies, source, target), seen)
        if ply is None:
            self.alarm = True
        else:
            self.commit(ply, seen)
