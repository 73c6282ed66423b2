from __future__ import annotations

import json

import pytest
import typer

from boardctl.__main__ import run
from boardctl.cli import bench_engine
from boardctl.errors import BadRequestError, ExitCode
from engine import COMPILED


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_engine, "_DEPTH", {"compiled": 1, "pure Python": 1})


@pytest.mark.usefixtures("quick")
def test_figures_of_one_game_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "engine", "--game", "market", "--rounds", "3", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"] == 3
    assert set(found["conditions"]) == {"python", "system", "machine", "processors"}
    (row,) = found["games"]
    assert row["game"] == "market"
    assert ("compiled" in row["builds"]) == COMPILED
    figures = row["builds"]["pure Python"]["make"]
    assert 0 < figures["min"] <= figures["median"] <= figures["max"]
    assert row["push_us"] > 0
    assert row["legal_us"] > 0


@pytest.mark.usefixtures("quick")
def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "engine", "--rounds", "1"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert "median of 1 rounds" in lines[1]
    assert sum(line.startswith("imperial") for line in lines) >= 2


def test_rounds_are_at_least_one() -> None:
    with pytest.raises(BadRequestError, match="--rounds 0: at least 1"):
        bench_engine.engine(rounds=0)


def test_unknown_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "engine", "--game", "chess"]) == ExitCode.BAD_REQUEST
    assert "no game named 'chess'" in capsys.readouterr().err


def test_register_adds_the_command() -> None:
    group = typer.Typer()
    bench_engine.register(group)
    assert [command.callback for command in group.registered_commands] == [bench_engine.engine]
