from __future__ import annotations

import json
from typing import TYPE_CHECKING

from boardctl.__main__ import run
from boardctl.config import Config, load

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_file_is_written_once_and_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    assert run(["config", "init", str(file)]) == 0
    assert load(file, {}).config == Config()
    assert run(["config", "check", str(file)]) == 0
    assert capsys.readouterr().out.endswith(f"{file}: no problems\n")
    file.write_text("[leds]\ngamma = 2.0\n")
    assert run(["config", "init", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_text() == "[leds]\ngamma = 2.0\n"


def test_the_file_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["config", "init", "-"]) == 0
    assert '#variant = "market"' in capsys.readouterr().out


def test_a_directory_that_does_not_exist_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["config", "init", str(tmp_path / "none" / "f")]) == 2
    assert capsys.readouterr().err == f"boardctl: {tmp_path}/none/f: no directory {tmp_path}/none\n"


def test_problems_are_told_one_a_line_with_exit_code_78(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("[leds]\ngama = 1\nbrightness = 7\n")
    assert run(["config", "check", str(file)]) == 78
    assert capsys.readouterr().err.splitlines() == [
        f"boardctl: {file}: leds.brightness: 7 is too large; allowed: 0.01 to 1",
        f"boardctl: {file}: leds.gama: unknown key; did you mean 'gamma'?",
    ]
    assert run(["config", "show", "--config", str(file)]) == 78


def test_values_are_shown_with_their_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("[leds]\ngamma = 2.0\n")
    monkeypatch.setenv("BOARDCTL_LEDS__FPS", "20")
    assert run(["config", "show", "--config", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("gamma = 2.0 ") and line.endswith(f"# {file}") for line in lines)
    assert any(
        line.startswith("fps = ") and line.endswith("# BOARDCTL_LEDS__FPS") for line in lines
    )
    assert "[table]" in lines
    assert run(["config", "show", "--json", "--config", str(file)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["leds"]["gamma"] == {"value": 2.0, "source": str(file)}
    assert shown["table"]["variant"] == {"value": "market", "source": "default"}
