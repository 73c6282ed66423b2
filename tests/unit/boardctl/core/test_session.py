"""What happens at a table besides moves: set-up, menu, orders, seats, the archive, sounds."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from boardctl.core import commands
from boardctl.core.effects import (
    Corrected,
    GameAbandoned,
    GameStarted,
    Play,
    PlyShown,
    ShutDown,
    Sound,
)
from boardctl.core.events import Button, ButtonHeld, Committed, FaultSeen, Stopping, Tick
from boardctl.core.occupancy import Instant
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Nation, Phase, Sign, snapshot_json
from boardctl.core.transitions import State
from engine.game import Game
from engine.notation import format_position
from engine.pieces import Side
from engine.rules import load_variant
from engine.squares import NO_SQUARES, SquareSet, parse_square
from tests.support.table import Table, game_at, opened, squares, table_at

if TYPE_CHECKING:
    from pathlib import Path

    from boardctl.core.events import Event

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


@pytest.mark.parametrize(
    "event",
    [
        Committed(1, 1),
        FaultSeen("a chip is silent", NO_SQUARES),
        ButtonHeld(Button.SHUT_DOWN, 0.1),
        Stopping(),
    ],
)
def test_a_ply_whose_time_has_passed_is_read_before_anything_else_is_heard(event: Event) -> None:
    """A table that is late hears of something else first, and nothing may come after that."""
    table = Table("market")
    table.wait(2.0)
    table.lift("e7")
    table.put("a7")
    table.now = Instant(table.now + 0.5)
    assert [str(e.ply) for e in table.send(event) if isinstance(e, PlyShown)] == ["e7-a7"]


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


def own_game(folder: Path, variant: str, changed: dict[str, str]) -> SessionSettings:
    """The settings of a table that plays one of our games with some words of its file changed."""
    text = (files("engine") / "rulesets" / f"{variant}.toml").read_text(encoding="utf-8")
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    file = folder / "own.toml"
    file.write_text(text, encoding="utf-8")
    return SessionSettings(variant=str(file))


@pytest.mark.parametrize("takes", [True, False])
def test_who_plays_the_next_defenders_is_a_rule_of_the_game(tmp_path: Path, takes: bool) -> None:
    rule = "[rules.winner_takes_defenders]\nvalue = "
    changed = {rule + "false": rule + str(takes).lower()}
    table = Table(settings=own_game(tmp_path, "market", changed))
    table.wait(2.0)
    table.command(commands.Resign(Side.DEFENDER))
    table.command(commands.NewGame())
    assert (table.snapshot.south is Side.DEFENDER) is takes


def test_whose_the_attackers_are_is_said_by_the_games_file(tmp_path: Path) -> None:
    ours = Table("imperial", set_up=False).snapshot.nations
    assert ours[parse_square("e9")] is Nation.ENGLAND
    assert ours[parse_square("a5")] is Nation.SARDINIA
    settings = own_game(tmp_path, "imperial", {"England": "Turkey", "Sardinia": "Prussia"})
    own = Table(settings=settings, set_up=False).snapshot.nations
    assert own[parse_square("e9")] is Nation.TURKEY
    assert own[parse_square("i5")] is Nation.FRANCE
    assert parse_square("a5") not in own, "no colour is known for it: an attacker like all"


def test_a_cleared_board_is_given_up_only_after_a_long_time() -> None:
    table = opened()
    table.board(NO_SQUARES)
    table.wait(800.0)
    assert table.state() is State.PLAYING
    table.wait(200.0)
    assert table.effects(GameAbandoned) == [GameAbandoned(1)]
    assert table.state() in {State.SETUP, State.ATTRACT}


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
