"""B-4 confirm button (smart-chessboard-logic, DIY-Machines)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.cells import Instant
from peers.base import Peer

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from boardctl.simulate import Recording
    from engine import Game, Side
    from engine.squares import SquareSet
    from hardware.cells import Frame


def presses(
    recording: Recording, rng: random.Random, *, forgotten: float
) -> list[tuple[Instant, Side]]:
    """Return when which side presses: 0.3-1.5 s after its move, some of them never.

    Whoever presses is quick enough to do so before the opponent lifts, if that can be done.
    """
    side = recording.start.position.side
    plies = recording.truth.plies
    found = []
    for number, done in enumerate(plies):
        at = done.known_at + rng.uniform(0.3, 1.5)
        if number + 1 < len(plies):
            at = max(done.known_at + 0.05, min(at, plies[number + 1].lifted_at - 0.05))
        if rng.random() >= forgotten:
            found.append((Instant(at), side))
        side = side.other
    return sorted(found, key=lambda press: press[0])


class ConfirmButton(Peer):
    """Read the board when the player presses the button, and only then."""

    def __init__(
        self, game: Game, now: Instant, *, pressed: Sequence[tuple[Instant, Side]]
    ) -> None:
        super().__init__(game, now)
        self._pressed = [press for press in pressed if press[0] >= now]
        self.next_deadline = self._pressed[0][0] if self._pressed else None

    def correct(self, game: Game, now: Instant) -> None:
        """See `Peer`."""
        self.__init__(game, now, pressed=self._pressed)  # type: ignore[misc]  # see Peer.correct

    def step(self, frame: Frame, now: Instant) -> None:
        """See `Reader`."""
        seen = self.hold(frame)
        while self._pressed and self._pressed[0][0] <= now:
            _, side = self._pressed.pop(0)
            if side is self.game.side:
                self._confirm(seen)
        self.next_deadline = self._pressed[0][0] if self._pressed else None

    def _confirm(self, seen: SquareSet) -> None:
        self.drop_removed(seen)
        found = []
        for ply in self.game.legal_plies:
            after = self.game.position.occupied & ~(1 << ply.from_square) & ~ply.captures
            after |= 1 << ply.to_square
            allowed = (self.pending | ply.captures) & ~(1 << ply.to_square)
            if not (seen ^ after) & ~allowed:
                found.append(ply)
        if len(found) == 1:
            self.commit(found[0], seen)
        else:
            self.alarm = True
