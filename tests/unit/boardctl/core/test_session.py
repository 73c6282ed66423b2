"""What happens at a table besides moves: set-up, menu, orders, seats, the archive, sounds."""

from __future__ import annotations

import pytest

from boardctl.core import commands
from boardctl.core.commands import ChangeSetting, ConfirmPosition, Setting
from boardctl.core.effects import (
    Corrected,
    GameAbandoned,
    GameOver,
    GameReopened,
    GameStarted,
    Play,
    PlyFinal,
    PlyRetracted,
    PlyShown,
    Refused,
    SettingChanged,
    ShutDown,
    Sound,
)
from boardctl.core.events import Button, ButtonHeld, Committed, Stopping, Tick
from boardctl.core.occupancy import Instant
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Phase, Sign, snapshot_json
from boardctl.core.transitions import State
from engine.game import Game
from engine.notation import format_position
from engine.pieces import Side
from engine.rules import Outcome, Reason, Result, load_variant
from engine.squares import CENTRE, NO_SQUARES, SquareSet, parse_square, square_set
from tests.support.table import Table, game_at, table_at


def squares(*names: str) -> SquareSet:
    return square_set(parse_square(name) for name in names)


def opened(**settings: str | bool) -> Table:
    """A table in play after three moves."""
    table = Table("linnaeus", settings=SessionSettings(variant="linnaeus", **settings))  # type: ignore[arg-type]
    table.wait(2.0)
    for move in ("d1-d3", "e3-f3", "d3-d2"):
        table.move(move)
        table.wait(0.5)
    return table


def refusal(table: Table) -> str:
    return table.effects(Refused)[-1].reason


# -- beginning -------------------------------------------------------------------------------


def test_a_board_that_stands_ready_plays_at_once() -> None:
    table = Table("sea-battle")
    assert table.phase() is Phase.IN_SYNC
    assert [type(effect) for effect in table.record] == [GameStarted]
    assert table.snapshot.game == 1


def test_an_incomplete_set_up_waits_and_a_complete_one_must_rest() -> None:
    table = Table("sea-battle", set_up=False)
    start = table.snapshot.position.occupied
    table.board(NO_SQUARES)
    table.board(start)
    table.wait(0.9)
    assert table.state() is State.SETUP
    table.board(SquareSet(start & ~squares("e9")))
    table.wait(5.0)
    assert table.state() is State.SETUP
    table.board(start)
    table.wait(1.1)
    assert table.state() is State.PLAYING


def test_a_silent_board_is_no_set_up() -> None:
    table = Table("sea-battle", set_up=False)
    table.board(NO_SQUARES, SquareSet((1 << 81) - 1))
    table.wait(10.0)
    assert table.state() is State.SETUP


def test_a_set_up_with_one_dead_square_goes_on() -> None:
    table = Table("sea-battle", set_up=False)
    start = table.snapshot.position.occupied
    table.board(NO_SQUARES, squares("e9"))
    table.board(SquareSet(start & ~squares("e9")))
    table.wait(1.5)
    assert table.state() is State.PLAYING


def test_the_ready_sign_stands_a_second_or_until_a_touch() -> None:
    table = Table("sea-battle", set_up=False)
    table.board(NO_SQUARES)
    assert table.snapshot.sign is Sign.READY
    table.wait(1.1)
    assert table.snapshot.sign is None
    other = Table("sea-battle", set_up=False)
    other.board(NO_SQUARES)
    other.board(squares("a1"))
    assert other.snapshot.sign is None


def test_a_resumed_game_goes_on_without_a_new_record() -> None:
    game = Game.start(load_variant("linnaeus"))
    game = game.push(game.parse("d1-d3"))
    table = Table(game=game)
    table.wait(2.0)
    assert table.effects(GameStarted) == []
    assert table.effects(PlyShown) == []
    table.move("e3-f3")
    assert [effect.number for effect in table.effects(PlyShown)] == [2]


