"""The text forms of positions and moves.

A position is OpenTafl's record: rank 1 first, files a to i, `/` around and between ranks, digits
for empty squares, `t` attacker, `T` defender, `K` king. The side to move is given apart.
A move is `e3-d3`, with what it takes `e8-a8xa7`, with several `a5-d5xd6/e5`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.errors import NotationError
from engine.position import Position
from engine.squares import (
    FILE_NAMES,
    SIZE,
    SQUARES,
    Square,
    SquareSet,
    parse_square,
    square_name,
    square_set,
)

if TYPE_CHECKING:
    from engine.pieces import Side

_LETTERS: Final = {"t": "attackers", "T": "defenders", "K": "king"}
_MOVE = re.compile(r"([a-z][0-9])-([a-z][0-9])(?:x([a-z][0-9](?:/[a-z][0-9])*))?")
_MAX_SHOWN = 80


def format_position(position: Position) -> str:
    """Return the position's record; the side to move is not in it."""
    return f"/{'/'.join(_format_rank(position, rank) for rank in range(SIZE))}/"


def _format_rank(position: Position, rank: int) -> str:
    letters = "".join(
        _letter(position, SQUARES[number]) for number in range(rank * SIZE, rank * SIZE + SIZE)
    )
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), letters)


def _letter(position: Position, square: Square) -> str:
    if square == position.king:
        return "K"
    if position.attackers >> square & 1:
        return "t"
    return "T" if position.defenders >> square & 1 else "."


def parse_position(text: str, side: Side) -> Position:
    """Read a position's record; `side` is to move. The outer slashes may be missing.

    Raises:
        NotationError: naming the rank and what is wrong in it.
    """
    ranks = text.strip().strip("/").split("/")
    if len(ranks) != SIZE:
        raise NotationError(
            f"not a position: {_shown(text)}: {len(ranks)} ranks; {SIZE} are needed, rank 1 first,"
            " with / between them"
        )
    found: dict[str, list[Square]] = {letter: [] for letter in _LETTERS}
    for number, rank in enumerate(ranks):
        _read_rank(rank, number, found)
    if len(found["K"]) > 1:
        names = ", ".join(square_name(square) for square in found["K"])
        raise NotationError(f"not a position: {_shown(text)}: more than one king (K): {names}")
    king = found["K"][0] if found["K"] else None
    return Position(square_set(found["t"]), square_set(found["T"]), king, side)


def _read_rank(rank: str, number: int, found: dict[str, list[Square]]) -> None:
    file = 0
    where = f"rank {number + 1} of the position ({_shown(rank)})"
    for char in rank:
        if char in found:
            if file < SIZE:
                found[char].append(SQUARES[number * SIZE + file])
            file += 1
        elif char in "123456789":
            file += int(char)
        else:
            raise NotationError(
                f"{where}: {char!r} is no piece; t attacker, T defender, K king, 1-9 empty squares"
            )
    if file != SIZE:
        raise NotationError(f"{where}: {file} squares; a rank has {SIZE} ({FILE_NAMES})")


def parse_move(text: str) -> tuple[Square, Square, SquareSet | None]:
    """Read a move's text: from, to, and the squares taken (None: the text does not say).

    Raises:
        NotationError: the text is no move, whatever the position.
    """
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        raise NotationError(
            f"not a move: {_shown(text)}; write it as 'e3-d3', 'e8-a8xa7' or 'a5-d5xd6/e5'"
        )
    taken = None
    if match[3] is not None:
        taken = square_set(parse_square(name) for name in match[3].split("/"))
    return parse_square(match[1]), parse_square(match[2]), taken


def parse_diagram(rows: str, side: Side) -> Position:
    """Read a diagram: nine lines, rank 9 first, `a` attacker, `d` defender, `k` king, `.` empty.

    Raises:
        NotationError: naming the line and what is wrong in it.
    """
    lines = rows.split()
    if len(lines) != SIZE:
        raise NotationError(f"a diagram has {SIZE} lines, rank 9 first; this one has {len(lines)}")
    letters = str.maketrans("adk.", "tTK1")
    for number, line in enumerate(lines):
        if set(line) - set("adk.") or len(line) != SIZE:
            raise NotationError(
                f"line {number + 1} of the diagram ({_shown(line)}): nine of"
                " a attacker, d defender, k king, . empty"
            )
    return parse_position("/".join(line.translate(letters) for line in reversed(lines)), side)


def format_diagram(position: Position) -> str:
    """Return the position as people see it: rank 9 on top, files below."""
    letters = str.maketrans("tTK", "adk")
    lines = [
        f"{rank + 1} " + " ".join(_letter(position, SQUARES[rank * SIZE + f]) for f in range(SIZE))
        for rank in reversed(range(SIZE))
    ]
    return "\n".join([*(line.translate(letters) for line in lines), "  " + " ".join(FILE_NAMES)])


def _shown(text: str) -> str:
    """Return a text for an error message, cut to a length a person reads."""
    return repr(text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "...")
