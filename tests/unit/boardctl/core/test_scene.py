"""A test per situation of docs/lights.md: hands act, the lights and the record answer."""

from __future__ import annotations

import pytest

from boardctl.core.effects import (
    Attention,
    Clear,
    GameStarted,
    PlyRetracted,
    PlyShown,
    VictimRemoved,
)
from boardctl.core.palette import Meaning
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Phase
from boardctl.core.transitions import State
from engine.pieces import Side
from engine.squares import SquareSet, parse_square, square_names
from tests.support.lights import Watch, light_at
from tests.support.table import Table, squares, table_at

CORNERS = {"a1", "i1", "a9", "i9"}
EMPTY = SquareSet(0)


# -- attract ---------------------------------------------------------------------------------


def test_attract_a_wave_then_a_game_until_a_touch() -> None:
    table = Table(set_up=False, settings=SessionSettings(attract_after_s=30.0))
    table.board(EMPTY)
    table.wait(29.0)
    assert table.state() is State.SETUP
    table.wait(2.0)
    assert table.state() is State.ATTRACT
    wave = Watch(table)
    assert 0.0 < max(max(levels) for levels in wave.levels.values()) <= 0.35, "low brightness"
    table.wait(15.0)
    assert len(table.lights()) >= 20, "the pieces of a game"
    before = table.lights()
    table.wait(6.0)
    assert table.lights() != before, "the game goes on"
    table.board(squares("c3"))
    assert table.state() is State.SETUP
    assert table.record == []


# -- set-up ----------------------------------------------------------------------------------


def test_set_up_leads_every_piece_to_its_square_and_sweeps_once() -> None:
    table = Table("market", set_up=False)
    start = table.snapshot.position
    table.board(EMPTY)
    table.wait(2.0)
    watch = Watch(table)
    assert watch.squares(Meaning.ATTACKERS) == set(square_names(start.attackers))
    assert watch.squares(Meaning.DEFENDERS) == set(square_names(start.defenders))
    assert watch.squares(Meaning.KING) == {"e5"}
    assert all(watch.hertz(square) == pytest.approx(0.5, abs=0.26) for square in watch.levels)
    table.put("c2")
    assert light_at(table, "c2", after=-table.now % 0.5) is Meaning.WRONG
    assert Watch(table).hertz("c2") == pytest.approx(2.0, abs=0.3)
    table.lift("c2")
    table.put("e5")
    assert light_at(table, "e5") is None, "a solved square goes dark"
    table.board(start.occupied)
    assert table.state() is State.SETUP
    table.wait(1.1)
    assert table.state() is State.PLAYING
    swept = Watch(table, 1.0)
    assert len(swept.levels) == 81
    table.wait(1.5)
    assert set(table.lights()) == {parse_square(corner) for corner in CORNERS}
    started = table.effects(GameStarted)
    assert [(e.number, e.variant, e.side) for e in started] == [(1, "market", Side.DEFENDER)]


def test_the_allies_have_colours_of_their_own() -> None:
    table = Table("imperial", set_up=False)
    table.board(EMPTY)
    table.wait(2.0)
    watch = Watch(table)
    assert watch.squares(Meaning.ENGLAND) == {"d9", "e9", "f9", "e8"}
    assert watch.squares(Meaning.FRANCE) == {"i4", "i5", "i6", "h5"}
    assert watch.squares(Meaning.TURKEY) == {"d1", "e1", "f1", "e2"}
    assert watch.squares(Meaning.SARDINIA) == {"a4", "a5", "a6", "b5"}


# -- the lot ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_lot_runs_between_the_sides_and_stops_with_the_winner(seed: int) -> None:
    table = Table("imperial", seed=seed)
    assert table.phase() is Phase.LOT
    assert table.snapshot.lot is not None
    winner = table.snapshot.lot.winner
    table.wait(1.2)
    early = Watch(table, 1.0)
    assert early.squares(Meaning.ATTACKERS)
    assert early.squares(Meaning.DEFENDERS)
    table.wait(3.0)
    stopped = Watch(table, 0.5)
    meaning = Meaning.ATTACKERS if winner is Side.ATTACKER else Meaning.DEFENDERS
    row = "1" if winner is table.snapshot.south else "9"
    assert stopped.squares(meaning) >= {f"{file}{row}" for file in "abcdefghi"}
    assert all(stopped.is_steady(square) for square in stopped.levels)
    table.wait(3.0)
    assert table.phase() is Phase.IN_SYNC
    assert table.snapshot.side is winner
    assert [effect.side for effect in table.effects(GameStarted)] == [winner]


def test_the_lot_draws_both_sides() -> None:
    winners = {Table("imperial", seed=seed).snapshot.lot for seed in range(12)}
    assert len(winners) == 2


# -- play ------------------------------------------------------------------------------------


