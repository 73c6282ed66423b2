"""The true driver on chips that lose their settings: never an empty board, always put right."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from hardware.cells import CellSet, Frame
from hardware.mock.chip import GPINTEN, GPPU, IOCON, IODIR, IPOL
from tests.support.scanned import START, Table, both_wirings, lost_cells

if TYPE_CHECKING:
    from hardware.wiring import Wiring


@both_wirings
@pytest.mark.parametrize("floating", ["low", "random"])
def test_a_chip_that_lost_its_settings_never_shows_an_empty_board(
    wiring: Wiring, floating: str
) -> None:
    table = Table(wiring)
    table.board.floating = floating
    table.scan_for(0.5)
    for address in table.board.bus.chips:
        table.board.chip_reset(address)
        for frame in table.scan_for(2):
            assert frame.closed | frame.unknown | ~START == ~0, "a piece vanished"
            assert not frame.closed & ~START, "a piece appeared"
        assert frame == Frame(START)


@both_wirings
def test_a_chip_that_lost_its_settings_is_named_and_set_up_again(wiring: Wiring) -> None:
    table = Table(wiring)
    table.scan()
    table.board.chip_reset(0x20)
    frame = table.scan()
    assert frame.unknown == lost_cells(wiring)
    assert table.reasons == [
        "chip 0x20 lost its settings (a dip of its supply, or a loose RESET wire)"
    ]
    table.scan_for(0.1)
    assert table.reasons == []
    assert table.board.bus.chips[0x20].registers[IPOL] == [0x7F, 0x7F]


def test_a_reset_is_named_as_one_although_bit_seven_floats() -> None:
    for seed in range(20):
        table = Table(seed=seed)
        table.board.floating = "random"
        table.scan()
        table.board.chip_reset(0x20)
        table.scan_for(0.04)
        assert "lost its settings" in table.reasons[0]


def test_lost_settings_are_found_within_a_second_where_no_switch_is_closed() -> None:
    table = Table()
    table.board.set(CellSet(0))
    table.scan_for(0.5)
    table.board.chip_reset(0x24)
    frames = table.scan_for(1.05)
    assert any(frame.unknown for frame in frames)
    assert table.board.bus.chips[0x24].registers[IODIR] == [0x7F, 0x7F]


@pytest.mark.parametrize("after", range(24))
def test_a_reset_in_the_midst_of_setting_up_is_noticed(after: int) -> None:
    table = Table()
    chip = table.board.bus.chips[0x20]
    honest, writes = chip.write, itertools.count()

    def write(value: int) -> None:
        honest(value)
        if next(writes) == after:
            chip.reset()

    chip.write = write  # type: ignore[method-assign] # a supply that dips as the board starts
    for frame in table.scan_for(1.1):
        assert frame.closed | frame.unknown | ~START == ~0
    assert frame == Frame(START)
    assert chip.registers[IODIR] == chip.registers[GPPU] == [0x7F, 0x7F]


@both_wirings
@pytest.mark.parametrize("pair", [IODIR, IPOL, GPINTEN, IOCON, GPPU])
@pytest.mark.parametrize("flip", [0x01, 0x08, 0x20, 0x80])
def test_a_register_that_changes_by_itself_is_found_and_put_right(
    wiring: Wiring, pair: int, flip: int
) -> None:
    table = Table(wiring)
    table.scan_for(0.3)
    chip = table.board.bus.chips[0x20]
    chip.registers[pair][0] ^= flip
    if pair == IOCON:
        chip.registers[pair][1] ^= flip
    frames = table.scan_for(1.2)
    assert any(frame.unknown for frame in frames)
    assert frames[-1] == Frame(START)
    for frame in frames:
        assert frame.closed | frame.unknown | ~START == ~0, "a piece vanished"
        assert not frame.closed & ~START, "a piece appeared"
