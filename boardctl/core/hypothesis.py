"""One story of what the hands have done, and what it costs to believe it.

A story is a game (a `Node`), the time of its last landing, the victims that still stand, and the
squares that it does not believe. Its price is a sum of negative log-likelihoods, one part for each
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

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boardctl.core.tree import squares

if TYPE_CHECKING:
    from boardctl.core.evidence import Evidence
    from boardctl.core.occupancy import Instant
    from boardctl.core.tree import Node


@dataclass(frozen=True, slots=True)
class Prices:
    """What things cost, in natural units of log-likelihood (1 is a factor of e).

    Found by search on generated games (tuning seeds only; docs/recognition.md says how), coarse
    on purpose: none of them may be changed by a third without any game being lost.

    Attributes:
        ply: any ply that has left its footprint.
        carry: the piece of the last ply is carried on to another square.
        retract: the last ply is taken back.
        gap: an edge of which only an interval is known.
        overlap_per_s: the target closed before the origin opened; per second between.
        dark_from: the origin cannot be read.
        dark_to: the target cannot be read.
        dead_to: the target can be read and says nothing: its switch must be dead.
        stuck: a switch that says closed is declared broken.
        own_rate, own_limit: a piece of the side to move is missing.
        other_rate, other_limit: a piece of the other side is missing.
        extra_rate, extra_limit: a piece stands where the game has none, and could be a missing one.
        foreign_limit: the same, and no missing piece could be it.
        left_extra, left_missing: a ply is accepted although this remains unexplained.
    """

    ply: float = 1.0
    carry: float = 0.7
    retract: float = 1.5
    gap: float = 0.7
    overlap_per_s: float = 2.0
    dark_from: float = 1.5
    dark_to: float = 3.5
    dead_to: float = 6.5
    stuck: float = 5.0
    own_rate: float = 0.4
    own_limit: float = 1.0
    other_rate: float = 1.0
    other_limit: float = 2.0
    extra_rate: float = 10.0
    extra_limit: float = 6.0
    foreign_limit: float = 12.0
    left_extra: float = 4.0
    left_missing: float = 1.0


OVERLAP_S = 0.7
"""A target that closed longer than this before its origin opened was not reached from there."""


@dataclass(slots=True)
class Hypothesis:
    """A story; see the module's text.

    Attributes:
        node: the game.
        landed_at: the earliest time at which its last ply can have landed. The next lands later.
        paid: what has been paid for good.
        owed: captured pieces that have not been seen to leave.
        doubted: squares whose switch is broken in this story.
        missing: squares where the game has a piece and the board has none.
        extra: squares where the board has a piece and the game has none.
        since: for each square of those two sets, when it began to disagree.
    """

    node: Node
    landed_at: Instant
    paid: float
    owed: int = 0
    doubted: int = 0
    missing: int = 0
    extra: int = 0
    since: dict[int, Instant] = field(default_factory=dict)

    @property
    def agrees(self) -> bool:
        """Whether the board shows this story's position, victims aside."""
        return not self.missing and not self.extra

    def refresh(self, evidence: Evidence, prices: Prices, now: Instant) -> None:
        """Compare with the board anew."""
        believed = ~(evidence.masked | self.doubted)
        closed = evidence.closed
        self.owed &= closed | ~believed
        missing = self.node.occupied & ~closed & believed
        extra = closed & ~self.node.occupied & ~self.owed & believed
        if missing == self.missing and extra == self.extra:
            return
        for square in squares((self.missing & ~missing) | (self.extra & ~extra)):
            self.paid += self._charge(square, evidence, prices, now)
            del self.since[square]
        for square in squares((missing & ~self.missing) | (extra & ~self.extra)):
            self.since[square] = now
        self.missing, self.extra = missing, extra

    def cost(self, evidence: Evidence, prices: Prices, now: Instant) -> float:
        """Return the price of the story as the board stands now."""
        total = self.paid
        for square in self.since:
            total += self._charge(square, evidence, prices, now)
        return total

    def _charge(self, square: int, evidence: Evidence, prices: Prices, now: Instant) -> float:
        bit = 1 << square
        duration = now - self.since[square]
        if self.extra & bit:
            limit = prices.extra_limit if self.could_be(square, evidence) else prices.foreign_limit
            return min(limit, prices.extra_rate * duration)
        if self.node.own & bit:
            return min(prices.own_limit, prices.own_rate * duration)
        return min(prices.other_limit, prices.other_rate * duration)

    def could_be(self, extra: int, evidence: Evidence) -> int:
        """Return the missing pieces that may be the one standing on `extra`: lifted before."""
        latest = evidence.closed_at[extra] + OVERLAP_S
        found = 0
        for square in squares(self.missing):
            if evidence.opened_from[square] <= latest:
                found |= 1 << square
        return found
