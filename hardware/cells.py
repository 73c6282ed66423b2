"""What a scan of the board yields: raw frames and debounced cells.

A cell is `rank * 9 + file`, 0 (a1) to 80 (i9). Both values are 81-bit masks, bit n being cell n.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType

Cell = NewType("Cell", int)
"""A switch and the light beside it, 0..80."""

CellSet = NewType("CellSet", int)
"""A set of cells: bit n is cell n."""

Instant = NewType("Instant", float)
"""Monotonic seconds."""

SIDE: Final = 9
"""Rows and columns of the board."""

CELLS: Final = SIDE * SIDE
ALL_CELLS: Final = CellSet((1 << CELLS) - 1)
NO_CELLS: Final = CellSet(0)


@dataclass(frozen=True, slots=True)
class Frame:
    """One raw scan of all switches.

    Attributes:
        closed: the switches that feel a magnet. Meaningless where `unknown` is set.
        unknown: the cells that could not be read in this scan.
    """

    closed: CellSet
    unknown: CellSet = NO_CELLS


@dataclass(frozen=True, slots=True)
class Cells:
    """The switches after debouncing; the same two masks as a `Frame`."""

    closed: CellSet
    unknown: CellSet = NO_CELLS
