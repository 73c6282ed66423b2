"""A hint is legal, sensible, and the same for the same seed."""

from __future__ import annotations

import random

import pytest

from boardctl.core.hints import suggest
from engine.game import Game
from engine.pieces import Side
from engine.rules import VARIANTS, load_variant
from tests.support.table import game_at

WINS = "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hint_is_legal_and_repeatable(variant: str) -> None:
    game = Game.start(load_variant(variant), side=Side.ATTACKER)
    for number in range(12):
        ply = suggest(game, random.Random(number))
        assert ply in game.legal_plies
        assert ply == suggest(game, random.Random(number))
        assert ply is not None
        game = game.push(ply)


def test_it_wins_when_it_can() -> None:
    game = game_at("linnaeus", WINS, Side.DEFENDER)
    ply = suggest(game, random.Random(1))
    assert ply is not None
    assert game.push(ply).outcome is not None


def test_it_closes_the_only_way_out() -> None:
    game = game_at("market", "/3ttt3/4t4/9/3t5/t3K3t/4T4/9/t7t/9/", Side.ATTACKER)
    for seed in range(5):
        ply = suggest(game, random.Random(seed))
        assert ply is not None
        after = game.push(ply)
        assert after.outcome is not None or not after.open_paths


def test_it_does_not_leave_the_king_to_be_taken() -> None:
    game = game_at("market", "/3ttt3/9/9/3tK4/9/4t4/9/9/3ttt3/", Side.DEFENDER)
    ply = suggest(game, random.Random(3))
    assert ply is not None
    after = game.push(ply)
    king = after.position.king
    assert king is not None
    assert not any(reply.captures >> king & 1 for reply in after.legal_plies)


def test_it_takes_what_it_can() -> None:
    game = game_at("market", "/9/9/5t3/6K2/9/9/3tT4/9/9/", Side.ATTACKER)
    ply = suggest(game, random.Random(1))
    assert ply is not None
    assert ply.captures


def test_a_game_that_is_over_has_none() -> None:
    game = game_at("linnaeus", "/3K5/9/9/9/9/9/9/9/4t4/", Side.ATTACKER)
    assert suggest(game, random.Random(1)) is None


def test_a_sample_looks_at_fewer_moves() -> None:
    game = Game.start(load_variant("market"))
    assert suggest(game, random.Random(1), sample=3) in game.legal_plies


def test_it_blocks_the_king_rather_than_take_a_piece() -> None:
    game = game_at("market", "/9/2t6/t8/9/3tKt3/4T4/9/tT7/9/", Side.ATTACKER)
    assert any(ply.captures for ply in game.legal_plies), "it could take b8"
    for seed in range(5):
        ply = suggest(game, random.Random(seed))
        assert ply is not None
        assert not game.push(ply).open_paths
