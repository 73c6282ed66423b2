from __future__ import annotations

from hardware.cells import ALL_CELLS, Cells, CellSet, Frame, Instant
from hardware.debounce import Debouncer

A = CellSet(0b01)
B = CellSet(0b10)
NONE = CellSet(0)


def t(milliseconds: float) -> Instant:
    return Instant(milliseconds / 1000)


def started(closed: CellSet = NONE) -> Debouncer:
    debouncer = Debouncer(settle_s=0.010)
    assert debouncer.step(Frame(closed), t(0)) == Cells(closed)
    return debouncer


def test_the_first_frame_is_the_state_of_the_board() -> None:
    assert started(A).cells == Cells(A)


def test_a_change_counts_when_it_has_held() -> None:
    debouncer = started()
    frame = Frame(A)
    assert debouncer.step(frame, t(5)) is None
    due = debouncer.next_deadline
    assert due == t(15)
    assert debouncer.step(frame, t(10)) is None
    assert debouncer.step(frame, t(15)) == Cells(A)
    due = debouncer.next_deadline
    assert due is None
    assert debouncer.step(frame, t(20)) is None


def test_equal_frames_settle_as_the_same_frame_does() -> None:
    debouncer = started()
    assert debouncer.step(Frame(A), t(5)) is None
    assert debouncer.step(Frame(A), t(15)) == Cells(A)


def test_a_bounce_starts_the_time_anew() -> None:
    debouncer = started()
    assert debouncer.step(Frame(A), t(5)) is None
    assert debouncer.step(Frame(NONE), t(10)) is None
    assert debouncer.next_deadline is None
    assert debouncer.step(Frame(A), t(15)) is None
    assert debouncer.step(Frame(A), t(20)) is None
    assert debouncer.step(Frame(A), t(25)) == Cells(A)


def test_a_lone_wrong_sample_is_never_seen() -> None:
    debouncer = started(A)
    assert debouncer.step(Frame(NONE), t(5)) is None
    for scan in range(2, 10):
        assert debouncer.step(Frame(A), t(5 * scan)) is None


def test_cells_settle_on_their_own() -> None:
    debouncer = started()
    assert debouncer.step(Frame(A), t(5)) is None
    assert debouncer.step(Frame(CellSet(A | B)), t(10)) is None
    assert debouncer.step(Frame(CellSet(A | B)), t(15)) == Cells(A)
    assert debouncer.step(Frame(CellSet(A | B)), t(20)) == Cells(CellSet(A | B))


def test_what_cannot_be_read_is_unknown_at_once() -> None:
    debouncer = started(CellSet(A | B))
    assert debouncer.step(Frame(A, B), t(5)) == Cells(A, B)


def test_what_is_readable_again_is_believed_when_it_has_held() -> None:
    debouncer = started(CellSet(A | B))
    debouncer.step(Frame(A, B), t(5))
    assert debouncer.step(Frame(A), t(10)) is None
    assert debouncer.step(Frame(A, B), t(15)) is None
    assert debouncer.step(Frame(A), t(20)) is None
    assert debouncer.next_deadline == t(30)
    assert debouncer.step(Frame(A), t(30)) == Cells(A)


def test_a_change_in_the_dark_is_no_change_until_it_is_readable() -> None:
    debouncer = started(A)
    debouncer.step(Frame(NONE, A), t(5))
    assert debouncer.next_deadline is None
    assert debouncer.step(Frame(NONE, A), t(100)) is None
    debouncer.step(Frame(NONE), t(105))
    assert debouncer.step(Frame(NONE), t(115)) == Cells(NONE)


def test_unknown_cells_never_read_as_closed() -> None:
    debouncer = Debouncer(settle_s=0.01)
    assert debouncer.step(Frame(ALL_CELLS, A), t(0)) == Cells(CellSet(ALL_CELLS & ~A), A)
    assert debouncer.step(Frame(ALL_CELLS, ALL_CELLS), t(5)) == Cells(NONE, ALL_CELLS)


def test_without_settling_time_every_frame_counts() -> None:
    debouncer = Debouncer(settle_s=0)
    debouncer.step(Frame(NONE), t(0))
    assert debouncer.step(Frame(A), t(5)) == Cells(A)
    assert debouncer.step(Frame(NONE), t(10)) == Cells(NONE)


def test_rounding_of_scan_times_costs_no_scan() -> None:
    debouncer = Debouncer(settle_s=0.010)
    debouncer.step(Frame(NONE), Instant(0.0))
    now = 1234.0
    debouncer.step(Frame(A), Instant(now))
    now += 0.005
    debouncer.step(Frame(A), Instant(now))
    now += 0.005
    assert debouncer.step(Frame(A), Instant(now)) == Cells(A)
