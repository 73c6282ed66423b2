from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.config import Config, LedSettings, load, parse, sound_part
from boardctl.config.describe import toml
from boardctl.config.document import commented_file
from boardctl.config.sections import SECTIONS
from boardctl.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path("boardctl.toml")


def problems(text: str, environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    with pytest.raises(ConfigurationError) as caught:
        parse(text, FILE, environ or {})
    assert caught.value.exit_code == 78
    return caught.value.problems


def test_an_empty_file_means_all_defaults() -> None:
    loaded = parse("", FILE, {})
    assert loaded.config == Config()
    assert loaded.sources == {}


def test_the_file_and_the_environment_are_remembered_as_sources() -> None:
    loaded = parse(
        "[leds]\nbrightness = 0.5\ngamma = 2.0\n",
        FILE,
        {"BOARDCTL_LEDS__GAMMA": "2.4", "HOME": "/"},
    )
    assert (loaded.config.leds.brightness, loaded.config.leds.gamma) == (0.5, 2.4)
    assert loaded.sources == {
        "leds.brightness": "boardctl.toml",
        "leds.gamma": "BOARDCTL_LEDS__GAMMA",
    }


def test_the_environment_gives_every_kind_of_value() -> None:
    config = parse(
        "",
        None,
        {
            "BOARDCTL_TABLE__NAME": "17",
            "BOARDCTL_TABLE__OPTIONS": '{ first = "attackers" }',
            "BOARDCTL_HINTS__DANGER": "true",
            "BOARDCTL_BUTTONS__CONFIRM": "5",
            "BOARDCTL_LEDS__ORDER": "RGB",
            "BOARDCTL_TRACEBACK": "1",
        },
    ).config
    assert config.table.name == "17"
    assert config.table.options == {"first": "attackers"}
    assert config.hints.danger is True
    assert config.buttons.confirm == 5
    assert config.leds.order == "RGB"


def test_all_problems_are_told_at_once_with_place_and_remedy() -> None:
    text = """
    [table]
    nam = "x"
    variant = "chess"
    [tabel]
    [switches]
    scan_hz = 2000
    driver = "mock"
    [hints]
    danger = 1
    """
    found = problems(text, {"BOARDCTL_LEDS__MAX_MA": "much", "BOARDCTL_LED__MAX_MA": "1"})
    assert found[:6] == (
        "BOARDCTL_LED__MAX_MA: unknown section; did you mean 'leds'?",
        "boardctl.toml: table.nam: unknown key; did you mean 'name'?",
        "boardctl.toml: switches.driver: 'mock' is not allowed; allowed: 'mcp23017' or 'simulated'",
        "boardctl.toml: switches.scan_hz: 2000 is too large; allowed: 10 to 500 Hz",
        "BOARDCTL_LEDS__MAX_MA: leds.max_ma: 'much' is not allowed; allowed: 100 to 6000 mA",
        "boardctl.toml: hints.danger: 1 is not allowed; allowed: true or false",
    )
    assert found[6] == "boardctl.toml: tabel: unknown section; did you mean 'table'?"
    assert found[7].startswith("boardctl.toml: table.variant: no game named 'chess'")
    assert len(found) == 8


def test_a_problem_in_one_section_does_not_hide_one_of_the_game() -> None:
    found = problems('[table]\nvariant = "chess"\n[leds]\nfps = 0\n')
    assert len(found) == 2
    assert "leds.fps: 0 is too small; allowed: 5 to 60 Hz" in found[0]
    assert found[1].startswith("boardctl.toml: table.variant: ")
    assert "chess" in found[1]


@pytest.mark.parametrize(
    ("text", "brightness", "variant"),
    [
        ("[leds]\nbrightness = 0.2\nfps = 0\n[table]\nvariant = 'linnaeus'\n", 0.2, "linnaeus"),
        ("[leds]\nbrightness = 0.2\n[table]\nvariant = 'chess'\n", 0.2, "market"),
        ("[leds]\nbrightness = 0.2\nmap = [1, 1]\n", LedSettings().brightness, "market"),
        ("[leds\nbrightness = 0.2\n", LedSettings().brightness, "market"),
        ("\ufffe", LedSettings().brightness, "market"),
    ],
)
def test_what_of_a_wrong_configuration_is_sound_can_be_used(
    tmp_path: Path, text: str, brightness: float, variant: str
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text(text, encoding="utf-16" if text == "\ufffe" else "utf-8")
    found = sound_part(file, {"BOARDCTL_LEDS__DRIVER": "spi", "BOARDCTL_LEDS__PIN": "nowhere"})
    assert (found.leds.brightness, found.table.variant) == (brightness, variant)
    assert found.leds.driver == ("auto" if "map" in text else "spi")
    missing = sound_part(tmp_path / "missing.toml", {})
    assert missing == Config()


def test_options_that_the_game_lacks_are_refused() -> None:
    (found,) = problems('[table]\nvariant = "market"\noptions = { colour = "red" }\n')
    assert found.startswith("boardctl.toml: table.options: ")
    assert "colour" in found


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("leds = 3", "boardctl.toml: leds: 3 where a table [leds] belongs"),
        ("[leds]\nmap = [1, 1]", "boardctl.toml: leds: leds.map has 2 entries; it needs 81"),
        ("[leds]\nmap = [256]", "leds.map.0: 256 is too large; allowed: a list of whole numbers"),
        ('[switches]\nmap = ["0x20.A7"]', "outputs only"),
        ('[switches]\nwiring = "matrix"\nrows = ["0x20.A0"]', "switches.rows has 1 entries"),
        ("[leds]\nbrightness = nan", "leds.brightness: nan is not allowed"),
        ("[buttons]\nconfirm = 99", "whole numbers 0 to 27, or left out"),
        ('[table]\nname = ""', "table.name: '' is not allowed; allowed: a text matching"),
        ('[run]\nstate_dir = ""', "run.state_dir: '' is too short"),
        (f'[table]\nname = "{"x" * 99}"', "is too long"),
        (f"[leds]\nmap = [{'1, ' * 999}]", "leds"),
        ("a = \n", "boardctl.toml: invalid value (at line 1, column 5)"),
    ],
)
def test_each_kind_of_problem_has_its_words(text: str, part: str) -> None:
    found = problems(text)
    assert any(part in problem for problem in found), found
    assert all(len(problem) < 300 for problem in found)


