"""The rules of the tafl games on 9x9: positions, moves, games, outcomes. No I/O, no clock.

>>> from engine import Game, load_variant
>>> game = Game.start(load_variant("market"))
>>> str(game.push(game.parse("e7-a7")).last)
'e7-a7'
"""

from engine.core import COMPILED
from engine.errors import (
    EngineError,
    IllegalMoveError,
    IllegalReason,
    NotationError,
    RulesetError,
)
from engine.game import Game
from engine.moves import Move, Ply
from engine.notation import format_position, parse_position
from engine.pieces import Piece, Side
from engine.position import Position
from engine.rules import (
    VARIANTS,
    Call,
    Outcome,
    Reason,
    Result,
    Ruleset,
    load_variant,
    with_options,
)

__all__ = [
    "COMPILED",
    "VARIANTS",
    "Call",
    "EngineError",
    "Game",
    "IllegalMoveError",
    "IllegalReason",
    "Move",
    "NotationError",
    "Outcome",
    "Piece",
    "Ply",
    "Position",
    "Reason",
    "Result",
    "Ruleset",
    "RulesetError",
    "Side",
    "format_position",
    "load_variant",
    "parse_position",
    "with_options",
]
