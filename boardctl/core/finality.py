"""Which plies are shown since when, and which of them cannot be changed any more.

A ply is final when it has rested: it has stood for `hold_s`, or a later one has stood for `acted_s`
(the opponent acted). Rest alone is no proof, so five things hold it open:

    disagreement    the board must have agreed with the game that ends with it or with a later ply;
                    after a start it must once have shown the game whole, and when squares can be
                    read again it must have agreed anew: what was done while nobody watched is not
                    known before
    blindness       squares must not have gone dark of late; a later ply counts only if a switch has
                    seen its piece land; one whose own landing nobody saw is settled by none that
                    was told at the same moment
    change of mind  a ply that took another one's place must itself have stood for `changed_s`
    rivals          no story without it may be nearly as cheap as the best (`CONTESTED`), nor any
                    other way to the same position
    surprise        the best story must not have become much dearer of late: when nothing explains
                    the board well, what truly happened may not have been thought of; nor may it
                    lean on a switch that is said to have just broken

        plies       ----|e7-a7|------------|h5-h8|----------------------
        agreed          ......~~~~~~~~~~~~~~......~~~~~~~~~~~~~
        final                                          e7-a7             acted_s after h5-h8

A wrong final ply is worse than a late one. Mostly these only delay, and the next plies settle it;
where nothing to come can tell the order of hidden plies, they stay open to the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.core.evidence import LONG_AGO
from boardctl.core.occupancy import Instant
from boardctl.core.tree import Node, at_depth, common_ancestor, squares

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boardctl.core.evidence import Evidence
    from boardctl.core.hypothesis import Hypothesis


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things must rest. Seconds.

    Attributes:
        hold_s: a ply is final when it has stood this long, whoever acts or does not.
        acted_s: a ply is final when a later one has stood this long.
        changed_s: but it must itself have stood this long if it took another one's place.
        agreed_s: for so long the board must have agreed with the game.
    """

    hold_s: float = 20.0
    acted_s: float = 1.0
    changed_s: float = 10.0
    agreed_s: float = 0.3


CONTESTED: Final = ((0.0, 5.5), (180.0, 3.5))
"""A ply is not final while a story without it is less than so much dearer than the best.

Each margin holds from so many seconds after the rest on: a rival that has not caught up in three
minutes never will. The first is just less than the price of a piece that stands there unexplained.
"""

DARK_S: Final = 60.0
"""While squares have been dark for less, nothing becomes final: a chip that answers again shows
what has gone on there, and so where in the game. One that stays silent is not waited for."""

SURPRISED: Final = 8.0
"""Nothing becomes final while the best story has lately become so much dearer."""

FADES_PER_S: Final = 0.6
"""How fast that is forgotten."""

_EPSILON: Final = 1e-6


@dataclass(slots=True)
class _Shown:
    """A ply that is shown and not final.

    Attributes:
        node: the game that ends with it.
        since: since when it has been shown.
        changed: whether another ply was shown in its place before.
        hidden_from: since when its piece may have landed unseen; None: a switch saw it land.
        agreed: whether the board has agreed with it being the last.
    """

    node: Node
    since: Instant
    changed: bool = False
    hidden_from: Instant | None = None
    agreed: bool = False

    @property
    def seen(self) -> bool:
        """Whether a switch has seen its piece land."""
        return self.hidden_from is None


