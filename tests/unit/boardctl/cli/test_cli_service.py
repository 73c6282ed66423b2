"""The commands that the units start."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from boardctl.__main__ import run
from boardctl.cli.service import web_arguments
from boardctl.config import load
from boardctl.errors import ExitCode
from boardctl.web.server import parser
from hardware import backends
from hardware.mock.strip import RecordingStrip

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from hardware.strip import LedStrip


def configuration(folder: Path, text: str) -> Path:
    file = folder / "boardctl.toml"
    file.write_text(text)
    return file


def test_the_page_takes_its_address_socket_and_token_from_the_configuration(tmp_path: Path) -> None:
    text = f"""
[web]
host = "0.0.0.0"
port = 8123
public_url = "http://table.example"
[run]
socket = "{tmp_path}/link"
state_dir = "{tmp_path}/state"
"""
    config = load(configuration(tmp_path, text), {}).config

    given = parser().parse_args(web_arguments(config))

    assert (given.host, given.port, given.public_url) == ("0.0.0.0", 8123, "http://table.example")
    assert given.socket == tmp_path / "link"
    assert given.token_file == tmp_path / "state" / "token"
    assert not given.demo


def test_without_a_public_address_the_page_finds_its_own() -> None:
    given = parser().parse_args(web_arguments(load(None, {}).config))

    assert given.public_url is None


def test_web_becomes_the_page_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execv", lambda program, words: started.append((program, words)))

    code = run(["web", "--config", str(configuration(tmp_path, ""))])

    assert code == ExitCode.DONE
    ((program, words),) = started
    assert program == sys.executable
    assert words[1:3] == ["-m", "boardctl.web"]


def test_lights_off_leaves_the_configured_lights_dark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[RecordingStrip] = []
    true_open = backends.open_strip

    def open_and_remember(**keywords: Any) -> LedStrip:
        strip = true_open(**keywords)
        assert isinstance(strip, RecordingStrip)
        strip.show([(9, 9, 9)] * 81)
        opened.append(strip)
        return strip

    monkeypatch.setattr(backends, "open_strip", open_and_remember)
    file = configuration(tmp_path, '[leds]\ndriver = "simulated"\n')

    assert run(["lights-off", "--config", str(file)]) == ExitCode.DONE
    assert opened[0].closed
    assert opened[0].last == ((0, 0, 0),) * 81


def test_lights_that_are_absent_are_unavailable_hardware(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '[leds]\ndriver = "spi"\nspi_device = "/dev/spidev98.76"\n'

    code = run(["lights-off", "--config", str(configuration(tmp_path, text))])

    assert code == ExitCode.HARDWARE_UNAVAILABLE
    assert "/dev/spidev98.76 is absent" in capsys.readouterr().err


def test_a_wrong_configuration_ends_both_with_78(tmp_path: Path) -> None:
    file = configuration(tmp_path, "[leds]\nbrightnes = 1\n")

    for command in ("web", "lights-off"):
        assert run([command, "--config", str(file)]) == ExitCode.BAD_CONFIGURATION