def test_a_file_that_an_editor_has_saved_with_a_mark_in_front_is_read(tmp_path: Path) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_bytes("\ufeff[leds]\r\nbrightness = 0.2\r\n".encode())
    assert load(file, {}).config.leds.brightness == 0.2
    assert sound_part(file, {}).leds.brightness == 0.2


def test_a_missing_file_names_the_command_that_writes_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="boardctl config init"):
        load(tmp_path / "none.toml", {})


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read: is a directory"):
        load(tmp_path, {})
    (tmp_path / "latin.toml").write_bytes(b"# \xe4\n")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        load(tmp_path / "latin.toml", {})


def test_the_commented_file_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text(commented_file(), encoding="utf-8")
    assert load(file, {}).config == Config()


def test_the_commented_file_with_every_comment_sign_away_is_valid_and_the_default() -> None:
    keys = {f"#{key} =" for section in SECTIONS.values() for key in section.model_fields}
    lines = [
        line[1:] if any(line.startswith(key) for key in keys) else line
        for line in commented_file().splitlines()
        if not line.endswith("=")  # keys that are left out by default have no value to show
    ]
    loaded = parse("\n".join(lines), FILE, {})
    assert loaded.config == Config()
    assert len(loaded.sources) > 40


@pytest.mark.parametrize(
    "value", ["a", 'quote " and \\', "ä\n", 3, 0.5, True, (1, 2), ("a",), {"first": "lot"}, {}, ()]
)
def test_toml_text_reads_back_as_the_same_value(value: object) -> None:
    import tomllib

    read = tomllib.loads(f"v = {toml(value)}")["v"]
    assert (tuple(read) if isinstance(read, list) else read) == value


def test_every_key_has_a_help_text_that_is_a_sentence() -> None:
    for section in SECTIONS.values():
        for name, field in section.model_fields.items():
            assert (field.description or "").endswith("."), name
