"""One story of what the hands have done, and what it costs to believe it.

A story is a game (a `Node`), the time of its last landing, the victims that still stand, and the
switches that it does not believe. Its price is a sum of negative log-likelihoods, one part for each
thing that must have happened for the story to be true:

* what has been paid once: each ply, each change of mind, each switch declared broken (`paid`);
* what the board says against the story now, growing while it lasts and limited, square by square.

      charge                 ________________ limit: after this it says nothing new
                            /
                           /  rate: something short is no evidence (a piece sliding over)
      ____________________/
                          since: the square began to disagree

A piece missing is cheap: it is in a hand. A piece where the game has none is dear: somebody put it
there. It is dearer still where no piece is missing that could stand there, for then only a broken
switch or a foreign body explains it. When a disagreement ends, what it has cost stays paid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from boardctl.core.evidence import LONG_AGO
from boardctl.core.occupancy import Instant
from boardctl.core.tree import common_ancestor, squares

if TYPE_CHECKING:
    from boardctl.core.evidence import Evidence
    from boardctl.core.tree import Node


@dataclass(frozen=True, slots=True)
class Prices:
    """What things cost, in natural units of log-likelihood (1 is a factor of e).

    Attributes:
        ply: any ply that has left its footprint.
        carry: the piece of the last ply is carried on to another square.
        late_per_s, late_limit: it had stood for longer than `LATE_S` before; per second more.
        retract: the last ply is taken back.
        victim_off: with either, a victim that has left belongs on the board again.
        victim_back: more for one that stands there before the piece has gone back or on.
        astray_from: a piece is played that had been missing while play went on without it.
        gap: an edge of which only an interval is known.
        held_per_s, held_limit: a piece was in the hand for longer than `HELD_S`; per second more.
        early_per_s, early_limit: a piece was lifted before that of the ply before; per second.
        hasty: a piece landed just before that of the ply before.
        overlap_per_s: the target closed before the origin opened, or, of squares that are no
            neighbours, less than `TRAVEL_S` after it; per second too early.
        dark_from: the origin cannot be read.
        dark_to: the target cannot be read.
        stuck: a switch that says closed is declared broken.
        own_rate, own_limit: a piece of the side to move is missing.
        other_rate, other_limit: a piece of the other side is missing, or more than hands hold.
        unseen_rate: a piece is missing that nobody has seen being lifted; limited as above.
        spared_rate: a piece is missing that the last ply could have taken instead of another.
        extra_rate, extra_limit: a piece stands where the game has none, and could be a missing one.
        foreign_limit: the same, and no missing piece could be it.
        haunted_rate, haunted_limit: the same, where the switch has closed without a piece before.
        left_extra, left_missing: a ply is accepted although this remains unexplained.
        passing: the same, and the piece moved last has gone on within `PASSING_S`.
    """

    ply: float = 1.0
    carry: float = 0.7
    retract: float = 1.5
    victim_off: float = 1.0
    victim_back: float = 2.0
    late_per_s: float = 0.5
    late_limit: float = 3.0
    astray_from: float = 3.0
    gap: float = 0.7
    held_per_s: float = 0.2
    held_limit: float = 6.0
    early_per_s: float = 1.0
    early_limit: float = 2.0
    hasty: float = 3.0
    overlap_per_s: float = 6.0
    dark_from: float = 1.5
    dark_to: float = 3.5
    stuck: float = 6.0
    own_rate: float = 0.4
    own_limit: float = 1.0
    other_rate: float = 2.0
    other_limit: float = 4.0
    unseen_rate: float = 20.0
    spared_rate: float = 7.0
    extra_rate: float = 7.0
    extra_limit: float = 6.0
    foreign_limit: float = 12.0
    haunted_rate: float = 3.0
    haunted_limit: float = 3.0
    left_extra: float = 4.0
    left_missing: float = 1.0
    passing: float = 2.0


OVERLAP_S: Final = 0.7
"""A target that closed longer than this before its origin opened was not reached from there."""

APART_S: Final = 0.25
"""The same for squares that are no neighbours: no piece is felt by both, but one may rattle."""

TRAVEL_S: Final = 0.1
"""A hand seldom needs less from one square to another that is no neighbour."""

LATE_S: Final = 1.5
"""A piece that is carried on mostly is so sooner after it has landed."""

HELD_S: Final = 10.0
"""Nobody holds a piece for longer while he thinks."""

FORGOTTEN_S: Final = 5.0
"""A piece that had been missing for so long when a ply was made is not part of that ply."""

AGAIN_S: Final = 10.0
"""A square that disagrees again within this time does so for the same reason."""

AGAIN: Final = 2.0
"""What it costs at least when a piece too many is felt again: it may be another one."""

HANDS: Final = 2
"""More pieces of his own than this nobody holds at once."""

LOST: Final = 2
"""With more pieces lost than this the board does not show the game: it is being set up."""

ASTRAY_S: Final = 30.0
"""A piece that has been missing for longer is not the one that has just been put somewhere."""

NEVER: Final = Instant(float("inf"))


class Charge(NamedTuple):
    """What one disagreeing square costs: from `since` on, so much a second, up to a limit."""

    since: Instant
    rate: float
    limit: float

    def at(self, now: Instant) -> float:
        """Return what has become due."""
        return min(self.limit, self.rate * (now - self.since))


class Hypothesis:
    """A story; see the module's text.

    Attributes:
        node: the game.
        landed_at: the earliest time at which its last ply can have landed. The next lands later.
        paid: what has been paid for good.
        owed: captured pieces that have not been seen to leave.
        doubted: squares whose switch is broken in this story.
        disputes: other ways to the same position, which nothing to come can tell apart: after how
            many plies they part, and by how much the cheapest such is dearer.
        unfelt: pieces that have landed where no switch could be read; to be felt there later.
        settled: what squares that agree again have cost, and until when they disagreed.
        missing: squares where the game has a piece and the board has none.
        extra: squares where the board has a piece and the game has none.
        charges: what each square of those two sets costs.
        total: the price at the time of the last `appraise`.
        rate: how fast the price grew then, per second.
        knee: when that rate next falls, `NEVER` when the price does not grow.
    """

    __slots__ = (
        "charges",
        "disputes",
        "doubted",
        "extra",
        "knee",
        "landed_at",
        "missing",
        "node",
        "owed",
        "paid",
        "rate",
        "settled",
        "total",
        "unfelt",
    )

    def __init__(
        self, node: Node, landed_at: Instant, paid: float, owed: int = 0, doubted: int = 0
    ) -> None:
        self.node = node
        self.landed_at = landed_at
        self.paid = paid
        self.owed = owed
        self.doubted = doubted
        self.missing = 0
        self.extra = 0
        self.charges: dict[int, Charge] = {}
        self.disputes: dict[int, float] = {}
        self.settled: dict[int, tuple[float, Instant]] = {}
        self.unfelt = 0
        self.total = paid
        self.rate = 0.0
        self.knee = NEVER

    @property
    def astray(self) -> int:
        """The missing pieces that play has gone on without: lost, or above a dead switch."""
        latest = self.landed_at - FORGOTTEN_S
        return sum(1 << square for square in squares(self.missing) if self.since(square) < latest)

    @property
    def agrees(self) -> bool:
        """Whether the board shows this story's position; victims and a few lost pieces aside."""
        if not self.charges:
            return True
        few = self.missing.bit_count() <= LOST
        return few and not self.extra and self.missing == self.astray

    def refresh(self, evidence: Evidence, prices: Prices, now: Instant) -> None:
        """Compare with the board anew."""
        masked = evidence.masked | self.doubted
        closed = evidence.closed
        occupied = self.node.occupied
        self.owed &= closed | masked
        if self.unfelt & ~evidence.masked:
            self._feel(evidence, prices)
        missing = occupied & ~(closed | masked)
        extra = closed & ~(occupied | self.owed | masked)
        if missing == self.missing and extra == self.extra:
            return
        for square in squares((self.missing & ~missing) | (self.extra & ~extra)):
            cost = self.charges.pop(square).at(now)
            self.paid += cost
            self.settled[square] = (cost + self._lately(square, now), now)
        appeared = extra | (missing & ~self.missing)
        self.missing, self.extra = missing, extra
        for square in squares(appeared):
            known = self.charges.get(square)
            since = now if known is None else known.since
            self.charges[square] = self._charge(square, since, evidence, prices)

    def _feel(self, evidence: Evidence, prices: Prices) -> None:
        """Take back the price of a landing in the dark that turns out to be true."""
        felt = self.unfelt & ~evidence.masked
        self.paid -= (felt & evidence.closed).bit_count() * (prices.dark_to - prices.gap)
        self.unfelt &= ~felt

    def appraise(self, now: Instant) -> float:
        """Work out the price as it is now, and how it will grow; return it."""
        total, rate, knee = self.paid, 0.0, NEVER
        for charge in self.charges.values():
            due = charge.rate * (now - charge.since)
            if due >= charge.limit:
                total += charge.limit
            else:
                total += due
                rate += charge.rate
                knee = min(knee, Instant(charge.since + charge.limit / charge.rate))
        self.total, self.rate, self.knee = total, rate, knee
        return total

    def dispute(self, node: Node, total: float) -> None:
        """Note that another story has come to the same position at this price, and is dropped."""
        if node is not self.node:
            depth = common_ancestor(node, self.node).depth
            dearer = max(0.0, total - self.total)
            self.disputes[depth] = min(dearer, self.disputes.get(depth, dearer))

    def since(self, square: int) -> Instant:
        """Return since when a square of `missing` or `extra` has disagreed."""
        return self.charges[square].since

    def remember(self, story: Hypothesis, now: Instant) -> None:
        """Take over what squares have cost lately in `story` where nothing else is expected now."""
        changed = self.node.occupied ^ story.node.occupied
        for square, (cost, until) in story.settled.items():
            if not changed >> square & 1 and now - until <= AGAIN_S:
                self.settled[square] = cost, until

    def inherit(self, story: Hypothesis, evidence: Evidence, prices: Prices) -> None:
        """Take over what disagreed in `story` already: since when, and what a gap costs.

        A piece that is missed by the side to move is cheap; it does not become so by a ply.
        """
        for square in squares(self.missing & story.missing):
            known = story.charges[square]
            charge = self._charge(square, known.since, evidence, prices)
            self.charges[square] = charge if charge.limit > known.limit else known
        for square in squares(self.extra & story.extra):
            since = story.charges[square].since
            self.charges[square] = self._charge(square, since, evidence, prices)

    def could_be(self, extra: int, evidence: Evidence) -> int:
        """Return the missing pieces that may be the one standing on `extra`: lifted before."""
        closed_at = evidence.closed_at[extra]
        found = 0
        for square in squares(self.missing):
            before = evidence.opened_from[square] - OVERLAP_S <= closed_at
            if before and evidence.opened_at[square] >= closed_at - ASTRAY_S:
                found |= 1 << square
        return found

    def _lately(self, square: int, at: Instant) -> float:
        """Return what a square has cost that agreed again shortly before `at`."""
        cost, until = self.settled.get(square, (0.0, LONG_AGO))
        return cost if at - until <= AGAIN_S else 0.0

    def _charge(self, square: int, since: Instant, evidence: Evidence, prices: Prices) -> Charge:
        rate, limit = self._tariff(square, evidence, prices)
        left = limit - self._lately(square, since)
        least = min(limit, AGAIN) if self.extra >> square & 1 else 0.0
        return Charge(since, rate, max(least, left))

    def _tariff(self, square: int, evidence: Evidence, prices: Prices) -> tuple[float, float]:
        """Return what a disagreeing square costs a second, and at most."""
        if self.extra >> square & 1:
            if evidence.haunted(square):
                return prices.haunted_rate, prices.haunted_limit
            known = self.could_be(square, evidence)
            limit = prices.extra_limit if known else prices.foreign_limit
            return prices.extra_rate, limit
        if self.node.spared >> square & 1:
            return prices.spared_rate, prices.other_limit
        if not evidence.seen_opening(square):
            return prices.unseen_rate, prices.other_limit
        if self.node.own >> square & 1 and self._fits_a_hand(square, evidence):
            return prices.own_rate, prices.own_limit
        return prices.other_rate, prices.other_limit

    def _fits_a_hand(self, square: int, evidence: Evidence) -> bool:
        """Tell whether a player can hold this piece, and those that he has lifted before it.

        Pieces swept off the board are no cheaper for being those of the side to move: else the last
        ply would be taken back for them.
        """
        at = evidence.opened_at[square]
        lifted = ((evidence.opened_at[one], one) for one in squares(self.missing & self.node.own))
        before = sum((at - ASTRAY_S, 0) <= one < (at, square) for one in lifted)
        return before < HANDS
