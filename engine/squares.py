"""Squares of the 9x9 board: numbers, names and sets.

A square is `rank * 9 + file` with a1 = 0, b1 = 1, a2 = 9 and i9 = 80; the hardware counts its
cells the same way (a test pins that agreement). A set of squares is one integer of 81 bits,
bit n being square n, so that comparing, joining and subtracting whole boards is one operation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NewType

from engine.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Square = NewType("Square", int)
"""A square, 0 (a1) to 80 (i9)."""

File = NewType("File", int)
"""A column, 0 (a) to 8 (i)."""

Rank = NewType("Rank", int)
"""A row, 0 (the row written 1) to 8 (9)."""

SquareSet = NewType("SquareSet", int)
"""A set of squares: bit n is square n."""

SIZE: Final = 9
FILE_NAMES: Final = "abcdefghi"
RANK_NAMES: Final = "123456789"
SQUARES: Final = tuple(Square(number) for number in range(SIZE * SIZE))
ALL_SQUARES: Final = SquareSet((1 << SIZE * SIZE) - 1)
NO_SQUARES: Final = SquareSet(0)

_NAME = re.compile(rf"([{FILE_NAMES}])([{RANK_NAMES}])")


def square(file: File, rank: Rank) -> Square:
    """Return the square where *file* and *rank* cross."""
    return Square(rank * SIZE + file)


def square_file(of: Square) -> File:
    """Return the column of a square."""
    return File(of % SIZE)


def square_rank(of: Square) -> Rank:
    """Return the row of a square."""
    return Rank(of // SIZE)


def square_name(of: Square) -> str:
    """Return the text of a square: `e5` for the centre."""
    return FILE_NAMES[of % SIZE] + RANK_NAMES[of // SIZE]


def parse_square(text: str) -> Square:
    """Read a square's name; the only place where a text becomes a square.

    Raises:
        NotationError: *text* is not a file a-i followed by a rank 1-9.
    """
    match = _NAME.fullmatch(text)
    if match is None:
        raise NotationError(f"not a square: {text!r}; a file a-i and a rank 1-9, such as 'e5'")
    return square(File(FILE_NAMES.index(match[1])), Rank(RANK_NAMES.index(match[2])))


def square_set(members: Iterable[Square]) -> SquareSet:
    """Return the set holding *members*."""
    bits = 0
    for member in members:
        bits |= 1 << member
    return SquareSet(bits)


def members(of: SquareSet) -> Iterator[Square]:
    """Yield the squares of a set, a1 first."""
    bits = int(of)
    while bits:
        lowest = bits & -bits
        yield Square(lowest.bit_length() - 1)
        bits ^= lowest


def square_names(of: SquareSet) -> list[str]:
    """Return the names of a set's squares in alphabetical order (a1, a2, ... i9)."""
    return sorted(square_name(member) for member in members(of))


EDGE: Final = square_set(
    number
    for number in SQUARES
    if number % SIZE in {0, SIZE - 1} or number // SIZE in {0, SIZE - 1}
)
"""The squares of file a or i, or of rank 1 or 9: where the king escapes."""

CENTRE: Final = parse_square("e5")
"""The middle of the board; the throne, where the rules have one."""
