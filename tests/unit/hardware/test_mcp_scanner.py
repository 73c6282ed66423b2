"""The true driver on the simulated board: every fault of the bus, in both wirings."""

from __future__ import annotations

import errno
import itertools
import random

import pytest

from hardware.cells import ALL_CELLS, Cell, CellSet, Frame
from hardware.mock.chip import GPPU, IPOL
from hardware.wiring import MATRIX, Wiring
from tests.support.scanned import CHIP_CELLS, START, Table, both_wirings, lost_cells


@both_wirings
def test_the_first_scan_sets_the_chips_up_and_reads_the_board(wiring: Wiring) -> None:
    table = Table(wiring)
    assert table.scan() == Frame(START)
    assert table.reasons == []
    for chip in table.board.bus.chips.values():
        assert chip.registers[IPOL] == chip.registers[GPPU] == [0x7F, 0x7F]


@both_wirings
def test_every_switch_is_its_own_cell(wiring: Wiring) -> None:
    table = Table(wiring)
    for cell in range(81):
        table.board.set(CellSet(1 << cell))
        assert table.scan() == Frame(CellSet(1 << cell))


@both_wirings
def test_a_frame_that_changes_nothing_is_the_same_object(wiring: Wiring) -> None:
    table = Table(wiring)
    assert len({id(frame) for frame in table.scan_for(2)}) == 1


@both_wirings
def test_a_silent_chip_is_unknown_at_once_and_named(wiring: Wiring) -> None:
    table = Table(wiring)
    table.scan()
    table.board.chip_silent(0x20)
    frame = table.scan()
    assert frame.unknown == lost_cells(wiring)
    assert frame.closed == START & ~lost_cells(wiring)
    assert table.reasons == [
        "chip 0x20 does not answer; check its power, its address pins, SDA and SCL"
    ]
    assert table.scanner.faults[0].source == "chip 0x20"
    assert table.scanner.faults[0].cells == lost_cells(wiring)
    assert table.scanner.faults[0].since == pytest.approx(0.010)


@both_wirings
def test_a_chip_that_answers_again_is_set_up_and_read_within_a_second(wiring: Wiring) -> None:
    table = Table(wiring)
    table.scan()
    table.board.chip_silent(0x20)
    table.scan_for(30)
    table.board.chip_reset(0x20)
    table.board.chip_silent(0x20, silent=False)
    frames = table.scan_for(1.1)
    assert frames[-1] == Frame(START)
    assert table.reasons == []
    assert all(frame.unknown == lost_cells(wiring) for frame in frames if frame != Frame(START))


def test_a_silent_row_chip_is_named_too() -> None:
    table = Table(MATRIX)
    table.scan()
    table.board.chip_silent(0x21)
    table.scan()
    assert table.scanner.faults[0].source == "chip 0x21"


def test_a_chip_absent_from_the_start_does_not_hinder_the_others() -> None:
    table = Table()
    table.board.chip_silent(0x23)
    frame = table.scan()
    assert frame.unknown == CHIP_CELLS << 42
    assert frame.closed == START & ~frame.unknown
    assert [fault.source for fault in table.scanner.faults] == ["chip 0x23"]


def test_a_silent_chip_is_asked_less_and_less_often() -> None:
    table = Table()
    table.scan()
    table.board.chip_silent(0x20)
    table.scan()
    before = table.board.bus.transfers
    table.scan_for(10)
    per_scan = (table.board.bus.transfers - before) / 2000
    assert 5.0 < per_scan < 5.1, "five healthy chips, and next to nothing for the silent one"


@both_wirings
def test_a_bus_held_low_is_one_fault_and_a_scan_never_waits_long(wiring: Wiring) -> None:
    table = Table(wiring)
    table.scan()
    table.board.bus.stuck = True
    for _ in range(400):
        before = table.board.bus.elapsed_s
        frame = table.scan()
        assert table.board.bus.elapsed_s - before <= 0.101
        assert frame == Frame(CellSet(0), ALL_CELLS)
    assert [fault.source for fault in table.scanner.faults] == ["the simulated bus"]
    assert table.scanner.faults[0].cells == ALL_CELLS
    assert "SDA or SCL is held low" in table.reasons[0]
    table.board.bus.stuck = False
    assert table.scan_for(1.1)[-1] == Frame(START)
    assert table.reasons == []


