"""What the lights say while the daemon has no session: a process of its own and its strip."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from engine.squares import parse_square

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DARK = [[0, 0, 0]] * 81
CORNERS = {0, 8, 72, 80}
EDGE = {square for square in range(81) if {square % 9, square // 9} & {0, 8}}
DIAGONALS = {file * 9 + rank for file in range(9) for rank in (file, 8 - file)}

DAEMON = """
import json, sys
from boardctl.__main__ import main
from hardware import backends

class Told:
    def __init__(self, file):
        self.file = file
    def show(self, colours):
        self.file.write(json.dumps(colours) + "\\n")
        self.file.flush()
    def close(self):
        if not self.file.closed:
            self.show([(0, 0, 0)] * 81)
            self.file.close()

backends.open_strip = lambda **_: Told(open(sys.argv[1], "w"))
main(sys.argv[2:])
"""
"""The daemon with lights that write down what they are told."""


class Watched:
    """The daemon as a process, with this configuration."""

    def __init__(self, folder: Path, text: str) -> None:
        file = folder / "boardctl.toml"
        file.write_text(f'{text}\n[run]\nstate_dir = "{folder}/state"\nsocket = "{folder}/link"\n')
        self.told = folder / "pictures"
        self.process = subprocess.Popen(
            [sys.executable, "-c", DAEMON, str(self.told), "run", "--config", str(file)],
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def pictures(self) -> list[list[list[int]]]:
        """All whole pictures so far."""
        if not self.told.exists():
            return []
        lines = self.told.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def end(self) -> tuple[int, str, list[list[list[int]]]]:
        """Return its exit code, its last words and all pictures."""
        _, words = self.process.communicate(timeout=60)
        return self.process.returncode, words, self.pictures


def lit(picture: Sequence[Sequence[int]]) -> set[int]:
    return {square for square, colour in enumerate(picture) if any(colour)}


def is_green(picture: Sequence[Sequence[int]]) -> bool:
    red, green, _ = map(sum, zip(*picture, strict=True))
    return green > 3 * red


def light(picture: Sequence[Sequence[int]]) -> int:
    return sum(map(sum, picture))


def test_starting_is_shown_from_the_first_moment_while_the_switches_are_waited_for(
    tmp_path: Path,
) -> None:
    code, _, pictures = Watched(tmp_path, "[switches]\nbus = 97\nbus_wait_s = 2.0").end()
    assert code == 69
    assert lit(pictures[0]) == {parse_square("e5")}, "the ring begins in the middle"
    assert any(lit(picture) & EDGE for picture in pictures), "and walks outwards"
    assert sum(one != other for one, other in itertools.pairwise(pictures)) >= 15
    assert pictures[-1] == DARK


def test_a_table_says_that_it_starts_then_that_it_is_ready_then_that_it_stops(
    tmp_path: Path,
) -> None:
    watched = Watched(tmp_path, '[switches]\ndriver = "simulated"')
    until = time.monotonic() + 30
    while not any(lit(picture) == CORNERS for picture in watched.pictures[1:]):
        assert time.monotonic() < until
        time.sleep(0.05)  # noqa: TID251  a process of its own is waited for
    watched.process.terminate()
    code, _, pictures = watched.end()
    assert code == 0
    starting, *later = pictures
    assert lit(starting) == {parse_square("e5")}
    assert not is_green(starting), "white"
    assert any(is_green(picture) for picture in later), "the green ring of ready"
    assert pictures[-1] == DARK


@pytest.mark.parametrize("text", ['[table]\nvariant = "chess"', "[leds\n", "[leds]\nfps = 99\n"])
def test_no_configuration_pulses_a_cross_then_the_lights_go_out(tmp_path: Path, text: str) -> None:
    code, told, pictures = Watched(tmp_path, text).end()
    assert code == 78
    assert told.startswith("boardctl: ")
    *shown, last = pictures
    assert last == DARK
    assert len(shown) >= 40
    assert all(lit(picture) <= DIAGONALS for picture in shown)
    bright = max(shown, key=light)
    assert lit(bright) == DIAGONALS
    assert len({tuple(bright[square]) for square in DIAGONALS}) == 1, "one colour"
    peaks = sum(
        light(before) < light(here) >= light(after)
        for before, here, after in zip(shown, shown[1:], shown[2:], strict=False)
    )
    assert 3 <= peaks <= 5, "one pulse a second for four seconds"


def test_a_table_without_lights_ends_at_once(tmp_path: Path) -> None:
    code, told, pictures = Watched(
        tmp_path, '[leds]\ndriver = "none"\n[table]\nvariant = "chess"'
    ).end()
    assert (code, pictures) == (78, [])
    assert "no game named 'chess'" in told
