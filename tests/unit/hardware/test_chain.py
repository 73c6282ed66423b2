from __future__ import annotations

import pytest

from hardware.chain import Chain
from hardware.errors import WiringError
from hardware.wiring import led_order

FRAME = [(n, 100 + n, 200) for n in range(81)]


def test_colours_go_to_the_led_under_their_cell() -> None:
    pixels = Chain(led_order("serpentine")).pixels(FRAME)
    assert pixels[0] == FRAME[0]
    assert pixels[9] == FRAME[17]
    assert pixels[17] == FRAME[9]


def test_leds_under_no_cell_stay_dark() -> None:
    chain = Chain(range(1, 163, 2))
    pixels = chain.pixels(FRAME)
    assert chain.count == len(pixels) == 162
    assert pixels[0] == pixels[2] == (0, 0, 0)
    assert pixels[1] == FRAME[0]


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("RGB", b"\x01\x65\xc8"),
        ("GRB", b"\x65\x01\xc8"),
        ("RGBW", b"\x00\x64\xc7\x01"),
        ("GRBW", b"\x64\x00\xc7\x01"),
    ],
)
def test_bytes_go_in_the_order_of_the_led(order: str, first: bytes) -> None:
    data = Chain(range(81), order=order).wire_bytes(FRAME)
    assert data[len(order) : 2 * len(order)] == first
    assert len(data) == 81 * len(order)


def test_the_white_led_takes_the_common_part() -> None:
    assert Chain(range(81), order="GRBW").pixels([(50, 60, 70)] * 81)[0] == (0, 10, 20, 50)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(WiringError, match="BGR"):
        Chain(range(81), order="BGR")
