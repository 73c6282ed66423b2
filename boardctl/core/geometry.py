"""Lines, rings and edges of the board, for the lights."""

from __future__ import annotations

from typing import Final

from engine.squares import (
    CENTRE,
    SIZE,
    SQUARES,
    File,
    Rank,
    Square,
    square,
    square_file,
    square_rank,
)

LAST: Final = SIZE - 1
CORNERS: Final = tuple(
    square(File(file), Rank(rank)) for file, rank in ((0, 0), (LAST, 0), (0, LAST), (LAST, LAST))
)

EDGE_WALK: Final = tuple(
    square(File(file), Rank(rank))
    for file, rank in (
        *((0, rank) for rank in range(LAST)),
        *((file, LAST) for file in range(LAST)),
        *((LAST, rank) for rank in range(LAST, 0, -1)),
        *((file, 0) for file in range(LAST, 0, -1)),
    )
)
"""The 32 edge squares in the order of the clock, from a1."""


def distance(one: Square, other: Square) -> int:
    """Return how many king's steps of chess lie between two squares: rings are square."""
    return max(
        abs(square_file(one) - square_file(other)), abs(square_rank(one) - square_rank(other))
    )


def steps(one: Square, other: Square) -> int:
    """Return how many squares a hand has to move a piece along rows and columns."""
    return abs(square_file(one) - square_file(other)) + abs(square_rank(one) - square_rank(other))


def line(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares from *start* (left out) to *end*, which lies on its row or column."""
    span = distance(start, end)
    if span == 0:
        return ()
    file_step = (square_file(end) - square_file(start)) // span
    rank_step = (square_rank(end) - square_rank(start)) // span
    stride = rank_step * SIZE + file_step
    return tuple(Square(start + stride * place) for place in range(1, span + 1))


def ring(around: Square, radius: int) -> tuple[Square, ...]:
    """Return the squares at *radius* king's steps from a square, as far as the board goes."""
    return tuple(at for at in SQUARES if distance(around, at) == radius)


RINGS_OF_CENTRE: Final = tuple(ring(CENTRE, radius) for radius in range(SIZE // 2 + 1))
