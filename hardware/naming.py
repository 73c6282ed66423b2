"""The names that people read for cells: `a1` to `i9`, as printed on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.cells import SIDE

if TYPE_CHECKING:
    from collections.abc import Iterable


def cell_name(cell: int) -> str:
    """Return the name of a cell: `e5` for 40."""
    return "abcdefghi"[cell % SIDE] + str(cell // SIDE + 1)


def cell_names(cells: Iterable[int]) -> str:
    """Return the names of cells, joined for a sentence."""
    return ", ".join(cell_name(cell) for cell in cells)


def bits(mask: int) -> list[int]:
    """Return the numbers of the set bits, lowest first."""
    numbers = []
    while mask:
        lowest = mask & -mask
        numbers.append(lowest.bit_length() - 1)
        mask ^= lowest
    return numbers
