"""Hypothesis strategies for the engine: positions, rulesets, games."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

from engine import VARIANTS, Game, Position, Ruleset, Side, load_variant
from engine.squares import EDGE, SQUARES, Square, square_set
from tests.support.random_games import push_random, random_ruleset, random_start

SIDES = st.sampled_from(list(Side))
INNER = [square for square in SQUARES if not EDGE >> square & 1]


@st.composite
def positions(draw: st.DrawFn, *, king_inside: bool = False) -> Position:
    """Any position a record can write; the king may be taken, or on the edge."""
    squares: list[Square] = draw(st.lists(st.sampled_from(SQUARES), unique=True, max_size=40))
    has_king: bool = draw(st.booleans())
    king: Square | None = None
    if king_inside:
        king = draw(st.sampled_from(INNER))
        squares = [square for square in squares if square != king]
    elif squares and has_king:
        king = squares.pop()
    cut = draw(st.integers(0, len(squares)))
    return Position(square_set(squares[:cut]), square_set(squares[cut:]), king, draw(SIDES))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """One of the four games under random options."""
    ruleset = load_variant(draw(st.sampled_from(VARIANTS)))
    return random_ruleset(ruleset, random.Random(draw(st.integers(0, 1 << 16))))[0]


@st.composite
def custom_rulesets(draw: st.DrawFn) -> Ruleset:
    """Rules that no game of ours has: every field of its own."""
    when = st.sampled_from(("never", "empty", "always"))
    return replace(
        load_variant("linnaeus"),
        first=draw(SIDES),
        king_range=draw(st.integers(1, 8)),
        king_armed=draw(st.booleans()),
        king_sides=draw(st.sampled_from((2, 4))),
        throne=draw(st.booleans()),
        king_sides_on_throne=draw(st.sampled_from((2, 4))),
        king_sides_beside_throne=draw(st.sampled_from((2, 3, 4))),
        throne_pass=draw(st.booleans()),
        throne_stop=draw(st.booleans()),
        king_may_return=draw(st.booleans()),
        throne_against_attackers=draw(when),
        throne_against_defenders=draw(when),
        throne_ring=draw(st.booleans()),
        single_capture=draw(st.booleans()),
        enclosure=draw(st.sampled_from(("king", "all", "none"))),
        repetition=draw(st.sampled_from(("none", "draw", "defenders-lose"))),
        repetition_count=draw(st.integers(2, 4)),
        no_move=draw(st.sampled_from(("loss", "draw", "no-result"))),
    )


@st.composite
def games(draw: st.DrawFn, *, max_plies: int = 30) -> Game:
    """A game after some random plies, often from a crowded position."""
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    game = random_start(draw(rulesets()), rng)
    for _ in range(draw(st.integers(0, max_plies))):
        if game.outcome is not None:
            break
        game = push_random(game, rng)
    return game
