from __future__ import annotations

import pytest

from engine import Move, NotationError, Piece, Ply, Position, Side, format_position, parse_position
from engine.notation import format_diagram, parse_diagram, parse_move
from engine.squares import NO_SQUARES, parse_square, square_set

CROSS = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"


def squares(text: str) -> int:
    return square_set(parse_square(name) for name in text.split())


def test_a_record_begins_with_rank_one_and_file_a() -> None:
    position = parse_position("/t7T/9/9/9/9/9/9/9/K8/", Side.ATTACKER)
    assert position == Position(
        attackers=squares("a1"),  # type: ignore[arg-type]
        defenders=squares("i1"),  # type: ignore[arg-type]
        king=parse_square("a9"),
        side=Side.ATTACKER,
    )


def test_the_cross() -> None:
    position = parse_position(CROSS, Side.DEFENDER)
    assert format_position(position) == CROSS
    assert format_diagram(position).splitlines()[0] == "9 . . . a a a . . ."
    assert format_diagram(position).splitlines()[4] == "5 a a d d k d d a a"
    assert format_diagram(position).splitlines()[9] == "  a b c d e f g h i"


def test_pieces_of_a_position() -> None:
    position = parse_position("/tTK6/9/9/9/9/9/9/9/9/", Side.DEFENDER)
    assert [position.piece_at(parse_square(name)) for name in ("a1", "b1", "c1", "d1")] == [
        Piece.ATTACKER,
        Piece.DEFENDER,
        Piece.KING,
        None,
    ]
    assert position.pieces(Side.ATTACKER) == squares("a1")
    assert position.pieces(Side.DEFENDER) == squares("b1 c1")
    assert position.occupied == squares("a1 b1 c1")
    assert parse_position("/9/9/9/9/9/9/9/9/9/", Side.DEFENDER).king_set == NO_SQUARES


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1 ranks; 9 are needed"),
        ("/9/9/9/9/9/9/9/9/", "8 ranks; 9 are needed"),
        ("/9/9/9/9/9/9/9/9/9/9/", "10 ranks; 9 are needed"),
        ("/9/9/4X4/9/9/9/9/9/9/", "rank 3 of the position ('4X4'): 'X' is no piece"),
        ("/9/9/4k4/9/9/9/9/9/9/", "'k' is no piece"),
        ("/9/9/8/9/9/9/9/9/9/", "rank 3 of the position ('8'): 8 squares; a rank has 9"),
        ("/9/9/9t/9/9/9/9/9/9/", "rank 3 of the position ('9t'): 10 squares"),
        ("/9/9/0t8/9/9/9/9/9/9/", "'0' is no piece"),
        ("/K8/9/9/9/9/9/9/9/8K/", "more than one king (K): a1, i9"),
        ("/9/9/9/9//9/9/9/9/", "rank 5 of the position (''): 0 squares"),
    ],
)
def test_unreadable_positions_are_named(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text, Side.ATTACKER)
    assert problem in str(caught.value)


def test_long_texts_are_cut_in_messages() -> None:
    with pytest.raises(NotationError) as caught:
        parse_position("x" * 5000, Side.ATTACKER)
    assert len(str(caught.value)) < 300
    assert "xxx..." in str(caught.value)


def test_moves() -> None:
    e3, d3 = parse_square("e3"), parse_square("d3")
    assert parse_move("e3-d3") == (e3, d3, None)
    assert parse_move(" e3-d3xc3 ") == (e3, d3, squares("c3"))
    assert parse_move("e3-d3xc3/d4") == (e3, d3, squares("c3 d4"))
    assert str(Move(e3, d3)) == "e3-d3"
    assert str(Move(e3, d3, parse_square("c3"))) == "e3-d3xc3"
    assert str(Ply(Move(e3, d3))) == "e3-d3"
    assert str(Ply(Move(e3, d3), squares("e5 d6"))) == "e3-d3xd6/e5"  # type: ignore[arg-type]
    assert (Ply(Move(e3, d3)).from_square, Ply(Move(e3, d3)).to_square) == (e3, d3)


@pytest.mark.parametrize("text", ["e3", "e3-", "e3d3", "e3-d3x", "e3-d3xc3/", "e33-d3", "e3-d3-c3"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotationError, match="not a move"):
        parse_move(text)


@pytest.mark.parametrize("text", ["j3-d3", "e3-d0", "e3-d3xz9"])
def test_a_move_of_no_squares(text: str) -> None:
    with pytest.raises(NotationError, match="not a square"):
        parse_move(text)


def test_a_diagram_has_rank_nine_on_top() -> None:
    rows = "\n".join(["a........", *["........."] * 7, "....k...d"])
    position = parse_diagram(rows, Side.ATTACKER)
    assert position == parse_position("/4K3T/9/9/9/9/9/9/9/t8/", Side.ATTACKER)
