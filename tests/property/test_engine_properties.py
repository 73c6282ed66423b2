"""What holds in every position of every game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import (
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Ply,
    Position,
    Ruleset,
    Side,
    core,
    format_position,
    parse_position,
)
from engine.lookup import core_state
from engine.notation import format_diagram, parse_diagram
from engine.squares import SQUARES, Square, SquareSet, members, square_set
from tests.support.engine_strategies import SIDES, custom_rulesets, games, positions

if TYPE_CHECKING:
    from collections.abc import Callable


@settings(max_examples=40)
@given(games())
def test_what_a_ply_does(game: Game) -> None:
    mine, theirs = game.position.pieces(game.position.side), game.position.occupied
    for ply in game.legal_plies:
        after = game.push(ply)
        assert mine >> ply.from_square & 1
        assert not theirs >> ply.to_square & 1
        assert not ply.captures & mine
        assert ply.captures & theirs == ply.captures
        assert after.position.occupied == game.occupied_after(ply)
        assert after.last == ply
        assert after.ply_count == game.ply_count + 1
        assert after.position.side is game.position.side.other


@settings(max_examples=40)
@given(games())
def test_undo_is_identity(game: Game) -> None:
    before = format_position(game.position), game.legal_plies
    for ply in game.legal_plies:
        game.push(ply).legal_plies  # noqa: B018  whatever the child computes, the parent stays
        assert game.push(ply).undo() is game
    assert (format_position(game.position), game.legal_plies) == before
    fresh = Game.start(game.ruleset, side=game.position.side, position=game.position)
    if game.outcome is None:
        assert fresh.legal_plies == game.legal_plies


@settings(max_examples=40)
@given(games())
def test_unmake_restores_the_core(game: Game) -> None:
    state = core_state(game.ruleset, game.position)
    before = state.pieces(), state.turn, state.king, state.over
    core.perft(state, 2, 0)
    assert (state.pieces(), state.turn, state.king, state.over) == before


@settings(max_examples=30)
@given(custom_rulesets(), positions(king_inside=True))
def test_counting_is_pushing(ruleset: Ruleset, position: Position) -> None:
    game = Game.start(replace(ruleset, repetition="none"), position=position)
    pushed = sum(len(game.push(ply).legal_plies) for ply in game.legal_plies)
    assert game.perft(1) == len(game.legal_plies)
    assert game.perft(2) == pushed
    if game.outcome is None:
        assert core.perft(core_state(game.ruleset, position), 2, 0) == pushed


@given(games())
def test_the_final_occupancy_names_the_ply(game: Game) -> None:
    seen = {game.occupied_after(ply) for ply in game.legal_plies}
    assert len(seen) == len(game.legal_plies)


@settings(max_examples=40)
@given(games())
def test_text_of_plies_round_trips(game: Game) -> None:
    for ply in game.legal_plies:
        assert game.parse(str(ply)) == ply
        assert game.parse(str(ply.move)) == ply
        assert game.push(ply.move).last == ply


@given(games(), st.sampled_from(SQUARES), st.sampled_from(SQUARES))
def test_what_is_not_generated_is_refused(game: Game, origin: Square, target: Square) -> None:
    plies = [
        ply for ply in game.legal_plies if (ply.from_square, ply.to_square) == (origin, target)
    ]
    try:
        pushed = game.push(Move(origin, target))
    except IllegalMoveError as error:
        assert (len(plies) > 1) == bool(error.choices)  # noqa: PT017
        assert len(plies) != 1
    else:
        assert [pushed.last] == plies


# -- symmetry ------------------------------------------------------------------------------


def turn(square: Square) -> Square:
    """Turn the board by a quarter."""
    rank, file = divmod(square, 9)
    return SQUARES[file * 9 + 8 - rank]


def mirror(square: Square) -> Square:
    rank, file = divmod(square, 9)
    return SQUARES[rank * 9 + 8 - file]


def mapped(squares: SquareSet, by: Callable[[Square], Square]) -> SquareSet:
    return square_set(by(square) for square in members(squares))


def mapped_position(position: Position, by: Callable[[Square], Square]) -> Position:
    king = None if position.king is None else by(position.king)
    return Position(
        mapped(position.attackers, by), mapped(position.defenders, by), king, position.side
    )


def mapped_ply(ply: Ply, by: Callable[[Square], Square]) -> Ply:
    victim = None if ply.move.victim is None else by(ply.move.victim)
    return Ply(Move(by(ply.from_square), by(ply.to_square), victim), mapped(ply.captures, by))


@settings(max_examples=40)
@given(custom_rulesets(), positions(king_inside=True), st.sampled_from((turn, mirror)))
def test_rules_do_not_know_directions(
    ruleset: Ruleset, position: Position, by: Callable[[Square], Square]
) -> None:
    game = Game.start(ruleset, position=position)
    other = Game.start(ruleset, position=mapped_position(position, by))
    assert {mapped_ply(ply, by) for ply in game.legal_plies} == set(other.legal_plies)
    assert game.outcome == other.outcome
    assert mapped(game.open_paths, by) == other.open_paths
    for ply in game.legal_plies:
        after = game.push(ply)
        turned = other.push(mapped_ply(ply, by))
        assert after.outcome == turned.outcome
        assert mapped_position(after.position, by) == turned.position


# -- text ----------------------------------------------------------------------------------


@given(positions())
def test_position_records_round_trip(position: Position) -> None:
    text = format_position(position)
    assert parse_position(text, position.side) == position
    assert parse_position(text.strip("/"), position.side) == position


@given(positions())
def test_diagrams_round_trip(position: Position) -> None:
    rows = format_diagram(position).splitlines()[:9]
    plain = "\n".join(row[2:].replace(" ", "") for row in rows)
    assert parse_diagram(plain, position.side) == position


RECORD_LIKE = st.text(alphabet="tTKk123456789/0 ", max_size=60)


@given(st.text() | RECORD_LIKE, SIDES)
@example("/9/9/9/9/4K4/9/9/9/9/", Side.ATTACKER)
@example("/9/9/9/9/4K4/9/9/9/91/", Side.ATTACKER)
@example("/²/9/9/9/4K4/9/9/9/9/", Side.ATTACKER)
def test_any_text_is_a_position_or_refused(text: str, side: Side) -> None:
    try:
        position = parse_position(text, side)
    except NotationError as error:
        assert str(error)  # noqa: PT017  no other error may come
    else:
        assert parse_position(format_position(position), side) == position


MOVE_LIKE = st.from_regex(r"[a-j]\d-[a-j]\d(x[a-j]\d(/[a-j]\d)?)?", fullmatch=True)


@given(games(max_plies=3), st.text() | MOVE_LIKE)
def test_any_text_is_a_move_or_refused(game: Game, text: str) -> None:
    try:
        ply = game.parse(text)
    except (NotationError, IllegalMoveError) as error:
        assert str(error)  # noqa: PT017  no other error may come
    else:
        assert ply in game.legal_plies