def test_while_the_bus_is_held_low_most_time_is_not_spent_waiting() -> None:
    table = Table()
    table.scan()
    table.board.bus.stuck = True
    table.scan_for(3)
    before = table.board.bus.elapsed_s
    table.scan_for(10)
    assert table.board.bus.elapsed_s - before <= 10 * 0.12


def test_one_chip_that_holds_the_clock_is_named_and_the_others_play_on() -> None:
    table = Table()
    table.scan()
    table.board.chip_holds(0x22)
    frame = table.scan()
    assert frame.unknown == CHIP_CELLS << 28
    assert table.reasons == [
        "chip 0x22 blocks the bus; check SDA and SCL for a short circuit, and its supply"
    ]


def test_the_reset_line_is_pulled_when_nothing_answers() -> None:
    table = Table()
    table.scan()
    for address in table.board.bus.chips:
        table.board.chip_holds(address)
    frames = table.scan_for(2)
    assert not table.board.bus.holding
    assert frames[-1] == Frame(START)


def test_the_reset_line_is_not_pulled_all_the_time() -> None:
    table = Table()
    pulls: list[float] = []
    table.scanner._reset = lambda: pulls.append(table.now)
    table.board.bus.stuck = True
    table.scan_for(20)
    assert len(pulls) == 4
    assert min(b - a for a, b in itertools.pairwise(pulls)) >= 5


def test_a_single_lost_transfer_is_repeated_and_is_no_fault() -> None:
    table = Table(seed=1)
    table.scan()
    table.board.bus.loss = 0.01
    frames = table.scan_for(5)
    assert table.scanner.retries > 30
    unknown = sum(frame.unknown != 0 for frame in frames)
    assert unknown < len(frames) / 10
    assert all(frame.closed | frame.unknown | ~START == ~0 for frame in frames)
    table.board.bus.loss = 0
    assert table.scan_for(1.1)[-1] == Frame(START)


def test_damaged_bytes_with_bit_seven_set_are_not_believed() -> None:
    table = Table()
    table.scan()
    chip = table.board.bus.chips[0x20]
    honest = chip.read
    # A line that picks up noise when the ports are read.
    chip.read = lambda: honest() | (0x80 if chip._pointer in {0x13, 0x14} else 0)  # type: ignore[method-assign]
    assert table.scan() == Frame(START)
    assert table.scanner.retries == 1
    assert table.scan_for(0.010)[-1] == Frame(START)
    table.scan()
    assert "damaged bytes" in table.reasons[0]
    assert table.scan().unknown == CHIP_CELLS
    del chip.read
    assert table.scan_for(1.1)[-1] == Frame(START)


def test_noise_that_breaks_the_settings_as_read_back_takes_the_chip_down_not_its_pieces() -> None:
    table = Table(seed=2)
    table.scan()
    table.board.bus.noise = 0.3
    for frame in table.scan_for(3):
        assert frame.closed | frame.unknown | ~START == ~0, "a piece vanished"
    table.board.bus.noise = 0
    assert table.scan_for(1.1)[-1] == Frame(START)


def test_the_rate_of_scans_is_measured() -> None:
    table = Table()
    table.scan_for(0.5)
    assert table.scanner.scan_hz == 0
    table.scan_for(2)
    assert table.scanner.scan_hz == pytest.approx(200, rel=0.002)


def test_faults_stand_oldest_first_and_losses_are_counted() -> None:
    table = Table()
    table.scan()
    table.board.chip_silent(0x25)
    table.scan()
    table.board.chip_silent(0x21)
    table.scan()
    assert [fault.source for fault in table.scanner.faults] == ["chip 0x25", "chip 0x21"]
    assert table.scanner.losses == 2


def test_closing_twice_is_allowed() -> None:
    table = Table()
    table.scan()
    table.scanner.close()
    table.scanner.close()


