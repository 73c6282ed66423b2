from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.cells import ALL_CELLS, CellSet, Frame, Instant
from hardware.debounce import Debouncer

masks = st.integers(0, (1 << 8) - 1)
scans = st.lists(st.tuples(masks, masks), min_size=1, max_size=40)
SCAN_S = 0.005
SETTLE_S = 0.010


@given(scans)
def test_what_is_believed_was_seen_unbroken_for_the_settling_time(
    seen: list[tuple[int, int]],
) -> None:
    debouncer = Debouncer(settle_s=SETTLE_S)
    frames = [Frame(CellSet(closed & ~unknown), CellSet(unknown)) for closed, unknown in seen]
    believed = None
    for scan, frame in enumerate(frames):
        cells = debouncer.step(frame, Instant(scan * SCAN_S))
        now = debouncer.cells
        assert cells in {None, now}
        assert frame.unknown & ~now.unknown == 0, "unknown at once"
        assert now.closed & now.unknown == 0
        if believed is None:
            believed = now
            continue
        turned = (now.closed ^ believed.closed) & ~now.unknown & ~believed.unknown
        turned |= believed.unknown & ~now.unknown
        for earlier in frames[scan - 2 : scan]:
            assert turned & ((earlier.closed ^ frame.closed) | earlier.unknown) == 0
        believed = now


@given(scans)
def test_a_board_at_rest_is_believed_as_it_is(seen: list[tuple[int, int]]) -> None:
    debouncer = Debouncer(settle_s=SETTLE_S)
    for scan, (closed, unknown) in enumerate(seen):
        debouncer.step(Frame(CellSet(closed), CellSet(unknown)), Instant(scan * SCAN_S))
    last = Frame(CellSet(ALL_CELLS & 0b1010))
    start = len(seen) * SCAN_S
    debouncer.step(last, Instant(start))
    due = debouncer.next_deadline
    debouncer.step(last, Instant(start + SETTLE_S))
    assert due is None or due <= start + SETTLE_S
    assert (debouncer.cells.closed, debouncer.cells.unknown) == (last.closed, 0)
