"""B-1 settle and match (picochess), B-5 one-frame match, B-6 two-ply search (CERTABO)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.squares import SquareSet
from hardware.cells import Instant
from peers.base import Peer

if TYPE_CHECKING:
    from engine import Game, Ply
    from hardware.cells import Frame

_ERROR_S = 4.0
_LARGEST_PLY = 5  # a ply changes its two squares and those of at most three victims


class SettleAndMatch(Peer):
    """Wait until nothing has changed for a while, then look for the position in a list.

    In this order: the record's position, an earlier one (take-back), the result of a legal move,
    the result of another move instead of the last one (revision); else, after 4 s, an error.
    """

    def __init__(
        self,
        game: Game,
        now: Instant,
        *,
        settle_s: float = 0.25,
        lenient: bool = False,
        revises: bool = True,
        two_plies: bool = False,
    ) -> None:
        super().__init__(game, now)
        self.revisable = 1 if revises else 0
        self._options = {
            "settle_s": settle_s,
            "lenient": lenient,
            "revises": revises,
            "two_plies": two_plies,
        }
        self._settle_s = settle_s
        self._lenient = lenient
        self._two_plies = two_plies
        self._changed_at = now
        self._settled = False

    def correct(self, game: Game, now: Instant) -> None:
        """See `Peer`."""
        self.__init__(game, now, **self._options)  # type: ignore[misc]  # see Peer.correct

    def step(self, frame: Frame, now: Instant) -> None:
        """See `Reader`."""
        before = self.seen
        seen = self.hold(frame)
        if seen != before:
            self._changed_at = now
            self._settled = False
        waited = now - self._changed_at
        if not self._settled and waited >= self._settle_s - 1e-6:
            self._settled = True
            self._match(seen)
        if self._settled and waited >= _ERROR_S and not self.agrees(seen, self.game):
            self.alarm = True
        due = self._settle_s if not self._settled else _ERROR_S
        deadline = Instant(self._changed_at + due)
        self.next_deadline = deadline if deadline > now else None

    def _match(self, seen: SquareSet) -> None:
        self.drop_removed(seen)
        if self.agrees(seen, self.game):
            self.alarm = False
        elif not (self.revisable and self._take_back(seen)):
            committed = self._commit(seen)
            if self.revisable and not committed:
                self._revise(seen)

    def _take_back(self, seen: SquareSet) -> bool:
        game = self.game.parent
        while game is not None:
            if game.position.occupied == seen:
                self.game = game
                self.pending = SquareSet(0)
                self.alarm = False
                return True
            game = game.parent
        return False

    def _commit(self, seen: SquareSet) -> bool:
        found = self._matching(self.game, seen)
        if len(found) == 1:
            self.commit(found[0], seen)
            return True
        pairs = self._pairs(seen) if self._two_plies and not found else []
        if len(pairs) == 1:
            for ply in pairs[0]:
                self.commit(ply, seen)
            return True
        return False

    def _revise(self, seen: SquareSet) -> None:
        parent = self.game.parent
        if parent is None:
            return
        found = self._matching(parent, seen)
        if len(found) == 1:
            self.game = parent
            self.commit(found[0], seen)

    def _matching(self, game: Game, seen: SquareSet) -> list[Ply]:
        return [ply for ply in game.legal_plies if self._fits(game, ply, seen)]

    def _fits(self, game: Game, ply: Ply, seen: SquareSet) -> bool:
        after = game.position.occupied & ~(1 << ply.from_square) & ~ply.captures
        after |= 1 << ply.to_square
        allowed = self.pending & ~(1 << ply.to_square)
        if self._lenient:
            allowed |= ply.captures
        return not (seen ^ after) & ~allowed

    def _pairs(self, seen: SquareSet) -> list[tuple[Ply, Ply]]:
        found = []
        for first in self.game.legal_plies:
            game = self.game.push(first)
            if (seen ^ game.position.occupied).bit_count() > _LARGEST_PLY:
                continue
            found += [(first, second) for second in self._matching(game, seen)]
        return found
