"""A test per situation of docs/lights.md, continued: calls, hints, the end, faults."""

from __future__ import annotations

import pytest

from boardctl.core.commands import (
    AgreeDraw,
    ChangeSetting,
    Hint,
    Setting,
)
from boardctl.core.effects import (
    GameOver,
    PlyShown,
)
from boardctl.core.events import Button, ButtonHeld, FaultSeen, Stopping
from boardctl.core.geometry import line
from boardctl.core.palette import Meaning
from boardctl.core.scene import sign_scene
from boardctl.core.snapshot import Phase, Sign
from engine.pieces import Side
from engine.rules import Outcome, Reason, Result
from engine.squares import SquareSet, parse_square, square_names
from tests.support.lights import Watch
from tests.support.table import Table, squares, table_at

CORNERS = {"a1", "i1", "a9", "i9"}
EMPTY = SquareSet(0)


# -- calls, danger, hints --------------------------------------------------------------------


def test_raicki_runs_along_the_open_line_until_the_attackers_have_answered() -> None:
    table = table_at("linnaeus", "/3t1t3/9/4T4/t1t5t/t2TK1Ttt/t3T3t/2t6/4t4/3ttt3/", Side.DEFENDER)
    table.wait(2.0)
    assert Watch(table).squares(Meaning.CALL) == set(), "only after a defenders' move"
    table.move("e3-f3")
    watch = Watch(table)
    assert table.snapshot.call == "raicki"
    assert watch.squares(Meaning.CALL) == {"e4", "e3", "e2", "e1"}
    peaks = [watch.levels[at].index(max(watch.levels[at][:40])) for at in ("e4", "e2", "e1")]
    assert peaks == sorted(peaks), "it runs from the king to the edge"
    table.lift("c4")
    assert Watch(table).squares(Meaning.CALL), "until they have answered"
    table.put("e4")
    table.wait(1.0)
    assert table.snapshot.call is None
    assert Watch(table).squares(Meaning.CALL) == set()


def test_any_answer_of_the_attackers_ends_the_call() -> None:
    table = table_at("linnaeus", "/3t1t3/9/4T4/t1t5t/t2TK1Ttt/t3T3t/2t6/4t4/3ttt3/", Side.DEFENDER)
    table.wait(2.0)
    table.move("e3-f3")
    assert table.snapshot.call == "raicki"
    table.move("a4-b4")
    assert table.snapshot.call is None
    assert Watch(table).squares(Meaning.CALL) == set(), "though the way is still open"


def test_tuicku_runs_along_both_lines() -> None:
    table = table_at("linnaeus", "/3ttt3/4t4/4T4/3K1T3/t3T1T1t/4T3t/2t6/9/5tt2/", Side.DEFENDER)
    table.wait(2.0)
    table.move("d4-d6")
    assert table.snapshot.call == "tuicku"
    assert Watch(table).squares(Meaning.CALL) == {"c6", "b6", "a6", "d7", "d8", "d9"}


def test_the_king_in_danger_beats_like_a_heart_only_when_asked_for() -> None:
    table = table_at("market", "/3ttt3/9/9/3tK4/9/4t4/9/9/3ttt3/", Side.DEFENDER)
    table.wait(2.0)
    assert Watch(table).squares(Meaning.DANGER) == set()
    table.command(ChangeSetting(Setting.DANGER, "on"))
    watch = Watch(table)
    assert watch.squares(Meaning.DANGER) == {"e4"}
    assert watch.hertz("e4") == pytest.approx(1.0, abs=0.3)