def test_a_resumed_game_on_a_board_set_up_anew_gives_way_to_a_new_one() -> None:
    game = Game.start(load_variant("linnaeus"))
    for text in ("d1-d3", "e3-f3", "d3-d2", "f3-f2"):
        game = game.push(game.parse(text))
    table = Table(game=game, set_up=False)
    table.board(game.ruleset.start.occupied)
    table.wait(12.0)
    assert table.effects(GameAbandoned) == [GameAbandoned(1)]
    assert [effect.number for effect in table.effects(GameStarted)] == [2]
    assert table.snapshot.plies == ()


# -- a new game by hand ----------------------------------------------------------------------


def test_setting_up_in_the_middle_of_a_game_begins_a_new_one() -> None:
    table = opened()
    table.board(squares("e5", "e4", "e3"))
    table.wait(4.0)
    table.board(load_variant("linnaeus").start.occupied)
    table.wait(12.0)
    assert table.effects(GameAbandoned) == [GameAbandoned(1)]
    assert table.snapshot.game == 2
    assert table.phase() is Phase.IN_SYNC


def test_setting_up_after_the_end_begins_the_next_game() -> None:
    table = opened()
    table.command(commands.Resign(Side.ATTACKER))
    table.wait(8.0)
    table.board(squares("e5", "e4", "e3"))
    assert table.phase() is Phase.SETUP
    table.board(load_variant("linnaeus").start.occupied)
    table.wait(1.5)
    assert table.phase() is Phase.IN_SYNC
    assert [effect.number for effect in table.effects(GameStarted)] == [1, 2]


def test_the_winner_takes_the_swedes() -> None:
    table = opened()
    assert table.snapshot.south is Side.ATTACKER
    table.command(commands.Resign(Side.DEFENDER))
    assert table.snapshot.south is Side.ATTACKER, "still his side in this game"
    table.command(commands.NewGame())
    assert table.snapshot.south is Side.DEFENDER
    table.command(commands.NewGame(swap_sides=True))
    assert table.snapshot.south is Side.ATTACKER


def test_the_winning_swede_keeps_them() -> None:
    table = opened()
    table.command(commands.Resign(Side.ATTACKER))
    table.command(commands.NewGame())
    assert table.snapshot.south is Side.ATTACKER


def test_a_cleared_board_is_given_up_only_after_a_long_time() -> None:
    table = opened()
    table.board(NO_SQUARES)
    table.wait(800.0)
    assert table.state() is State.PLAYING
    table.wait(200.0)
    assert table.effects(GameAbandoned) == [GameAbandoned(1)]
    assert table.state() in {State.SETUP, State.ATTRACT}


# -- orders ----------------------------------------------------------------------------------


def test_undo_takes_the_ply_back_and_the_lights_lead_the_piece_home() -> None:
    table = opened()
    table.command(commands.Undo())
    assert [str(ply) for ply in table.snapshot.plies] == ["d1-d3", "e3-f3"]
    assert table.effects(PlyRetracted)[-1].number == 3
    table.wait(3.0)
    assert [str(ply) for ply in table.snapshot.plies] == ["d1-d3", "e3-f3"]
    assert table.phase() is not Phase.IN_SYNC
    table.lift("d2")
    table.put("d3")
    table.wait(1.0)
    assert table.phase() is Phase.IN_SYNC
    for _ in range(2):
        table.command(commands.Undo())
    assert refusal_free(table)
    table.command(commands.Undo())
    assert "at its start" in refusal(table)


def refusal_free(table: Table) -> bool:
    return not table.effects(Refused)


