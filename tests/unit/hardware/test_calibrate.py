from __future__ import annotations

import random

import pytest

from hardware.calibrate import PATIENCE_S, Calibration, calibration, differences
from hardware.cells import Cell, CellSet
from hardware.naming import cell_name
from hardware.wiring import (
    DIRECT,
    MATRIX,
    DirectWiring,
    MatrixWiring,
    all_inputs,
    direct_wiring,
    led_map,
    matrix_wiring,
)
from tests.support.boards import Workbench

ALL = all_inputs(DIRECT.addresses)


class Walk:
    """A board with its own wiring, calibrated by a person who does as told."""

    def __init__(
        self,
        pins: tuple[object, ...] = DIRECT.pins,
        cell_of_led: list[int] | None = None,
        *,
        matrix: MatrixWiring | None = None,
    ) -> None:
        if matrix is None:
            self.found = Calibration(ALL.inputs, 81)
            read_as, real = ALL, DirectWiring(pins)  # type: ignore[arg-type] # pins of a DirectWiring
        else:
            self.found = Calibration(MATRIX.inputs, 81)
            read_as, real = MATRIX, matrix  # type: ignore[assignment] # either kind of wiring
        self.bench = Workbench(
            calibration(self.found),
            read_as=read_as,
            real=real,
            cell_of_led=cell_of_led or list(range(81)),
        )

    def run(self) -> Calibration:
        """Walk the squares in order, then follow the lights."""
        bench = self.bench
        bench.wait(0.6)
        for cell in range(81):
            bench.wait_until_told(f"put the piece on {cell_name(cell)}", at_most_s=PATIENCE_S * 2)
            bench.put(cell)
        bench.wait_until_told("light 0 ", at_most_s=PATIENCE_S * 2)
        while not bench.guide.finished:
            task = bench.guide.ask.task
            if task.startswith("put the piece where") and len(bench.lit) == 1:
                bench.put(next(iter(bench.lit)))
            while bench.guide.ask.task == task and not bench.guide.finished:
                bench.wait()
        return self.found


def shuffled(seed: int) -> tuple[tuple[object, ...], list[int]]:
    rng = random.Random(seed)
    pins = list(ALL.pins)
    rng.shuffle(pins)
    lights = list(range(81))
    rng.shuffle(lights)
    return tuple(pins[:81]), lights


def check(walk: Walk, pins: tuple[object, ...], cell_of_led: list[int]) -> None:
    found = walk.run()
    assert found.switch_map == tuple(str(pin) for pin in pins)
    assert [cell_of_led[led] for led in found.led_map] == list(range(81))
    assert found.problems() == []
    assert found.bad_squares == ()


@pytest.mark.parametrize("seed", range(10))
def test_any_wiring_is_recovered(seed: int) -> None:
    pins, lights = shuffled(seed)
    check(Walk(pins, lights), pins, lights)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 100))
def test_a_hundred_wirings_are_recovered(seed: int) -> None:
    pins, lights = shuffled(seed)
    check(Walk(pins, lights), pins, lights)


def test_any_matrix_is_recovered() -> None:
    rng = random.Random(5)
    crossings = list(MATRIX.crossings)
    rng.shuffle(crossings)
    matrix = MatrixWiring(MATRIX.rows, MATRIX.columns, tuple(crossings))
    found = Walk(matrix=matrix).run()
    assert found.switch_map == matrix.inputs
    rows, columns = [str(pin) for pin in MATRIX.rows], [str(pin) for pin in MATRIX.columns]
    assert matrix_wiring(rows, columns, found.switch_map) == matrix


@pytest.mark.parametrize("seed", range(3))
def test_dead_and_shared_squares_are_named_and_the_rest_is_recovered(seed: int) -> None:
    rng = random.Random(seed)
    pins, lights = shuffled(seed)
    a, b, dead = sorted(rng.sample(range(81), 3))
    pins = (*pins[:b], pins[a], *pins[b + 1 :])
    walk = Walk(pins, lights)
    walk.bench.board.stick(Cell(dead), closed=False)
    found = walk.run()
    assert set(found.bad_squares) == {a, b, dead}
    assert found.shared == [(b, a, ALL.inputs.index(str(pins[a])))]
    text = "\n".join(found.problems())
    assert f"{cell_name(b)} and {cell_name(a)} share input {pins[a]}" in text
    assert f"no switch was seen: {cell_name(dead)}; check the reed" in text
    for cell in set(range(81)) - {a, b, dead}:
        assert found.switch_map[cell] == str(pins[cell])
        assert lights[found.led_map[cell]] == cell
    direct_wiring(found.switch_map)
    led_map(found.led_map)


