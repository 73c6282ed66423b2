from __future__ import annotations

import pytest

from engine import (
    Call,
    Game,
    IllegalMoveError,
    IllegalReason,
    Move,
    NotationError,
    Outcome,
    Ply,
    Reason,
    Result,
    Side,
    format_position,
    load_variant,
    parse_position,
    with_options,
)
from engine.squares import SquareSet, parse_square, square_names, square_set

MARKET = load_variant("market")


def position_of(record: str, side: Side = Side.DEFENDER) -> Game:
    return Game.start(MARKET, side=side, position=parse_position(record, side))


def play(game: Game, *moves: str) -> Game:
    for move in moves:
        game = game.push(game.parse(move))
    return game


def test_start_of_every_game() -> None:
    for name, mover in (("sea-battle", Side.ATTACKER), ("market", Side.DEFENDER)):
        game = Game.start(load_variant(name))
        assert game.side is mover
        assert game.ply_count == 0
        assert game.plies == ()
        assert game.outcome is None
        assert game.position.attackers.bit_count() == 16
        assert game.position.defenders.bit_count() == 8
        assert game.position.king == parse_square("e5")


def test_a_lot_must_be_drawn() -> None:
    with pytest.raises(ValueError, match="drawn by lot"):
        Game.start(load_variant("imperial"))
    assert Game.start(load_variant("imperial"), side=Side.DEFENDER).side is Side.DEFENDER


def test_the_side_given_moves_first_whatever_the_position_says() -> None:
    position = parse_position("/9/9/9/9/2t1K4/9/9/9/9/", Side.ATTACKER)
    assert Game.start(MARKET, position=position).side is Side.ATTACKER
    assert Game.start(MARKET, side=Side.DEFENDER, position=position).side is Side.DEFENDER


def test_push_leaves_the_old_game_alone() -> None:
    start = Game.start(MARKET)
    one = play(start, "e7-a7")
    other = play(start, "e7-b7")
    assert format_position(start.position) == "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
    assert str(one.last) == "e7-a7"
    assert str(other.last) == "e7-b7"
    assert one.parent is start
    assert one.undo() is start


def test_nothing_to_undo_at_the_start() -> None:
    with pytest.raises(ValueError, match="at its start"):
        Game.start(MARKET).undo()


def test_plies_and_captures_of_a_game() -> None:
    game = play(position_of("/9/9/9/3T5/1Tt6/9/9/2K6/8t/"), "d4-d5")
    assert [str(ply) for ply in game.plies] == ["d4-d5xc5"]
    assert square_names(game.plies[0].captures) == ["c5"]
    assert game.position.attackers == square_set([parse_square("i9")])


def test_push_takes_a_move_without_its_captures_and_a_ply_with_them() -> None:
    start = position_of("/9/9/9/3T5/1Tt6/9/9/2K6/8t/")
    way = Move(parse_square("d4"), parse_square("d5"))
    taken = square_set([parse_square("c5")])
    for move in (way, Ply(way), Ply(way, taken), Move(way.from_square, way.to_square, 38)):  # type: ignore[arg-type]
        assert start.push(move).last == Ply(way, taken)
    with pytest.raises(IllegalMoveError, match="not a victim"):
        start.push(Ply(way, square_set([parse_square("b5")])))


def test_imperial_choices_are_plies_of_their_own() -> None:
    ruleset = load_variant("imperial")
    record = "/3T5/9/9/9/1Tt1tT3/9/9/7K1/8t/"
    game = Game.start(ruleset, position=parse_position(record, Side.DEFENDER))
    texts = {str(ply) for ply in game.legal_plies if str(ply).startswith("d1-d5")}
    assert texts == {"d1-d5xc5", "d1-d5xe5"}
    victims = {ply.move.victim for ply in game.legal_plies if str(ply).startswith("d1-d5")}
    assert victims == {parse_square("c5"), parse_square("e5")}
    with pytest.raises(IllegalMoveError) as caught:
        game.parse("d1-d5")
    assert caught.value.reason is IllegalReason.MUST_CHOOSE
    assert caught.value.choices == ("c5", "e5")
    assert str(caught.value) == "illegal move 'd1-d5': must choose a victim: one of xc5, xe5"


def test_moves_without_a_choice_name_no_victim() -> None:
    ruleset = load_variant("imperial")
    position = parse_position("/3T5/9/9/9/1Tt6/9/9/7K1/8t/", Side.DEFENDER)
    game = Game.start(ruleset, position=position)
    assert game.parse("d1-d5").move.victim is None
    assert game.parse("d1-d5").captures == square_set([parse_square("c5")])


def test_legal_moves_are_the_plies_without_captures() -> None:
    game = Game.start(MARKET)
    assert game.legal_moves == tuple(ply.move for ply in game.legal_plies)
    assert len(game.legal_moves) == 56


