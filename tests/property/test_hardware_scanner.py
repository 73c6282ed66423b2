from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.backends import open_simulation
from hardware.cells import ALL_CELLS, CellSet, Frame, Instant
from hardware.wiring import DIRECT, MATRIX

if TYPE_CHECKING:
    from hardware.mock.board import MockBoard

addresses = st.sampled_from([0x20, 0x21])
happenings = st.one_of(
    st.tuples(st.just("silent"), addresses, st.booleans()),
    st.tuples(st.just("holds"), addresses, st.booleans()),
    st.tuples(st.just("reset"), addresses, st.booleans()),
    st.tuples(st.just("stuck"), addresses, st.booleans()),
    st.tuples(st.just("lossy"), addresses, st.booleans()),
)
stories = st.lists(st.tuples(happenings, st.integers(1, 40)), max_size=12)
boards = st.integers(0, ALL_CELLS).map(CellSet)


def happen(board: MockBoard, what: str, address: int, on: bool) -> None:
    match what:
        case "silent":
            board.chip_silent(address, silent=on)
        case "holds":
            board.chip_holds(address, holds=on)
        case "reset":
            board.floating = "random" if on else "low"
            board.chip_reset(address)
        case "stuck":
            board.bus.stuck = on
        case _:
            board.bus.loss = 0.1 if on else 0.0


@given(boards, stories, st.sampled_from([DIRECT, MATRIX]), st.integers(0, 9))
@settings(max_examples=60)
def test_whatever_happens_to_the_bus_no_piece_appears_or_vanishes(
    closed: CellSet, story: list[tuple[tuple[str, int, bool], int]], wiring: object, seed: int
) -> None:
    simulation = open_simulation(seed=seed, wiring=wiring)  # type: ignore[arg-type] # either kind
    board, scanner = simulation.board, simulation.scanner
    board.set(closed)
    now = 0.0
    for (what, address, on), scans in story:
        happen(board, what, address, on)
        for _ in range(scans):
            now += 0.005
            frame = scanner.scan(Instant(now))
            assert frame.closed & ~closed == 0
            assert closed & ~(frame.closed | frame.unknown) == 0
            assert bool(frame.unknown) == bool(scanner.faults)
    for address in board.bus.chips:
        board.chip_silent(address, silent=False)
        board.chip_holds(address, holds=False)
    board.bus.stuck, board.bus.loss = False, 0.0
    for _ in range(24):
        now += 0.05
        frame = scanner.scan(Instant(now))
    assert frame == Frame(closed)
