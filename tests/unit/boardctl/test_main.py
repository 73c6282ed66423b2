"""The last line of defence: whatever a command raises is one line and a number."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import typer

from boardctl import __main__ as main
from boardctl import cli
from boardctl.errors import BadRequestError, ConfigurationError, HardwareUnavailableError
from engine.errors import IllegalMoveError, IllegalReason, NotationError, RulesetError
from hardware.errors import HardwareError, WiringError

if TYPE_CHECKING:
    from collections.abc import Iterator

ERRORS = [
    (BadRequestError("no"), 2, "no"),
    (ConfigurationError(("a: wrong", "b: wrong")), 78, "a: wrong\nb: wrong"),
    (HardwareUnavailableError("no bus"), 69, "no bus"),
    (NotationError("not a square: 'x'"), 2, "not a square: 'x'"),
    (RulesetError(("one", "two")), 2, "one\ntwo"),
    (IllegalMoveError("e1-e2", IllegalReason.BLOCKED), 2, "illegal move 'e1-e2': blocked: "),
    (HardwareError("no strip"), 69, "no strip"),
    (WiringError(("twice",)), 78, "twice"),
    (FileNotFoundError(2, "No such file or directory", "f"), 1, "f: no such file or directory"),
    (OSError("odd"), 1, "odd"),
    (sqlite3.OperationalError("locked"), 1, "internal error: OperationalError: locked; please"),
]


@pytest.mark.parametrize(("error", "code", "text"), ERRORS, ids=lambda value: type(value).__name__)
def test_each_error_has_its_code_and_its_line(error: Exception, code: int, text: str) -> None:
    found, told = main.describe(error, [])
    assert found == code
    assert told.startswith(text)


@pytest.mark.parametrize(("error", "code", "text"), ERRORS[:3], ids=lambda it: type(it).__name__)
def test_a_command_that_raises_ends_with_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    code: int,
    text: str,
) -> None:
    def build() -> typer.Typer:
        app = typer.Typer(add_completion=False)

        @app.command()
        def fail() -> None:
            raise error

        return app

    monkeypatch.setattr(cli, "build", build)
    assert main.run([]) == code
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"boardctl: {line}" for line in text.splitlines()]
    monkeypatch.setenv("BOARDCTL_TRACEBACK", "1")
    assert main.run([]) == code
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m boardctl config init - | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] in {"0", "141"}


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([]) == 2
    assert "Commands:" in capsys.readouterr().err


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("boardctl")


def commands() -> Iterator[list[str]]:
    """Every command and group there is."""
    root = typer.main.get_command(cli.build())

    def walk(command: object, path: list[str]) -> Iterator[list[str]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield path
            return
        for name, child in inner.items():
            yield from walk(child, [*path, name])

    yield from walk(root, [])


COMMANDS = list(commands())


def test_every_promised_command_is_there_and_no_other_promise_is_made() -> None:
    names = {path[0] for path in COMMANDS}
    promised = {
        "run", "demo", "variants", "status", "scene", "operator-link", "moves", "apply", "perft",
        "replay", "record", "bench", "config", "doctor", "selftest", "calibrate", "games",
    }  # fmt: skip
    assert promised <= names
    assert not {"engine", "wall"} & names
    assert {path[1] for path in COMMANDS if path[0] == "bench"} == {
        "recogniser", "engine", "loop", "web",
    }  # fmt: skip


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(
    path: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run([*path, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Usage: boardctl " + " ".join(path))
    assert "boardctl " + " ".join(path) in text.partition("\n")[2], "an example is missing"


def test_the_command_line_starts_without_the_heavy_parts() -> None:
    code = "import sys, boardctl.cli; boardctl.cli.build(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    heavy = {
        "pydantic",
        "starlette",
        "uvicorn",
        "smbus2",
        "gpiozero",
        "sqlite3",
        "numpy",
    }
    assert not heavy & loaded
