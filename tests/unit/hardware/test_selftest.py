"""Seeded faults: each is found by walking a piece over the board, and named with its remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.cells import Cell, CellSet, Instant
from hardware.naming import cell_name
from hardware.selftest import PATIENCE_S, SelfTest, selftest
from hardware.wiring import DIRECT, MATRIX, DirectWiring, Wiring
from tests.support.boards import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable

WHITE = (140, 140, 140)


class Test:
    """A self-test and the person who does it."""

    __test__ = False

    def __init__(self, wiring: Wiring = DIRECT, *, real: Wiring | None = None) -> None:
        self.found = SelfTest()
        self.bench = Workbench(selftest(self.found, wiring), read_as=wiring, real=real)
        self.board = self.bench.board
        self.on_put: dict[int, Callable[[], None]] = {}

    def run(self) -> list[str]:
        """Follow the lights to the end; return what is reported."""
        bench = self.bench
        while not bench.guide.finished:
            task = bench.guide.ask.task
            if task == "take all pieces off the board":
                self.board.set(CellSet(0))
            elif task.startswith("put the piece on"):
                self._put(task)
            elif task.startswith("put a piece on each"):
                for cell in bench.lit:
                    self.board.put(Cell(cell))
            before = task
            bench.wait()
            while bench.guide.ask.task == before and not bench.guide.finished:
                if before.startswith("put a piece on each") and bench.lit:
                    break
                bench.wait(step_s=0.1)
        return self.found.problems()

    def _put(self, task: str) -> None:
        """Put the piece where the light, or the one hole in the lights, says."""
        if "not green" in task:
            holes = set(range(81)) - set(self.bench.lit)
            place = next(iter(holes)) if len(holes) == 1 else None
        else:
            place = next((cell for cell in self.bench.lit if self.bench.lit[cell] == WHITE), None)
        self.board.set(CellSet(0))
        self.bench.wait(0.1, step_s=0.1)
        if place is not None:
            self.board.put(Cell(place))
            self.on_put.get(place, lambda: None)()


@pytest.mark.parametrize("wiring", [DIRECT, MATRIX], ids=["direct", "matrix"])
def test_a_good_board_has_nothing_to_report(wiring: Wiring) -> None:
    test = Test(wiring)
    assert test.run() == []
    assert test.found.good == set(range(81))


def test_the_lights_are_shown_in_every_colour_and_one_by_one() -> None:
    test = Test()
    test.run()
    assert [f"all lights are {name}" in test.bench.tasks for name in ("red", "green", "blue")]
    assert "one light after another, a1 to i9" in test.bench.tasks


def test_a_good_square_is_answered_in_green_and_a_wrong_one_all_in_red() -> None:
    pins = list(DIRECT.pins)
    pins[1], pins[2] = pins[2], pins[1]
    test = Test(real=DirectWiring(tuple(pins)))
    answers: dict[str, dict[int, tuple[int, int, int]]] = {}
    wait = test.bench.wait

    def watched(*args: float, **kwargs: float) -> None:
        wait(*args, **kwargs)
        answers.setdefault(test.bench.guide.ask.task, test.bench.lit)

    test.bench.wait = watched  # type: ignore[method-assign] # a look over the shoulder
    test.run()
    assert answers["a1: good"] == {0: (0, 160, 0)}
    assert answers["b1: wrong"] == dict.fromkeys(range(81), (200, 0, 0))


def test_a_reed_stuck_closed_is_found_on_the_empty_board() -> None:
    test = Test()
    test.board.stick(Cell(40), closed=True)
    assert test.run() == [
        "closed without a piece: e5; look for a short circuit, or a reed that was bent and sticks"
    ]
    assert len(test.found.good) == 80


def test_a_reed_that_does_not_open_is_found_when_the_piece_is_on_the_next_square() -> None:
    test = Test()
    test.on_put[12] = lambda: test.board.stick(Cell(12), closed=True)
    assert test.run()[0].startswith("closed without a piece: d2; ")
    assert 13 in test.found.good


def test_a_reed_that_does_not_close_is_found() -> None:
    test = Test()
    test.board.stick(Cell(17), closed=False)
    (line,) = test.run()
    assert line.startswith("not closing: i2; check the reed, its joints and its wire")


def test_a_dark_light_is_told_from_a_dead_switch() -> None:
    test = Test()
    test.bench.dark.add(25)
    (line,) = test.run()
    assert line.startswith("without light: h3; check the LED there and the joint before it")
    assert test.found.dead == []


def test_swapped_wires_are_found() -> None:
    pins = list(DIRECT.pins)
    pins[3], pins[4] = pins[4], pins[3]
    assert Test(real=DirectWiring(tuple(pins))).run() == [
        "a piece on d1 is seen on e1; run 'boardctl calibrate'",
        "a piece on e1 is seen on d1; run 'boardctl calibrate'",
    ]


def test_a_switch_that_closes_its_neighbour_is_found() -> None:
    test = Test()
    pin = DIRECT.pins[31]
    test.board._wires[pin.address, pin.port].append((30, 1 << pin.bit))
    (line,) = test.run()
    assert line == "d4 closes e4 too; part their wires, or use a weaker magnet"


def test_two_squares_on_one_wire_are_found() -> None:
    pins = list(DIRECT.pins)
    pins[50] = pins[49]
    (line,) = Test(real=DirectWiring(tuple(pins))).run()
    assert line == "a piece on f6 is seen on e6; run 'boardctl calibrate'"


def test_a_chattering_reed_is_found() -> None:
    test = Test()

    def chatter() -> None:
        for flip in range(60):
            at = Instant(test.bench.now + 0.1 * flip)
            test.board.schedule(at, Cell(33), closed=flip % 2 == 0)

    test.on_put[33] = chatter
    (line,) = test.run()
    assert line.startswith("chattering: g4; ")
    assert "rests well inside its field" in line


def test_a_silent_chip_is_found_and_its_squares_are_passed_over() -> None:
    test = Test()
    test.board.chip_silent(0x23)
    (line,) = test.run()
    assert line == "chip 0x23 does not answer; check its power, its address pins, SDA and SCL"
    assert len(test.found.good) == 81 - 14


def test_a_chip_that_is_reset_now_and_then_is_found() -> None:
    test = Test()
    test.on_put[5] = lambda: test.board.chip_reset(0x20)
    assert test.run() == [
        "chip 0x20 lost its settings (a dip of its supply, or a loose RESET wire)"
    ]


def test_a_bus_held_low_is_found_and_the_test_ends() -> None:
    test = Test()
    test.board.bus.stuck = True
    (line,) = test.run()
    assert "SDA or SCL is held low" in line


def test_missing_diodes_are_found_in_a_matrix() -> None:
    test = Test(MATRIX)
    test.board.bridge()
    lines = test.run()
    assert len(lines) == 1
    assert len(test.found.diodes) == 81


def test_one_missing_diode_is_found_in_a_matrix() -> None:
    test = Test(MATRIX)
    test.board.bridge(MATRIX.crossings[21])
    assert test.run() == ["without a working diode: d3; solder one in, its ring towards the row"]


def test_a_pattern_that_nobody_lays_out_is_given_up() -> None:
    test = Test(MATRIX)
    while not test.bench.guide.ask.task.startswith("put a piece on each"):
        task = test.bench.guide.ask.task
        if task == "take all pieces off the board":
            test.board.set(CellSet(0))
        elif task.startswith("put the piece on"):
            test._put(task)
        while test.bench.guide.ask.task == task:
            test.bench.wait()
    test.board.set(CellSet(0))
    test.bench.wait(PATIENCE_S * 6 * 5 + 60)
    assert test.bench.guide.finished
    assert test.found.problems() == []


def test_a_square_is_given_up_after_a_while_and_the_skip_key_gives_it_up_at_once() -> None:
    test = Test()
    while not test.bench.guide.ask.task.startswith("put the piece on a1"):
        test.bench.wait()
    test.bench.wait(PATIENCE_S - 1)
    assert test.bench.guide.ask.task == "put the piece on a1"
    test.bench.wait(2)
    assert test.bench.guide.ask.task in {"a1: silent", f"put the piece on {cell_name(1)}"}
