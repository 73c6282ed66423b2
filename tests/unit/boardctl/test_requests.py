from __future__ import annotations

from typing import Any

import pytest

from boardctl.core import commands
from boardctl.errors import BadRequestError
from boardctl.requests import parse_command
from engine import Game, Side, format_position, load_variant

START = format_position(Game.start(load_variant("market")).position)


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ({"command": "new-game"}, commands.NewGame()),
        ({"command": "new-game", "swap_sides": True}, commands.NewGame(swap_sides=True)),
        ({"command": "undo"}, commands.Undo()),
        ({"command": "agree-draw"}, commands.AgreeDraw()),
        ({"command": "declare-undecidable"}, commands.DeclareUndecidable()),
        ({"command": "pause"}, commands.Pause()),
        ({"command": "resume"}, commands.Resume()),
        ({"command": "hint"}, commands.Hint()),
        ({"command": "resign", "side": "attackers"}, commands.Resign(Side.ATTACKER)),
        ({"command": "set-variant", "variant": "market"}, commands.SetVariant("market", {})),
        (
            {"command": "set-variant", "variant": "market", "options": {"first": "attackers"}},
            commands.SetVariant("market", {"first": "attackers"}),
        ),
        ({"command": "confirm-position"}, commands.ConfirmPosition()),
        (
            {"command": "confirm-position", "position": START, "side": "defenders"},
            commands.ConfirmPosition(START, Side.DEFENDER),
        ),
        ({"command": "declare-result", "winner": None}, commands.DeclareResult(None)),
        (
            {"command": "declare-result", "winner": "defenders"},
            commands.DeclareResult(Side.DEFENDER),
        ),
        ({"command": "start-lesson", "number": 6}, commands.StartLesson(6)),
        ({"command": "start-lesson"}, commands.StartLesson(1)),
        (
            {"command": "change-setting", "setting": "sound", "value": False},
            commands.ChangeSetting(commands.Setting.SOUND, "off"),
        ),
        (
            {"command": "change-setting", "setting": "brightness", "value": 0.5},
            commands.ChangeSetting(commands.Setting.BRIGHTNESS, "0.5"),
        ),
    ],
)
def test_every_command_is_read(body: dict[str, Any], command: commands.Command) -> None:
    assert parse_command(body, own_variant="market") == command


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({}, "unknown command: None; one of agree-draw,"),
        ({"command": 3}, "unknown command: 3"),
        ({"command": ["undo"]}, "unknown command"),
        ({"command": "undo", "plies": 2}, "unknown field of 'undo': plies"),
        ({"command": "resign"}, "'side' is 'attackers' or 'defenders'; got None"),
        ({"command": "resign", "side": ["x"]}, "got ['x']"),
        ({"command": "new-game", "swap_sides": "yes"}, "'swap_sides' is true or false"),
        ({"command": "set-variant"}, "'variant' is needed"),
        ({"command": "set-variant", "variant": "/etc/passwd"}, "unknown variant: '/etc/passwd'"),
        (
            {"command": "set-variant", "variant": "market", "options": {"first": 3}},
            "'options' is an object of texts",
        ),
        (
            {"command": "set-variant", "variant": "market", "options": {"colour": "red"}},
            "colour",
        ),
        ({"command": "confirm-position", "position": 3}, "'position' is a position record"),
        ({"command": "confirm-position", "position": "abc"}, "abc"),
        ({"command": "confirm-position", "side": "white"}, "got 'white'"),
        ({"command": "declare-result", "winner": "white"}, "got 'white'"),
        ({"command": "start-lesson", "number": 7}, "1 to 6; got 7"),
        ({"command": "start-lesson", "number": True}, "got True"),
        ({"command": "change-setting", "setting": "volume", "value": 1}, "unknown setting"),
        ({"command": "change-setting", "setting": "sound"}, "'value' is needed"),
    ],
)
def test_what_is_no_command_is_refused_in_one_line(body: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        parse_command(body, own_variant="market")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_tables_own_ruleset_may_be_chosen_by_its_path(tmp_path: Any) -> None:
    from importlib import resources

    own = tmp_path / "own.toml"
    own.write_text((resources.files("engine.rulesets") / "market.toml").read_text())
    body = {"command": "set-variant", "variant": str(own)}
    assert parse_command(body, own_variant=str(own)) == commands.SetVariant(str(own), {})
