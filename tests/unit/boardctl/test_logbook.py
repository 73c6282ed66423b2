from __future__ import annotations

import logging
import typing

import pytest

from boardctl import logbook
from boardctl.core import effects
from boardctl.core.effects import Effect, Play, Sound
from engine import Outcome, Reason, Result, Side, format_position
from engine.squares import NO_SQUARES, parse_square, square_set
from tests.support.records import played

GAME = played(1)
PLY = GAME.plies[0]
RECORD = format_position(GAME.position)
E3 = parse_square("e3")

LINES: list[tuple[Effect, str | None]] = [
    (
        effects.GameStarted(2, "market", {}, RECORD, Side.DEFENDER),
        "game 2 begins: market, the defenders move first",
    ),
    (effects.PlyShown(1, PLY), f"ply 1: {PLY}"),
    (effects.PlyRevised(1, PLY), f"ply 1 read anew: {PLY}"),
    (effects.PlyRetracted(1), "ply 1 taken back"),
    (effects.PlyFinal(1, PLY), f"ply 1 is final: {PLY}"),
    (effects.VictimRemoved(E3), "the piece taken on e3 is off the board"),
    (
        effects.GameOver(2, Outcome(Side.ATTACKER, Result.WIN, Reason.KING_CAPTURED)),
        "game 2 is over: win by the attackers (king-captured)",
    ),
    (
        effects.GameOver(2, Outcome(None, Result.DRAW, Reason.AGREED)),
        "game 2 is over: draw (agreed)",
    ),
    (effects.GameReopened(2), "game 2 goes on after all"),
    (effects.GameAbandoned(2), "game 2 is left unfinished"),
    (
        effects.Corrected(2, RECORD, Side.ATTACKER, 7),
        "game 2: position corrected after ply 7, attackers to move",
    ),
    (
        effects.Attention(square_set([E3]), NO_SQUARES),
        "board and game disagree: missing e3, extra none",
    ),
    (effects.Clear(), "board and game agree again"),
    (effects.UnknownSquares(square_set([E3])), "squares that cannot be read: e3"),
    (effects.Refused("not now"), "refused: not now"),
    (effects.SettingChanged("sound", "off"), "sound set to off"),
    (effects.ShutDown(), "shut down at the table"),
    (Play(Sound.WIN), None),
]


@pytest.mark.parametrize(("effect", "text"), LINES)
def test_each_effect_has_its_line(effect: Effect, text: str | None) -> None:
    assert logbook.line(effect) == text


def test_no_effect_is_forgotten() -> None:
    assert {type(effect) for effect, _ in LINES} == set(typing.get_args(Effect))


def test_people_are_shown_moves_and_warned_of_trouble() -> None:
    assert logbook.level(effects.PlyShown(1, PLY)) == logging.INFO
    assert logbook.level(effects.PlyFinal(1, PLY)) == logging.DEBUG
    assert logbook.level(effects.Attention(NO_SQUARES, NO_SQUARES)) == logging.WARNING
