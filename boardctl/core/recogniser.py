"""Reads hands from 81 switches: what the board says relative to the game.

Theory of operation. A switch says only that a piece is there, and hands do not make moves but lift,
push, hesitate, put back, take victims first, and two of them at once. So nothing is decided when it
happens. The recogniser keeps rival *stories* of what the hands have done; each is a game with the
time of its last landing and a price, and the board raises the price of those it contradicts
(`boardctl.core.hypothesis`). A story turns into others wherever a piece has left its footprint: a
ply, a ply carried on, a ply taken back, a switch found broken (`boardctl.core.proposals`). What is
told is always the cheapest story; a change of mind is no special case, another story has become
the cheapest. Here a piece is pushed from e7 to a7 and rests on c7 on its way:

    e7     ~~~~~|_____________________________________    lifted: told at once
    c7     __________|~~~~~~~~~~~~~|__________________
    a7     _______________________________|~~~~~~~~~~~
    price of "no ply"     /~~~~~~~~~                      a piece too many: dearer by the moment
    price of "e7-c7" .....----------|/~~~~~~~~~~~~~~~~    one ply, and it fits; later c7 misses it
    price of "e7-a7"                      .....-------    carried on: a little more, and it fits
    shown  (nothing)         | e7-c7  | -  | e7-a7        ~150 ms after each landing
    final                                            ...  the next ply has stood, or nothing has

Where two stories cost the same (two victims to choose from, a landing that no switch could see),
the game is told as far as they agree. A ply is *final* when it has rested, the board has agreed,
and no serious rival is without it (`boardctl.core.finality`); from then on the stories without it
are given up, and only a hand that is seen to take it back can change it.

A disorder leaves prices behind that say nothing any more. So a board that is left alone and shows
whole what it was asked for, or a game that a longer story has long not fitted, is believed.

Invariants: every story is a game of legal plies; no ply is taken to land before the one that it
answers; the best story is dropped only for a game that the board has shown whole for `RESTORED_S`;
`final` falls only by a take-back; the same looks at the same times give the same readings. Time
alone changes something at `next_deadline` and at no other moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from boardctl.core.evidence import LONG_AGO, Evidence
from boardctl.core.finality import CONTESTED, Finality, Timing
from boardctl.core.hypothesis import HELD_S, NEVER, Hypothesis, Prices
from boardctl.core.occupancy import Instant
from boardctl.core.proposals import Proposals
from boardctl.core.reading import Situation
from boardctl.core.telling import choice_of, tell, telling_deadline, undecided
from boardctl.core.tree import Node, common_ancestor, is_prefix, squares

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boardctl.core.occupancy import Occupancy
    from boardctl.core.proposal import Proposal
    from boardctl.core.reading import Reading
    from engine.game import Game
    from engine.position import Position

_Key: TypeAlias = "tuple[tuple[Position, int], int]"
"""What the future can tell two stories apart by: position, plies, switches doubted."""


MAX_STORIES: Final = 24
"""How many stories are kept; a silent chip with a piece in a hand needs about ten."""

HOPELESS: Final = 16.0
"""A story this much dearer than the best is dropped."""

DOUBTED: Final = 3.0
"""Switches are doubted only by stories less than this dearer than the best."""

TIE: Final = 0.3
"""Stories this close are told as one: the game as far as they agree. Of those that have come to the
same position the best is told, and its plies stay open."""

MAX_STEPS: Final = 4
"""How many things may happen between two frames (an outage may hide several)."""

MESS: Final = 8
"""With more squares than this in disagreement the board is a mess and no ply is read from it."""

UNPLACED: Final = 4
"""A board that lacks more pieces at the first look is being set up: nothing is read from it."""

BLIND: Final = 24
"""With more squares dark than a chip and some bad switches, nearly every story fits: none is
thought of until they can be read again. Two chips that are silent at a start hide 28 squares, and
most first plies of both sides with them."""

GHOST_S: Final = 0.1
"""A switch that closes for less than this is rattling, not haunted."""

RESTORED_S: Final = 5.0
"""A board that has shown the game for so long, while no story fits, has been put in order."""

_EPSILON: Final = 1e-6


class Recogniser:
    """Follows a game on the board. Pure and deterministic; time comes in with each step.

    Args:
        game: the game to follow; the board may be a ply or two on, or a ply behind.
        now: the time of the first look.
        timing: how long things must rest.
        final: how many of the game's plies cannot change any more; None: all of them.
    """

    def __init__(
        self, game: Game, now: Instant, timing: Timing | None = None, *, final: int | None = None
    ) -> None:
        self._timing = Timing() if timing is None else timing
        self._prices = Prices()
        self._evidence = Evidence(now)
        self._proposals = Proposals(self._evidence, self._prices)
        self._started = False
        self._setting_up = False
        self._deadline: Instant | None = None
        firm = game.ply_count if final is None else final
        self._follow(game, LONG_AGO, firm, now, whole=game.ply_count == 0)

    def _follow(
        self, game: Game, landed_at: Instant, final: int, now: Instant, *, whole: bool
    ) -> None:
        node = Node(game)
        self._stories = [Hypothesis(node, landed_at, 0.0)]
        self._finality = Finality(node, final, now, self._timing, whole=whole)
        self._grow_at = LONG_AGO
        self._foreign = 0
        self._asked: Node | None = None

    @property
    def next_deadline(self) -> Instant | None:
        """When the reading may change although no switch does; None: never.

        It lies after the last step. When it has come, or has been passed, a step is due; `revise`
        makes one due at once.
        """
        return self._deadline

    def revise(self, game: Game, now: Instant) -> None:
        """Follow this game from now on: it was changed by a command."""
        self._follow(game, now, game.ply_count, now, whole=self._finality.whole)
        self._refresh(now)
        self._deadline = now

    def step(self, occupancy: Occupancy | None, now: Instant) -> Reading:
        """Take in what the switches say (None: only time has passed) and return the reading."""
        changed = self._evidence.advance(now)
        if occupancy is not None:
            changed |= self._see(occupancy, now)
        if changed:
            self._refresh(now)
        if changed or now >= self._grow_at:
            self._grow(now)
        else:
            self._rank(now)
        self._watch_for_ghosts(now)
        return self._decide(now)

    def _see(self, occupancy: Occupancy, now: Instant) -> int:
        if self._started:
            return self._evidence.see(occupancy, now)
        self._evidence.start(occupancy, now)
        self._started = True
        self._refresh(now)
        self._stories[0].owed = self._still_standing()
        self._refresh(now)
        self._setting_up = self._lacking() > UNPLACED
        return 1

    def _still_standing(self) -> int:
        """Return the captured pieces that nobody had taken off before the first look.

        None where a piece that is missing may have been played to since.
        """
        story = self._stories[0]
        game = story.node.game
        if story.missing & ~story.node.own:
            return 0
        played = {ply.to_square for ply in game.legal_plies if story.missing >> ply.from_square & 1}
        taken = (square for ply in game.plies for square in squares(ply.captures))
        return sum(1 << square for square in set(taken) - played if story.extra >> square & 1)

    def _lacking(self) -> int:
        """Return how many more pieces the likeliest story has than the board."""
        story = self._stories[0]
        return story.missing.bit_count() - story.extra.bit_count()

    def _refresh(self, now: Instant) -> None:
        believed = self._evidence.closed | self._evidence.masked
        for square in squares(self._stories[0].doubted & ~believed):
            self._evidence.suspect(square, now)
        for story in self._stories:
            story.doubted &= believed
            story.refresh(self._evidence, self._prices, now)

    def _grow(self, now: Instant) -> None:
        """Let every story turn into those that have left their footprint; keep the best."""
        best = min(story.appraise(now) for story in self._stories)
        self._setting_up &= self._lacking() > 1
        if self._setting_up or self._evidence.masked.bit_count() > BLIND:
            return
        final = self._finality.final
        known: dict[_Key, Hypothesis] = {}
        for story in sorted(self._stories, key=lambda story: story.total):
            known.setdefault((story.node.state, story.doubted), story)
        work = list(known.values())
        for _ in range(MAX_STEPS):
            new: list[Hypothesis] = []
            for story in work:
                if len(story.charges) > MESS:
                    continue
                limit = best + HOPELESS
                self._admit(self._proposals.of(story, final, now), limit, known, new, now)
                if story.extra and story.total < best + DOUBTED:
                    self._admit(self._proposals.doubts(story, now), limit, known, new, now)
            if not new:
                break
            best = min(best, *(story.total for story in new))
            work = new
        kept = [story for story in known.values() if story.total <= best + HOPELESS]
        kept.sort(key=lambda story: story.total)
        self._stories = kept[:MAX_STORIES]
        self._grow_at = self._next_growth(now)

    def _next_growth(self, now: Instant) -> Instant:
        """Return when a story may turn into another though no switch changes."""
        waits = (self._proposals.next_deadline(story, now) for story in self._stories)
        return min((time for time in waits if time is not None), default=NEVER)

    def _rank(self, now: Instant) -> None:
        """Put the stories in the order of their price: time alone has passed."""
        for story in self._stories:
            story.appraise(now)
        self._stories.sort(key=lambda story: story.total)

    def _watch_for_ghosts(self, now: Instant) -> None:
        """Suspect the switches that felt a piece which came from nowhere and is gone."""
        best, evidence = self._stories[0], self._evidence
        for square in squares(self._foreign & ~evidence.closed):
            evidence.suspect(square, now)
        self._foreign = 0
        for square in squares(best.extra):
            if not best.could_be(square, evidence) and now - best.since(square) >= GHOST_S:
                self._foreign |= 1 << square

    def _admit(
        self,
        proposals: Iterable[Proposal],
        limit: float,
        known: dict[_Key, Hypothesis],
        new: list[Hypothesis],
        now: Instant,
    ) -> None:
        """Add the stories proposed that are cheaper than the same story otherwise."""
        for proposal in proposals:
            if proposal.paid > limit:
                continue
            ply = proposal.ply
            node = proposal.origin if ply is None else proposal.origin.play(ply)
            key = (node.state, proposal.doubted)
            rival = known.get(key)
            if rival is not None and rival.total <= proposal.paid + _EPSILON:
                rival.dispute(node, proposal.paid)
                continue
            story = proposal.told(self._evidence, self._prices, now)
            if rival is None or story.total < rival.total - _EPSILON:
                if rival is not None:
                    story.dispute(rival.node, rival.total)
                known[key] = story
                new.append(story)
            else:
                rival.dispute(node, story.total)

    def _put_in_order(self, now: Instant) -> None:
        """Prefer the game that the board shows whole to a longer one that it has long not fitted.

        What speaks against a story is limited, so the longer one might stay the cheapest for ever.
        """
        best = self._stories[0]
        if not best.charges:
            return
        for story in self._stories[1:]:
            if story.charges or story.doubted or not is_prefix(story.node, best.node):
                continue
            if self._unchanged_for(HELD_S, now):
                story.paid = best.total - 2 * TIE
                story.appraise(now)
                self._stories.sort(key=lambda story: story.total)
            return

    def _put_as_asked(self, now: Instant) -> None:
        """Follow the game that was asked for once the board has shown exactly that for a while.

        What the disorder has cost the stories would else go on asking for another one.
        """
        asked, best = self._asked, self._stories[0]
        if asked is None or not self._shows(asked) or not self._unchanged_for(RESTORED_S, now):
            return
        self._asked = None
        if common_ancestor(asked, best.node).depth >= self._finality.final:
            self._begin_anew(Hypothesis(asked, self._evidence.changed_at, 0.0), now)

    def _shows(self, node: Node) -> bool:
        """Tell whether the board shows exactly this game's position, as far as it can be read."""
        return not (self._evidence.closed ^ node.occupied) & ~self._evidence.masked

    def _unchanged_for(self, seconds: float, now: Instant) -> bool:
        """Tell whether no switch has changed for so long; if not, look again when none has."""
        due = Instant(self._evidence.changed_at + seconds)
        if now < due:
            self._grow_at = min(self._grow_at, due)
        return now >= due

    def _decide(self, now: Instant) -> Reading:
        self._put_in_order(now)
        self._put_as_asked(now)
        best = self._stories[0]
        tied = [best, *(story for story in self._stories[1:] if _rivals(story, best))]
        shown = best.node
        for story in tied[1:]:
            shown = common_ancestor(shown, story.node)
        self._finality.show(shown, best, self._evidence, now)
        before = self._finality.final
        firm = self._finality.settle(self._stories, self._evidence, now)
        if firm is not None:
            self._forget_rivals_of(firm, before)
        choice = choice_of(shown, tied)
        told = best
        if shown is not best.node and choice is None:
            told = undecided(shown, tied, self._evidence, self._prices)
            if best.charges and not told.charges and self._unchanged_for(RESTORED_S, now):
                # The board was asked to show this, and the rivals do not fit it any more.
                self._begin_anew(told, now)
        self._deadline = self._next(told, now)
        final, settled_at = self._finality.final, self._finality.settled_at
        reading = tell(shown, told, choice, self._evidence, final, settled_at, now)
        if self._asked is None or not self._shows(self._asked):
            self._asked = shown if reading.situation is Situation.MISMATCH else None
        return reading

    def _begin_anew(self, story: Hypothesis, now: Instant) -> None:
        """Follow this story alone."""
        self._stories = [story]
        self._grow_at = NEVER
        self._finality.settled_at = now

    def _forget_rivals_of(self, final: Node, before: int) -> None:
        """Give up the stories without the plies after `before`: hands can still take them back."""
        self._stories = [story for story in self._stories if is_prefix(final, story.node)]
        node = final
        while node.parent is not None and node.depth > before:
            node.parent.forget_others(node)
            node = node.parent

    def _next(self, told: Hypothesis, now: Instant) -> Instant | None:
        times = [self._crossing(now), self._evidence.next_deadline, self._grow_at]
        times.append(telling_deadline(told, now))
        times += self._finality.deadlines(self._stories[0], self._evidence, now)
        return min(
            (time for time in times if time is not None and now < time < NEVER), default=None
        )

    def _crossing(self, now: Instant) -> Instant:
        """Return when the order of the stories, or who is tied with the best, may change."""
        best = self._stories[0]
        soonest = min(story.knee for story in self._stories)
        for story in self._stories[1:]:
            ahead = story.total - best.total
            closing = best.rate - story.rate
            if not closing:
                continue
            for level in (0.0, TIE, *(margin for _, margin in CONTESTED)):
                wait = (ahead - level) / closing
                if wait > 0:
                    soonest = min(soonest, Instant(now + wait + _EPSILON))
        return soonest


def _rivals(story: Hypothesis, best: Hypothesis) -> bool:
    """Tell whether a story is as likely as the best, and what follows may tell the two apart.

    One that has come to the same position by more plies or fewer stays as likely for good: to tell
    the game only as far as they agree would be to tell no more of it ever.
    """
    if story.total > best.total + TIE:
        return False
    return story.node.game.position != best.node.game.position
