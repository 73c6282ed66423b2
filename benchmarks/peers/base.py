"""What all methods of the peers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.squares import NO_SQUARES, SquareSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Game, Ply
    from hardware.cells import Frame, Instant


class Peer:
    """A reader (`boardctl.simulate.measure.Reader`) that commits moves to a record.

    Attributes:
        game: the record.
        pending: victims of committed plies that still stand.
        alarm: whether it tells the players that something is wrong.
    """

    revisable = 0
    """How many of the last plies the method may still change by itself."""

    def __init__(self, game: Game, now: Instant) -> None:
        self.game = game
        self.pending = NO_SQUARES
        self.alarm = False
        self.lifted = NO_SQUARES
        self.next_deadline: Instant | None = None
        self.seen = game.position.occupied
        self.started_at = now

    @property
    def final(self) -> int:
        """How many plies the method cannot change any more."""
        return max(0, self.game.ply_count - self.revisable)

    def correct(self, game: Game, now: Instant) -> None:
        """The operator sets the record right."""
        self.__init__(game, now)  # type: ignore[misc]  # a fresh start is what an operator does

    def survivor(self, frame: Frame) -> Game:
        """Return the record: those who keep one keep every ply at once."""
        del frame
        return self.game

    def resume(self, final: int, now: Instant) -> None:
        """Keep every ply: no method stores which of them may change."""

    def hold(self, frame: Frame) -> SquareSet:
        """Return the occupancy, with the last known state where nothing was read."""
        self.seen = SquareSet(frame.closed & ~frame.unknown | self.seen & frame.unknown)
        return self.seen

    def commit(self, ply: Ply, seen: SquareSet) -> None:
        """Append a ply to the record; its victims that still stand are pending."""
        self.game = self.game.push(ply)
        owed = (self.pending | ply.captures) & seen & ~(1 << ply.to_square)
        self.pending = SquareSet(owed & ~self.game.position.occupied)
        self.alarm = False

    def agrees(self, seen: SquareSet, game: Game) -> bool:
        """Return whether the board shows this game, pending victims left aside."""
        return not (seen ^ game.position.occupied) & ~self.pending

    def drop_removed(self, seen: SquareSet) -> None:
        """Strike the victims that have left the board."""
        self.pending = SquareSet(self.pending & seen)


def with_route(plies: Iterable[Ply], start: int, end: int) -> list[Ply]:
    """Return the plies from *start* to *end*: several where a victim may be chosen."""
    return [ply for ply in plies if ply.from_square == start and ply.to_square == end]


def chosen(plies: list[Ply], seen: SquareSet) -> Ply | None:
    """Return the ply whose victim has gone, where there is a choice; else the first one."""
    gone = [ply for ply in plies if ply.captures and not ply.captures & seen]
    return next(iter(gone or plies), None)
