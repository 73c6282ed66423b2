from __future__ import annotations

import random

import pytest

from hardware.errors import WiringError
from hardware.wiring import (
    DIRECT,
    MATRIX,
    Pin,
    all_inputs,
    direct_wiring,
    led_map,
    led_order,
    matrix_wiring,
    parse_pin,
)


def test_the_documented_direct_wiring_is_fourteen_squares_a_chip() -> None:
    assert DIRECT.inputs[0] == "0x20.A0"
    assert DIRECT.inputs[7] == "0x20.B0"
    assert DIRECT.inputs[14] == "0x21.A0"
    assert DIRECT.inputs[80] == "0x25.B3"
    assert DIRECT.addresses == (0x20, 0x21, 0x22, 0x23, 0x24, 0x25)
    assert len(set(DIRECT.pins)) == 81


def test_the_documented_matrix_uses_two_chips() -> None:
    assert MATRIX.addresses == (0x20, 0x21)
    assert [str(pin) for pin in MATRIX.columns][-2:] == ["0x20.B0", "0x20.B1"]
    assert MATRIX.inputs[0] == "R0C0"
    assert MATRIX.inputs[80] == "R8C8"


def test_no_wiring_uses_bit_seven() -> None:
    pins = [*DIRECT.pins, *MATRIX.rows, *MATRIX.columns, *all_inputs([0x20, 0x27]).pins]
    assert {pin.bit for pin in pins} == set(range(7))


def test_a_pin_survives_the_round_trip() -> None:
    for pin in all_inputs(range(0x20, 0x28)).pins:
        assert parse_pin(str(pin)) == pin


@pytest.mark.parametrize("text", ["0x20.A7", "0x23.B7"])
def test_bit_seven_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(WiringError, match=r"outputs only .*DS20001952"):
        parse_pin(text)


@pytest.mark.parametrize("text", ["", "A0", "0x20", "0x20.C0", "0x20.A8", "20.A0", "0x20.A0 "])
def test_what_is_no_pin_is_refused(text: str) -> None:
    with pytest.raises(WiringError, match="is no pin"):
        parse_pin(text)


@pytest.mark.parametrize("text", ["0x1f.A0", "0x28.A0"])
def test_an_address_no_expander_has_is_refused(text: str) -> None:
    with pytest.raises(WiringError, match="0x20 to 0x27"):
        parse_pin(text)


def test_a_direct_map_survives_the_round_trip() -> None:
    pins = list(all_inputs([0x20, 0x21, 0x22, 0x23, 0x24, 0x27]).inputs)
    random.Random(1).shuffle(pins)
    assert list(direct_wiring(pins[:81]).inputs) == pins[:81]


def test_every_fault_of_a_direct_map_is_named() -> None:
    pins = list(DIRECT.inputs)
    pins[3], pins[5], pins[9] = "0x20.A7", "nonsense", pins[10]
    with pytest.raises(WiringError) as caught:
        direct_wiring(pins[:80])
    text = "\n".join(caught.value.problems)
    assert "'0x20.A7'" in text
    assert "'nonsense'" in text
    assert "80 entries; it needs 81" in text
    assert f"{pins[10]} is used 2 times" in text


def test_a_matrix_map_survives_the_round_trip() -> None:
    crossings = list(MATRIX.inputs)
    random.Random(2).shuffle(crossings)
    rows, columns = [str(pin) for pin in MATRIX.rows], [str(pin) for pin in MATRIX.columns]
    assert list(matrix_wiring(rows, columns, crossings).inputs) == crossings
    assert matrix_wiring(rows, columns) == MATRIX


@pytest.mark.parametrize(
    ("rows", "columns", "switch_map", "problem"),
    [
        (MATRIX.rows[:8], MATRIX.columns, None, "switches.rows has 8 entries"),
        (MATRIX.rows, MATRIX.columns[:8], None, "switches.columns has 8 entries"),
        (MATRIX.columns, MATRIX.columns, None, "is used 2 times"),
        (
            all_inputs([0x20]).pins[:9],
            [*all_inputs([0x20]).pins[9:], *all_inputs([0x21]).pins[:4]],
            None,
            "each uses one chip",
        ),
        (MATRIX.rows, MATRIX.columns, ["R9C0", *MATRIX.inputs[1:]], "'R9C0' is no crossing"),
        (MATRIX.rows, MATRIX.columns, ["R0C1", *MATRIX.inputs[1:]], "R0C1 is used 2 times"),
    ],
)
def test_a_faulty_matrix_is_refused(
    rows: tuple[Pin, ...],
    columns: tuple[Pin, ...],
    switch_map: list[str] | None,
    problem: str,
) -> None:
    with pytest.raises(WiringError, match=problem):
        matrix_wiring([str(pin) for pin in rows], [str(pin) for pin in columns], switch_map)


def test_a_serpentine_turns_round_at_the_end_of_each_line() -> None:
    order = led_order("serpentine")
    assert order[:9] == tuple(range(9))
    assert order[9:18] == tuple(range(17, 8, -1))


def test_rows_all_begin_at_the_same_edge() -> None:
    assert led_order("rows") == tuple(range(81))


@pytest.mark.parametrize(("start", "cell"), [("a1", 0), ("i1", 8), ("a9", 72), ("i9", 80)])
@pytest.mark.parametrize("along", ["ranks", "files"])
@pytest.mark.parametrize("layout", ["rows", "serpentine"])
def test_a_chain_begins_at_its_corner_and_reaches_every_square(
    layout: str, start: str, along: str, cell: int
) -> None:
    order = led_order(layout, start=start, along=along)
    assert order[cell] == 0
    assert sorted(order) == list(range(81))
    second = order.index(1)
    assert abs(second - cell) == (1 if along == "ranks" else 9)


@pytest.mark.parametrize(
    "words", [("spiral", "a1", "ranks"), ("rows", "e5", "ranks"), ("rows", "a1", "lines")]
)
def test_an_unknown_layout_is_refused(words: tuple[str, str, str]) -> None:
    with pytest.raises(WiringError, match="layout"):
        led_order(words[0], start=words[1], along=words[2])


def test_a_free_map_may_skip_leds_but_share_none() -> None:
    free = tuple(range(0, 162, 2))
    assert led_map(free, count=162) == free
    with pytest.raises(WiringError) as caught:
        led_map([0, 0, *range(3, 82)], count=81)
    assert "LED 0 is used 2 times" in str(caught.value)
    assert "LED 81 is not on a strip of 81" in str(caught.value)
    with pytest.raises(WiringError, match="needs 81"):
        led_map(range(80))