def test_a_hint_breathes_and_runs_for_some_seconds() -> None:
    table = table_at("linnaeus", "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/", Side.DEFENDER)
    table.wait(2.0)
    table.command(Hint())
    assert table.snapshot.hint is not None
    move = table.snapshot.hint.move
    watch = Watch(table)
    [start] = watch.squares(Meaning.OWN)
    assert parse_square(start) == move.from_square
    assert watch.hertz(start) == pytest.approx(0.5, abs=0.26)
    way = [
        square_names(SquareSet(1 << square))[0] for square in line(move.from_square, move.to_square)
    ]
    assert watch.squares(Meaning.TARGET) == set(way)
    heads = [watch.levels[square].index(max(watch.levels[square])) for square in way]
    assert len(way) > 1
    assert heads == sorted(set(heads)), "a light runs from the piece to its target"
    table.wait(9.0)
    assert table.snapshot.hint is None
    assert set(Watch(table).levels) == CORNERS


# -- the end ---------------------------------------------------------------------------------


def test_won_by_the_defenders_lights_the_road_then_rings_then_the_side_glows() -> None:
    table = table_at("linnaeus", "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/", Side.DEFENDER)
    table.wait(2.0)
    table.lift("d4")
    table.put("d9")
    table.wait(1.0)
    assert table.effects(GameOver) == [], "a win is announced only when it has rested"
    table.wait(0.8)
    won = Outcome(Side.DEFENDER, Result.WIN, Reason.KING_ESCAPED)
    assert [effect.outcome for effect in table.effects(GameOver)] == [won]
    assert table.phase() is Phase.FINISHED
    road = ["d4", "d5", "d6", "d7", "d8", "d9"]
    watch = Watch(table, 5.0)
    assert watch.squares(Meaning.KING) == set(road)
    lit = [next(i for i, level in enumerate(watch.levels[at]) if level) for at in road]
    assert lit == sorted(lit), "square by square"
    assert lit[-1] - lit[1] >= 15
    assert len(watch.squares(Meaning.DEFENDERS)) > 60, "rings of the winner's colour"
    table.wait(7.0)
    glow = Watch(table)
    assert glow.squares(Meaning.DEFENDERS) >= {f"{file}9" for file in "abcdefghi"}
    assert glow.squares(Meaning.ATTACKERS) == set()
    assert max(max(levels) for levels in glow.levels.values()) < 0.5


