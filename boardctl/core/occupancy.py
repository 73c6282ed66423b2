"""Where a piece is felt on the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from engine.squares import NO_SQUARES, SquareSet

Instant = NewType("Instant", float)
"""Monotonic seconds; comes in as an argument everywhere below `boardctl.loop`."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """The debounced switches by square.

    Attributes:
        closed: the squares where a piece is felt. Meaningless where `unknown` is set.
        unknown: the squares that cannot be read now.
    """

    closed: SquareSet
    unknown: SquareSet = NO_SQUARES
