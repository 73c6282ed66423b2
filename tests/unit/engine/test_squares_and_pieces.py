from __future__ import annotations

import pytest

from engine import NotationError, Piece, Side
from engine.squares import (
    ALL_SQUARES,
    CENTRE,
    EDGE,
    SQUARES,
    File,
    Rank,
    members,
    parse_square,
    square,
    square_file,
    square_name,
    square_names,
    square_rank,
    square_set,
)


def test_names_round_trip() -> None:
    assert [parse_square(square_name(each)) for each in SQUARES] == list(SQUARES)
    assert [square(square_file(each), square_rank(each)) for each in SQUARES] == list(SQUARES)


def test_corners_and_centre() -> None:
    assert [parse_square(name) for name in ("a1", "i1", "a9", "i9", "e5")] == [0, 8, 72, 80, 40]
    assert parse_square("e5") == CENTRE
    assert square(File(4), Rank(0)) == parse_square("e1")


@pytest.mark.parametrize("text", ["", "e", "5", "e0", "j5", "e10", "E5", "e5 ", "e\u0665"])
def test_what_is_no_square(text: str) -> None:
    with pytest.raises(NotationError, match="not a square"):
        parse_square(text)


def test_sets() -> None:
    chosen = square_set(parse_square(name) for name in ("b2", "a9", "a1"))
    assert list(members(chosen)) == [0, 10, 72]
    assert square_names(chosen) == ["a1", "a9", "b2"]
    assert list(members(ALL_SQUARES)) == list(SQUARES)


def test_the_edge_has_thirty_two_squares() -> None:
    assert EDGE.bit_count() == 32
    assert all(name[0] in "ai" or name[1] in "19" for name in square_names(EDGE))


def test_sides() -> None:
    assert Side.ATTACKER.other is Side.DEFENDER
    assert Side.DEFENDER.other is Side.ATTACKER
    assert [piece.side for piece in Piece] == [Side.ATTACKER, Side.DEFENDER, Side.DEFENDER]