def test_won_by_the_attackers_closes_the_ring_and_spreads() -> None:
    table = table_at("market", "/3ttt3/9/9/4t4/4K3t/t7t/2t6/4t4/3ttt3/", Side.ATTACKER)
    table.wait(2.0)
    table.move("e8-e6xe5")
    table.wait(0.7)
    assert table.phase() is Phase.FINISHED
    assert table.effects(GameOver)[0].outcome.reason is Reason.KING_CAPTURED
    age = table.now - table.snapshot.since
    early, late = table.lights(0.1 - age), table.lights(1.0 - age)
    king = parse_square("e5")
    away = [
        {max(abs(s % 9 - king % 9), abs(s // 9 - king // 9)) for s in frame if s != king}
        for frame in (early, late)
    ]
    assert max(away[1]) < max(away[0]), "the ring closes in"
    assert len(table.lights(3.5)) > 60
    assert Watch(table).squares(Meaning.DEFENDERS) == set()


def test_a_draw_shows_both_colours_half_and_half() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.command(AgreeDraw())
    watch = Watch(table)
    assert watch.squares(Meaning.ATTACKERS) == {f"{f}{r}" for f in "abcd" for r in range(1, 10)}
    assert watch.squares(Meaning.DEFENDERS) == {f"{f}{r}" for f in "fghi" for r in range(1, 10)}
    assert watch.hertz("a1") == pytest.approx(0.5, abs=0.26)
    assert [e.outcome for e in table.effects(GameOver)] == [
        Outcome(None, Result.DRAW, Reason.AGREED)
    ]


def test_no_result_looks_like_a_draw() -> None:
    table = table_at("linnaeus", "/t8/T8/1T7/9/4K4/9/9/9/9/", Side.DEFENDER)
    table.wait(2.0)
    table.move("b3-b1")
    table.wait(1.5)
    watch = Watch(table)
    assert len(watch.squares(Meaning.ATTACKERS)) == len(watch.squares(Meaning.DEFENDERS)) == 36
    brightest = {
        square: watch.levels[square].index(max(watch.levels[square][:100]))
        for square in ("a5", "i5")
    }
    assert abs(brightest["a5"] - brightest["i5"]) == pytest.approx(50, abs=2), "one in, one out"
    assert [e.outcome for e in table.effects(GameOver)] == [
        Outcome(None, Result.NO_RESULT, Reason.NO_MOVES)
    ]


# -- faults ----------------------------------------------------------------------------------


def test_unreadable_squares_glint_and_play_goes_on() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    chip = squares(*(f"{file}{rank}" for file in "abcdefg" for rank in "67"))
    table.board(table.closed, chip)
    table.wait(1.0)
    watch = Watch(table)
    assert watch.squares(Meaning.KEEPER) == set(square_names(chip))
    assert watch.hertz("a6") == pytest.approx(1.0, abs=0.3)
    table.move("d1-d3")
    assert [str(e.ply) for e in table.effects(PlyShown)] == ["d1-d3"]


def test_after_a_minute_of_trouble_the_edge_calls_for_help() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.board(SquareSet(table.closed & ~squares("e7", "f5", "a5") | squares("c2")))
    table.wait(55.0)
    assert Watch(table).squares(Meaning.KEEPER) == set()
    table.wait(10.0)
    watch = Watch(table)
    assert table.snapshot.help
    edge = {f"{f}{r}" for f in "abcdefghi" for r in range(1, 10) if f in "ai" or r in (1, 9)}
    assert watch.squares(Meaning.KEEPER) == edge - {"a5"}
    assert watch.hertz("a1") == pytest.approx(1.0, abs=0.3)


def test_a_lasting_fault_calls_for_help_too() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.send(FaultSeen("chip 0x20 does not answer", squares("a1")))
    table.wait(61.0)
    assert table.snapshot.help
    assert "i9" in Watch(table).squares(Meaning.KEEPER)


# -- the daemon's own signs ------------------------------------------------------------------


@pytest.mark.parametrize("sign", Sign)
def test_each_sign_lights_something_of_its_own(sign: Sign) -> None:
    moments = [sign_scene(sign, age / 10) for age in range(10)]
    assert any(any(map(any, frame)) for frame in moments)
    others = [
        [sign_scene(other, age / 10) for age in range(10)] for other in Sign if other is not sign
    ]
    assert moments not in others


def test_a_table_that_is_ready_says_so_by_one_green_ring_for_a_second() -> None:
    table = Table("linnaeus", set_up=False)
    watch = Watch(table, 1.0)
    assert set().union(*watch.meanings.values()) == {Meaning.TARGET}
    heads = [watch.levels[at].index(max(watch.levels[at])) for at in ("e5", "e6", "e7", "e8")]
    assert heads == sorted(heads)
    assert heads[0] < heads[-1], "outwards"
    assert Watch(table, 3.0).brightest("e5") == watch.brightest("e5"), "once"
    table.wait(1.1)
    assert Watch(table).squares(Meaning.TARGET) == set()


def test_the_button_that_shuts_down_fills_the_edge_as_long_as_it_is_held() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    lit = []
    for held in (0.25, 0.5, 1.0):
        table.send(ButtonHeld(Button.SHUT_DOWN, held))
        lit.append(Watch(table, 0.5).squares(Meaning.WRONG))
    assert [len(squares) for squares in lit] == [8, 16, 32]
    assert lit[0] < lit[1] < lit[2]
    table.send(ButtonHeld(Button.SHUT_DOWN, 0.0))
    assert set(Watch(table).levels) == CORNERS, "let go"


def test_the_stopping_sign_of_a_session_is_the_daemons() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.send(Stopping())
    assert table.scene(0.4) == sign_scene(Sign.STOPPING, 0.4)
