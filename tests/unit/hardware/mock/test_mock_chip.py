"""Each test states one fact of the data sheet DS20001952 revision D."""

from __future__ import annotations

from hardware.mock.chip import GPIO, INTCAP, INTF, IODIR, OLAT, ChipModel


class Pins:
    """The world outside a chip: the level of each pin of each port."""

    def __init__(self) -> None:
        self.levels = [0xFF, 0xFF]

    def __call__(self, _chip: ChipModel, port: int) -> int:
        return self.levels[port]


def made() -> tuple[ChipModel, Pins]:
    pins = Pins()
    return ChipModel(0x20, pins), pins


def write(chip: ChipModel, register: int, *values: int) -> None:
    chip.point(register)
    for value in values:
        chip.write(value)


def read(chip: ChipModel, register: int, count: int) -> list[int]:
    chip.point(register)
    return [chip.read() for _ in range(count)]


def test_at_power_on_all_pins_are_inputs_and_all_else_is_zero() -> None:
    chip, _ = made()
    assert read(chip, 0x00, 18) == [0xFF, 0xFF, *[0] * 16]


def test_addresses_run_on_and_wrap_after_olatb() -> None:
    chip, _ = made()
    write(chip, 0x14, 0x12, 0x34, 0x56)
    assert chip.registers[OLAT] == [0x12, 0x34]
    assert chip.registers[IODIR] == [0x56, 0xFF]


def test_with_bank_the_ports_are_apart() -> None:
    chip, _ = made()
    write(chip, 0x0A, 0x80)
    write(chip, 0x10, 0x0F)
    assert chip.registers[IODIR] == [0xFF, 0x0F]
    assert read(chip, 0x05, 1) == [0x80]
    assert read(chip, 0x0A, 2) == [0, 0x0F], "the pointer jumps from OLATA to IODIRB"
    assert read(chip, 0x1A, 2) == [0, 0xFF], "and from OLATB to IODIRA"


def test_byte_mode_toggles_between_the_ports() -> None:
    chip, pins = made()
    write(chip, 0x0A, 0x20)
    pins.levels = [0x01, 0x02]
    assert read(chip, 0x12, 4) == [1, 2, 1, 2]


def test_byte_mode_with_bank_stays_where_it_is() -> None:
    chip, pins = made()
    write(chip, 0x0A, 0xA0)
    pins.levels = [0x01, 0x02]
    assert read(chip, 0x09, 3) == [1, 1, 1]


def test_polarity_inverts_inputs_only() -> None:
    chip, pins = made()
    write(chip, 0x00, 0x7F)
    write(chip, 0x02, 0xFF)
    pins.levels = [0xFE, 0xFF]
    assert read(chip, 0x12, 1) == [0x01]


def test_outputs_show_their_latch_and_writing_gpio_sets_it() -> None:
    chip, pins = made()
    write(chip, 0x00, 0x00)
    pins.levels = [0x00, 0x00]
    write(chip, 0x12, 0xA5)
    assert chip.registers[OLAT][0] == 0xA5
    assert read(chip, 0x12, 1) == [0xA5]


def test_iocon_is_one_register_at_two_addresses_and_its_bit_zero_reads_zero() -> None:
    chip, _ = made()
    write(chip, 0x0B, 0x45)
    assert read(chip, 0x0A, 2) == [0x44, 0x44]


def test_flags_and_captures_cannot_be_written() -> None:
    chip, _ = made()
    write(chip, 0x0E, 0xFF, 0xFF, 0xFF, 0xFF)
    assert read(chip, 0x0E, 4) == [0, 0, 0, 0]


def test_addresses_beyond_the_last_register_read_zero() -> None:
    chip, _ = made()
    assert read(chip, 0x16, 1) == [0]
    write(chip, 0x40, 0x55)
    assert [0x55] not in [list(pair) for pair in chip.registers]


def test_a_change_raises_the_interrupt_and_is_captured() -> None:
    chip, pins = made()
    write(chip, 0x04, 0x7F, 0x7F)
    pins.levels[0] = 0xFE
    chip.sample()
    pins.levels[0] = 0xFF
    chip.sample()
    assert chip.interrupt == (True, False)
    assert chip.registers[INTF] == [0x01, 0]
    assert read(chip, INTCAP * 2, 1) == [0xFE]
    assert chip.interrupt == (False, False)


def test_reading_the_port_ends_the_interrupt() -> None:
    chip, pins = made()
    write(chip, 0x04, 0x7F)
    pins.levels[0] = 0xFE
    chip.sample()
    read(chip, GPIO * 2, 1)
    chip.sample()
    assert chip.interrupt == (False, False)


def test_compared_with_a_default_the_interrupt_stays_while_the_pin_differs() -> None:
    chip, pins = made()
    write(chip, 0x06, 0xFF)
    write(chip, 0x08, 0xFF)
    write(chip, 0x04, 0x01)
    pins.levels[0] = 0xFE
    chip.sample()
    read(chip, GPIO * 2, 1)
    chip.sample()
    assert chip.interrupt == (True, False)


def test_mirrored_interrupts_raise_both_lines() -> None:
    chip, pins = made()
    write(chip, 0x0A, 0x40)
    write(chip, 0x05, 0x7F)
    pins.levels[1] = 0xFE
    chip.sample()
    assert chip.interrupt == (True, True)


def test_a_reset_brings_power_on_back() -> None:
    chip, _ = made()
    write(chip, 0x00, 0x7F, 0x7F, 0x7F, 0x7F)
    chip.reset()
    assert read(chip, 0x00, 4) == [0xFF, 0xFF, 0, 0]