def test_side_is_none_and_no_move_legal_when_over() -> None:
    game = play(position_of("/9/4K4/9/9/9/9/9/9/t8/"), "e2-e1")
    assert game.outcome == Outcome(Side.DEFENDER, Result.WIN, Reason.KING_ESCAPED)
    assert game.side is None
    assert game.position.side is Side.ATTACKER
    assert game.legal_plies == ()
    with pytest.raises(IllegalMoveError, match="game over"):
        game.parse("a9-a8")


def test_a_position_without_a_king_is_a_game_that_the_attackers_have_won() -> None:
    game = position_of("/9/9/9/9/2t6/9/9/2T6/9/")
    assert game.outcome == Outcome(Side.ATTACKER, Result.WIN, Reason.KING_CAPTURED)


def test_people_may_end_a_game() -> None:
    start = Game.start(MARKET)
    game = play(start, "e7-a7")
    drawn = game.end(Outcome(None, Result.DRAW, Reason.AGREED))
    assert drawn.side is None
    assert drawn.outcome == Outcome(None, Result.DRAW, Reason.AGREED)
    assert drawn.plies == game.plies
    assert drawn.ply_count == 1
    assert game.outcome is None
    assert drawn.undo() is start
    with pytest.raises(ValueError, match="over already: agreed"):
        drawn.end(Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED))


def test_repetition_needs_the_same_side_to_move() -> None:
    ruleset = with_options(load_variant("sea-battle"), {"repetition_count": "2"})
    position = parse_position("/9/9/9/t8/3T5/9/4K4/9/9/", Side.ATTACKER)
    game = play(Game.start(ruleset, position=position), "a4-a3", "d5-d4", "a3-a4")
    assert game.outcome is None
    game = play(game, "d4-d5")
    assert game.outcome == Outcome(Side.ATTACKER, Result.WIN, Reason.REPETITION)


def test_a_capture_ends_the_search_for_repetitions() -> None:
    ruleset = with_options(load_variant("sea-battle"), {"repetition_count": "2"})
    position = parse_position("/9/9/1T7/9/1t1T5/9/4K4/9/t8/", Side.DEFENDER)
    game = play(Game.start(ruleset, position=position), "b3-b4", "b5-b6", "d5-d6", "b6-b5")
    taken = play(game, "d6-b6")
    assert str(taken.last) == "d6-b6xb5"
    again = play(taken, "a9-a8", "b6-b7", "a8-a9")
    assert again.outcome is None
    again = play(again, "b7-b6")
    assert again.outcome is not None
    assert again.outcome.reason is Reason.REPETITION


def test_calls_are_linnaeus_alone_and_end_with_the_game() -> None:
    linnaeus = load_variant("linnaeus")
    two = parse_position("/9/9/9/9/1TK6/9/2T6/9/t8/", Side.ATTACKER)
    game = Game.start(linnaeus, position=two)
    assert square_names(game.open_paths) == ["c1", "i5"]
    assert game.call is Call.TUICKU
    assert Game.start(MARKET, position=two).call is None
    more = play(game, "a9-i9", "c7-g7")
    assert square_names(more.open_paths) == ["c1", "c9", "i5"]
    over = play(more, "i9-h9", "c5-c9")
    assert over.outcome is not None
    assert over.call is None
    assert over.open_paths == SquareSet(0)


def test_one_open_path_is_raicki_and_none_is_no_call() -> None:
    linnaeus = load_variant("linnaeus")
    one = parse_position("/2t6/9/9/9/1TK6/9/2T6/9/9/", Side.ATTACKER)
    game = Game.start(linnaeus, position=one)
    assert square_names(game.open_paths) == ["i5"]
    assert game.call is Call.RAICKI
    assert play(game, "c1-i1", "c7-c6", "i1-i5", "c6-c7", "i5-i1").call is Call.TUICKU
    none = parse_position("/2t6/9/9/9/1TK5t/9/2T6/9/9/", Side.DEFENDER)
    assert Game.start(linnaeus, position=none).call is None


def test_parse_names_what_is_no_move() -> None:
    game = Game.start(MARKET)
    for text in ("", "e7", "e7a7", "e7-a7x", "e7-j7", "E7-A7", "e7-a7 xb2", "e0-e1"):
        with pytest.raises(NotationError):
            game.parse(text)
    assert str(game.parse(" e7-a7 ")) == "e7-a7"


def test_perft_of_a_game_that_is_over_is_zero_but_at_depth_zero() -> None:
    over = position_of("/9/9/9/9/2t6/9/9/2T6/9/")
    assert over.perft(0) == 1
    assert over.perft(1) == 0


def test_a_very_long_game_can_be_forgotten() -> None:
    game = position_of("/9/9/9/t8/3T5/9/4K4/9/9/", Side.ATTACKER)
    for _ in range(5_000):
        game = play(game, "a4-a3", "d5-d4", "a3-a4", "d4-d5")
    assert game.ply_count == 20_000
    assert len(game.plies) == 20_000
    del game  # twenty thousand parents, freed without a stack overflow


def test_repr_is_for_people() -> None:
    assert repr(play(Game.start(MARKET), "e7-a7")) == "<Game market after 1 plies>"
