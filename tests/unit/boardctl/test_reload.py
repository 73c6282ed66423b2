from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING

from boardctl.config import load
from boardctl.core.commands import ChangeSetting, Setting, SetVariant
from boardctl.core.events import CommandGiven
from boardctl.core.occupancy import Instant
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.reload import Reloader
from engine import Game, load_variant

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from boardctl.core.snapshot import Snapshot


def snapshot(*, in_play: bool) -> Snapshot:
    game = Game.start(load_variant("market")) if in_play else None
    return Session(SessionSettings(), Instant(0.0), random.Random(1), game=game).snapshot


class Table:
    """A configuration file and the reloader that watches over it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.file = folder / "boardctl.toml"
        self.file.write_text(text)
        self.reloader = Reloader(load(self.file))

    def commands(self, text: str, *, in_play: bool = False) -> list[object]:
        self.file.write_text(text)
        self.reloader.wanted = True
        return [one.command for one in self.reloader.between_games(snapshot(in_play=in_play))]


def test_what_may_change_becomes_commands(tmp_path: Path) -> None:
    table = Table(tmp_path, "")
    text = """
    [table]
    variant = "linnaeus"
    options = { first = "defenders" }
    language = "da"
    [leds]
    brightness = 0.5
    [hints]
    danger = true
    """
    assert table.commands(text) == [
        SetVariant("linnaeus", {"first": "defenders"}),
        ChangeSetting(Setting.BRIGHTNESS, "0.5"),
        ChangeSetting(Setting.DANGER, "on"),
        ChangeSetting(Setting.LANGUAGE, "da"),
    ]
    assert table.commands(text) == []


def test_nothing_happens_unasked_or_during_a_game(tmp_path: Path) -> None:
    table = Table(tmp_path, "")
    text = "[leds]\nbrightness = 0.5\n"
    assert table.commands(text, in_play=True) == []
    assert len(table.reloader.between_games(snapshot(in_play=False))) == 1
    assert list(table.reloader.between_games(snapshot(in_play=False))) == []


def test_a_wrong_file_changes_nothing_and_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(tmp_path, "")
    with caplog.at_level(logging.INFO):
        assert table.commands("[leds]\nbrightness = 7\ngama = 1\n") == []
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(told) == 2
    assert all("stays as it was" in line for line in told)
    assert table.commands("[leds]\nbrightness = 0.7\n") == [
        ChangeSetting(Setting.BRIGHTNESS, "0.7")
    ]


def test_what_needs_a_restart_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    table = Table(tmp_path, "")
    with caplog.at_level(logging.WARNING):
        assert table.commands("[switches]\nbus = 3\n") == []
    assert "these need a restart: switches.bus" in caplog.text


def test_the_configuration_is_shown_as_the_table_has_it(tmp_path: Path) -> None:
    table = Table(tmp_path, "[leds]\nbrightness = 0.4\n[table]\nvariant = 'sea-battle'\n")
    session = Session(SessionSettings(brightness=0.4), Instant(0.0), random.Random(1))
    places = _sources(table, session.snapshot)
    assert places["leds.brightness"] == ("0.4", "file")
    session.handle(CommandGiven(ChangeSetting(Setting.BRIGHTNESS, "0.9")), Instant(1.0))
    session.handle(CommandGiven(SetVariant("linnaeus", {})), Instant(1.0))
    places = _sources(table, session.snapshot)
    assert places["leds.brightness"] == ("0.9", "table")
    assert places["table.variant"] == ('"linnaeus"', "table")
    assert places["leds.gamma"] == ("2.2", "default")


def _sources(table: Table, snapshot: Snapshot) -> dict[str, tuple[str, str]]:
    return {
        f"{section['section']}.{key['key']}": (key["value"], key["source"]["kind"])
        for section in table.reloader.shown(snapshot)
        for key in section["keys"]
    }
