"""What an observer is told when one reading follows another."""

from __future__ import annotations

from dataclasses import replace

from boardctl.core.effects import (
    Attention,
    Clear,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
    UnknownSquares,
    VictimRemoved,
)
from boardctl.core.reading import Reading, Situation
from boardctl.core.story import changes
from engine.game import Game
from engine.pieces import Side
from engine.rules import load_variant
from engine.squares import NO_SQUARES, parse_square
from tests.support.table import game_at, squares

START = Game.start(load_variant("linnaeus"))


def played(game: Game, *moves: str) -> Game:
    for text in moves:
        game = game.push(game.parse(text))
    return game


def reading(game: Game, final: int = 0) -> Reading:
    return Reading(game=game, final=final, situation=Situation.IN_SYNC)


def test_nothing_has_changed() -> None:
    assert changes(reading(START), reading(START)) == []


def test_a_ply_is_shown() -> None:
    after = played(START, "d1-d3")
    assert changes(reading(START), reading(after)) == [PlyShown(1, after.plies[0])]


def test_two_plies_in_one_look_are_shown_in_order() -> None:
    after = played(START, "d1-d3", "e3-f3")
    assert changes(reading(START), reading(after)) == [
        PlyShown(1, after.plies[0]),
        PlyShown(2, after.plies[1]),
    ]


def test_another_reading_of_the_last_ply_is_a_revision() -> None:
    before, after = played(START, "d1-d3"), played(START, "d1-d4")
    assert changes(reading(before), reading(after)) == [PlyRevised(1, after.plies[0])]


def test_plies_are_retracted_from_the_last_backwards() -> None:
    before = played(START, "d1-d3", "e3-f3", "d3-d2")
    after = played(START, "d1-d3")
    assert changes(reading(before), reading(after)) == [PlyRetracted(3), PlyRetracted(2)]


def test_two_plies_that_read_differently_are_two_revisions() -> None:
    before = played(START, "d1-d3", "e3-f3")
    after = played(START, "d1-d4", "e3-g3")
    assert changes(reading(before), reading(after)) == [
        PlyRevised(1, after.plies[0]),
        PlyRevised(2, after.plies[1]),
    ]


def test_plies_become_final_once() -> None:
    game = played(START, "d1-d3", "e3-f3")
    first = changes(reading(game, 0), reading(game, 1))
    assert first == [PlyFinal(1, game.plies[0])]
    assert changes(reading(game, 1), reading(game, 2)) == [PlyFinal(2, game.plies[1])]
    assert changes(reading(game, 2), reading(game, 2)) == []


def test_a_victim_leaves_the_board() -> None:
    game = game_at("linnaeus", "/9/9/5t3/6K2/9/9/3tT4/9/9/", Side.ATTACKER)
    after = played(game, "f3-f7")
    standing = replace(reading(after), victims=squares("e7"))
    assert changes(standing, reading(after)) == [VictimRemoved(parse_square("e7"))]
    assert changes(standing, reading(game)) == [PlyRetracted(1)], "a take-back removes nobody"


def test_trouble_comes_changes_and_goes() -> None:
    calm = reading(START)
    one = replace(calm, situation=Situation.MISMATCH, missing=squares("e3"))
    two = replace(one, extra=squares("f4"))
    assert changes(calm, one) == [Attention(squares("e3"), NO_SQUARES)]
    assert changes(one, two) == [Attention(squares("e3"), squares("f4"))]
    assert changes(two, two) == []
    assert changes(two, calm) == [Clear()]


def test_unreadable_squares_are_told_whole() -> None:
    calm = reading(START)
    dark = replace(calm, unknown=squares("a1", "b1"))
    assert changes(calm, dark) == [UnknownSquares(squares("a1", "b1"))]
    assert changes(dark, calm) == [UnknownSquares(NO_SQUARES)]
