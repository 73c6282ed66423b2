"""From the likeliest story to what is told: the `Reading`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.core.hypothesis import Hypothesis
from boardctl.core.occupancy import Instant
from boardctl.core.reading import Disbelief, Reading, Situation
from boardctl.core.tree import at_depth, squares
from engine.moves import Move
from engine.squares import NO_SQUARES, Square, SquareSet, square_set

if TYPE_CHECKING:
    from boardctl.core.evidence import Evidence
    from boardctl.core.hypothesis import Prices
    from boardctl.core.tree import Node

IN_HAND_S: Final = 12.0
"""A piece that has been off the board for longer is missing, not in a hand."""

HANDS: Final = 2
"""More pieces than this off the board at once are no hands at play: the board was knocked."""

LANDED_S: Final = 0.15
"""An extra piece is told after this time: before, it may only be sliding over the square."""

UNDECIDED_S: Final = 3.0
"""For so long the next contact may decide what an extra piece is, and it is not told as wrong."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that has been made, but for its victim; `squares` are those to choose from."""

    move: Move
    squares: SquareSet


def choice_of(shown: Node, tied: list[Hypothesis]) -> Choice | None:
    """Return the move whose victim is still to be chosen, if that is all the stories differ in."""
    victims = 0
    moves = set()
    for story in tied:
        node = at_depth(story.node, shown.depth + 1)
        last = node.game.last
        if node.depth != shown.depth + 1 or last is None or last.move.victim is None:
            return None
        moves.add((last.from_square, last.to_square))
        victims |= 1 << last.move.victim
    if len(moves) != 1 or not victims & (victims - 1):
        return None
    return Choice(Move(*moves.pop()), SquareSet(victims))


def tell(
    shown: Node,
    story: Hypothesis,
    choice: Choice | None,
    evidence: Evidence,
    final: int,
    settled_at: Instant | None,
    now: Instant,
) -> Reading:
    """Return what is to be told when `shown` is the game and `story` the likeliest one."""
    lifted, missing, lost = _gaps(story, now)
    extra = _rested(story, now)
    misplaced = home = 0
    for square in squares(extra):
        could_be = story.could_be(square, evidence)
        if could_be:
            misplaced |= 1 << square
            home |= could_be
    victims = story.owed & evidence.closed & ~evidence.masked
    disbeliefs = _disbeliefs(evidence, story.doubted, lost)
    situation = _situation(choice, missing, extra, lifted, victims)
    return Reading(
        game=shown.game,
        final=final,
        situation=situation,
        lifted=SquareSet(lifted),
        victims=SquareSet(victims if choice is None else victims & ~choice.squares),
        pending=None if choice is None else choice.move,
        choices=NO_SQUARES if choice is None else choice.squares,
        misplaced=SquareSet(misplaced),
        home=SquareSet(home),
        missing=SquareSet(missing),
        extra=SquareSet(extra),
        unknown=square_set(square for square, _ in disbeliefs),
        disbeliefs=disbeliefs,
        settled_at=settled_at,
    )


def undecided(
    shown: Node, tied: list[Hypothesis], evidence: Evidence, prices: Prices
) -> Hypothesis:
    """Return the story of `shown` alone, where the likeliest ones agree so far and no further.

    What is told then is what the board lacks and has too many of against the game that is shown,
    and only the switches that all of them doubt are called broken.
    """
    owed, doubted = tied[0].owed & ~shown.occupied, tied[0].doubted
    for story in tied[1:]:
        owed &= story.owed
        doubted &= story.doubted
    since = evidence.changed_at
    told = Hypothesis(shown, since, 0.0, owed, doubted)
    told.refresh(evidence, prices, since)
    for square, charge in told.charges.items():
        missing = told.missing >> square & 1
        edge = evidence.opened_at[square] if missing else evidence.closed_at[square] + UNDECIDED_S
        told.charges[square] = charge._replace(since=Instant(edge))
    return told


def telling_deadline(story: Hypothesis, now: Instant) -> Instant | None:
    """Return when the same story is told otherwise by mere waiting."""
    times = [story.since(square) + LANDED_S for square in squares(story.extra)]
    times += [story.since(square) + IN_HAND_S for square in squares(story.missing)]
    return min((Instant(time) for time in times if time > now), default=None)


def _gaps(story: Hypothesis, now: Instant) -> tuple[int, int, int]:
    """Divide the missing pieces into those in a hand, those gone astray, and those given up."""
    held = 0
    for square in squares(story.missing):
        if now < story.since(square) + IN_HAND_S:
            held |= 1 << square
    lost = story.astray & ~held
    if held.bit_count() > HANDS:
        return 0, story.missing & ~lost, lost
    return held, story.missing & ~held & ~lost, lost


def _rested(story: Hypothesis, now: Instant) -> int:
    rested = 0
    for square in squares(story.extra):
        if now >= story.since(square) + LANDED_S:
            rested |= 1 << square
    return rested


def _disbeliefs(evidence: Evidence, stuck: int, lost: int) -> tuple[tuple[Square, Disbelief], ...]:
    found: dict[Square, Disbelief] = {}
    for group, why in (
        (lost, Disbelief.STUCK_OPEN),
        (stuck, Disbelief.STUCK_CLOSED),
        (evidence.flaky, Disbelief.FLICKERS),
        (evidence.dark, Disbelief.UNREADABLE),
    ):
        found |= dict.fromkeys(squares(group), why)
    return tuple(sorted(found.items(), key=lambda item: item[0]))


def _situation(
    choice: Choice | None, missing: int, extra: int, lifted: int, victims: int
) -> Situation:
    if missing or extra:
        return Situation.MISMATCH
    if choice is not None:
        return Situation.CHOOSE_VICTIM
    if lifted:
        return Situation.IN_HAND
    return Situation.REMOVE_CAPTURED if victims else Situation.IN_SYNC
