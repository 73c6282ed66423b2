"""A sensible move for a person who asks: a rule of thumb, not the player of the house.

In this order: win now; do not lose by the next move; take pieces; bring the king's ways to the
edge (or block them). What is left equal is drawn by the generator given, so that a seeded table
proposes the same move again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.pieces import Side
from engine.squares import EDGE

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from engine.game import Game
    from engine.moves import Ply

_WIN: Final = 1000.0
_CAPTURE: Final = 10.0
_PATH: Final = 6.0


def suggest(game: Game, rng: random.Random, *, sample: int | None = None) -> Ply | None:
    """Return a legal move for the side to move; None when there is none.

    Args:
        game: the game.
        rng: decides between equal moves.
        sample: look at so many moves only (for a show that must not take time).
    """
    plies: Sequence[Ply] = game.legal_plies
    if sample is not None and len(plies) > sample:
        plies = rng.sample(plies, sample)
    # Sorting is stable: the key alone decides, drawn numbers break its ties.
    scored = [(_score(game, ply), rng.random(), ply) for ply in plies]
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    for _, _, ply in scored:
        if not _loses(game, ply):
            return ply
    return scored[0][2] if scored else None


def _score(game: Game, ply: Ply) -> float:
    """Return how good a move looks from its result alone."""
    after = game.push(ply)
    outcome = after.outcome
    if outcome is not None:
        if outcome.winner is game.side:
            return _WIN
        return -_WIN if outcome.winner is not None else -_CAPTURE
    paths = min(2, after.open_paths.bit_count())
    towards = _PATH if game.side is Side.DEFENDER else -_PATH
    return _CAPTURE * ply.captures.bit_count() + towards * paths


def _loses(game: Game, ply: Ply) -> bool:
    """Say whether the opponent could end the game in his favour by his next move."""
    after = game.push(ply)
    if after.outcome is not None:
        return after.outcome.winner is not game.side
    king = after.position.king
    if king is None:
        return False
    if game.side is Side.ATTACKER:
        return bool(after.open_paths & EDGE)
    return any(reply.captures >> king & 1 for reply in after.legal_plies)
