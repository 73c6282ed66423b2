"""Gestures of hands over the board."""

from __future__ import annotations

import random

import pytest

from hardware.cells import Cell, CellSet, Instant
from hardware.mock.effects import SCENARIOS, only
from hardware.mock.hands import Hands, line, neighbours

A1, B1, C1, A2 = Cell(0), Cell(1), Cell(2), Cell(9)


def hands(*effects: str, seed: int = 0, **changes: object) -> Hands:
    return Hands(only(*effects, **changes), random.Random(seed), CellSet(1))


def test_lift_and_put() -> None:
    pair = hands()
    assert [edge.closed for edge in pair.lift(A1, Instant(1.0)).edges] == [False]
    assert [edge.closed for edge in pair.put(B1, Instant(2.0)).edges] == [True]
    assert not pair.reeds.feels(A1)
    assert pair.reeds.feels(B1)


def test_a_push_takes_its_way_by_its_speed() -> None:
    gesture = hands().push([A1, B1, C1], Instant(1.0), 0.09)
    assert gesture.ends == pytest.approx(2.0)
    assert all(1.0 <= edge.at <= 2.0 for edge in gesture.edges)


def test_a_piece_put_down_off_centre_is_felt_once_it_is_shifted() -> None:
    pair = hands("N6", off_centre=1.0)
    assert pair.put(B1, Instant(2.0)).edges == ()
    assert not pair.reeds.feels(B1)
    assert [edge.closed for edge in pair.shift(B1, Instant(4.0)).edges] == [True]


def test_a_push_that_stops_short_is_not_felt_in_the_end() -> None:
    pair = hands("N6", off_centre=1.0)
    pair.push([A1, B1], Instant(0.0), 0.3)
    assert not pair.reeds.feels(B1)


def test_a_piece_on_a_dead_centre_flickers_or_is_not_felt_at_times() -> None:
    kinds = set()
    for seed in range(80):
        pair = hands("N5", seed=seed, dead_centre=1.0)
        kinds.add(min(2, len(pair.put(B1, Instant(1.0)).edges)))
    assert kinds == {0, 1, 2}  # not felt, felt, flickering


def test_a_pushed_piece_may_flicker_on_a_dead_centre_too() -> None:
    after = set()
    for seed in range(80):
        pair = hands("N5", seed=seed, dead_centre=1.0)
        gesture = pair.push([A1, B1], Instant(1.0), 0.3)
        after.add(sum(edge.at > gesture.ends for edge in gesture.edges) > 0)
    assert after == {True, False}


def test_speeds_stay_within_what_hands_do() -> None:
    pair = Hands(SCENARIOS["S3"], random.Random(1), CellSet(0))
    speeds = sorted(pair.speed() for _ in range(2000))
    assert speeds[0] >= 0.05
    assert speeds[-1] <= 2.0
    assert speeds[1000] == pytest.approx(0.35, rel=0.1)


def test_lines_go_either_way_along_rows_and_columns() -> None:
    assert line(A1, C1) == (A1, B1, C1)
    assert line(C1, A1) == (C1, B1, A1)
    assert line(A2, A1) == (A2, A1)
    with pytest.raises(ValueError, match="row or column"):
        line(A2, B1)


def test_neighbours_stay_on_the_board() -> None:
    assert set(neighbours(A1)) == {B1, A2}
    assert len(neighbours(Cell(40))) == 4
    assert set(neighbours(Cell(8))) == {Cell(7), Cell(17)}
