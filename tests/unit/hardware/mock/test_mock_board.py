from __future__ import annotations

import random

import pytest

from hardware.backends import open_simulation
from hardware.cells import ALL_CELLS, Cell, CellSet, Instant
from hardware.errors import HardwareError
from hardware.mock.board import MockBoard
from hardware.mock.strip import DARK, RecordingStrip
from hardware.wiring import DIRECT, MATRIX


def test_magnets_close_reeds() -> None:
    board = MockBoard()
    board.put(Cell(3))
    board.put(Cell(80))
    assert board.closed == 1 << 3 | 1 << 80
    board.lift(Cell(3))
    assert board.closed == 1 << 80
    board.set(CellSet(5))
    assert board.closed == 5


def test_a_stuck_reed_does_not_follow_its_magnet() -> None:
    board = MockBoard()
    board.stick(Cell(0), closed=True)
    board.stick(Cell(1), closed=False)
    board.put(Cell(1))
    assert board.closed == 1
    board.stick(Cell(0), closed=None)
    board.stick(Cell(1), closed=None)
    assert board.closed == 2


def test_queued_changes_happen_in_their_order_when_they_are_due() -> None:
    board = MockBoard()
    board.schedule(Instant(2), Cell(1), closed=True)
    board.schedule(Instant(1), Cell(0), closed=True)
    board.schedule(Instant(2), Cell(1), closed=False)
    assert board.next_change == Instant(1)
    board.advance(Instant(1.5))
    assert board.closed == 1
    board.advance(Instant(2))
    assert board.closed == 1
    assert board.next_change is None


def test_without_pull_ups_an_input_floats_low_or_at_random() -> None:
    board = MockBoard(rng=random.Random(3))
    chip = board.bus.chips[0x20]
    assert chip.level(0) == 0
    board.floating = "random"
    assert len({chip.level(0) for _ in range(20)}) > 5


@pytest.mark.parametrize("diodes", [True, False])
def test_three_corners_close_the_fourth_only_where_diodes_are_missing(diodes: bool) -> None:
    simulation = open_simulation(seed=0, wiring=MATRIX)
    if not diodes:
        simulation.board.bridge()
    corners = CellSet(1 << 0 | 1 << 1 | 1 << 9)
    simulation.board.set(corners)
    ghost = 0 if diodes else 1 << 10
    assert simulation.scanner.scan(Instant(0)).closed == corners | ghost


def test_the_interrupt_line_follows_a_change() -> None:
    board = MockBoard()
    chip = board.bus.chips[0x20]
    for register, value in ((0x0C, 0x7F), (0x04, 0x7F)):
        chip.point(register)
        chip.write(value)
    assert not board.interrupt
    board.put(Cell(2))
    assert board.interrupt


def test_the_reset_line_frees_a_chip_that_holds_the_bus() -> None:
    board = MockBoard()
    board.chip_holds(0x21)
    board.reset_line()
    assert not board.bus.holding
    board.chip_holds(0x21)
    board.chip_holds(0x21, holds=False)
    assert not board.bus.holding


def test_the_recording_strip_remembers() -> None:
    strip = RecordingStrip(keep=2)
    assert strip.last == DARK
    frame = [(1, 2, 3)] * 81
    strip.show(frame)
    assert strip.last == tuple(frame)
    strip.failing = True
    with pytest.raises(HardwareError, match="refuses"):
        strip.show(frame)
    strip.close()
    strip.close()
    assert list(strip.frames) == [tuple(frame), DARK]


def test_all_cells_reach_the_driver_in_both_wirings() -> None:
    for wiring in (DIRECT, MATRIX):
        simulation = open_simulation(seed=0, wiring=wiring)
        for cell in range(81):
            simulation.board.set(CellSet(1 << cell))
            assert simulation.scanner.scan(Instant(cell)).closed == 1 << cell
        simulation.board.set(ALL_CELLS)
        assert simulation.scanner.scan(Instant(99)).closed == ALL_CELLS
