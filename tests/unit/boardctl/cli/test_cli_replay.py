"""`boardctl replay`, on a short recording made here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from boardctl.cli import build
from boardctl.errors import BadRequestError
from engine import Game, load_variant
from engine.squares import parse_square

if TYPE_CHECKING:
    from pathlib import Path


def bit(name: str) -> int:
    """The cell of a square."""
    return 1 << parse_square(name)


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """The defenders take h5 back, then move e4-d4; the attackers take e3 with i4-e4."""
    start = int(Game.start(load_variant("market")).position.occupied)
    after = start & ~bit("e4") | bit("d4")
    taken = after & ~bit("i4") | bit("e4")
    frames = [
        (0, start),
        (1000, start & ~bit("e4")),
        (1600, after),
        (3000, after & ~bit("i4")),
        (3900, taken),
        (5000, taken & ~bit("e3")),
    ]
    header = {"format": "boardctl-trace/1", "variant": "market", "first": "defenders"}
    lines = [json.dumps(header)]
    lines += [json.dumps({"t": t, "cells": f"{cells:x}"}) for t, cells in frames]
    lines.append(json.dumps({"t": 9000, "end": True}))
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def run(*words: str) -> str:
    """Call the command; return what it prints."""
    result = CliRunner().invoke(build(), ["replay", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_the_moves_alone(trace: Path) -> None:
    assert run(str(trace), "--moves") == "e4-d4\ni4-e4xe3\n"


def test_events_with_the_time_of_their_decision(trace: Path) -> None:
    events = [json.loads(line) for line in run(str(trace), "--json").splitlines()]
    moves = [event for event in events if event["event"] == "move"]
    assert [event["move"] for event in moves] == ["e4-d4", "i4-e4xe3"]
    assert moves[1]["captures"] == ["e3"]
    assert 1600 < moves[0]["t"] < 1900
    assert 3900 < moves[1]["t"] < 4200
    captured = [event for event in events if event["event"] == "captured"]
    assert [(event["square"], event["t"]) for event in captured] == [("e3", 5010)]
    assert {"event": "final", "ply": 1, "move": "e4-d4"}.items() <= events[-1].items() or any(
        event["event"] == "final" and event["ply"] == 1 for event in events
    )


def test_words_for_people(trace: Path) -> None:
    assert "move      ply 2 i4-e4xe3 captures e3" in run(str(trace))


def test_several_traces_are_told_one_after_the_other(trace: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.jsonl"
    header, *lines, _ = trace.read_text(encoding="utf-8").splitlines()
    short.write_text("\n".join([header, *lines[:3], '{"t": 2900, "end": true}']), encoding="utf-8")
    assert run(str(short), str(trace), "--moves") == "e4-d4\ne4-d4\ni4-e4xe3\n"
    words = run(str(short), str(trace)).splitlines()
    assert [words.index(f"{path}:") for path in (short, trace)] == [0, words.index(f"{trace}:")]
    events = [json.loads(line) for line in run(str(short), str(trace), "--json").splitlines()]
    assert events[0] == {"t": 0, "event": "trace", "name": str(short)}
    second = events.index({"t": 0, "event": "trace", "name": str(trace)})
    assert [event["move"] for event in events[:second] if event["event"] == "move"] == ["e4-d4"]
    alone = [json.loads(line) for line in run(str(trace), "--json").splitlines()]
    assert events[second + 1 :] == alone


@pytest.mark.parametrize(("start", "end"), [("", "\r\n"), ("\ufeff", "\n"), ("\ufeff", "\r\n")])
def test_a_trace_that_an_editor_has_saved_anew(trace: Path, start: str, end: str) -> None:
    text = trace.read_text(encoding="utf-8")
    trace.write_bytes((start + text.replace("\n", end)).encode())
    assert run(str(trace), "--moves") == "e4-d4\ni4-e4xe3\n"


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadRequestError, match="cannot be read"):
        run(str(tmp_path / "nothing.jsonl"))


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(BadRequestError, match=r"cannot be read: is a directory$"):
        run(str(tmp_path))


def test_a_damaged_file(trace: Path) -> None:
    trace.write_text(trace.read_text(encoding="utf-8").replace('"t": 3900', '"t": 39'), "utf-8")
    with pytest.raises(BadRequestError, match="line 6: t 39 is earlier"):
        run(str(trace))


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "noise.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRequestError, match="no text in UTF-8"):
        run(str(path))


def test_a_game_that_nobody_knows(trace: Path) -> None:
    trace.write_text(trace.read_text(encoding="utf-8").replace("market", "chess"), "utf-8")
    with pytest.raises(BadRequestError, match="line 1"):
        run(str(trace))


def test_moves_and_json_exclude_each_other(trace: Path) -> None:
    with pytest.raises(BadRequestError, match="exclude"):
        run(str(trace), "--moves", "--json")
