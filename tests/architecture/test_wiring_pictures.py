"""The wiring diagrams show the map that the driver uses."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.wiring import DIRECT, MATRIX, DirectWiring

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def draw() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", ROOT / "scripts" / "draw_wiring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_in_the_documents_are_current(draw: ModuleType) -> None:
    for name, content in draw.pictures().items():
        stored = ROOT / "docs" / "images" / name
        assert stored.read_text(encoding="utf-8") == content, f"{name}: run scripts/draw_wiring.py"


def test_every_picture_is_shown_in_the_hardware_document(draw: ModuleType) -> None:
    text = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")

    for name in draw.pictures():
        assert f"images/{name}" in text


def test_another_map_gives_another_picture(draw: ModuleType) -> None:
    swapped = DirectWiring((DIRECT.pins[1], DIRECT.pins[0], *DIRECT.pins[2:]))

    assert draw.draw_board(swapped) != draw.draw_board(DIRECT)
    assert draw.draw_chips(swapped) != draw.draw_chips(DIRECT)


def test_the_board_names_each_square_once_with_its_pin(draw: ModuleType) -> None:
    texts = re.findall(r">([^<>]+)</text>", draw.draw_board(DIRECT))

    squares = [text for text in texts if re.fullmatch("[a-i][1-9]", text)]
    assert sorted(squares) == sorted(
        f"{file}{rank}" for file in "abcdefghi" for rank in range(1, 10)
    )
    first = texts.index("a1")
    assert texts[first - 1 : first + 2] == ["0x20", "a1", "GPA0"]


def test_the_package_is_that_of_the_data_sheet(draw: ModuleType) -> None:
    """Microchip DS20001952, "Package Types", 28-pin SPDIP."""
    legs = {number + 1: name for number, name in enumerate(draw.PACKAGE_LEFT)}
    legs |= {28 - number: name for number, name in enumerate(draw.PACKAGE_RIGHT)}

    assert (legs[1], legs[8], legs[9], legs[10]) == ("GPB0", "GPB7", "VDD", "VSS")
    assert (legs[12], legs[13], legs[15], legs[17]) == ("SCL", "SDA", "A0", "A2")
    assert (legs[18], legs[19], legs[20]) == ("RESET", "INTB", "INTA")
    assert (legs[21], legs[28]) == ("GPA0", "GPA7")


def test_the_matrix_has_a_diode_at_each_crossing(draw: ModuleType) -> None:
    assert draw.draw_matrix(MATRIX).count("<polygon") == 81
