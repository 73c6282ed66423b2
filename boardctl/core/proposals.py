"""How one story can turn into another: what hands do, and what switches do.

    play      the side to move makes a ply: its origin is open, its target closed
    carry     the piece of the last ply moves on: its target is open, another square closed
    retract   the last ply is taken back: its target is open, its origin closed
    doubt     a switch is broken: a square stays closed although no piece can stand there

Each needs a footprint: a change of at least one readable square that happened after the story's
last landing. A piece that lands earlier than the ply before it is no ply of this story at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.core.hypothesis import OVERLAP_S, Hypothesis, Prices
from boardctl.core.occupancy import Instant
from boardctl.core.tree import squares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.core.evidence import Evidence
    from boardctl.core.tree import Node
    from engine.moves import Ply

PATIENCE_S: Final = 0.25
"""A piece that has been in the air for less is not looked for in the dark."""

DOUBT_S: Final = 0.9
"""A switch is not called broken before it has been wrong for this long."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """When a piece can have landed at the earliest, and what that reading costs."""

    landed_at: Instant
    price: float


class Proposals:
    """Proposes the stories that a story can turn into, given the evidence."""

    def __init__(self, evidence: Evidence, prices: Prices) -> None:
        self._evidence = evidence
        self._prices = prices

    def of(self, story: Hypothesis, now: Instant) -> Iterator[Hypothesis]:
        """Yield the stories that `story` turns into by one thing that has left its footprint."""
        if story.extra:
            yield from self._plays(story, now)
            yield from self._second_thoughts(story, now)
        if story.missing & story.node.own and self._evidence.masked | story.doubted:
            yield from self._landings_in_the_dark(story, now)

    def _plays(self, story: Hypothesis, now: Instant) -> Iterator[Hypothesis]:
        node = story.node
        dark = self._evidence.masked | story.doubted
        for target in squares(story.extra):
            footprint = self._landing(story, target)
            if footprint is None:
                continue
            for origin in squares(story.missing & node.own):
                plies = node.plies(origin, target)
                price = self._lift_price(origin, target) if plies else None
                if price is not None:
                    for ply in plies:
                        yield self._played(story, ply, footprint, price, now)
            if node.own & dark:
                for ply in node.plies_to(target):
                    if dark >> ply.from_square & 1:
                        yield self._played(story, ply, footprint, self._prices.dark_from, now)

    def _landings_in_the_dark(self, story: Hypothesis, now: Instant) -> Iterator[Hypothesis]:
        node, evidence = story.node, self._evidence
        dark = (evidence.masked | story.doubted) & ~node.occupied
        for origin in squares(story.missing & node.own):
            if now - evidence.opened_at[origin] < PATIENCE_S:
                continue
            lifted = Instant(max(story.landed_at, evidence.opened_from[origin]))
            for ply in node.plies_from(origin):
                if dark >> ply.to_square & 1:
                    yield self._played(
                        story, ply, Footprint(lifted, self._prices.dark_to), 0.0, now
                    )

    def _second_thoughts(self, story: Hypothesis, now: Instant) -> Iterator[Hypothesis]:
        """Yield the stories in which the last ply ends elsewhere, or is taken back."""
        last, parent = story.node.game.last, story.node.parent
        if last is None or parent is None:
            return
        gone = story.missing | self._evidence.masked | story.doubted
        if not gone >> last.to_square & 1:
            return
        for target in squares(story.extra):
            footprint = self._landing(story, target)
            lift = self._lift_price(last.to_square, target)
            if footprint is None or lift is None:
                continue
            if target == last.from_square:
                yield self._retracted(story, parent, footprint, now)
            for ply in parent.plies(last.from_square, target):
                yield self._carried(story, parent, ply, footprint, lift, now)

    def doubts(self, story: Hypothesis, now: Instant) -> Iterator[Hypothesis]:
        """Yield the stories in which a square that has long been wrong has a broken switch."""
        evidence = self._evidence
        for square in squares(story.extra):
            if now - story.since[square] < DOUBT_S or story.could_be(square, evidence):
                continue
            yield self._doubting(story, square, now)
            footprint = self._landing(story, square)
            if footprint is not None:
                for ply in story.node.plies_to(square):
                    child = self._played(story, ply, footprint, self._prices.stuck, now)
                    child.doubted |= 1 << ply.from_square
                    child.refresh(evidence, self._prices, now)
                    yield child

    def _landing(self, story: Hypothesis, target: int) -> Footprint | None:
        """Return when a piece can have landed on a square after the story's last ply, if ever."""
        evidence = self._evidence
        if evidence.closed_at[target] <= story.landed_at:
            return None
        earliest = evidence.closed_from[target]
        if earliest == evidence.closed_at[target]:
            return Footprint(earliest, 0.0)
        return Footprint(Instant(max(earliest, story.landed_at)), self._prices.gap)

    def _lift_price(self, origin: int, target: int) -> float | None:
        """Return what it costs that a piece left `origin` when it did; None: impossible."""
        evidence = self._evidence
        late = evidence.opened_from[origin] - evidence.closed_at[target]
        if late <= 0:
            return 0.0
        return None if late > OVERLAP_S else late * self._prices.overlap_per_s

    def _played(
        self, story: Hypothesis, ply: Ply, footprint: Footprint, price: float, now: Instant
    ) -> Hypothesis:
        total = story.paid + self._prices.ply + footprint.price + price
        return self._child(story, story.node.play(ply), total, footprint, ply, now)

    def _carried(
        self,
        story: Hypothesis,
        parent: Node,
        ply: Ply,
        footprint: Footprint,
        lift: float,
        now: Instant,
    ) -> Hypothesis:
        total = story.paid + self._prices.carry + footprint.price + lift
        return self._child(story, parent.play(ply), total, footprint, ply, now)

    def _retracted(
        self, story: Hypothesis, parent: Node, footprint: Footprint, now: Instant
    ) -> Hypothesis:
        total = story.paid + self._prices.retract + footprint.price
        return self._child(story, parent, total, footprint, None, now)

    def _doubting(self, story: Hypothesis, square: int, now: Instant) -> Hypothesis:
        """Return the same story with one switch less to believe: a price instead of a charge."""
        bit = 1 << square
        since = {other: began for other, began in story.since.items() if other != square}
        child = Hypothesis(
            node=story.node,
            landed_at=story.landed_at,
            paid=story.paid + self._prices.stuck,
            owed=story.owed,
            doubted=story.doubted | bit,
            missing=story.missing,
            extra=story.extra & ~bit,
            since=since,
        )
        child.refresh(self._evidence, self._prices, now)
        return child

    def _child(
        self,
        story: Hypothesis,
        node: Node,
        paid: float,
        footprint: Footprint,
        ply: Ply | None,
        now: Instant,
    ) -> Hypothesis:
        """Return a story that follows from `story`; what it leaves unexplained is charged now."""
        captures = 0 if ply is None else int(ply.captures)
        owed = (story.owed & ~node.occupied) | captures
        child = Hypothesis(node, footprint.landed_at, paid, owed, story.doubted)
        child.refresh(self._evidence, self._prices, now)
        for square in child.since:
            began = story.since.get(square)
            if began is None:
                continue
            child.since[square] = began
            if ply is not None:
                child.paid += self._left(child, square)
        return child

    def _left(self, child: Hypothesis, square: int) -> float:
        if child.extra >> square & 1:
            return self._prices.left_extra
        # The next player may lift a piece before this one has landed.
        return 0.0 if child.node.own >> square & 1 else self._prices.left_missing
