from __future__ import annotations

import pytest

from hardware.bus import I2cBus, open_bus
from hardware.cells import CellSet
from hardware.mcp23017 import Mcp23017
from hardware.mock.board import MockBoard
from hardware.mock.chip import GPINTEN, GPPU, IOCON, IODIR, IPOL, OLAT


def on(board: MockBoard) -> I2cBus:
    return open_bus("x", new_bus=board.bus.new_bus, ioctl=board.bus.ioctl)


def test_configuring_leaves_bit_seven_an_output_and_every_other_pin_a_pulled_up_input() -> None:
    board = MockBoard()
    Mcp23017(on(board), 0x20).configure()
    registers = board.bus.chips[0x20].registers
    assert registers[IODIR] == registers[IPOL] == registers[GPPU] == [0x7F, 0x7F]
    assert registers[OLAT] == registers[GPINTEN] == registers[IOCON] == [0, 0]


def test_iodir_is_the_first_register_written() -> None:
    writes: list[tuple[int, list[int]]] = []

    class Watched:
        def __init__(self, bus: I2cBus) -> None:
            self.read_i2c_block_data = bus.read_i2c_block_data
            self.close = bus.close
            self._bus = bus

        def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
            writes.append((register, list(data)))
            self._bus.write_i2c_block_data(i2c_addr, register, data)

    Mcp23017(Watched(on(MockBoard())), 0x20).configure()  # type: ignore[arg-type] # duck of a bus
    assert writes[0] == (0x00, [0x7F, 0x7F])


@pytest.mark.parametrize("iocon", [0x80, 0x20, 0xA0, 0xFE])
def test_configuring_recovers_from_any_mode(iocon: int) -> None:
    board = MockBoard()
    chip = board.bus.chips[0x20]
    chip.point(0x0A)
    chip.write(iocon)
    Mcp23017(on(board), 0x20).configure()
    assert chip.registers[IOCON] == [0, 0]
    assert chip.registers[IODIR] == chip.registers[IPOL] == chip.registers[GPPU] == [0x7F, 0x7F]


def test_closed_switches_read_one() -> None:
    board = MockBoard()
    chip = Mcp23017(on(board), 0x20)
    chip.configure()
    board.set(CellSet(1 << 0 | 1 << 6 | 1 << 7 | 1 << 13 | 1 << 14))
    assert chip.read_switches() == [0b100_0001, 0b100_0001]


def test_with_interrupts_all_chips_can_share_one_line() -> None:
    board = MockBoard()
    Mcp23017(on(board), 0x20, interrupts=True).configure()
    registers = board.bus.chips[0x20].registers
    assert registers[IOCON] == [0x44, 0x44], "mirrored and open drain"
    assert registers[GPINTEN] == [0x7F, 0x7F]


def test_a_reset_chip_reads_as_an_empty_board_and_only_its_settings_tell() -> None:
    board = MockBoard()
    chip = Mcp23017(on(board), 0x20)
    chip.configure()
    board.set(CellSet(1))
    assert chip.settings_intact()
    board.chip_reset(0x20)
    assert chip.read_switches() == [0, 0]
    assert not chip.settings_intact()


def test_a_device_that_keeps_no_settings_is_no_expander() -> None:
    board = MockBoard()
    chip = board.bus.chips[0x20]
    chip.write = lambda value: None  # type: ignore[method-assign] # noqa: ARG005 # a deaf device
    with pytest.raises(OSError, match="another kind of chip"):
        Mcp23017(on(board), 0x20).configure()


def test_a_selected_row_is_the_only_pin_that_drives() -> None:
    board = MockBoard()
    chip = Mcp23017(on(board), 0x20)
    chip.configure()
    chip.drive_low(1, 0b10)
    registers = board.bus.chips[0x20].registers
    assert registers[IODIR] == [0x7F, 0x7D]
    assert registers[OLAT] == [0, 0]
    assert chip.settings_intact()
    chip.drive_low(0, 0b1)
    assert registers[IODIR] == [0x7E, 0x7F]