@pytest.mark.parametrize(
    ("order", "outcome"),
    [
        (commands.Resign(Side.ATTACKER), Outcome(Side.DEFENDER, Result.WIN, Reason.RESIGNED)),
        (commands.AgreeDraw(), Outcome(None, Result.DRAW, Reason.AGREED)),
        (
            commands.DeclareResult(Side.ATTACKER),
            Outcome(Side.ATTACKER, Result.WIN, Reason.OPERATOR),
        ),
        (commands.DeclareResult(None), Outcome(None, Result.DRAW, Reason.OPERATOR)),
    ],
)
def test_people_end_a_game(order: commands.Command, outcome: Outcome) -> None:
    table = opened()
    table.command(order)
    assert table.effects(GameOver) == [GameOver(1, outcome)]
    assert [effect.number for effect in table.effects(PlyFinal)] == [1, 2, 3]
    assert table.phase() is Phase.FINISHED
    table.command(commands.Undo())
    assert table.effects(GameReopened) == [GameReopened(1)]
    assert len(table.snapshot.plies) == 3, "only the end is taken back"
    assert table.phase() is Phase.IN_SYNC


def test_undo_after_a_win_on_the_board_takes_the_winning_ply_back() -> None:
    table = table_at("linnaeus", "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/", Side.DEFENDER)
    table.wait(2.0)
    table.move("d4-d9")
    table.wait(2.0)
    assert table.phase() is Phase.FINISHED
    table.command(commands.Undo())
    assert table.effects(GameReopened) == [GameReopened(1)]
    assert table.effects(PlyRetracted) == [PlyRetracted(1)]
    assert table.snapshot.plies == ()
    assert table.snapshot.outcome is None


def test_undecidable_only_where_the_game_has_the_rule() -> None:
    table = opened()
    table.command(commands.DeclareUndecidable())
    assert "no rule" in refusal(table)
    sea = Table("sea-battle")
    sea.command(commands.DeclareUndecidable())
    assert sea.effects(GameOver)[0].outcome == Outcome(None, Result.DRAW, Reason.UNDECIDABLE)


def test_another_game_is_set_up_on_request_and_a_wrong_one_refused() -> None:
    table = opened()
    table.command(commands.SetVariant("market", {"first": "attackers"}))
    assert table.snapshot.variant == "market"
    assert table.phase() is Phase.SETUP
    assert table.snapshot.options["first"] == "attackers"
    assert table.effects(GameAbandoned) == [GameAbandoned(1)]
    for variant, options in (("chess", {}), ("market", {"throne_pass": "yes"})):
        table.command(commands.SetVariant(variant, options))
        assert variant in refusal(table)
        assert table.snapshot.variant == "market"


def test_a_correction_is_kept_in_the_record_and_numbers_go_on() -> None:
    table = opened()
    record = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/9/4t4/3ttt3/"
    table.command(ConfirmPosition(record, Side.ATTACKER))
    assert table.effects(Corrected) == [Corrected(1, record, Side.ATTACKER, 3)]
    assert table.snapshot.side is Side.ATTACKER
    assert table.snapshot.corrected == (3,)
    table.board(table.snapshot.position.occupied)
    table.wait(1.0)
    table.move("e8-e7")
    assert table.effects(PlyShown)[-1].number == 4
    assert [str(ply) for ply in table.snapshot.plies] == ["d1-d3", "e3-f3", "d3-d2", "e8-e7"]
    assert table.effects(PlyRetracted) == []
    table.command(commands.Undo())
    assert table.effects(PlyRetracted)[-1].number == 4
    table.command(commands.Undo())
    assert "operator" in refusal(table)


def test_the_board_itself_is_taken_as_the_truth() -> None:
    table = opened()
    before = table.snapshot.position
    moved = SquareSet(table.closed & ~squares("e6", "a4") | squares("f7"))
    table.board(moved)
    table.wait(10.0)
    assert table.phase() is Phase.MISMATCH
    table.command(ConfirmPosition())
    after = table.snapshot.position
    assert after.occupied == moved
    assert after.defenders == before.defenders & ~squares("e6") | squares("f7")
    assert after.attackers == before.attackers & ~squares("a4")
    assert table.phase() is Phase.IN_SYNC


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("nonsense", "not a position"),
        ("/9/9/9/9/t8/9/9/9/9/", "king"),
        ("/K8/9/9/9/9/9/9/9/9/", "king"),
    ],
)
def test_a_position_that_cannot_be_played_is_refused(record: str, why: str) -> None:
    table = opened()
    table.command(ConfirmPosition(record))
    assert why in refusal(table)
    assert len(table.snapshot.plies) == 3


