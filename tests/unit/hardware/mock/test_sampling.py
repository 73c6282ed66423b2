"""What scans make of the contacts."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest

from hardware.cells import ALL_CELLS, Cell, CellSet, Frame, Instant
from hardware.mock.effects import only
from hardware.mock.reeds import Edge
from hardware.mock.sampling import (
    CHIPS,
    BadSwitch,
    Defect,
    Silence,
    TimedFrame,
    draw_silences,
    sample,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

A1, B1 = Cell(0), Cell(1)
CLEAN = only()


def frames(
    edges: list[Edge], *, end: float = 1.0, start: int = 1, bad: Sequence[BadSwitch] = ()
) -> list[tuple[float, int]]:
    found = sample(CellSet(start), edges, Instant(end), CLEAN, random.Random(0), bad=bad)
    return [(round(timed.at, 3), int(timed.frame.closed)) for timed in found]


def test_a_change_shows_at_the_next_scan() -> None:
    assert frames([Edge(Instant(0.0121), A1, closed=False)]) == [(0.0, 1), (0.015, 0)]


def test_a_change_at_a_scan_shows_at_that_scan() -> None:
    assert frames([Edge(Instant(0.015), A1, closed=False)]) == [(0.0, 1), (0.015, 0)]


def test_what_happens_between_two_scans_is_not_seen() -> None:
    edges = [Edge(Instant(0.011), A1, closed=False), Edge(Instant(0.012), A1, closed=True)]
    assert frames(edges) == [(0.0, 1)]


def test_nothing_is_seen_after_the_end() -> None:
    assert frames([Edge(Instant(2.0), A1, closed=False)]) == [(0.0, 1)]


def test_the_chips_share_the_board() -> None:
    assert sum(CHIPS) == ALL_CELLS
    assert [chip.bit_count() for chip in CHIPS] == [14, 14, 14, 14, 14, 11]


def test_a_silent_chip_leaves_its_cells_unknown() -> None:
    silence = Silence(0, Instant(0.1), Instant(0.2))
    found = sample(CellSet(1), [], Instant(1.0), CLEAN, random.Random(0), silences=[silence])
    assert [(round(timed.at, 3), timed.frame) for timed in found] == [
        (0.0, Frame(CellSet(1))),
        (0.1, Frame(CellSet(0), CHIPS[0])),
        (0.2, Frame(CellSet(1))),
    ]


@pytest.mark.parametrize(("defect", "seen"), [(Defect.CLOSED, 3), (Defect.OPEN, 1)])
def test_a_stuck_switch_shows_one_state(defect: Defect, seen: int) -> None:
    edges = [Edge(Instant(0.5), B1, closed=False), Edge(Instant(0.6), B1, closed=True)]
    bad = [BadSwitch(B1, defect, Instant(0.1))]
    assert frames(edges, start=3 if defect is Defect.OPEN else 1, bad=bad) == [
        (0.0, 3 if defect is Defect.OPEN else 1),
        (0.1, seen),
    ]


def test_a_flickering_switch_shows_both_states() -> None:
    bad = [BadSwitch(B1, Defect.FLICKERS, Instant(1.0))]
    found = frames([], end=30.0, bad=bad)
    assert {closed for _, closed in found} == {1, 3}
    assert 4 < len(found) < 200


def test_read_errors_last_one_scan_and_are_as_frequent_as_asked() -> None:
    effects = only("N17", read_error=1e-3)
    found = sample(CellSet(1), [], Instant(100.0), effects, random.Random(1))
    unread = [timed for timed in found if timed.frame.unknown]
    assert 90 < len(unread) < 155  # 6 chips x 20000 scans x 1e-3 = 120
    for timed, after in itertools.pairwise(found):
        assert not timed.frame.unknown or after.at - timed.at < 0.012


def test_a_corrupt_byte_lasts_one_scan() -> None:
    effects = only("N19", corrupt=1.0)
    highest = Cell(13)
    edges = [Edge(Instant(0.1), highest, closed=True)]
    found = sample(CellSet(1), edges, Instant(1.0), effects, random.Random(3))
    assert [round(timed.at, 3) for timed in found] == [0.0, 0.1, 0.105]
    assert found[-1].frame == Frame(CellSet(1 | 1 << highest))


def test_silences_are_as_frequent_and_as_long_as_asked() -> None:
    rng = random.Random(1)
    drawn = [draw_silences(only("N18"), rng, Instant(100.0)) for _ in range(1000)]
    found = [silence for silences in drawn for silence in silences]
    assert 250 < len(found) < 350
    lengths = sorted(silence.end - silence.start for silence in found)
    assert 4.0 < lengths[len(lengths) // 2] < 6.0


def test_frames_come_in_order_and_differ() -> None:
    effects = only("N17", "N19")
    edges = [
        Edge(Instant(0.01 * number), Cell(number % 81), closed=bool(number % 2))
        for number in range(500)
    ]
    found: list[TimedFrame] = sample(CellSet(0), edges, Instant(9.0), effects, random.Random(2))
    for before, after in itertools.pairwise(found):
        assert before.at < after.at
        assert before.frame != after.frame