def test_whose_turn_glows_in_the_corners_and_the_last_move_is_dim() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    watch = Watch(table)
    assert set(watch.levels) == CORNERS
    assert watch.squares(Meaning.TURN_ATTACKERS) == CORNERS
    table.move("d1-d3")
    watch = Watch(table)
    assert watch.squares(Meaning.TURN_DEFENDERS) == CORNERS
    assert watch.squares(Meaning.LAST_MOVE) == {"d1", "d3"}
    assert set(watch.levels) == CORNERS | {"d1", "d3"}, "calm play is nearly dark"
    assert [str(effect.ply) for effect in table.effects(PlyShown)] == ["d1-d3"]


CAPTURES = "/3ttt3/4t4/4T4/t3T3t/tt1TKTTtt/t1t1T2t1/2T4T1/4t4/3ttt3/"


def test_own_piece_lifted_shows_where_it_may_go_and_what_it_takes() -> None:
    table = table_at("linnaeus", CAPTURES, Side.ATTACKER)
    table.wait(2.0)
    table.lift("e8")
    watch = Watch(table)
    assert watch.squares(Meaning.OWN) == {"e8"}
    assert watch.hertz("e8") == pytest.approx(0.5, abs=0.26)
    assert watch.squares(Meaning.CAPTURE) == {"c8", "h8"}
    assert watch.squares(Meaning.TARGET) == {"a8", "b8", "d8", "f8", "g8", "i8", "e7"}
    assert all(watch.is_steady(square) for square in watch.squares(Meaning.TARGET))
    assert watch.squares(Meaning.THREATENED) == {"c7", "h7"}
    assert watch.hertz("c7") == pytest.approx(1.0, abs=0.26)
    table.put("e8")
    table.wait(0.5)
    assert set(Watch(table).levels) == CORNERS


def test_a_held_piece_shows_its_targets_as_long_as_a_player_thinks() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.lift("d1")
    table.wait(40.0)
    assert table.phase() is Phase.IN_HAND
    assert Watch(table).squares(Meaning.TARGET) >= {"d2", "d3", "d4", "a1", "b1", "c1"}


def test_a_winning_target_runs_outwards_in_gold() -> None:
    table = table_at("linnaeus", "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/", Side.DEFENDER)
    table.wait(2.0)
    table.lift("d4")
    watch = Watch(table)
    assert watch.squares(Meaning.WIN) >= {"a4", "d9"}
    assert Meaning.TARGET not in watch.meanings["d9"]
    first = watch.levels["a4"].index(max(watch.levels["a4"]))
    later = watch.levels["d9"].index(max(watch.levels["d9"]))
    assert first != later, "a light that runs reaches far squares later"
    assert min(watch.levels["a4"]) >= 0.5


def test_a_piece_that_cannot_move_blinks_white_twice_and_nothing_else() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.lift("e1")
    watch = Watch(table)
    assert watch.squares(Meaning.OWN) == {"e1"}
    assert set(watch.levels) == CORNERS | {"e1"}
    ups = sum(
        a == 0.0 < b for a, b in zip([0.0, *watch.levels["e1"]], watch.levels["e1"], strict=False)
    )
    assert ups == 2
    assert table.snapshot.hand is not None
    assert table.snapshot.hand.targets == ()


def test_the_opponents_piece_double_blinks_and_its_takers_are_shown() -> None:
    table = table_at("linnaeus", CAPTURES, Side.ATTACKER)
    table.wait(2.0)
    table.lift("c7")
    watch = Watch(table)
    assert watch.squares(Meaning.NOT_YOURS) == {"c7"}
    assert watch.hertz("c7") == pytest.approx(2 / 1.6, abs=0.3)
    assert watch.squares(Meaning.SUGGESTION) == {"c8"}
    table.put("c7")
    table.wait(0.5)
    assert set(Watch(table).levels) == CORNERS
    assert table.effects(PlyShown) == []


def test_removing_the_victim_first_is_allowed() -> None:
    table = table_at("linnaeus", CAPTURES, Side.ATTACKER)
    table.wait(2.0)
    table.lift("c7")
    table.lift("e8")
    table.put("c8")
    table.wait(1.0)
    assert [str(effect.ply) for effect in table.effects(PlyShown)] == ["e8-c8xc7"]
    assert table.phase() is Phase.IN_SYNC


VICTIMS = "/3ttt3/4t4/4T4/t1t5t/t1T1K2tt/t2Tt3t/9/4t4/2tttt3/"


