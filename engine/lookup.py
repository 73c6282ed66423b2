"""From rulesets and positions to the numbers of the rules core, and back."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from engine import core, tables
from engine.moves import Move, Ply
from engine.pieces import Piece, Side
from engine.squares import CENTRE, SIZE, SQUARES, Square, SquareSet, members, square_set

if TYPE_CHECKING:
    from engine.position import Position
    from engine.ruleset import Ruleset

THRONE: Final = CENTRE
"""The throne's square, where the rules have one."""

_FAR: Final = SIZE - 1
_BESIDE_THRONE: Final = (THRONE - SIZE, THRONE - 1, THRONE + 1, THRONE + SIZE)
_ENCLOSURE: Final = {"none": 0, "king": 1, "all": 2}
_VICTIM: Final = tables.flank_victims()

_line_table = cache(tables.line_table)


@lru_cache(maxsize=64)
def core_rules(ruleset: Ruleset) -> core.Rules:
    """Return the tables by which the core plays a ruleset."""
    return core.Rules(**rule_tables(ruleset))


def rule_tables(ruleset: Ruleset) -> dict[str, Any]:
    """Return the arguments of `core.Rules` for a ruleset."""
    hostile = [
        int(ruleset.throne_against_attackers != "never"),
        int(ruleset.throne_against_defenders != "never"),
        int(ruleset.throne_against_attackers == "always"),
        int(ruleset.throne_against_defenders == "always"),
    ]
    return {
        "lines": _lines(ruleset),
        "throne": THRONE if ruleset.throne else -1,
        "king_armed": int(ruleset.king_armed),
        "king_need": [_king_need(ruleset, square) for square in SQUARES],
        "hostile": hostile,
        "ring": int(ruleset.throne_ring),
        "single": int(ruleset.single_capture),
        "enclosure": _ENCLOSURE[ruleset.enclosure],
    }


def _lines(ruleset: Ruleset) -> list[list[list[int]]]:
    """Return where men and kings go, on ordinary lines and on those through the throne."""
    man = _line_table(_FAR, stop=True, through=True)
    king = _line_table(ruleset.king_range, stop=True, through=True)
    if not ruleset.throne:
        return [man, man, king, king]
    return [
        man,
        _line_table(_FAR, stop=ruleset.throne_stop, through=ruleset.throne_pass),
        king,
        _line_table(ruleset.king_range, stop=ruleset.king_may_return, through=True),
    ]


def _king_need(ruleset: Ruleset, square: Square) -> int:
    if ruleset.throne and square == THRONE:
        return ruleset.king_sides_on_throne
    if ruleset.throne and square in _BESIDE_THRONE:
        return ruleset.king_sides_beside_throne
    return ruleset.king_sides


def core_state(ruleset: Ruleset, position: Position) -> core.State:
    """Return the core's state of a position."""
    turn = int(position.side is Side.DEFENDER)
    return core.State(core_rules(ruleset), core_pieces(position), turn)


def core_pieces(position: Position) -> list[int]:
    """Return what stands on the 81 squares, in the core's numbers."""
    pieces = [0] * len(SQUARES)
    for squares, piece in (
        (position.attackers, Piece.ATTACKER),
        (position.defenders, Piece.DEFENDER),
        (position.king_set, Piece.KING),
    ):
        for square in members(squares):
            pieces[square] = int(piece)
    return pieces


def trapped_squares(target: Square, found: int) -> SquareSet:
    """Return the squares that the core means by directions around `target`."""
    return square_set(SQUARES[_VICTIM[target][k]] for k in range(4) if found >> k & 1)


def chosen_square(number: int) -> Square:
    """Return the victim that a core move names."""
    return SQUARES[_VICTIM[number % len(SQUARES)][number // tables.PLAIN - 1]]


@cache
def quiet_ply(number: int) -> Ply:
    """Return the ply of a core move that takes nothing; there are 1296, made once each."""
    return Ply(Move(SQUARES[number // len(SQUARES)], SQUARES[number % len(SQUARES)]))


def choice(number: int, victim: Square) -> int:
    """Return the core move that goes as `number` does and takes `victim`."""
    return number + tables.PLAIN * (1 + _VICTIM[number % len(SQUARES)].index(victim))