def test_more_pieces_than_the_game_has_are_no_truth() -> None:
    table = opened()
    table.board(SquareSet(table.closed | squares("c7")))
    table.wait(2.0)
    table.command(ConfirmPosition())
    assert "more pieces" in refusal(table)


def test_a_pause_does_not_follow_the_board() -> None:
    table = opened()
    table.command(commands.Pause())
    assert snapshot_json(table.snapshot)["paused"] is True
    table.board(NO_SQUARES)
    table.wait(100.0)
    assert table.phase() is Phase.PAUSED
    assert not table.snapshot.help
    table.board(table.snapshot.position.occupied)
    table.command(commands.Resume())
    table.wait(1.0)
    assert table.phase() is Phase.IN_SYNC
    table.move("f3-f2")
    assert table.effects(PlyShown)[-1].number == 4


def test_settings_change_and_are_stored() -> None:
    table = opened()
    table.command(ChangeSetting(Setting.PALETTE, "deuteranopia"))
    table.command(ChangeSetting(Setting.BRIGHTNESS, "0.25"))
    table.command(ChangeSetting(Setting.LANGUAGE, "da"))
    assert table.effects(SettingChanged) == [
        SettingChanged("palette", "deuteranopia"),
        SettingChanged("brightness", "0.25"),
        SettingChanged("language", "da"),
    ]
    assert table.snapshot.settings.palette == "deuteranopia"
    for setting, value in (
        (Setting.PALETTE, "pink"),
        (Setting.BRIGHTNESS, "2"),
        (Setting.BRIGHTNESS, "bright"),
        (Setting.HINTS, "perhaps"),
    ):
        table.command(ChangeSetting(setting, value))
        assert repr(value) in refusal(table)


def test_hints_may_be_switched_off() -> None:
    table = opened()
    table.command(ChangeSetting(Setting.HINTS, "off"))
    table.press(Button.HINT)
    assert "switched off" in refusal(table)


# -- the archive -----------------------------------------------------------------------------


def test_a_ply_is_shown_as_final_only_when_the_archive_holds_it() -> None:
    table = opened(archive=True)
    table.wait(30.0)
    assert [effect.number for effect in table.effects(PlyFinal)] == [1, 2, 3]
    assert table.snapshot.final == 0
    table.send(Committed(1, 2))
    assert table.snapshot.final == 2
    table.send(Committed(7, 3))
    assert table.snapshot.final == 2, "another game's plies"


def test_without_an_archive_final_is_final() -> None:
    table = opened()
    table.wait(30.0)
    assert table.snapshot.final == 3


# -- buttons ---------------------------------------------------------------------------------


def test_buttons_mean_what_they_say() -> None:
    table = opened()
    table.press(Button.TAKE_BACK)
    assert len(table.snapshot.plies) == 2
    table.press(Button.NEW_GAME)
    assert table.state() is State.SETUP
    table.send(ButtonHeld(Button.SHUT_DOWN, 0.5))
    assert table.snapshot.shutdown == 0.5
    table.wait(1.5)
    assert table.snapshot.shutdown is None, "let go"
    table.press(Button.SHUT_DOWN)
    assert table.effects(ShutDown) == [ShutDown()]
    assert table.snapshot.sign is Sign.STOPPING


def test_confirm_takes_a_knocked_board_as_it_is() -> None:
    table = opened()
    table.board(SquareSet(table.closed & ~squares("a4")))
    table.wait(70.0)
    table.press(Button.CONFIRM)
    assert table.effects(Corrected)
    assert not table.snapshot.position.attackers & squares("a4")