def test_a_dark_light_is_found_by_elimination_and_named() -> None:
    walk = Walk(cell_of_led=list(range(80, -1, -1)))
    walk.bench.dark.add(30)
    found = walk.run()
    assert found.led_map == tuple(range(80, -1, -1))
    assert found.bad_squares == (50,)
    assert "no light was found for f6; LEDs without a square: 30" in found.problems()[0]


def test_an_input_that_is_always_closed_is_named_and_left_out() -> None:
    walk = Walk()
    spare = ALL.pins[82]
    real = walk.bench.board
    real._wires.setdefault((spare.address, spare.port), []).append((99, 1 << spare.bit))
    real._stuck_closed |= 1 << 99
    real.set(CellSet(0))
    walk.bench.wait(PATIENCE_S + 1)
    found = walk.run()
    assert found.switch_map == DIRECT.inputs
    assert found.problems() == [
        f"input {spare} is closed on an empty board; look for a short to ground"
    ]


def test_a_square_that_closes_two_inputs_is_named() -> None:
    walk = Walk()
    spare = ALL.pins[81]
    walk.bench.board._wires[spare.address, spare.port].append((40, 1 << spare.bit))
    found = walk.run()
    assert found.double == {40: [40, 81]}
    assert "e5 closes 0x22.B5 + 0x25.B4 at once; part their wires" in found.problems()


def test_pieces_on_the_board_are_to_be_taken_off_first() -> None:
    walk = Walk()
    walk.bench.board.set(CellSet(0xFF))
    walk.bench.wait(5)
    assert walk.bench.guide.ask.task == "take all pieces off the board"
    walk.bench.board.set(CellSet(0))
    walk.bench.wait(1)
    assert walk.bench.guide.ask.task == "put the piece on a1"


def test_a_piece_at_rest_does_not_count_as_the_next_square() -> None:
    walk = Walk()
    walk.bench.wait(1)
    walk.bench.put(0)
    walk.bench.wait(60)
    assert walk.bench.guide.ask.task == "put the piece on b1"
    assert walk.found.switches == {0: 0}


def test_a_square_without_answer_is_given_up_only_when_the_piece_is_in_the_hand() -> None:
    walk = Walk()
    walk.bench.wait(1)
    walk.bench.board.set(CellSet(0))
    walk.bench.wait(PATIENCE_S - 1)
    assert walk.found.dead_squares == []
    walk.bench.wait(2)
    assert walk.found.dead_squares == [0]


def turned(plan: tuple[object, ...], quarters: int) -> tuple[object, ...]:
    for _ in range(quarters):
        plan = tuple(plan[(8 - cell % 9) * 9 + cell // 9] for cell in range(81))
    return plan


def test_a_map_as_planned_says_so() -> None:
    assert differences(DIRECT.inputs, DIRECT.inputs, "switches") == ["switches: as planned"]


@pytest.mark.parametrize(
    ("quarters", "name"),
    [(1, "a quarter, to the left"), (2, "a half"), (3, "a quarter, to the right")],
)
def test_a_turned_board_is_recognised(quarters: int, name: str) -> None:
    lines = differences(turned(DIRECT.inputs, quarters), DIRECT.inputs, "switches")
    assert lines == [f"switches: as planned, but turned by {name}"]


def test_a_mirrored_board_is_recognised() -> None:
    mirrored = [DIRECT.inputs[cell // 9 * 9 + 8 - cell % 9] for cell in range(81)]
    lines = differences(mirrored, DIRECT.inputs, "switches")
    assert lines == ["switches: as planned, but mirrored, left for right"]


def test_swapped_wires_are_named() -> None:
    found = list(range(81))
    found[0], found[1] = 1, 0
    found[10], found[11], found[12] = 11, 12, 10
    assert differences(found, range(81), "lights") == [
        "lights: a1 and b1 are swapped",
        "lights: not as planned at b2, c2, d2",
    ]
