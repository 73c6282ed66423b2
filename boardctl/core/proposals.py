"""How one story can turn into another: what hands do, and what switches do.

    play      the side to move makes a ply: its origin is open, its target closed
    carry     the piece of the last ply moves on: its target is open, another square closed
    retract   the last ply is taken back: its target is open, its origin closed
    doubt     a switch is broken: a square stays closed although no piece can stand there

Each needs a footprint: a change of at least one readable square that happened after the story's
last landing. A piece that lands earlier than the ply before it is no ply of this story at all, but
for a hand that was hasty by a moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core.hypothesis import (
    APART_S,
    HELD_S,
    LATE_S,
    OVERLAP_S,
    TRAVEL_S,
    Hypothesis,
    Prices,
)
from boardctl.core.occupancy import Instant
from boardctl.core.proposal import Proposal
from boardctl.core.tree import Node, beside, squares
from engine.squares import NO_SQUARES, SquareSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from boardctl.core.evidence import Evidence
    from engine.moves import Ply

PATIENCE_S: Final = 0.25
"""A piece that has been in the air for less is not looked for in the dark."""

FEW: Final = 5
"""With more squares than this in disagreement no ply without a landing is thought of."""

HASTE_S: Final = 0.5
"""Whose turn it is next may lift and land his piece this long before the other lifts and lands."""

DOUBT_S: Final = 0.9
"""A switch is not called broken before it has been wrong for this long."""


class Proposals:
    """Proposes the stories that a story can turn into, given the evidence."""

    def __init__(self, evidence: Evidence, prices: Prices) -> None:
        self._evidence = evidence
        self._prices = prices

    def of(self, story: Hypothesis, final: int, now: Instant) -> Iterator[Proposal]:
        """Yield the stories that `story` turns into by one thing that has left its footprint.

        The first `final` plies change only where a switch saw the piece land that undoes them.
        """
        if story.extra:
            yield from self._plays(story)
            yield from self._second_thoughts(story, final)
        if self._unseen(story.missing):
            yield from self._pairs_in_a_gap(story, final)
        if self._evidence.masked | story.doubted:
            yield from self._landings_in_the_dark(story, now)
            if story.node.depth > final:
                yield from self._second_thoughts_in_the_dark(story, now)

    def doubts(self, story: Hypothesis, now: Instant) -> Iterator[Proposal]:
        """Yield the stories in which a square that has long been wrong has a broken switch."""
        price = story.paid + self._prices.stuck
        for square in squares(story.extra):
            foreign = not story.could_be(square, self._evidence)
            if not foreign or now < story.since(square) + DOUBT_S:
                continue
            doubted = story.doubted | 1 << square
            yield Proposal(story, story.node, None, story.landed_at, price, doubted)
            footprint = self._landing(story, square)
            if footprint is not None:
                landed_at, gap = footprint
                for ply in story.node.plies_to(square):
                    doubted = story.doubted | 1 << ply.from_square
                    paid = price + self._prices.ply + gap
                    yield Proposal(story, story.node, ply, landed_at, paid, doubted)

    def next_deadline(self, story: Hypothesis, now: Instant) -> Instant | None:
        """Return when a story can turn into another by mere waiting."""
        times = [story.since(square) + DOUBT_S for square in squares(story.extra)]
        if self._evidence.masked | story.doubted:
            lifted = squares(self._lifted(story))
            times += [self._evidence.opened_at[square] + PATIENCE_S for square in lifted]
            last = story.node.game.last
            if last is not None and story.missing >> last.to_square & 1:
                times.append(self._evidence.opened_at[last.to_square] + PATIENCE_S)
        return min((Instant(time) for time in times if time > now), default=None)

    def _plays(self, story: Hypothesis) -> Iterator[Proposal]:
        node = story.node
        lifted = squares(self._lifted(story))
        astray = story.astray
        evidence = self._evidence
        unread = node.own & (evidence.flaky | story.doubted | (evidence.dark & evidence.closed))
        for target in squares(story.extra):
            footprint = self._landing(story, target) or self._hasty_landing(story, target)
            if footprint is None:
                continue
            landed_at, gap = footprint
            paid = story.paid + self._prices.ply + gap
            for origin in lifted:
                lift = self._lift_price(origin, target)
                if lift is not None:
                    lift += self._early_price(story, origin)
                    if astray >> origin & 1:
                        lift += self._prices.astray_from
                    after = self._after_lift(landed_at, origin, gap)
                    for ply in node.plies(origin, target):
                        yield Proposal(story, node, ply, after, paid + lift, story.doubted)
            if unread:
                paid += self._prices.dark_from
                for ply in node.plies_to(target):
                    if unread >> ply.from_square & 1:
                        yield Proposal(story, node, ply, landed_at, paid, story.doubted)

    def _landings_in_the_dark(self, story: Hypothesis, now: Instant) -> Iterator[Proposal]:
        node, evidence = story.node, self._evidence
        dark = (evidence.masked | story.doubted) & ~node.occupied
        paid = story.paid + self._prices.ply + self._prices.dark_to
        for origin in squares(self._lifted(story)):
            if now < evidence.opened_at[origin] + PATIENCE_S:
                continue
            landed_at = Instant(max(story.landed_at, evidence.opened_from[origin]))
            price = paid + self._early_price(story, origin)
            price += self._prices.astray_from if story.astray >> origin & 1 else 0.0
            for ply in node.plies_from(origin):
                if dark >> ply.to_square & 1:
                    yield Proposal(story, node, ply, landed_at, price, story.doubted)

    def _pairs_in_a_gap(self, story: Hypothesis, final: int) -> Iterator[Proposal]:
        """Yield pairs of plies that hide each other: nothing was read between the two.

        The second takes the piece that the first has moved, refills the square it has left, or
        stands where the first has taken a piece.
        """
        if len(story.charges) > FEW:
            return
        paid = story.paid + 2 * (self._prices.ply + self._prices.gap)
        origins = squares(self._unseen(story.missing))
        for node, first, ends in self._hidden(story, final):
            if not self._in_order(story, first.to_square, ends):
                continue
            middle = node.play(first)
            shown = story.extra >> first.to_square & 1
            for origin in origins:
                for second in middle.plies(origin, ends):
                    if shown or second.captures >> first.to_square & 1:
                        landed_at = Instant(
                            max(story.landed_at, self._evidence.opened_from[origin])
                        )
                        yield Proposal(story, middle, second, landed_at, paid, story.doubted)

    def _in_order(self, story: Hypothesis, first: int, second: int) -> bool:
        """Tell whether pieces may have landed on two squares in this order after the last ply."""
        evidence = self._evidence
        latest = evidence.closed_at[second]
        if not story.extra >> second & 1:
            latest = max(latest, evidence.started_at, evidence.blind_until[second])
        if latest <= story.landed_at:
            return False
        if not story.extra >> first & 1:
            return True
        return evidence.closed_at[first] > story.landed_at and evidence.closed_from[first] <= latest

    def _hidden(self, story: Hypothesis, final: int) -> Iterator[tuple[Node, Ply, int]]:
        """Yield the first plies that may have hidden behind a second, and where that one ends.

        With each the game that it is played in: the story's own, or, where the last ply may have
        been carried on, the one before.
        """
        node, closed = story.node, self._evidence.closed
        carried = [] if node.depth <= final else self._carried(node)
        for target in squares(story.extra):
            footprint = self._landing(story, target)
            if footprint is not None and footprint[1]:
                firsts: list[tuple[Node, Ply, int]] = []
                firsts += [(node, ply, ply.from_square) for ply in node.plies_to(target)]
                firsts += [first for first in carried if first[1].to_square == target]
                yield from (first for first in firsts if closed >> first[2] & 1)
        for origin in squares(self._unseen(story.missing & node.own)):
            for ply in node.plies_from(origin):
                yield from self._followers(story, node, ply)
        for parent, ply, left in carried:
            if story.missing >> left & 1:
                yield from self._followers(story, parent, ply)
        yield from self._refilled_and_taken(story)

    def _followers(
        self, story: Hypothesis, node: Node, ply: Ply
    ) -> Iterator[tuple[Node, Ply, int]]:
        """Yield where a second ply may end: where the first has taken a piece, or beside it."""
        for victim in squares(ply.captures & self._evidence.closed):
            yield node, ply, victim
        for target in squares(story.extra):
            if beside(ply.to_square, target):
                yield node, ply, target

    def _refilled_and_taken(self, story: Hypothesis) -> Iterator[tuple[Node, Ply, int]]:
        """Yield the steps whose piece may have been taken from the very square that it has left.

        Of both plies nothing is seen but that one piece is missing.
        """
        if story.extra or story.missing.bit_count() > 1:
            return
        for ply in story.node.game.legal_plies:
            origin, closed = ply.from_square, self._evidence.closed
            if beside(origin, ply.to_square) and closed >> origin & 1:
                yield story.node, ply, origin

    def _carried(self, node: Node) -> list[tuple[Node, Ply, int]]:
        """Return where the piece of the last ply may have been carried on to, and from where."""
        last, parent = node.game.last, node.parent
        if last is None or parent is None:
            return []
        plies = parent.plies_from(last.from_square)
        return [(parent, ply, last.to_square) for ply in plies if ply != last]

    def _unseen(self, missing: int) -> int:
        """Return the pieces among *missing* that nobody has seen leaving."""
        evidence = self._evidence
        return sum(1 << square for square in squares(missing) if not evidence.seen_opening(square))

    def _second_thoughts(self, story: Hypothesis, final: int) -> Iterator[Proposal]:
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
            landed_at, gap = footprint
            if gap and story.node.depth <= final:
                continue
            landed_at = self._after_lift(landed_at, last.to_square, gap)
            paid = story.paid + gap + lift
            if target == last.from_square:
                yield self._taken_back(story, parent, landed_at, paid)
            plies = parent.plies(last.from_square, target)
            yield from self._carried_on(story, parent, plies, landed_at, paid)

    def _second_thoughts_in_the_dark(self, story: Hypothesis, now: Instant) -> Iterator[Proposal]:
        """Yield the stories in which the piece of the last ply has gone where nobody sees it."""
        last, parent = story.node.game.last, story.node.parent
        if last is None or parent is None or not story.missing >> last.to_square & 1:
            return
        evidence, prices = self._evidence, self._prices
        if now < evidence.opened_at[last.to_square] + PATIENCE_S:
            return
        dark = evidence.masked | story.doubted
        landed_at = Instant(max(story.landed_at, evidence.opened_from[last.to_square]))
        paid = story.paid + prices.dark_to
        if dark >> last.from_square & 1:
            yield self._taken_back(story, parent, landed_at, paid)
        plies = [ply for ply in parent.plies_from(last.from_square) if dark >> ply.to_square & 1]
        yield from self._carried_on(story, parent, plies, landed_at, paid)

    def _taken_back(
        self, story: Hypothesis, parent: Node, landed_at: Instant, paid: float
    ) -> Proposal:
        """Return the story without its last ply; `paid` is for where its piece has gone."""
        last = story.node.game.last
        captures = NO_SQUARES if last is None else last.captures
        price = paid + self._prices.retract + self._restored(story, captures)
        return Proposal(story, parent, None, landed_at, price, story.doubted)

    def _carried_on(
        self,
        story: Hypothesis,
        parent: Node,
        plies: Iterable[Ply],
        landed_at: Instant,
        paid: float,
    ) -> Iterator[Proposal]:
        """Yield the stories in which the last ply is one of these; `paid` as before."""
        last = story.node.game.last
        if last is None:
            return
        paid += self._prices.carry + self._late_price(story, last.to_square)
        for ply in plies:
            restored = self._restored(story, SquareSet(last.captures & ~ply.captures))
            yield Proposal(story, parent, ply, landed_at, paid + restored, story.doubted)

    def _restored(self, story: Hypothesis, victims: SquareSet) -> float:
        """Return what it costs that victims which have left belong on the board again."""
        prices, evidence = self._prices, self._evidence
        gone = victims & ~(story.owed | evidence.masked)
        back = gone & evidence.closed
        return prices.victim_off * gone.bit_count() + prices.victim_back * back.bit_count()

    def _lifted(self, story: Hypothesis) -> int:
        """Return the pieces of the side to move that were not there when last looked for."""
        return story.node.own & ~(self._evidence.closed | self._evidence.flaky | story.doubted)

    def _landing(self, story: Hypothesis, target: int) -> tuple[Instant, float] | None:
        """Return when a piece can have landed on a square after the story's last ply, if ever.

        The second value is what it costs that the time is not known exactly.
        """
        evidence = self._evidence
        latest = evidence.closed_at[target]
        if latest <= story.landed_at:
            return None
        earliest = evidence.closed_from[target]
        if earliest == latest:
            return earliest, 0.0
        return Instant(max(earliest, story.landed_at)), self._prices.gap

    def _hasty_landing(self, story: Hypothesis, target: int) -> tuple[Instant, float] | None:
        """Return the same for a reply that landed just before the ply that it answers."""
        early = story.landed_at - self._evidence.closed_at[target]
        if not 0.0 <= early < HASTE_S or self._evidence.hidden_from(target) is not None:
            return None
        return story.landed_at, self._prices.hasty

    def _after_lift(self, landed_at: Instant, origin: int, gap: float) -> Instant:
        """Return when a piece from *origin* can have landed if *landed_at* is only a bound."""
        return Instant(max(landed_at, self._evidence.opened_from[origin])) if gap else landed_at

    def _late_price(self, story: Hypothesis, target: int) -> float:
        """Return what it costs that the last ply had stood for so long before it was carried on."""
        evidence = self._evidence
        since = min(story.landed_at, evidence.closed_from[target])
        stood = evidence.opened_from[target] - since - LATE_S
        return max(0.0, min(self._prices.late_limit, stood * self._prices.late_per_s))

    def _early_price(self, story: Hypothesis, origin: int) -> float:
        """Return what it costs that a piece was lifted before the one that moved last.

        A hand may lift while the other has not landed yet; it does not hold a piece through the
        whole of the other's move. A piece that has been gone for longer was in no hand.
        """
        last, evidence = story.node.game.last, self._evidence
        if last is None or not evidence.seen_opening(last.from_square):
            return 0.0
        early = evidence.opened_at[last.from_square] - evidence.opened_at[origin] - HASTE_S
        if not evidence.seen_opening(origin) or not 0.0 < early < HELD_S:
            return 0.0
        return min(self._prices.early_limit, early * self._prices.early_per_s)

    def _lift_price(self, origin: int, target: int) -> float | None:
        """Return what it costs that a piece left `origin` when it did; None: impossible."""
        evidence = self._evidence
        prices = self._prices
        late = evidence.opened_from[origin] - evidence.closed_at[target]
        travel_s = 0.0 if beside(origin, target) else TRAVEL_S
        if late <= -travel_s:
            held = evidence.closed_from[target] - evidence.opened_at[origin] - HELD_S
            return max(0.0, min(prices.held_limit, held * prices.held_per_s))
        longest = APART_S if travel_s else OVERLAP_S
        return None if late > longest else (late + travel_s) * prices.overlap_per_s
