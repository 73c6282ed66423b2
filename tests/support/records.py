"""Effects of a short game, for tests of what keeps them."""

from __future__ import annotations

import random

from boardctl.core.effects import Effect, GameOver, GameStarted, PlyFinal, PlyShown
from engine import Game, format_position, load_variant


def played(plies: int, *, variant: str = "market", seed: int = 1) -> Game:
    """A random game of at most so many plies."""
    rng = random.Random(seed)
    game = Game.start(load_variant(variant))
    while game.outcome is None and game.ply_count < plies:
        game = game.push(rng.choice(game.legal_plies))
    return game


def started(game: Game, *, number: int = 1) -> GameStarted:
    """The effect that opens *game*."""
    first = game
    while first.parent is not None:
        first = first.parent
    assert first.side is not None
    return GameStarted(
        number, game.ruleset.name, game.ruleset.options, format_position(first.position), first.side
    )


def record_of(game: Game, *, number: int = 1) -> list[Effect]:
    """Everything a session tells of *game*."""
    effects: list[Effect] = [started(game, number=number)]
    for at, ply in enumerate(game.plies, start=1):
        effects += [PlyShown(at, ply), PlyFinal(at, ply)]
    if game.outcome is not None:
        effects.append(GameOver(number, game.outcome))
    return effects
