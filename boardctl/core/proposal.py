"""A story that another can turn into, and how it is told: compared with the board and charged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from boardctl.core.hypothesis import Hypothesis, Prices
from boardctl.core.tree import squares

if TYPE_CHECKING:
    from boardctl.core.evidence import Evidence
    from boardctl.core.occupancy import Instant
    from boardctl.core.tree import Node
    from engine.moves import Ply


PASSING_S: Final = 0.15
"""A piece that stands for less was passing over, and did not end its ply there."""


class Proposal(NamedTuple):
    """A story that another can turn into, not yet compared with the board.

    Attributes:
        story: the story it follows from.
        origin: the game that `ply` is played in; with no ply, the game itself.
        ply: the last ply; None when a ply was taken back or a switch doubted.
        landed_at: when that ply can have landed at the earliest.
        paid: what the story costs before the board is asked.
        doubted: squares whose switch is broken in it.
    """

    story: Hypothesis
    origin: Node
    ply: Ply | None
    landed_at: Instant
    paid: float
    doubted: int

    def told(self, evidence: Evidence, prices: Prices, now: Instant) -> Hypothesis:
        """Return the story, compared with the board; what a ply leaves unexplained is charged."""
        story, ply = self.story, self.ply
        node = self.origin if ply is None else self.origin.play(ply)
        owed = story.owed & ~node.occupied
        if ply is not None:
            owed |= _standing(ply, self.landed_at, evidence)
        told = Hypothesis(node, self.landed_at, self.paid, owed, self.doubted)
        told.remember(story, now)
        told.disputes = dict(story.disputes)
        told.unfelt = story.unfelt & node.occupied
        if ply is not None and (evidence.masked & ~story.node.occupied) >> ply.to_square & 1:
            told.unfelt |= 1 << ply.to_square
        told.refresh(evidence, prices, now)
        told.paid += _unseen_until_now(told, story, evidence, now)
        if told.charges and story.charges:
            told.inherit(story, evidence, prices)
            if ply is not None:
                told.paid += _left(told, story, evidence, prices)
        told.appraise(now)
        return told


def _standing(ply: Ply, landed_at: Instant, evidence: Evidence) -> int:
    """Return the victims of a ply that have not left since it landed.

    A square that has closed since then holds another piece: its victim is gone.
    """
    captured = squares(ply.captures)
    return sum(1 << square for square in captured if evidence.closed_from[square] <= landed_at)


def _unseen_until_now(
    told: Hypothesis, story: Hypothesis, evidence: Evidence, now: Instant
) -> float:
    """Return what has been paid for pieces that nobody saw leaving and that `told` explains.

    Their having been in a hand since before the gap stays as unlikely as it was.
    """
    gone = squares(story.missing & ~told.missing)
    unseen = (square for square in gone if not evidence.seen_opening(square))
    return sum(story.charges[square].at(now) for square in unseen)


def _left(told: Hypothesis, story: Hypothesis, evidence: Evidence, prices: Prices) -> float:
    """Return the charge for what was unexplained before a ply landed and still is.

    Pieces of the next player are excepted: he may lift one before this one has landed, even the one
    that he has just moved, but not one that was only passing over. What may have happened after
    the landing, in a gap, is left to the plies that follow.
    """
    price, landed_at = 0.0, told.landed_at
    for square in squares(told.extra & story.extra):
        if evidence.closed_at[square] <= landed_at:
            price += prices.left_extra
    for square in squares(told.missing & story.missing & ~told.node.own):
        if evidence.opened_at[square] <= landed_at:
            price += prices.left_missing
    last = story.node.game.last
    if last is not None and (told.missing & story.missing) >> last.to_square & 1:
        stood = evidence.opened_from[last.to_square] - story.landed_at
        price += prices.passing if stood < PASSING_S else 0.0
    return price
