"""Whatever the switches say: a valid state, legal moves alone, and play goes on afterwards."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.reading import Reading, Situation
from boardctl.core.recogniser import Recogniser
from engine import VARIANTS, Game, Ply, Side, load_variant
from engine.squares import ALL_SQUARES, SquareSet

SQUARE = st.integers(0, 80)
TOGGLES = st.lists(SQUARE, min_size=1, max_size=3)
NOISE = st.builds(SquareSet, st.integers(0, int(ALL_SQUARES)))
STEP = st.tuples(
    st.one_of(TOGGLES, NOISE),
    st.one_of(st.just(0), st.just(0), NOISE),
    st.floats(0.005, 5.0),
)


def begin(variant: str) -> Game:
    """The start of a game, its lot drawn."""
    ruleset = load_variant(variant)
    return Game.start(ruleset, side=None if ruleset.first else Side.ATTACKER)


def check(reading: Reading) -> None:
    """A reading that makes sense, of a game that the rules allow."""
    assert 0 <= reading.final <= reading.game.ply_count
    assert not reading.lifted & reading.missing
    assert not reading.misplaced & ~reading.extra
    assert not (reading.lifted | reading.missing) & ~reading.game.position.occupied or (
        reading.pending is not None or reading.situation is not Situation.IN_SYNC
    )
    again = reading.game
    while again.parent is not None:
        assert again.last in again.parent.legal_plies
        again = again.parent


def wait(reader: Recogniser, now: Instant, seconds: float) -> tuple[Instant, Reading | None]:
    """Let time pass as the daemon does."""
    until = Instant(now + seconds)
    reading = None
    while (due := reader.next_deadline) is not None and due <= until:
        assert due > now
        now = Instant(max(due, now + 0.005))
        reading = reader.step(None, now)
        check(reading)
    return Instant(max(until, now)), reading


def check_played(reader: Recogniser, before: Reading, ply: Ply, now: Instant) -> None:
    """A hand plays *ply* on a board that agrees with the game; it must be read."""
    closed = before.game.position.occupied
    reader.step(Occupancy(SquareSet(closed & ~(1 << ply.from_square))), now)
    now, _ = wait(reader, now, 0.8)
    landed = closed & ~(1 << ply.from_square) | 1 << ply.to_square
    reading = reader.step(Occupancy(SquareSet(landed)), now)
    _, later = wait(reader, now, 1.0)
    reading = reading if later is None else later
    assert reading.game.last == ply
    assert reading.game.ply_count == before.game.ply_count + 1


Steps = list[tuple[list[int] | SquareSet, int, float]]
"""Squares that change, or all that are closed; the squares that cannot be read; for how long, s."""

STEPS = st.lists(STEP, min_size=1, max_size=12)

MESS: Steps = [
    ([3, 41], 0, 1.0),
    ([1, 2], 0, 1.0),
    ([0, 50], 0, 1.0),
    (SquareSet(40), 1, 1.0),
    ([0], 0, 1.0),
    (SquareSet(302231454903657293676536), 0, 1.0),
]
"""Ends with nearly every piece in a wrong place."""

GHOST: Steps = [([0], 0, 1.0), ([0], 0, 0.5), ([0, 29], 0, 1.0), (SquareSet(9), 0, 1.0)]
"""A switch is haunted, and then only a1 and d1 are felt."""

REFILLED: Steps = [
    ([77, 68], 0, 0.1),
    ([59], 0, 2.0),
    ([77, 79], 0, 2.0),
    ([45, 47], 0, 0.3),
    (SquareSet(151116884876932881842176), 0, 0.5),
    (SquareSet(0), 0, 0.5),
    ([65, 62], SquareSet(1810579162665206779927461), 1.0),
    ([38, 29], 0, 0.7),
]
"""A true ply, then a cleared board; what is asked for fits a longer game with a broken switch."""

SWEPT: Steps = [
    ([45, 47], 0, 2.0),
    ([67], 0, 3.2),
    ([35, 34], 0, 1.2),
    (SquareSet(2113672007029930120883607), SquareSet(27021597764222976), 0.7),
    ([45], 0, 1.0),
]
"""A ply, a move out of turn, and then a mess that costs every story more than a broken switch."""


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(VARIANTS), STEPS, SQUARE)
@example("sea-battle", [([0], 0, 1.0), ([21, 30], 0, 1.0)], 0)
@example("market", MESS, 0)
@example("sea-battle", GHOST, 0)
@example("sea-battle", REFILLED, 78)
@example("sea-battle", SWEPT, 38)
@example("sea-battle", [([1], 0, 1.0), ([18], 0, 0.5), ([0, 22], 0, 1.0), ([0], 0, 1.0)], 0)
def test_any_frames_leave_a_board_that_can_be_played_on(
    variant: str, steps: Steps, pick: int
) -> None:
    """The examples are boards that were not followed: two stories with a broken switch each stay
    equally likely; a mess costs every story so much that the game asked for stays the dearer one.
    """
    play_through(variant, steps, pick)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(VARIANTS), STEPS, SQUARE)
def test_very_many_frames_do_so_too(variant: str, steps: Steps, pick: int) -> None:
    play_through(variant, steps, pick)


def play_through(variant: str, steps: Steps, pick: int) -> None:
    """Show the frames, then the game as it is told; a ply must be read after that."""
    game = begin(variant)
    now = Instant(0.0)
    reader = Recogniser(game, now)
    closed = int(game.position.occupied)
    reading, unread = reader.step(Occupancy(SquareSet(closed)), now), 0
    for change, unknown, seconds in steps:
        if isinstance(change, list):
            for square in change:
                closed ^= 1 << square
        else:
            closed = int(change)
        reading = reader.step(Occupancy(SquareSet(closed & ~unknown), SquareSet(unknown)), now)
        check(reading)
        unread = unknown
        now, later = wait(reader, now, seconds)
        reading = reading if later is None else later

    now, later = wait(reader, now, 90.0)
    reading = reading if later is None else later
    game = reading.game
    if reading.situation is Situation.IN_SYNC:
        assert not (game.position.occupied ^ closed) & ~reading.unknown & ~unread
    closed = int(game.position.occupied)
    reading = reader.step(Occupancy(SquareSet(closed)), now)
    now, later = wait(reader, now, 30.0)
    reading = reading if later is None else later
    check(reading)
    assert reading.game.position.occupied == closed
    assert reading.situation is Situation.IN_SYNC
    game = reading.game
    if game.outcome is not None:
        return
    plies = sorted((p for p in game.legal_plies if p.move.victim is None), key=str)
    if not plies:
        return
    check_played(reader, reading, plies[pick % len(plies)], now)
