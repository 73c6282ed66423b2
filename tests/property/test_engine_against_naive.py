"""The rules core and a second, naive implementation play the same games."""

from __future__ import annotations

import os
import random

import pytest

from engine import VARIANTS, Game, Side, core, format_position, load_variant, parse_position
from engine.lookup import core_state
from engine.squares import square_names
from tests.support.naive_rules import Board, NaiveMove, NaiveRules, board_from, record_from
from tests.support.naive_rules import Side as NaiveSide
from tests.support.random_games import push_random, random_ruleset, random_start

PLIES = 5_000
MANY_PLIES = int(os.environ.get("BOARDCTL_PLIES", "100000"))
LONGEST_GAME = 120


def outcome_of(game: Game) -> tuple[str, str] | None:
    outcome = game.outcome
    if outcome is None:
        return None
    winner = outcome.winner.value if outcome.winner else outcome.result.value
    return (winner, outcome.reason.value)


def mover(game: Game) -> NaiveSide:
    return "attackers" if game.position.side is Side.ATTACKER else "defenders"


def same(game: Game, naive: NaiveRules, board: Board, seen: dict[str, int]) -> dict[str, NaiveMove]:
    """Compare everything that both know about one position; return the naive moves by name."""
    side = mover(game)
    record = record_from(board)
    assert format_position(game.position) == record
    times, moved = seen.get(record + side, 0), game.parent is not None
    ending = naive.ending(board, side, times, moved=moved)
    assert outcome_of(game) == ending, (naive, record, side)
    assert square_names(game.open_paths) == naive.open_paths(board), (naive, record)
    moves = [] if ending else naive.moves(board, side)
    by_name = {str(move): move for move in moves}
    assert len(by_name) == len(moves), (naive, record, side)
    plies = sorted(str(ply) for ply in game.legal_plies)
    assert plies == sorted(by_name), (naive, record, side)
    seen[record + side] = seen.get(record + side, 0) + 1
    return by_name


def play_together(variant: str, plies: int, seed: int) -> set[str]:
    """Play random games for so many plies; return the reasons for which they ended."""
    rng = random.Random(seed)
    played, reasons = 0, set()
    while played < plies:
        ruleset, options = random_ruleset(load_variant(variant), rng)
        naive = NaiveRules(variant, options)
        game = random_start(ruleset, rng)
        board, seen = board_from(format_position(game.position)), dict[str, int]()
        moves = same(game, naive, board, seen)
        while game.outcome is None and game.ply_count < LONGEST_GAME:
            game = push_random(game, rng)
            board = naive.after(board, moves[str(game.last)])
            moves = same(game, naive, board, seen)
            played += 1
        if game.outcome is not None:
            reasons.add(game.outcome.reason.value)
    return reasons


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_agree_with_the_naive_rules(variant: str) -> None:
    reasons = play_together(variant, PLIES, seed=3)
    expected = {"king-escaped", "king-captured", "repetition", "no-moves"}
    if variant in {"sea-battle", "linnaeus"}:
        expected.add("surrounded")
    assert reasons == expected


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_random_games_agree_with_the_naive_rules(variant: str) -> None:
    """BOARDCTL_PLIES sets how many plies a variant: 100,000 by default, a million on request."""
    play_together(variant, MANY_PLIES, seed=2)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("side", Side)
def test_perft_agrees_with_the_naive_rules(variant: str, side: Side) -> None:
    game = Game.start(load_variant(variant), side=side)
    board = board_from(format_position(game.position))
    assert game.perft(2) == NaiveRules(variant).perft(board, mover(game), 2)


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_with_a_king_who_walks_agrees(variant: str) -> None:
    """From the start the king is shut in; here he moves, and moves again."""
    position = parse_position("/9/1t7/9/3T5/4K4/9/9/7t1/9/", Side.DEFENDER)
    game = Game.start(load_variant(variant), position=position)
    expected = NaiveRules(variant).perft(
        board_from(format_position(position)), "defenders", 3, moved=False
    )
    assert game.perft(3) == expected
    assert core.perft(core_state(game.ruleset, position), 3, 0) == expected
