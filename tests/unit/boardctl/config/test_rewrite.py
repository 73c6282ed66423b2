from __future__ import annotations

import os
import stat
import tomllib
from typing import TYPE_CHECKING

import pytest

from boardctl.config.document import commented_file
from boardctl.config.load import load
from boardctl.config.rewrite import Changes, replace_file, rewritten
from boardctl.errors import BadRequestError
from hardware.wiring import DIRECT

if TYPE_CHECKING:
    from pathlib import Path

PINS = DIRECT.inputs[::-1]
LEDS = tuple(range(80, -1, -1))
MAPS: Changes = {"switches": {"map": PINS}, "leds": {"map": LEDS}}
FILE = """# Our table at the museum.
[leds]
brightness = 0.5  # not too bright
map = [
  0, 1,  # a comment inside
  2,
]
gamma = 2.4

[table]
name = "museum"
"""


def test_only_the_maps_change_and_comments_stay() -> None:
    text = rewritten(FILE, MAPS)
    values = tomllib.loads(text)
    assert values["switches"]["map"] == list(PINS)
    assert values["leds"] == {"brightness": 0.5, "map": list(LEDS), "gamma": 2.4}
    assert values["table"] == {"name": "museum"}
    assert text.startswith("# Our table at the museum.\n[leds]\nbrightness = 0.5  # not too bright")
    assert "a comment inside" not in text


def test_writing_twice_changes_nothing_more() -> None:
    once = rewritten(FILE, MAPS)
    assert rewritten(once, MAPS) == once


def test_an_empty_file_becomes_one_with_maps() -> None:
    assert tomllib.loads(rewritten("", MAPS))["leds"]["map"] == list(LEDS)


def test_the_commented_file_takes_the_maps_and_loads(tmp_path: Path) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text(rewritten(commented_file(), MAPS))
    config = load(file, {}).config
    assert config.switches.map == PINS
    assert config.leds.map == LEDS


def test_a_key_of_another_section_is_left_alone() -> None:
    text = '[other]\nmap = "treasure"\n[switches]\nbus = 1\n'
    assert tomllib.loads(rewritten(text, MAPS))["other"] == {"map": "treasure"}


@pytest.mark.parametrize("text", ["leds = { map = [1] }\n", "leds.map = [1]\n", "[leds\n"])
def test_what_cannot_be_edited_is_refused_whole(text: str) -> None:
    with pytest.raises(BadRequestError, match="configuration"):
        rewritten(text, MAPS)


def test_the_old_file_is_kept_and_the_new_one_takes_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("old\n")
    file.chmod(0o640)
    assert replace_file(file, "new\n") == tmp_path / "boardctl.toml.old"
    assert file.read_text() == "new\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert (tmp_path / "boardctl.toml.old").read_text() == "old\n"
    replace_file(file, "newer\n")
    assert (tmp_path / "boardctl.toml.old").read_text() == "new\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "boardctl.toml",
        "boardctl.toml.old",
    ]


def test_a_new_file_has_no_old_one(tmp_path: Path) -> None:
    file = tmp_path / "boardctl.toml"
    assert replace_file(file, "new\n") is None
    assert file.read_text() == "new\n"


def test_a_cut_before_the_exchange_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("old\n")

    def cut(_handle: int) -> None:
        raise OSError(5, "power")

    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(OSError, match="power"):
        replace_file(file, "new\n")
    assert file.read_text() == "old\n"
