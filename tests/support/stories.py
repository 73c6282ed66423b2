"""A board, hands and a reader for tests that tell a story.

    story = Story("market")                     # the defenders move first
    story.lift("e7").wait(1.0).put("a7")        # hands; squares by name
    story.wait(0.3).shows("e7-a7")              # the moves as they stand now
    story.sees(situation="in-sync", lifted="")  # the reading; squares by name, in order

The clock runs in scans of 5 ms and stops only where the reader asked to be woken, as the daemon's
does. A story checks by itself that the reading is never impossible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.recogniser import Recogniser
from engine import Game, Side, load_variant, parse_position
from engine.squares import ALL_SQUARES, SquareSet, parse_square, square_names

if TYPE_CHECKING:
    from boardctl.core.reading import Reading

SCAN_S = 0.005


def squares(names: str) -> int:
    """The set of the squares named in a text such as `e3 e4`."""
    bits = 0
    for name in names.split():
        bits |= 1 << parse_square(name)
    return bits


class Story:
    """Pieces on a board, and what the recogniser makes of them."""

    def __init__(
        self, variant: str, *, position: str | None = None, side: Side | None = None
    ) -> None:
        ruleset = load_variant(variant)
        mover = side if side is not None else ruleset.first or Side.ATTACKER
        start = None if position is None else parse_position(position, mover)
        self.game = Game.start(ruleset, side=mover, position=start)
        self.now = Instant(0.0)
        self.standing = int(self.game.position.occupied)
        self.unread = 0
        self.stuck: dict[int, bool] = {}
        self.ever_shown: list[tuple[str, ...]] = []
        self.reader = Recogniser(self.game, self.now)
        self.reading = self._look()

    # -- hands ----------------------------------------------------------------------------

    def lift(self, names: str) -> Story:
        """Take pieces off the board."""
        bits = squares(names)
        assert self.standing & bits == bits, f"nothing to lift on {names}"
        self.standing &= ~bits
        return self._changed()

    def put(self, names: str) -> Story:
        """Set pieces down."""
        bits = squares(names)
        assert not self.standing & bits, f"{names} is taken"
        self.standing |= bits
        return self._changed()

    def move(self, start: str, end: str, *, hold_s: float = 0.6) -> Story:
        """Lift a piece, hold it, set it down."""
        return self.lift(start).wait(hold_s).put(end)

    def slide(self, *path: str, rest_s: float = 0.06, gap_s: float = 0.04) -> Story:
        """Push a piece over the squares named; each feels it for a moment."""
        self.lift(path[0])
        for square in path[1:-1]:
            self.wait(gap_s).put(square).wait(rest_s).lift(square)
        return self.wait(gap_s).put(path[-1])

    def play(self, *moves: str) -> Story:
        """Make moves calmly, taking the victims off at once."""
        for text in moves:
            path, _, taken = text.partition("x")
            start, end = path.split("-")
            self.wait(1.0).move(start, end)
            for victim in taken.split("/") if taken else ():
                self.wait(0.4).lift(victim)
            self.wait(0.5)
        return self

    # -- switches -------------------------------------------------------------------------

    def unreadable(self, names: str) -> Story:
        """Let these squares be unreadable from now on; none: all can be read again."""
        self.unread = squares(names)
        return self._changed()

    def stick(self, name: str, *, closed: bool) -> Story:
        """Let a switch say the same for ever."""
        self.stuck[parse_square(name)] = closed
        return self._changed()

    def mend(self, name: str) -> Story:
        """Let a stuck switch speak the truth again."""
        del self.stuck[parse_square(name)]
        return self._changed()

    # -- time -----------------------------------------------------------------------------

    def wait(self, seconds: float) -> Story:
        """Let time pass; the reader is woken when it asked for it."""
        until = self.now + seconds
        while True:
            due = self.reader.next_deadline
            if due is None or due > until:
                break
            assert due > self.now, "a deadline that has passed"
            scans = max(1, -int(-(due - self.now) // SCAN_S))
            self.now = Instant(min(until, self.now + scans * SCAN_S))
            self._take(self.reader.step(None, self.now))
        self.now = Instant(until)
        return self

    def restart(
        self, *, game: Game | None = None, final: int | None = None, off_s: float = 30.0
    ) -> Story:
        """Cut the power; the reader goes on with the plies shown, or with this game, all final."""
        known = self.reading.game if game is None else game
        if final is None:
            final = self.reading.final if game is None else game.ply_count
        self.now = Instant(self.now + off_s)
        self.reader = Recogniser(known, self.now, final=final)
        self.reading = self._look()
        return self

    def dark(self, *moves: str) -> Story:
        """Play these moves while the power is off, and switch it on again."""
        game = self.reading.game
        for text in moves:
            game = game.push(game.parse(text))
        return self.left(int(game.position.occupied))

    def left(self, standing: int) -> Story:
        """Find the pieces standing so when the power returns."""
        self.standing = standing
        return self.restart()

    def undo(self) -> Story:
        """Let the operator take the last ply back."""
        self.reader.revise(self.reading.game.undo(), self.now)
        self._take(self.reader.step(None, self.now))
        return self

    # -- what must be told ----------------------------------------------------------------

    @property
    def moves(self) -> list[str]:
        """The moves as they stand now."""
        return [str(ply) for ply in self.reading.game.plies]

    def shows(self, *moves: str) -> Story:
        """Check all moves as they stand now."""
        assert self.moves == list(moves)
        return self

    def sees(self, **expected: str) -> Story:
        """Check fields of the reading: squares by their names, the situation by its word."""
        for field, wanted in expected.items():
            value = getattr(self.reading, field)
            found = value.value if field == "situation" else " ".join(square_names(value))
            assert found == wanted, f"{field}: {found!r}, not {wanted!r}, at {self.now:.3f} s"
        return self

    def pends(self, move: str | None) -> Story:
        """Check the move that waits for its choice of victim."""
        pending = self.reading.pending
        assert (None if pending is None else str(pending)) == move
        return self

    def final(self, plies: int) -> Story:
        """Check how many plies are final."""
        assert self.reading.final == plies
        return self

    def never_showed(self, move: str) -> Story:
        """Check that a move was not shown at any time."""
        assert all(move not in moves for moves in self.ever_shown)
        return self

    # -- inside ---------------------------------------------------------------------------

    @property
    def closed(self) -> SquareSet:
        """What the switches say."""
        bits = self.standing
        for square, closed in self.stuck.items():
            bits = bits | 1 << square if closed else bits & ~(1 << square)
        return SquareSet(bits & ALL_SQUARES)

    def _look(self) -> Reading:
        occupancy = Occupancy(SquareSet(self.closed & ~self.unread), SquareSet(self.unread))
        reading = self.reader.step(occupancy, self.now)
        self._take(reading)
        return reading

    def _changed(self) -> Story:
        self.wait(SCAN_S)
        self._look()
        return self

    def _take(self, reading: Reading) -> None:
        """Keep a reading that makes sense."""
        assert 0 <= reading.final <= reading.game.ply_count
        assert not reading.lifted & reading.missing
        assert not reading.misplaced & ~reading.extra
        self.reading = reading
        moves = tuple(str(ply) for ply in reading.game.plies)
        if not self.ever_shown or self.ever_shown[-1] != moves:
            self.ever_shown.append(moves)
