"""The menu of lit squares, used with one piece."""

from __future__ import annotations

import pytest

from boardctl.core.effects import (
    GameOver,
)
from boardctl.core.panels import MenuKind
from boardctl.core.snapshot import Phase
from boardctl.core.transitions import State
from engine.pieces import Side
from engine.rules import VARIANTS, Outcome, Reason, Result, allowed_values, load_variant
from engine.squares import CENTRE, NO_SQUARES, SquareSet, parse_square
from tests.support.table import Table, opened, refusal, squares

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


def options_of(table: Table) -> dict[str, set[str]]:
    """The options that the menu offers now, with their values."""
    found: dict[str, set[str]] = {}
    assert table.snapshot.menu is not None
    for item in table.snapshot.menu.items:
        if item.kind is MenuKind.OPTION:
            name, _, value = item.value.partition("=")
            found.setdefault(name, set()).add(value)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_menu_offers_every_option_of_the_game_with_every_value(variant: str) -> None:
    table = with_menu(Table(variant, set_up=False))
    ruleset = load_variant(variant)
    offered = options_of(table)
    # A number is left to the page and the configuration.
    assert set(offered) == set(ruleset.option_names) - {"repetition_count"}
    for name, values in offered.items():
        allowed = set(allowed_values(ruleset, name).split(" | "))
        assert values == ({"yes"} if allowed == {"yes", "no"} else allowed), name
    assert table.snapshot.menu is not None
    squares_used = [item.square for item in table.snapshot.menu.items]
    assert len(set(squares_used)) == len(squares_used)
    chosen = {item.value for item in table.snapshot.menu.items if item.chosen}
    for name in offered:
        value = ruleset.options[name]
        assert (f"{name}={value}" in chosen) is (value != "no"), name


@pytest.mark.parametrize(
    ("variant", "square", "option", "value"),
    [
        ("sea-battle", "c8", "layout", "cross"),
        ("sea-battle", "h4", "enclosure", "none"),
        ("market", "c6", "repetition", "draw"),
        ("imperial", "g6", "no_move", "loss"),
        ("linnaeus", "b4", "throne_pass", "no"),
        ("linnaeus", "c4", "throne_stop", "yes"),
        ("linnaeus", "d4", "king_may_return", "no"),
    ],
)
def test_an_option_is_chosen_by_its_square(
    variant: str, square: str, option: str, value: str
) -> None:
    table = Table(variant, set_up=False)
    before = table.snapshot.options
    with_menu(table)
    choose(table, square)
    assert table.snapshot.options == {**before, option: value}
    table.board(table.snapshot.position.occupied)
    table.wait(10.0)
    assert table.state() is State.PLAYING
    assert table.snapshot.options[option] == value


def test_a_yes_or_no_is_taken_back_by_choosing_it_again() -> None:
    table = Table("linnaeus", set_up=False)
    for value in ("no", "yes"):
        with_menu(table)
        choose(table, "b4")
        assert table.snapshot.options["throne_pass"] == value


def test_hints_are_switched_in_the_menu() -> None:
    table = with_menu()
    choose(table, "d2")
    assert table.snapshot.settings.hints is False


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
