from __future__ import annotations

import pytest

from boardctl.core import resume
from boardctl.core.occupancy import Occupancy
from engine import VARIANTS, Game, Side, load_variant
from engine.squares import ALL_SQUARES, NO_SQUARES, SquareSet, parse_square
from tests.support.records import played

START = load_variant("market").start.occupied
GAME = played(12)


def seen(closed: int, unknown: int = 0) -> Occupancy:
    return Occupancy(SquareSet(closed), SquareSet(unknown))


def goes_on(game: Game, occupancy: Occupancy) -> bool:
    return resume.goes_on(game, game.ruleset.start.occupied, occupancy)


def bit(name: str) -> int:
    return 1 << parse_square(name)


def test_the_same_board_goes_on() -> None:
    assert goes_on(GAME, seen(GAME.position.occupied))


def test_a_ply_or_two_made_without_power_go_on() -> None:
    further = GAME.push(GAME.legal_plies[0])
    further = further.push(further.legal_plies[0])
    assert goes_on(GAME, seen(further.position.occupied))


def test_a_piece_in_hand_and_some_knocked_over_go_on() -> None:
    occupied = int(GAME.position.occupied)
    lowest = occupied & -occupied
    assert goes_on(GAME, seen(occupied ^ lowest))
    third = occupied
    for _ in range(occupied.bit_count() // 3):
        third &= third - 1
    assert goes_on(GAME, seen(third))


def test_a_board_set_up_anew_is_a_new_game() -> None:
    assert not goes_on(GAME, seen(START))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_start_position_of_a_game_that_has_just_begun_goes_on(variant: str) -> None:
    ruleset = load_variant(variant)
    game = Game.start(ruleset, side=Side.ATTACKER)
    assert goes_on(game, seen(ruleset.start.occupied))
    game = game.push(game.legal_plies[0])
    assert goes_on(game, seen(ruleset.start.occupied))


def test_a_position_that_is_the_start_again_goes_on() -> None:
    game = Game.start(load_variant("market"))
    for move in ("e7-d7", "e8-d8", "d7-e7", "d8-e8"):
        game = game.push(game.parse(move))
    assert goes_on(game, seen(START))


@pytest.mark.parametrize("closed", [NO_SQUARES, bit("a1") | bit("i9")])
def test_a_cleared_board_is_a_new_game(closed: int) -> None:
    assert not goes_on(GAME, seen(closed))


def test_squares_that_cannot_be_read_decide_nothing() -> None:
    dark = 0x1FFFFFF
    assert goes_on(GAME, seen(int(GAME.position.occupied) & ~dark, dark))
    assert not goes_on(GAME, seen(int(START) & ~dark, dark))
    assert goes_on(GAME, seen(0, ALL_SQUARES))
