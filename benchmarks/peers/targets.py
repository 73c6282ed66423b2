"""B-3 legal-target state machine (LibreChess)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.squares import NO_SQUARES, Square, SquareSet, members
from hardware.cells import CellSet, Frame, Instant
from hardware.debounce import Debouncer
from peers.base import Peer, with_route

if TYPE_CHECKING:
    from engine import Game, Ply

_DEBOUNCE_S = 0.125


class LegalTargets(Peer):
    """Wait for an own piece to be lifted, then look only at its home and its legal targets.

    After a capture nothing else is looked at until every victim has left the board; a choice
    of victim is made by the first candidate that does.
    """

    def __init__(self, game: Game, now: Instant) -> None:
        super().__init__(game, now)
        self._debouncer = Debouncer(settle_s=_DEBOUNCE_S)
        self._board: SquareSet | None = None
        self._hand: Square | None = None
        self._choices: list[Ply] = []

    def step(self, frame: Frame, now: Instant) -> None:
        """See `Reader`."""
        cells = self._debouncer.step(Frame(CellSet(self.hold(frame))), now)
        self.next_deadline = self._debouncer.next_deadline
        if cells is None:
            return
        seen = SquareSet(cells.closed)
        before = seen if self._board is None else self._board
        self._board = seen
        if self._choices:
            self._choose(seen)
        elif self.pending & seen:
            self.drop_removed(seen)
        elif self._hand is None:
            self._wait_for_lift(before, seen)
        else:
            self._wait_for_landing(self._hand, before, seen)
        self.lifted = NO_SQUARES if self._hand is None else SquareSet(1 << self._hand)

    def _choose(self, seen: SquareSet) -> None:
        gone = [ply for ply in self._choices if not ply.captures & seen]
        if gone:
            self.commit(gone[0], seen)
            self._choices = []

    def _wait_for_lift(self, before: SquareSet, seen: SquareSet) -> None:
        own = self.game.position.pieces(self.game.position.side)
        lifted = list(members(SquareSet(before & ~seen & own)))
        self._hand = lifted[0] if lifted else None

    def _wait_for_landing(self, hand: Square, before: SquareSet, seen: SquareSet) -> None:
        placed = SquareSet(seen & ~before)
        if placed >> hand & 1:
            self._hand = None
            return
        targets = {ply.to_square for ply in self.game.legal_plies if ply.from_square == hand}
        landed = [square for square in members(placed) if square in targets]
        if not landed:
            return
        self._hand = None
        plies = with_route(self.game.legal_plies, hand, landed[0])
        if len(plies) == 1:
            self.commit(plies[0], seen)
        else:
            self._choices = plies
