from __future__ import annotations

import pytest

from engine import COMPILED, VARIANTS, Game, Side, core, load_variant, parse_position
from engine.lookup import choice, chosen_square, core_pieces, core_state, trapped_squares
from engine.squares import parse_square, square_names, square_set


def state_of(record: str, side: Side = Side.ATTACKER, variant: str = "market") -> core.State:
    return core_state(load_variant(variant), parse_position(record, side))


def test_pieces_are_numbered_from_a1() -> None:
    position = parse_position("/tTK6/9/9/9/9/9/9/9/8t/", Side.ATTACKER)
    expected = [1, 2, 3] + [0] * 77 + [1]
    assert core_pieces(position) == expected
    assert core_state(load_variant("market"), position).pieces() == expected


def test_a_state_knows_its_king_and_whether_he_is_out() -> None:
    inside = state_of("/9/4K4/9/9/9/9/9/9/t8/", Side.DEFENDER)
    assert (inside.turn, inside.king, inside.over, inside.ended()) == (1, 13, 0, 0)
    edge = state_of("/4K4/9/9/9/9/9/9/9/t8/")
    assert (edge.turn, edge.king, edge.over, edge.ended()) == (0, 4, 2, 2)
    gone = state_of("/9/9/9/9/9/9/9/9/t8/")
    assert (gone.king, gone.over, gone.ended()) == (-1, 1, 1)


def test_a_copy_is_independent() -> None:
    state = state_of("/9/4K4/9/9/9/9/9/9/t8/")
    other = state.copy()
    other.play(parse_square("a9") * 81 + parse_square("a1"))
    assert state.pieces()[parse_square("a9")] == 1
    assert other.pieces()[parse_square("a9")] == 0
    assert other.pieces()[parse_square("a1")] == 1
    assert (state.turn, other.turn) == (0, 1)
    assert state.king == other.king
    assert state.mobility() == 16


def test_what_a_piece_reaches_does_not_depend_on_whose_move_it_is() -> None:
    state = state_of("/9/4K4/9/9/9/9/9/9/t8/")
    king = parse_square("e2")
    assert state.reaches(king, parse_square("e9"))
    assert state.reaches(king, parse_square("i2"))
    assert not state.reaches(king, parse_square("f3"))
    assert not state.reaches(king, king)


def test_the_end_of_a_line_is_counted_once_it_has_ended() -> None:
    """A king who can escape at once leaves fewer sequences than one who cannot."""
    game = Game.start(
        load_variant("market"),
        position=parse_position("/9/4K4/9/9/9/9/9/9/t8/", Side.DEFENDER),
    )
    going_on = [ply for ply in game.legal_plies if game.push(ply).outcome is None]
    assert len(going_on) == 16 - 4
    state = core_state(game.ruleset, game.position)
    expected = sum(len(game.push(ply).legal_plies) for ply in going_on)
    assert core.perft(state, 2, 0) == core.perft(state, 2, 1) == expected


def test_choices_name_their_victim() -> None:
    position = parse_position("/3T5/9/9/9/1Tt1tT3/9/9/7K1/8t/", Side.DEFENDER)
    state = core_state(load_variant("imperial"), position)
    way = parse_square("d1") * 81 + parse_square("d5")
    assert square_names(trapped_squares(parse_square("d5"), state.trapped(way))) == ["c5", "e5"]
    chosen = choice(way, parse_square("e5"))
    assert chosen_square(chosen) == parse_square("e5")
    assert {number for number, found in state.legal() if found} == {
        choice(way, parse_square("c5")),
        chosen,
    }
    state.play(chosen)
    taken = square_set(parse_square(name) for name in ("c5", "i9"))
    assert square_set(at for at, piece in enumerate(state.pieces()) if piece == 1) == taken  # type: ignore[misc]


@pytest.mark.parametrize("variant", VARIANTS)
def test_mobility_counts_the_ways(variant: str) -> None:
    game = Game.start(load_variant(variant), side=Side.ATTACKER)
    state = core_state(game.ruleset, game.position)
    assert state.mobility() == len(state.legal())
    assert state.can_move()


def test_the_build_is_known() -> None:
    assert isinstance(COMPILED, bool)
    assert core.COMPILED == COMPILED