def test_changes_while_a_chip_is_silent_are_seen_when_it_is_back() -> None:
    table = Table()
    table.scan()
    table.board.chip_silent(0x20)
    table.scan()
    table.board.put(Cell(0))
    table.board.chip_silent(0x20, silent=False)
    assert table.scan_for(0.2)[-1].closed == START | 1


@both_wirings
def test_random_storms_end_with_the_true_board(wiring: Wiring) -> None:
    rng = random.Random(7)
    table = Table(wiring, seed=7)
    board, bus = table.board, table.board.bus
    for _ in range(20):
        address = rng.choice(list(bus.chips))
        match rng.randrange(6):
            case 0:
                board.chip_silent(address)
            case 1:
                board.chip_holds(address)
            case 2:
                board.chip_reset(address)
            case 3:
                bus.stuck = True
            case 4:
                bus.loss = 0.2
            case _:
                board.set(CellSet(rng.getrandbits(81)))
        table.scan_for(rng.uniform(0.05, 0.5))
    bus.silent.clear()
    bus.holding.clear()
    bus.stuck, bus.loss = False, 0
    assert table.scan_for(1.1)[-1] == Frame(table.board.closed)
    assert table.reasons == []


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EREMOTEIO, "does not answer"),
        (errno.ENXIO, "does not answer"),
        (errno.ENODEV, "does not answer"),
        (errno.ETIMEDOUT, "blocks the bus"),
        (errno.EIO, "cannot be read (broken)"),
    ],
)
def test_whatever_a_controller_reports_is_told_in_words(number: int, says: str) -> None:
    table = Table()
    table.scan()
    honest = table.scanner._links[0].section.read

    def fail() -> list[int]:
        raise OSError(number, "broken")

    table.scanner._links[0].section.read = fail  # type: ignore[method-assign] # one bad wire
    table.scan()
    assert says in table.reasons[0]
    table.scanner._links[0].section.read = honest  # type: ignore[method-assign]
    assert table.scan_for(0.2)[-1] == Frame(START)


def test_without_any_number_the_text_is_kept() -> None:
    table = Table()
    chip = table.board.bus.chips[0x20]
    chip.write = lambda value: None  # type: ignore[method-assign] # noqa: ARG005 # a deaf device
    table.scan()
    assert "another kind of chip" in table.reasons[0]


def test_the_pauses_between_attempts_double_up_to_a_second() -> None:
    table = Table()
    table.scan()
    table.board.chip_silent(0x20)
    attempts: list[float] = []
    configure = table.scanner._links[0].section.configure

    def watched() -> None:
        attempts.append(table.now)
        configure()

    table.scanner._links[0].section.configure = watched  # type: ignore[method-assign]
    table.scan_for(8)
    pauses = [b - a for a, b in itertools.pairwise([0.010, *attempts])]
    wanted = [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 1.0]
    assert pauses[: len(wanted)] == pytest.approx(wanted, abs=0.006)


@both_wirings
def test_a_chip_that_falls_silent_between_reading_and_checking_is_lost_at_once(
    wiring: Wiring,
) -> None:
    table = Table(wiring)
    table.scan()
    section = table.scanner._links[0].section

    def fail() -> bool:
        raise OSError(errno.EREMOTEIO, "gone")

    section.settings_intact = fail  # type: ignore[method-assign] # gone at that very moment
    table.board.set(CellSet(START ^ 1))
    assert table.scan().unknown == lost_cells(wiring)


@both_wirings
@pytest.mark.parametrize("pointer", [0x13, 0x14], ids=["port A", "port B"])
def test_a_chip_that_comes_back_with_damaged_bytes_stays_unknown(
    wiring: Wiring, pointer: int
) -> None:
    table = Table(wiring)
    chip = table.board.bus.chips[0x20]
    honest = chip.read
    chip.read = lambda: honest() | (0x80 if chip._pointer == pointer else 0)  # type: ignore[method-assign]
    assert table.scan().unknown == lost_cells(wiring)
    assert "damaged bytes" in table.reasons[0]
    del chip.read
    assert table.scan_for(0.1)[-1] == Frame(START)
