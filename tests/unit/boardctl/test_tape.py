from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.core.effects import PlyShown
from boardctl.replay import Score, replay
from boardctl.tape import Tape
from boardctl.trace import read_trace
from engine.squares import parse_square
from hardware.cells import Cell
from tests.support.shell import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.trace import Trace


@pytest.fixture
def bench() -> Iterator[Bench]:
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder))
        yield made
        made.close()


def play(bench: Bench, *moves: str) -> None:
    for move in moves:
        for square, put in ((move[:2], False), (move[3:5], True)):
            cell = Cell(parse_square(square))
            (bench.simulation.board.put if put else bench.simulation.board.lift)(cell)
            bench.run(0.5)
        bench.run(2.0)


def recorded(path: Path) -> Trace:
    with path.open(encoding="utf-8") as lines:
        return read_trace(lines, path.name)


def moves(trace: Trace) -> list[str]:
    score = Score()
    for decision in replay(trace):
        score.note(decision.effect)
    return [str(ply) for ply in score.moves]


def test_what_is_recorded_replays_to_what_was_shown(bench: Bench, tmp_path: Path) -> None:
    bench.parts.tape = Tape(tmp_path / "game.jsonl", scan_hz=200, variant="market")
    bench.run(2.0)
    play(bench, "e7-a7", "e8-b8", "e6-e8")
    bench.run(5.0)
    bench.loop.stop(bench.now)
    shown = [str(it.ply) for it in bench.recorder.effects if isinstance(it, PlyShown)]
    assert moves(recorded(tmp_path / "game.jsonl")) == shown == ["e7-a7", "e8-b8", "e6-e8"]


def test_a_second_game_goes_to_a_second_file(bench: Bench, tmp_path: Path) -> None:
    bench.parts.tape = Tape(tmp_path / "game.jsonl", scan_hz=200, variant="market")
    bench.run(2.0)
    play(bench, "e7-a7")
    bench.answer("command", {"command": "new-game"})
    bench.answer("sim", {"setup": True})
    bench.run(3.0)
    play(bench, "e3-b3")
    bench.run(5.0)
    bench.loop.stop(bench.now)
    assert moves(recorded(tmp_path / "game.jsonl"))[:1] == ["e7-a7"]
    assert moves(recorded(tmp_path / "game-2.jsonl")) == ["e3-b3"]


def test_a_disk_that_refuses_ends_the_recording_not_the_game(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench.parts.tape = Tape(tmp_path / "none" / "game.jsonl", scan_hz=200, variant="market")
    bench.run(2.0)
    play(bench, "e7-a7")
    assert bench.loop.state()["moves"] == ["e7-a7"]
    assert "nothing more is recorded" in caplog.text


def test_a_full_disk_ends_the_recording_not_the_game(bench: Bench) -> None:
    bench.parts.tape = Tape(Path("/dev/full"), scan_hz=200, variant="market")
    bench.run(2.0)
    play(bench, "e7-a7")
    bench.loop.stop(bench.now)
    assert bench.loop.state()["moves"] == ["e7-a7"]