def test_victims_pulse_red_until_each_is_lifted_and_play_may_go_on() -> None:
    table = table_at("linnaeus", VICTIMS, Side.ATTACKER)
    table.wait(2.0)
    table.lift("c9")
    table.put("c6")
    table.wait(1.0)
    assert table.phase() is Phase.REMOVE_CAPTURED
    watch = Watch(table)
    assert watch.squares(Meaning.VICTIM) == {"c5", "d6"}
    assert watch.hertz("c5") == pytest.approx(1.0, abs=0.26)
    table.lift("d6")
    table.wait(0.5)
    assert Watch(table).squares(Meaning.VICTIM) == {"c5"}
    table.move("e3-f3")
    assert Watch(table).squares(Meaning.VICTIM) == {"c5"}
    table.lift("c5")
    table.wait(0.5)
    assert Watch(table).squares(Meaning.VICTIM) == set()
    removed = [effect.square for effect in table.effects(VictimRemoved)]
    assert removed == [parse_square("d6"), parse_square("c5")]
    assert [str(e.ply) for e in table.effects(PlyShown)] == ["c9-c6xc5/d6", "e3-f3"]


CHOICE = "/3ttt3/9/9/1tT1Tt3/4K4/9/9/4t4/3ttt3/"


def test_a_choice_of_victims_pulses_by_turns_and_lifting_chooses() -> None:
    table = table_at("imperial", CHOICE, Side.ATTACKER)
    table.wait(2.0)
    table.lift("d1")
    table.put("d4")
    table.wait(1.0)
    assert table.phase() is Phase.CHOOSE_VICTIM
    watch = Watch(table)
    assert watch.squares(Meaning.CHOICE) == {"c4", "e4"}
    c4, e4 = watch.levels["c4"], watch.levels["e4"]
    assert not any(one > 0.5 and other > 0.5 for one, other in zip(c4, e4, strict=True))
    assert max(c4) > 0.9 < max(e4)
    table.lift("e4")
    table.wait(1.0)
    assert [str(e.ply) for e in table.effects(PlyShown)] == ["d1-d4xe4"]
    assert table.phase() is Phase.IN_SYNC


def test_an_illegal_square_blinks_at_once_and_home_and_targets_are_shown() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.lift("d1")
    table.put("f3")
    table.wait(0.3)
    watch = Watch(table)
    assert watch.squares(Meaning.WRONG) == {"f3"}
    assert watch.hertz("f3") == pytest.approx(2.0, abs=0.3)
    assert watch.squares(Meaning.OWN) == {"d1"}
    assert watch.hertz("d1") == pytest.approx(0.5, abs=0.26)
    assert watch.squares(Meaning.TARGET) == {"a1", "b1", "c1", "d2", "d3", "d4"}
    table.lift("f3")
    table.put("d3")
    table.wait(0.5)
    assert [str(e.ply) for e in table.effects(PlyShown)] == ["d1-d3"]


def test_a_move_of_the_wrong_side_blinks_violet_here_and_at_home() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.lift("e7")
    table.put("f7")
    table.wait(0.5)
    watch = Watch(table)
    assert watch.squares(Meaning.NOT_YOURS) == {"e7", "f7"}
    assert watch.hertz("f7") == pytest.approx(2 / 1.6, abs=0.3)
    assert table.effects(PlyShown) == []


def test_a_knocked_board_is_put_right_pair_by_pair_and_then_shows_who_is_who() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    whole = table.closed
    gone, there = squares("e7", "f5", "a4"), squares("f7", "g6")
    table.board(SquareSet(whole & ~gone | there))
    table.wait(10.0)
    assert table.phase() is Phase.MISMATCH
    watch = Watch(table)
    assert watch.squares(Meaning.DEFENDERS) == {"e7", "f5"}
    assert watch.squares(Meaning.ATTACKERS) == {"a4"}
    assert watch.squares(Meaning.WRONG) == {"f7", "g6"}
    assert watch.brightest("e7") > 0.9 < watch.brightest("f7"), "the nearest pair first"
    assert watch.brightest("a4") < 0.4 > watch.brightest("g6"), "the rest dimmer"
    assert table.effects(Attention)
    table.lift("f7")
    table.put("e7")
    table.wait(0.5)
    assert "e7" not in Watch(table).levels
    assert "f7" not in Watch(table).levels
    table.board(whole)
    table.wait(0.5)
    watch = Watch(table, 1.0)
    assert set(watch.levels) == set(square_names(whole)), "all pieces show their colour"
    assert watch.squares(Meaning.KING) == {"e5"}
    table.wait(5.0)
    assert set(Watch(table).levels) == CORNERS
    assert isinstance(table.effects(Clear)[-1], Clear)


def test_take_back_by_hand_any_number_of_plies() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    for move in ("d1-d3", "e3-f3", "d3-d2"):
        table.move(move)
        table.wait(1.0)
    table.lift("d2")
    watch = Watch(table)
    assert watch.squares(Meaning.OWN) == {"d3"}, "home is shown"
    table.put("d3")
    table.wait(1.0)
    table.move("f3-e3")
    table.wait(1.0)
    table.move("d3-d1")
    table.wait(1.0)
    assert table.snapshot.plies == ()
    assert [effect.number for effect in table.effects(PlyRetracted)] == [3, 2, 1]
