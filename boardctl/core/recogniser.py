"""Reads hands from 81 switches: what the board says relative to the game.

TODO theory
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardctl.core.evidence import LONG_AGO, Evidence
from boardctl.core.hypothesis import Hypothesis, Prices
from boardctl.core.occupancy import Instant
from boardctl.core.proposals import Proposals
from boardctl.core.telling import Choice, tell
from boardctl.core.tree import Node, common_ancestor, is_prefix
from engine.moves import Move
from engine.squares import SquareSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boardctl.core.occupancy import Occupancy
    from boardctl.core.reading import Reading
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things must rest. Seconds.

    Attributes:
        hold_s: a ply is final when it has stood this long, whoever acts or does not.
        acted_s: a ply is final when the next one has stood this long.
    """

    hold_s: float = 20.0
    acted_s: float = 3.0


TICK_S = 0.020
GROWS_S = 3.0
MAX_STORIES = 24
HOPELESS = 16.0
TIE = 0.3
CONTESTED = 4.0
DOUBTED = 3.0
MAX_STEPS = 4
MESS = 4


class Recogniser:
    """Follows a game on the board. Pure and deterministic; time comes in with each step."""

    def __init__(self, game: Game, now: Instant, timing: Timing = Timing()) -> None:
        self._timing = timing
        self._prices = Prices()
        self._evidence = Evidence(now)
        self._proposals = Proposals(self._evidence, self._prices)
        self._started = False
        self._changed_at = now
        self._follow(game, now)

    def _follow(self, game: Game, now: Instant) -> None:
        node = Node(game)
        self._stories = [Hypothesis(node, LONG_AGO, 0.0)]
        self._shown = node
        self._shown_since: list[tuple[Node, Instant]] = []
        self._final = game.ply_count
        self._agreed_since: Instant | None = None
        self._choice: Choice | None = None
        self._reading: Reading | None = None

    @property
    def next_deadline(self) -> Instant | None:
        """When the reading may change although no switch does."""
        return self._deadline

    def revise(self, game: Game, now: Instant) -> None:
        """Follow this game from now on: it was changed by a command."""
        self._follow(game, now)
        story = self._stories[0]
        story.landed_at = now
        self._refresh(now)

    def step(self, occupancy: Occupancy | None, now: Instant) -> Reading:
        """Take in what the switches say (None: only time has passed) and return the reading."""
        changed = self._evidence.advance(now)
        if occupancy is not None:
            if self._started:
                changed |= self._evidence.see(occupancy, now)
            else:
                self._evidence.start(occupancy, now)
                self._started = True
                changed = -1
        if changed:
            self._changed_at = now
            self._refresh(now)
        self._grow(now)
        self._prune(now)
        return self._decide(now)

    def _refresh(self, now: Instant) -> None:
        for story in self._stories:
            story.doubted &= self._evidence.closed | self._evidence.masked
            story.refresh(self._evidence, self._prices, now)

    def _grow(self, now: Instant) -> None:
        known = {(id(s.node), s.doubted): s for s in self._stories}
        work = list(self._stories)
        credible = min(self._cost(story, now) for story in work) + DOUBTED
        for _ in range(MAX_STEPS):
            new: list[Hypothesis] = []
            for story in work:
                if story.extra.bit_count() + story.missing.bit_count() > MESS * 2:
                    continue
                self._admit(self._proposals.of(story, now), known, new, now)
                if story.extra and self._cost(story, now) <= credible:
                    self._admit(self._proposals.doubts(story, now), known, new, now)
            if not new:
                break
            work = new
        self._stories = list(known.values())

    def _admit(
        self,
        found: Iterable[Hypothesis],
        known: dict[tuple[int, int], Hypothesis],
        new: list[Hypothesis],
        now: Instant,
    ) -> None:
        for story in found:
            key = (id(story.node), story.doubted)
            rival = known.get(key)
            if rival is None or self._cost(story, now) < self._cost(rival, now) - 1e-9:
                known[key] = story
                new.append(story)

    def _cost(self, story: Hypothesis, now: Instant) -> float:
        return story.cost(self._evidence, self._prices, now)

    def _prune(self, now: Instant) -> None:
        ranked = sorted(self._stories, key=lambda story: self._cost(story, now))
        limit = self._cost(ranked[0], now) + HOPELESS
        self._stories = [s for s in ranked[:MAX_STORIES] if self._cost(s, now) <= limit]

    def _decide(self, now: Instant) -> Reading:
        best = self._stories[0]
        limit = self._cost(best, now) + TIE
        shown = best.node
        tied = [s for s in self._stories if self._cost(s, now) <= limit]
        for story in tied[1:]:
            shown = common_ancestor(shown, story.node)
        self._choice = _choice(shown, tied)
        self._show(shown, now)
        self._finalise(now)
        agrees = best.agrees and shown is best.node
        if not agrees:
            self._agreed_since = None
        elif self._agreed_since is None:
            self._agreed_since = now
        self._deadline = self._next(now)
        return tell(shown, best, self._choice, self._evidence, self._final, self._agreed_since, now)

    def _show(self, shown: Node, now: Instant) -> None:
        if shown is self._shown:
            return
        base = common_ancestor(shown, self._shown)
        while self._shown_since and self._shown_since[-1][0].depth > base.depth:
            self._shown_since.pop()
        path = []
        node: Node | None = shown
        while node is not None and node is not base:
            path.append(node)
            node = node.parent
        self._shown_since += [(n, now) for n in reversed(path)]
        self._final = min(self._final, base.depth)
        self._shown = shown
        self._agreed_since = None

    def _finalise(self, now: Instant) -> None:
        limit = self._cost(self._stories[0], now) + CONTESTED
        rivals = [s.node for s in self._stories if self._cost(s, now) <= limit]
        for place, (node, since) in enumerate(self._shown_since):
            if node.depth <= self._final:
                continue
            follower = (
                self._shown_since[place + 1][1] if place + 1 < len(self._shown_since) else None
            )
            rested = now - since >= self._timing.hold_s and self._agreed_since is not None
            acted = follower is not None and now - follower >= self._timing.acted_s
            if not (rested or acted) or not all(is_prefix(node, r) for r in rivals):
                break
            self._final = node.depth

    def _next(self, now: Instant) -> Instant | None:
        times = []
        if now - self._changed_at < GROWS_S and any(s.since for s in self._stories):
            times.append(now + TICK_S)
        evidence = self._evidence.next_deadline
        if evidence is not None:
            times.append(evidence)
        for _, since in self._shown_since[-2:]:
            for wait in (self._timing.acted_s, self._timing.hold_s):
                if since + wait > now:
                    times.append(since + wait)
        return Instant(min(times)) if times else None


def _choice(shown: Node, tied: list[Hypothesis]) -> Choice | None:
    """Return the move whose victim is still to be chosen, if that is all the stories differ in."""
    squares = 0
    move: Move | None = None
    for story in tied:
        node = story.node
        while node.depth > shown.depth + 1 and node.parent is not None:
            node = node.parent
        last = node.game.last
        if node.depth != shown.depth + 1 or last is None or last.move.victim is None:
            return None
        bare = Move(last.from_square, last.to_square)
        if move is not None and bare != move:
            return None
        move = bare
        squares |= 1 << last.move.victim
    if move is None or squares.bit_count() < 2:
        return None
    return Choice(move, SquareSet(squares))
