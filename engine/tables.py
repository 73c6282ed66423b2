"""Tables of the 9x9 board that the rules core looks up.

Built inside functions: the core is compiled by Cython, where a module-level comprehension leaks
its variables.
"""

from __future__ import annotations

from typing import Final

from engine.squares import SIZE

PLAIN: Final = SIZE**4
"""Moves of the core below this number name no victim."""

RUNNING: Final = 0
KING_TAKEN: Final = 1
KING_ESCAPED: Final = 2
SURROUNDED: Final = 3

_SQUARES: Final = SIZE * SIZE
_MIDDLE: Final = 4
_UP_DOWN_RIGHT_LEFT: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))


def pad(items: list[int], size: int) -> list[int]:
    """Return *items* made up to *size* with zeros: an array in C."""
    return items + [0] * (size - len(items))


def _flanks(square: int) -> list[tuple[int, int]]:
    """Return (neighbour, square beyond it) pairs around a square."""
    row, col = divmod(square, SIZE)
    return [
        (square + SIZE * up + right, square + 2 * (SIZE * up + right))
        for up, right in _UP_DOWN_RIGHT_LEFT
        if 0 <= row + 2 * up < SIZE and 0 <= col + 2 * right < SIZE
    ]


def flank_counts() -> list[int]:
    """Return, for each square, in how many directions a piece there can take."""
    return [len(_flanks(square)) for square in range(_SQUARES)]


def flank_victims() -> list[list[int]]:
    """Return, for each square and direction, the neighbour that may be taken."""
    return [pad([near for near, _ in _flanks(square)], 4) for square in range(_SQUARES)]


def flank_partners() -> list[list[int]]:
    """Return, for each square and direction, the square beyond the neighbour."""
    return [pad([far for _, far in _flanks(square)], 4) for square in range(_SQUARES)]


def neighbours() -> list[list[int]]:
    """Return the four neighbours of every square; zeros on the edge, where nobody asks."""
    return [
        [square + SIZE * up + right for up, right in _UP_DOWN_RIGHT_LEFT]
        if not _is_edge(square)
        else [0] * 4
        for square in range(_SQUARES)
    ]


def _is_edge(square: int) -> bool:
    return not (0 < square // SIZE < SIZE - 1 and 0 < square % SIZE < SIZE - 1)


def edges() -> list[int]:
    """Return 1 for the squares on the edge."""
    return [int(_is_edge(square)) for square in range(_SQUARES)]


def rows() -> list[int]:
    """Return each square's rank."""
    return [square // SIZE for square in range(_SQUARES)]


def cols() -> list[int]:
    """Return each square's file."""
    return [square % SIZE for square in range(_SQUARES)]


def bits() -> list[list[int]]:
    """Return the places of the bits in every 9-bit mask."""
    return [pad([b for b in range(SIZE) if mask >> b & 1], SIZE) for mask in range(1 << SIZE)]


def bit_counts() -> list[int]:
    """Return how many bits every 9-bit mask has."""
    return [mask.bit_count() for mask in range(1 << SIZE)]


def _line(place: int, occupied: int, reach: int, *, stop: bool, through: bool) -> list[int]:
    """Return where a piece on a line can go; `stop` and `through` are about the line's middle."""
    found = []
    for step in (-1, 1):
        to, gone = place + step, 1
        while 0 <= to < SIZE and not occupied >> to & 1 and gone <= reach:
            if stop or to != _MIDDLE:
                found.append(to)
            if to == _MIDDLE and not through:
                break
            to, gone = to + step, gone + 1
    return found


def line_table(reach: int, *, stop: bool, through: bool) -> list[list[int]]:
    """Return where a piece can go on its line, at index `place * 512 + occupancy of the line`.

    Args:
        reach: the most squares it goes.
        stop: whether it may stop on the middle of the line.
        through: whether it may pass over the middle of the line when that is empty.
    """
    return [
        _line(place, occupied, reach, stop=stop, through=through)
        for place in range(SIZE)
        for occupied in range(1 << SIZE)
    ]


def buffers(count: int, size: int) -> list[list[int]]:
    """Return *count* lists of *size* zeros: working space that is made once."""
    return [[0] * size for _ in range(count)]