def test_stopping_is_shown() -> None:
    table = opened()
    table.send(Stopping())
    assert table.snapshot.sign is Sign.STOPPING
    assert len(table.snapshot.plies) == 3


# -- sounds ----------------------------------------------------------------------------------


def sounds(table: Table) -> list[Sound]:
    return [effect.sound for effect in table.effects(Play)]


def test_moves_captures_and_wins_sound_differently() -> None:
    table = table_at("market", "/3ttt3/9/4t4/2tTt4/4K3t/t7t/2t6/4t4/3ttt3/", Side.ATTACKER)
    table.wait(2.0)
    table.move("i6-h6")
    table.move("e5-h5")
    table.wait(2.0)
    assert sounds(table)[:2] == [Sound.ACCEPTED, Sound.ACCEPTED]
    won = table_at("market", "/3ttt3/9/9/4t4/4K3t/t7t/2t6/4t4/3ttt3/", Side.ATTACKER)
    won.wait(2.0)
    won.move("e8-e6xe5")
    won.wait(2.0)
    assert sounds(won) == [Sound.CAPTURE, Sound.WIN]


def test_calls_are_called() -> None:
    table = table_at("linnaeus", "/3t1t3/9/4T4/t1t5t/t2TK1Ttt/t3T3t/2t6/4t4/3ttt3/", Side.DEFENDER)
    table.wait(2.0)
    table.move("e3-f3")
    assert sounds(table) == [Sound.RAICKI]


def test_an_illegal_square_is_answered_by_a_sound() -> None:
    table = Table("linnaeus")
    table.wait(2.0)
    table.lift("d1")
    table.put("f3")
    table.wait(2.0)
    assert sounds(table) == [Sound.ILLEGAL]


def test_a_muted_table_is_silent() -> None:
    table = opened(sound=False)
    assert sounds(table) == []


# -- the menu --------------------------------------------------------------------------------


def with_menu(table: Table | None = None) -> Table:
    table = table or opened()
    table.board(SquareSet(1 << CENTRE))
    table.wait(5.1)
    assert table.phase() is Phase.MENU
    return table


def choose(table: Table, square: str) -> None:
    table.board(NO_SQUARES)
    table.put(square)
    table.wait(2.1)


def test_the_menu_needs_one_piece_alone_for_five_seconds() -> None:
    table = opened()
    table.board(squares("e5", "e4"))
    table.wait(20.0)
    assert table.state() is State.PLAYING
    table.board(squares("e5"))
    table.wait(4.9)
    assert table.state() is State.PLAYING
    table.wait(0.2)
    assert table.state() is State.MENU


def test_a_second_piece_ends_the_menu_at_once_and_the_game_goes_on() -> None:
    table = with_menu()
    whole = table.snapshot.position.occupied
    table.board(squares("e5", "e4"))
    assert table.state() is State.PLAYING
    table.board(whole)
    table.wait(12.0)
    assert table.phase() is Phase.IN_SYNC
    assert len(table.snapshot.plies) == 3


def test_the_menu_chooses_a_game() -> None:
    table = with_menu()
    choose(table, "d7")
    assert table.snapshot.variant == "market"
    assert table.phase() is Phase.SETUP


def test_the_menu_chooses_who_begins() -> None:
    table = with_menu()
    choose(table, "h5")
    assert table.snapshot.options["first"] == "defenders"
    assert table.snapshot.variant == "linnaeus"


def test_the_menu_changes_settings_and_stays_open() -> None:
    table = with_menu()
    choose(table, "c3")
    assert table.snapshot.settings.palette == "deuteranopia"
    choose(table, "h3")
    assert table.snapshot.settings.brightness == 1.0
    choose(table, "c2")
    assert table.snapshot.settings.danger is True
    table.wait(20.0)
    assert table.snapshot.settings.danger is True, "chosen once"
    choose(table, "c2")
    assert table.snapshot.settings.danger is False
    assert table.phase() is Phase.MENU


