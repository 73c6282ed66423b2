"""What each switch has said, and when."""

from __future__ import annotations

import pytest

from boardctl.core.evidence import (
    FLAKY_EPISODES,
    HOLD_S,
    LONG_AGO,
    QUIET_S,
    SUSPECT_S,
    Evidence,
)
from boardctl.core.occupancy import Instant, Occupancy
from engine.squares import SquareSet

E3 = 22
BIT = SquareSet(1 << E3)
NONE = SquareSet(0)


def at(seconds: float) -> Instant:
    """A time."""
    return Instant(seconds)


@pytest.fixture
def evidence() -> Evidence:
    """A board with one piece, on e3, seen from 1 s on."""
    evidence = Evidence(at(1.0))
    evidence.start(Occupancy(BIT), at(1.0))
    return evidence


def test_nothing_is_known_of_the_time_before_the_first_look(evidence: Evidence) -> None:
    assert evidence.closed == BIT
    assert (evidence.closed_from[E3], evidence.closed_at[E3]) == (LONG_AGO, 1.0)
    assert not evidence.seen_opening(E3)


def test_an_edge_that_is_seen_has_one_time(evidence: Evidence) -> None:
    assert evidence.see(Occupancy(NONE), at(2.0)) == BIT
    assert evidence.see(Occupancy(NONE), at(2.5)) == 0
    assert evidence.seen_opening(E3)
    assert evidence.see(Occupancy(BIT), at(3.0)) == BIT
    assert (evidence.opened_at[E3], evidence.closed_from[E3], evidence.closed_at[E3]) == (
        2.0,
        3.0,
        3.0,
    )


def test_a_short_gap_keeps_the_last_value(evidence: Evidence) -> None:
    evidence.see(Occupancy(NONE, BIT), at(2.0))
    assert evidence.next_deadline == at(2.0 + HOLD_S)
    assert evidence.advance(at(2.0 + HOLD_S - 0.001)) == 0
    assert evidence.closed == BIT
    assert evidence.see(Occupancy(BIT), at(2.02)) == 0
    assert evidence.masked == 0


def test_a_long_gap_makes_a_square_dark_and_hides_the_edge_within(evidence: Evidence) -> None:
    evidence.see(Occupancy(NONE, BIT), at(2.0))
    assert evidence.advance(at(2.0 + HOLD_S)) == BIT
    assert evidence.masked == BIT
    assert evidence.see(Occupancy(NONE), at(9.0)) == BIT
    assert (evidence.opened_from[E3], evidence.opened_at[E3]) == (2.0, 9.0)
    assert not evidence.seen_opening(E3)
    assert evidence.masked == 0


def test_a_landing_is_hidden_from_when_its_square_could_not_be_read_any_more(
    evidence: Evidence,
) -> None:
    evidence.see(Occupancy(NONE), at(2.0))
    evidence.see(Occupancy(BIT), at(3.0))
    assert evidence.hidden_from(E3) is None
    evidence.see(Occupancy(NONE), at(4.0))
    evidence.see(Occupancy(NONE, BIT), at(5.0))
    evidence.advance(at(5.0 + HOLD_S))
    assert evidence.hidden_from(E3) == 5.0  # still dark
    evidence.see(Occupancy(BIT), at(9.0))
    assert evidence.hidden_from(E3) == 5.0  # felt there when the light returns


def test_a_square_that_comes_back_unchanged_has_changed_its_standing(evidence: Evidence) -> None:
    evidence.see(Occupancy(NONE, BIT), at(2.0))
    evidence.advance(at(3.0))
    assert evidence.see(Occupancy(BIT), at(4.0)) == BIT
    assert evidence.closed_at[E3] == 1.0


def test_a_square_that_changes_faster_than_hands_is_flaky_until_it_is_quiet(
    evidence: Evidence,
) -> None:
    now = 2.0
    for change in range(FLAKY_EPISODES):
        evidence.see(Occupancy(NONE if change % 2 == 0 else BIT), at(now))
        now += 0.4
    assert evidence.masked == BIT
    last = now - 0.4
    assert evidence.next_deadline == at(last + QUIET_S)
    assert evidence.advance(at(last + QUIET_S)) == BIT
    assert evidence.masked == 0


def test_rattling_is_one_change(evidence: Evidence) -> None:
    for change in range(4 * FLAKY_EPISODES):
        evidence.see(Occupancy(NONE if change % 2 == 0 else BIT), at(2.0 + 0.02 * change))
    assert evidence.masked == 0


def test_the_second_ghost_on_a_square_makes_it_flaky(evidence: Evidence) -> None:
    evidence.see(Occupancy(NONE), at(2.0))
    evidence.suspect(E3, at(2.0))
    assert evidence.masked == 0
    evidence.see(Occupancy(BIT), at(5.0))
    assert evidence.haunted(E3)
    evidence.see(Occupancy(NONE), at(6.0))
    evidence.suspect(E3, at(6.0))
    assert evidence.masked == BIT


def test_ghosts_long_apart_are_forgotten(evidence: Evidence) -> None:
    evidence.see(Occupancy(NONE), at(2.0))
    evidence.suspect(E3, at(2.0))
    evidence.see(Occupancy(BIT), at(3.0 + SUSPECT_S))
    assert not evidence.haunted(E3)
    evidence.see(Occupancy(NONE), at(4.0 + SUSPECT_S))
    evidence.suspect(E3, at(4.0 + SUSPECT_S))
    assert evidence.masked == 0
