"""A magnet over reed switches."""

from __future__ import annotations

import random

import pytest

from hardware.cells import Cell, CellSet, Instant
from hardware.mock.effects import SCENARIOS, only
from hardware.mock.reeds import Edge, EdgeQueue, Reeds, arrival, lognormal, progress

A1, B1, C1 = Cell(0), Cell(1), Cell(2)


def reeds(closed: int = 1, seed: int = 0, **changes: object) -> Reeds:
    return Reeds(only(**changes), random.Random(seed), CellSet(closed))


def states(edges: list[Edge]) -> list[tuple[int, bool]]:
    return [(int(edge.cell), edge.closed) for edge in sorted(edges)]


def test_a_clean_contact_changes_once() -> None:
    board = reeds()
    assert board.switch(A1, Instant(1.0), closed=False, rests=True) == [
        Edge(Instant(1.0), A1, closed=False)
    ]
    assert not board.feels(A1)


def test_a_contact_that_is_so_already_has_no_edge() -> None:
    assert reeds().switch(A1, Instant(1.0), closed=True, rests=True) == []


def test_bounce_ends_within_its_time_in_the_right_state() -> None:
    board = Reeds(only("N1"), random.Random(1), CellSet(0))
    edges = board.switch(A1, Instant(1.0), closed=True, rests=False)
    assert [edge.closed for edge in edges] == [True, False, True]
    assert 1.0002 <= edges[-1].at <= 1.001


def test_chatter_has_an_even_number_of_extra_edges_and_ends_right() -> None:
    for seed in range(50):
        board = Reeds(only("N2", chatter=1.0), random.Random(seed), CellSet(1))
        edges = board.switch(A1, Instant(1.0), closed=False, rests=True)
        assert len(edges) in {3, 5, 7}
        assert not edges[-1].closed
        assert edges[-1].at < 1.25


def test_a_passing_piece_does_not_chatter() -> None:
    board = Reeds(only("N2", chatter=1.0), random.Random(1), CellSet(1))
    assert len(board.switch(A1, Instant(1.0), closed=False, rests=False)) == 1


def test_a_slide_over_narrow_fields_leaves_gaps() -> None:
    edges = reeds(width_mm=25.0, passed_closes=1.0).pass_over([A1, B1, C1], Instant(0.0), 1.0)
    assert states(edges) == [(0, False), (1, True), (1, False), (2, True)]


def test_a_slide_over_wide_fields_closes_the_next_before_it_opens_the_last() -> None:
    edges = reeds(width_mm=48.0, passed_closes=1.0).pass_over([A1, B1, C1], Instant(0.0), 1.0)
    assert states(edges) == [(1, True), (0, False), (2, True), (1, False)]


def test_a_slide_may_miss_a_switch_but_not_its_last() -> None:
    edges = reeds(passed_closes=0.0).pass_over([A1, B1, C1], Instant(0.0), 1.0)
    assert states(edges) == [(0, False), (2, True)]


def test_a_dead_centre_opens_under_a_passing_piece() -> None:
    board = reeds(dead_centre=1.0, passed_closes=1.0)
    edges = board.pass_over([A1, B1, C1], Instant(0.0), 1.0)
    assert [closed for cell, closed in states(edges) if cell == B1] == [True, False, True, False]


@pytest.mark.parametrize(("offset", "felt"), [(0.0, False), (5.0, True), (13.0, False)])
def test_a_dead_centre_feels_a_resting_piece_on_its_lobes_only(offset: float, felt: bool) -> None:
    assert reeds(dead_centre=1.0).reaches(A1, offset) is felt


def test_each_board_has_its_own_width() -> None:
    widths = {Reeds(only("N4"), random.Random(seed), CellSet(0)).width_mm for seed in range(60)}
    assert widths == {18.0, 25.0, 32.0, 48.0}


def test_about_one_switch_in_twenty_has_a_dead_centre() -> None:
    found = [len(Reeds(only("N5"), random.Random(seed), CellSet(0)).dead) for seed in range(200)]
    assert 0.04 < sum(found) / (200 * 81) < 0.06


def test_flicker_ends_closed_within_its_time() -> None:
    edges = Reeds(only("N5"), random.Random(3), CellSet(1)).flicker(A1, Instant(1.0), Instant(9.0))
    assert edges
    assert edges[-1].closed
    assert 1.0 < edges[0].at < edges[-1].at < 9.0


def test_the_hand_is_slow_at_both_ends() -> None:
    assert progress(0.0) == 0.0
    assert progress(0.5) == pytest.approx(0.5)
    assert progress(1.0) == pytest.approx(1.0)
    assert progress(0.1) < 0.01
    assert arrival(progress(0.3)) == pytest.approx(0.3, abs=1e-6)


def test_the_dwell_over_a_switch_is_its_width_by_the_speed() -> None:
    # Nine squares at 0.4 m/s: in the middle a minimum-jerk hand is 1.875 times as fast.
    path = [Cell(number) for number in range(9)]
    edges = reeds(passed_closes=1.0).pass_over(path, Instant(0.0), 8 * 0.045 / 0.4)
    closed = {edge.cell: edge.at for edge in edges if edge.closed}
    opened = {edge.cell: edge.at for edge in edges if not edge.closed}
    assert opened[Cell(4)] - closed[Cell(4)] == pytest.approx(0.025 / (0.4 * 1.875), rel=0.05)


def test_the_lognormal_has_the_median_and_95th_percentile_asked_for() -> None:
    rng = random.Random(7)
    drawn = sorted(lognormal(rng, (0.02, 0.12)) for _ in range(20_000))
    assert drawn[10_000] == pytest.approx(0.02, rel=0.05)
    assert drawn[19_000] == pytest.approx(0.12, rel=0.1)


def test_a_new_gesture_ends_what_was_to_come_on_its_cell() -> None:
    queue = EdgeQueue()
    queue.add([Edge(Instant(1.0), A1, closed=True), Edge(Instant(1.2), A1, closed=False)])
    queue.add([Edge(Instant(1.1), B1, closed=True)])
    queue.add([Edge(Instant(1.15), A1, closed=False)])
    assert states(queue.take(Instant(2.0))) == [(0, True), (1, True), (0, False)]


def test_the_queue_hands_out_each_edge_once() -> None:
    queue = EdgeQueue()
    queue.add([Edge(Instant(1.0), A1, closed=True), Edge(Instant(2.0), A1, closed=False)])
    assert len(queue.take(Instant(1.5))) == 1
    assert len(queue.take(Instant(3.0))) == 1
    assert queue.take(Instant(9.0)) == []


def test_reeds_are_the_same_for_the_same_seed() -> None:
    def edges(seed: int) -> list[Edge]:
        board = Reeds(SCENARIOS["S3"], random.Random(seed), CellSet(1))
        return board.pass_over([A1, B1, C1], Instant(0.0), 1.0)

    assert edges(5) == edges(5)
    assert edges(5) != edges(6)
