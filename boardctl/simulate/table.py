"""The pieces on the wood and the hands above them: what every gesture does to the switches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.squares import Square, SquareSet, members, square_file, square_rank
from hardware.cells import Cell, CellSet, Instant
from hardware.mock.hands import Gesture, Hands, line
from hardware.mock.reeds import EdgeQueue

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from hardware.mock.effects import Effects, Span

FORGOTTEN = Instant(math.inf)


def road(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares from *start* to *end* in a straight line, both included."""
    return tuple(Square(cell) for cell in line(Cell(start), Cell(end)))


class Table:
    """Where the pieces physically are, and a clock that gestures move forward.

    Attributes:
        now: when the last gesture that was waited for ended.
        edges: the contacts' changes so far, also some that lie after `now`.
        standing: the squares that hold a piece, felt or not, in the game or not.
        due: captured pieces that still stand, with the instant of their removal.
        disturbed: the times when board and game truly disagree, by an effect's number.
    """

    def __init__(
        self, effects: Effects, rng: random.Random, standing: SquareSet, now: Instant
    ) -> None:
        self.effects = effects
        self.rng = rng
        self.hands = Hands(effects, rng, CellSet(standing))
        self.standing = standing
        self.now = now
        self.edges = EdgeQueue()
        self.due: dict[Square, Instant] = {}
        self.disturbed: list[tuple[str, Instant, Instant]] = []

    def draw(self, span: Span) -> float:
        """Draw a time between the two ends of a span."""
        return self.rng.uniform(*span)

    def wait(self, span: Span) -> None:
        """Let some time pass."""
        self.now = Instant(self.now + self.draw(span))

    def lift(self, square: Square) -> None:
        """Take a piece off the board now."""
        self._done(self.hands.lift(Cell(square), self.now))
        self.standing = SquareSet(self.standing & ~(1 << square))

    def put(self, square: Square) -> Instant:
        """Set a piece down now; return when its switch feels it for good."""
        self._done(self.hands.put(Cell(square), self.now))
        return self._landed(square, self.now)

    def carry(self, start: Square, end: Square, hold: Span) -> Instant:
        """Lift a piece now, hold it, set it down; return when its switch feels it for good."""
        self.lift(start)
        self.wait(hold)
        return self.put(end)

    def push(self, start: Square, end: Square) -> Instant:
        """Push a piece in a straight line now; return when its switch feels it for good."""
        path = line(Cell(start), Cell(end))
        gesture = self.hands.push(path, self.now, self.hands.speed())
        self._done(gesture)
        self.standing = SquareSet(self.standing & ~(1 << start))
        closing = [edge.at for edge in gesture.edges if edge.cell == Cell(end) and edge.closed]
        return self._landed(square=end, at=closing[0] if closing else gesture.ends)

    def clear_line(self, start: Square, end: Square) -> bool:
        """Return whether a piece can be pushed from *start* to *end*."""
        if square_file(start) != square_file(end) and square_rank(start) != square_rank(end):
            return False
        return not any(self.standing >> square & 1 for square in road(start, end)[1:])

    def remove_due(self, until: Instant) -> None:
        """Remove the victims whose time comes before *until*; the clock stays."""
        for square, at in sorted(self.due.items(), key=lambda item: item[1]):
            if at < until:
                self._remove(square, at)

    def remove_now(self, squares: Sequence[Square]) -> None:
        """Remove these victims at once, one after the other."""
        for square in squares:
            self._remove(square, self.now)
            self.wait((0.2, 0.6))

    def free(self, among: SquareSet) -> list[Square]:
        """Return the squares of a set where nothing stands."""
        return list(members(SquareSet(among & ~self.standing)))

    def disturb(self, effect: str, since: Instant) -> None:
        """Note that board and game disagreed from *since* until now."""
        self.disturbed.append((effect, since, self.now))

    def _remove(self, square: Square, at: Instant) -> None:
        self.edges.add(self.hands.lift(Cell(square), at).edges)
        self.standing = SquareSet(self.standing & ~(1 << square))
        self.due.pop(square, None)

    def _landed(self, square: Square, at: Instant) -> Instant:
        """Settle a piece that has been set down: one that is not felt is shifted after a while."""
        self.standing = SquareSet(self.standing | 1 << square)
        if self.hands.reeds.feels(Cell(square)):
            return at
        since = self.now
        self.wait(self.effects.shift_s)
        self._done(self.hands.shift(Cell(square), self.now))
        self.disturb("N6", since)
        return self.now

    def _done(self, gesture: Gesture) -> None:
        self.edges.add(gesture.edges)
        self.now = max(self.now, gesture.ends)
