"""Single positions with the expected result of one move, each with the rule it is about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import (
    Game,
    IllegalMoveError,
    Side,
    format_position,
    load_variant,
    parse_position,
    with_options,
)
from engine.notation import parse_diagram
from engine.squares import square_names
from tests.support.shared import SHARED, needs_shared

OWN = Path(__file__).parents[2] / "golden" / "cases.json"
PUBLIC = SHARED / "spec" / "cases.json"

Case = dict[str, Any]


def load(file: Path, kind: str) -> list[object]:
    if not file.exists():
        return []
    return [pytest.param(case, id=case["id"]) for case in json.loads(file.read_text("utf-8"))[kind]]


def start(case: Case) -> Game:
    ruleset = with_options(load_variant(case["variant"]), case.get("options", {}))
    side = Side(case.get("side", "defenders"))
    if "rows" in case:
        position = parse_diagram("\n".join(case["rows"]), side)
        assert case.get("position", format_position(position)) == format_position(position)
    else:
        position = parse_position(case["position"], side)
    return Game.start(ruleset, side=side, position=position)


def check(case: Case) -> None:
    game = start(case)
    text = case["move"] + (f"x{case['choice']}" if "choice" in case else "")
    for earlier in case.get("before", []):
        game = game.push(game.parse(earlier))
    if not case["legal"]:
        with pytest.raises(IllegalMoveError) as caught:
            game.parse(text)
        assert case.get("reason", caught.value.reason.name) == caught.value.reason.name
        return
    after = game.push(game.parse(text))
    assert after.last is not None
    assert square_names(after.last.captures) == sorted(case["captures"])
    outcome = after.outcome
    winner = None
    if outcome is not None:
        winner = outcome.winner.value if outcome.winner else outcome.result.value
        assert case.get("ending", outcome.reason.value) == outcome.reason.value
    assert winner == case["outcome"]


@needs_shared
@pytest.mark.parametrize("case", load(PUBLIC, "cases"))
def test_public_case(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", load(OWN, "cases"))
def test_own_case(case: Case) -> None:
    check(case)


def check_paths(case: Case) -> None:
    for side in Side:
        game = start(case | {"side": side.value})
        assert square_names(game.open_paths) == case["open_edge_squares"]
    if "call" in case:
        call = start(case).call
        assert (call.value if call else None) == case["call"]


@needs_shared
@pytest.mark.parametrize("case", load(PUBLIC, "paths"))
def test_public_paths(case: Case) -> None:
    check_paths(case)


@pytest.mark.parametrize("case", load(OWN, "paths"))
def test_own_paths(case: Case) -> None:
    check_paths(case)
