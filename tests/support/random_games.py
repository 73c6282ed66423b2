"""Random games and positions, from a seed alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import Game, Position, Ruleset, Side, with_options
from engine.squares import CENTRE, EDGE, SIZE, SQUARES, square_set

if TYPE_CHECKING:
    import random

    from engine import Ply

OPTION_VALUES: Final = {
    "throne_pass": ("yes", "no"),
    "throne_stop": ("no", "yes"),
    "king_may_return": ("yes", "no"),
    "enclosure": ("king", "all", "none"),
    "repetition": ("none", "draw", "defenders-lose"),
    "repetition_count": ("2", "3"),
    "no_move": ("loss", "draw", "no-result"),
}


def random_options(ruleset: Ruleset, rng: random.Random) -> dict[str, str]:
    """Return some options of a game, half of them changed."""
    names = [name for name in ruleset.option_names if name in OPTION_VALUES]
    return {name: rng.choice(OPTION_VALUES[name]) for name in names if rng.random() < 0.5}


def random_position(rng: random.Random, side: Side) -> Position:
    """Return a position with few pieces, crowded round a king who is mostly near the centre.

    Play from the start seldom comes near the throne's rules or an enclosure; this does.
    """
    inner = [square for square in SQUARES if not EDGE >> square & 1]
    king = CENTRE if rng.random() < 0.4 else rng.choice(inner)
    near = [
        square
        for square in SQUARES
        if square != king
        and abs(square % SIZE - king % SIZE) <= 2
        and abs(square // SIZE - king // SIZE) <= 2
    ]
    crowd = rng.sample(near, rng.randint(1, min(len(near), 18)))
    rest = [square for square in SQUARES if square not in near and square != king]
    crowd += rng.sample(rest, rng.randint(0, 6))
    hostile = rng.choice((0.1, 0.5, 0.7, 0.9))
    attackers = [square for square in crowd if rng.random() < hostile]
    defenders = [square for square in crowd if square not in attackers]
    return Position(square_set(attackers), square_set(defenders), king, side)


def random_start(ruleset: Ruleset, rng: random.Random) -> Game:
    """Return a game from the start, or in half of the cases from a random position."""
    side = rng.choice(list(Side))
    position = random_position(rng, side) if rng.random() < 0.5 else None
    return Game.start(ruleset, side=side, position=position)


def random_ruleset(ruleset: Ruleset, rng: random.Random) -> tuple[Ruleset, dict[str, str]]:
    """Return the game with random options, and the options."""
    options = random_options(ruleset, rng)
    return with_options(ruleset, options), options


def push_random(game: Game, rng: random.Random) -> Game:
    """Return the game with one more ply.

    It takes something where it can, half of the time, and goes back where it came from, a third
    of the time and more when the opponent did: so that pieces are taken and positions come again.
    """
    plies = game.legal_plies
    taking = [ply for ply in plies if ply.captures]
    if taking and rng.random() < 0.5:
        return game.push(rng.choice(taking))
    back = [ply for ply in plies if _goes_back(ply, game.parent)]
    if back and game.parent and game.last and _goes_back(game.last, game.parent.parent):
        return game.push(back[0] if rng.random() < 0.75 else rng.choice(plies))
    return game.push(back[0] if back and rng.random() < 0.35 else rng.choice(plies))


def _goes_back(ply: Ply, before: Game | None) -> bool:
    """Say whether a ply undoes the one that led to `before`."""
    earlier = before.last if before else None
    if earlier is None:
        return False
    return (ply.from_square, ply.to_square) == (earlier.to_square, earlier.from_square)
