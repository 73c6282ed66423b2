"""Whole games by hand, from the set-up to the announced end."""

from __future__ import annotations

import random

import pytest

from boardctl.core.effects import (
    GameOver,
    GameStarted,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
)
from boardctl.core.snapshot import Phase, snapshot_json
from engine.game import Game
from engine.rules import VARIANTS, load_variant
from tests.support.table import Table


def play_out(table: Table, game: Game, rng: random.Random, plies: int) -> Game:
    """Play random moves by hand, taking wins where they are, as two clumsy players would."""
    for _ in range(plies):
        if game.outcome is not None:
            break
        wins = [p for p in game.legal_plies if game.push(p).outcome is not None]
        ply = rng.choice(wins or list(game.legal_plies))
        table.move(str(ply))
        game = game.push(ply)
        table.wait(1.0)
    return game


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_game_is_followed_from_the_first_move_to_the_announced_end(
    variant: str, seed: int
) -> None:
    table = Table(variant, seed=seed)
    table.wait(8.0)
    started = table.effects(GameStarted)[-1]
    rng = random.Random(seed)
    game = play_out(table, Game.start(load_variant(variant), side=started.side), rng, 60)
    table.wait(10.0)
    snapshot = table.snapshot
    assert [str(ply) for ply in snapshot.plies] == [str(ply) for ply in game.plies]
    shown = [effect.ply for effect in table.effects(PlyShown)]
    assert not table.effects(PlyRetracted)
    assert not table.effects(PlyRevised)
    assert shown == list(game.plies)
    if game.outcome is not None:
        assert table.phase() is Phase.FINISHED
        assert snapshot.outcome == game.outcome
        assert [e.outcome for e in table.effects(GameOver)] == [game.outcome]
        assert [e.ply for e in table.effects(PlyFinal)] == list(game.plies)
        assert snapshot_json(snapshot)["outcome"]["reason"] == game.outcome.reason.value