def test_the_ring_must_close() -> None:
    table = with_menu()
    table.board(NO_SQUARES)
    table.put("d7")
    table.wait(1.5)
    table.lift("d7", after=0.0)
    table.wait(3.0)
    assert table.snapshot.variant == "linnaeus"


@pytest.mark.parametrize(
    ("wish", "confirm", "outcome"),
    [
        ("a1", "a9", Outcome(Side.DEFENDER, Result.WIN, Reason.RESIGNED)),
        ("i9", "i1", Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED)),
        ("c1", "c9", Outcome(None, Result.DRAW, Reason.AGREED)),
        ("g9", "g1", Outcome(None, Result.DRAW, Reason.AGREED)),
    ],
)
def test_the_end_of_a_game_needs_both_players(wish: str, confirm: str, outcome: Outcome) -> None:
    table = with_menu()
    choose(table, wish)
    assert table.effects(GameOver) == []
    assert table.snapshot.menu is not None
    assert table.snapshot.menu.confirm is not None
    assert table.snapshot.menu.confirm.square == parse_square(confirm)
    choose(table, confirm)
    assert table.effects(GameOver) == [GameOver(1, outcome)]
    assert table.phase() is Phase.FINISHED


def test_a_wish_is_withdrawn_on_e5() -> None:
    table = with_menu()
    choose(table, "a1")
    table.board(NO_SQUARES)
    table.put("e5")
    assert table.snapshot.menu is not None
    assert table.snapshot.menu.confirm is None
    choose(table, "a9")
    assert table.effects(GameOver) == []


def test_undecidable_stands_in_the_menu_of_sea_battle_alone() -> None:
    for variant, there in (("sea-battle", True), ("market", False)):
        table = Table(variant)
        table.wait(2.0)
        menu = with_menu(table).snapshot.menu
        assert menu is not None
        assert any(item.value == "undecidable" for item in menu.items) is there


def test_no_game_no_ends() -> None:
    table = Table("market", set_up=False)
    table.board(NO_SQUARES)
    menu = with_menu(table).snapshot.menu
    assert menu is not None
    assert not any(item.value == "resign" for item in menu.items)


def test_a_forgotten_menu_closes_and_does_not_come_back() -> None:
    table = with_menu()
    table.wait(61.0)
    assert table.state() is State.PLAYING
    table.wait(120.0)
    assert table.state() is State.PLAYING


def test_the_menu_opens_the_tutorial_only_when_no_game_is_lost() -> None:
    table = with_menu()
    choose(table, "e2")
    assert "a game is being played" in refusal(table)
    fresh = Table("market")
    fresh.wait(2.0)
    with_menu(fresh)
    choose(fresh, "e2")
    assert fresh.phase() is Phase.LESSON


# -- faults and time -------------------------------------------------------------------------


def test_the_version_grows_exactly_when_the_snapshot_changes() -> None:
    table = opened()
    table.wait(60.0)
    first = table.snapshot
    for _ in range(20):
        table.now = Instant(table.now + 0.01)
        table.send(Tick())
    assert table.snapshot.version == first.version
    table.lift("f3")
    assert table.snapshot.version > first.version


def test_json_names_what_the_interface_promises() -> None:
    state = snapshot_json(Table("market").snapshot)
    assert state["position"] == format_position(load_variant("market").start)
    assert state["side"] == "defenders"
    assert state["reading"] == "in-sync"
    promised = {
        "version", "variant", "options", "position", "side", "moves", "reading", "lifted",
        "targets", "victims", "missing", "extra", "unknown", "outcome", "call", "open_paths",
        "fault",
    }  # fmt: skip
    assert promised <= set(state)


def test_a_game_given_over_is_over() -> None:
    table = Table(game=game_at("linnaeus", "/3K5/9/9/9/9/9/9/9/4t4/", Side.ATTACKER))
    table.wait(2.0)
    assert table.phase() is Phase.FINISHED
