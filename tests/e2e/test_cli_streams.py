"""The command line with its streams cut, closed or full, and interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BOARDCTL = f"{sys.executable} -m boardctl"
WRONG = "boardctl: no game named 'chess'; the games: "


def shell(command: str) -> tuple[int, str, str]:
    """Run a line of the shell; return its code and what both streams got."""
    line = command.replace("boardctl", BOARDCTL, 1)
    done = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", ["moves market", "variants", "scene --all", "--help"])
def test_a_reader_that_has_seen_enough_is_no_error(command: str) -> None:
    code, out, err = shell(f"boardctl {command} | head -1; exit ${{PIPESTATUS[0]}}")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("where", "why"), [(">&-", "bad file descriptor"), (">/dev/full", "no space left on device")]
)
@pytest.mark.parametrize("command", ["perft market 1", "variants --json"])
def test_output_that_cannot_be_written_is_told(command: str, where: str, why: str) -> None:
    found = shell(f"boardctl {command} {where}")
    assert found == (1, "", f"boardctl: the output cannot be written: {why}\n")


def test_a_closed_input_changes_nothing() -> None:
    assert shell("boardctl perft market 3 <&-") == (0, "251856\n", "")


def test_what_cannot_be_told_on_a_closed_or_full_error_stream_is_not_told_elsewhere() -> None:
    assert shell("boardctl moves chess 2>&-") == (2, "", "")
    assert shell("boardctl moves chess 2>/dev/full") == (2, "", "")
    assert shell("boardctl moves chess <&- >&- 2>&-") == (2, "", "")
    code, out, err = shell("boardctl moves chess")
    assert (code, out) == (2, "")
    assert err.startswith(WRONG)


def test_a_file_opened_under_closed_streams_is_no_stream(tmp_path: Path) -> None:
    out = tmp_path / "scene.txt"
    assert shell(f"boardctl scene turn {out} >&- 2>&-")[0] == 0
    assert out.read_text().startswith("turn: Whose turn.")


@pytest.mark.parametrize(
    "command", [("perft", "market", "8"), ("bench", "recogniser", "--games", "1000")]
)
def test_ctrl_c_ends_a_long_command_without_a_word(command: tuple[str, ...]) -> None:
    # `ready` is printed when the command begins. What a shell starts in the background ignores
    # SIGINT, and so do its children: they are told to heed it again.
    program = (
        "import signal, sys, boardctl.cli as cli, boardctl.__main__ as main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "build = cli.build\n"
        "cli.build = lambda: print('ready', flush=True) or build()\n"
        "main.main(sys.argv[1:])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, "")