class Finality:
    """Remembers the plies that are shown and tells when they are final.

    Args:
        shown: the game that is shown at the beginning.
        final: how many of its plies are final.
        now: since when the others have been shown.

    Attributes:
        shown: the game that is shown.
        final: how many plies are final.
        settled_at: since when the board has agreed with it; None while it does not.
        whole: whether the board has ever shown a game without a piece too many or too few.
    """

    def __init__(
        self, shown: Node, final: int, now: Instant, timing: Timing, *, whole: bool = True
    ) -> None:
        self.shown = shown
        self.final = final
        self.whole = whole
        self.settled_at: Instant | None = None
        self._timing = timing
        self._open: list[_Shown] = []
        node: Node | None = shown
        while node is not None and node.depth > final:
            self._open.insert(0, _Shown(node, now))
            node = node.parent
        self._told = {one.node.depth: one.node for one in self._open}
        self._surprise = self._price = 0.0
        self._priced_at = self._agreed_at = self._believed_at = self._dark_at = LONG_AGO
        self._masked = self._dark = 0

    def show(self, shown: Node, best: Hypothesis, evidence: Evidence, now: Instant) -> None:
        """Note what is shown now, and whether the board agrees with it."""
        if shown is not self.shown:
            self._replace(shown, evidence, now)
        if not best.agrees or shown is not best.node:
            self.settled_at = None
        elif self.settled_at is None:
            self.settled_at = now
        faded = self._surprise - FADES_PER_S * (now - self._priced_at)
        self._surprise = max(0.0, faded) + max(0.0, best.total - self._price)
        self._price, self._priced_at = best.total, now
        if self._masked & ~evidence.masked:
            self._believed_at = now
        if evidence.dark & ~self._dark:
            self._dark_at = now
        self._masked, self._dark = evidence.masked, evidence.dark
        if self._agreed(best, evidence, now):
            self._agreed_at = now
            self.whole |= not best.charges
            if self._open:
                self._open[-1].agreed = True

    def _replace(self, shown: Node, evidence: Evidence, now: Instant) -> None:
        """Note since when each ply has been shown."""
        base = common_ancestor(shown, self.shown)
        while self._open and self._open[-1].node.depth > base.depth:
            self._open.pop()
        path: list[Node] = []
        node: Node | None = shown
        while node is not None and node is not base:
            path.append(node)
            node = node.parent
        for one in reversed(path):
            changed, last = self._told.get(one.depth, one) is not one, one.game.last
            hidden_from = None if last is None else evidence.hidden_from(last.to_square)
            self._open.append(_Shown(one, now, changed, hidden_from))
            self._told[one.depth] = one
        self.final = min(self.final, base.depth)
        self.shown = shown
        self.settled_at = None

    def _agreed(self, best: Hypothesis, evidence: Evidence, now: Instant) -> bool:
        """Tell whether the board has agreed long enough with the game that is shown.

        Victims do not count, and no pieces that have long been given up for lost; but those that
        nobody saw leaving do: they may have been taken by plies that nobody saw either.
        """
        if self.settled_at is None or now < self.settled_at + self._timing.agreed_s:
            return False
        lost_before = now - self._timing.hold_s
        return all(
            best.since(square) <= lost_before and evidence.seen_opening(square)
            for square in squares(best.missing)
        )

    def settle(
        self, stories: Sequence[Hypothesis], evidence: Evidence, now: Instant
    ) -> Node | None:
        """Return the game up to the last ply that has just become final, if any has.

        Args:
            stories: the best first.
            evidence: what the switches have said.
            now: the time.
        """
        if not self.whole or self._surprise > SURPRISED or self._agreed_at < self._believed_at:
            return None
        if now < max(self._trusted_at(stories[0], evidence), self._lit_at):
            return None
        final = None
        for waited, margin in CONTESTED:
            node = self._rested(waited, now)
            if node is not None:
                node = _undisputed(node, stories, margin)
                if node.depth > self.final:
                    self.final, final = node.depth, node
        if final is not None:
            self._open = [one for one in self._open if one.node.depth > self.final]
            self._told = {one.node.depth: one.node for one in self._open}
        return final

    def _trusted_at(self, best: Hypothesis, evidence: Evidence) -> Instant:
        """Return when the switches that the best story calls broken have been so for long."""
        broken_at = [evidence.closed_at[square] for square in squares(best.doubted)]
        return Instant(max(broken_at, default=LONG_AGO) + self._timing.hold_s)

    @property
    def _lit_at(self) -> Instant:
        """When squares that cannot be read are not waited for any more."""
        return Instant(self._dark_at + DARK_S) if self._dark else LONG_AGO

    def _rested(self, waited: float, now: Instant) -> Node | None:
        """Return the last of the plies that had all rested `waited` seconds ago."""
        timing, plies = self._timing, self._open
        last_agreed = max((n for n, one in enumerate(plies) if one.agreed), default=-1)
        last_acted = -1
        for number, one in enumerate(plies[: last_agreed + 1]):
            if one.seen and now >= one.since + timing.acted_s + waited:
                last_acted = number
        node = None
        for number, one in enumerate(plies[: self._ordered()]):
            held = number <= last_agreed and now >= one.since + timing.hold_s + waited
            acted = number < last_acted
            if not one.seen:
                held &= self.settled_at is not None
                acted = acted and plies[last_acted].since > one.since
            firm = not one.changed or now >= one.since + timing.changed_s + waited
            if not held and not (acted and firm):
                break
            node = one.node
        return node

    def _ordered(self) -> int:
        """Return how many of the open plies come before those whose order nobody knows.

        Two plies or more whose landings were hidden may have been made before any other that has
        been told since the first of them became hidden.
        """
        hidden = [one.hidden_from for one in self._open if one.hidden_from is not None]
        since = [start for start in hidden if start > LONG_AGO]
        if len(since) < 2:  # noqa: PLR2004  as said
            return len(self._open)
        first = min(since)
        after = (number for number, one in enumerate(self._open) if one.since > first)
        return next(after, len(self._open))

    def deadlines(self, best: Hypothesis, evidence: Evidence, now: Instant) -> Iterator[Instant]:
        """Yield when a ply may become final by mere waiting; times that have passed among them."""
        timing = self._timing
        for waited, _ in CONTESTED:
            for one in self._open:
                for rest_s in (timing.acted_s, timing.changed_s, timing.hold_s):
                    yield Instant(one.since + rest_s + waited)
        if self.settled_at is not None:
            yield Instant(self.settled_at + timing.agreed_s)
            for square in squares(best.missing):
                yield Instant(best.since(square) + timing.hold_s)
        yield self._trusted_at(best, evidence)
        yield self._lit_at
        yield Instant(now + (self._surprise - SURPRISED) / FADES_PER_S + _EPSILON)


def _undisputed(node: Node, stories: Sequence[Hypothesis], margin: float) -> Node:
    """Return the last game up to `node` in which all stories of about the best price agree."""
    limit = stories[0].total + margin
    for story in stories:
        if story.total > limit:
            continue
        node = common_ancestor(node, story.node)
        for depth, dearer in story.disputes.items():
            if story.total + dearer <= limit:
                node = at_depth(node, depth)
    return node
