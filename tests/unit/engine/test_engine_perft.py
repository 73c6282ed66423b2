"""The core counts what independent engines count (tests/golden/perft)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import COMPILED, Game, Ruleset, Side, core, load_variant, with_options
from engine.lookup import core_state

FOLDER = Path(__file__).parents[2] / "golden" / "perft"
FAST_DEPTH = 3


@dataclass(frozen=True)
class Row:
    ruleset: Ruleset
    side: Side
    depth: int
    count: int


def read(file: Path) -> list[Row]:
    """Return the rows of one file: `variant`, `option` and `side` lines, then depth and count."""
    words = [
        line.split() for line in file.read_text("utf-8").splitlines() if not line.startswith("#")
    ]
    settings = {key: value for key, value in words if not key.isdigit()}
    ruleset = load_variant(settings["variant"])
    if "option" in settings:
        ruleset = with_options(ruleset, dict([settings["option"].split("=")]))
    side = Side(settings["side"])
    return [Row(ruleset, side, int(key), int(value)) for key, value in words if key.isdigit()]


ROWS = [
    pytest.param(row, id=f"{file.stem}-{row.depth}")
    for file in sorted(FOLDER.glob("*.perft"))
    for row in read(file)
]


def rows(low: int, high: int) -> list[object]:
    return [param for param in ROWS if low <= param.values[0].depth <= high]  # type: ignore[union-attr]


def test_every_game_has_counts() -> None:
    assert {param.values[0].ruleset.name for param in ROWS} == {  # type: ignore[union-attr]
        "sea-battle",
        "market",
        "imperial",
        "linnaeus",
    }


@pytest.mark.parametrize("row", rows(1, FAST_DEPTH))
def test_perft(row: Row) -> None:
    assert Game.start(row.ruleset, side=row.side).perft(row.depth) == row.count


@pytest.mark.parametrize("row", rows(1, FAST_DEPTH if COMPILED else FAST_DEPTH - 1))
def test_perft_with_every_leaf_made(row: Row) -> None:
    game = Game.start(row.ruleset, side=row.side)
    state = core_state(row.ruleset, game.position)
    assert core.perft(state, row.depth, 0) == row.count
    assert state.pieces() == core_state(row.ruleset, game.position).pieces()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("row", rows(4, 4))
def test_perft_four_deep(row: Row) -> None:
    assert Game.start(row.ruleset, side=row.side).perft(4) == row.count


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not COMPILED, reason="takes minutes without the compiled core")
@pytest.mark.parametrize("row", rows(5, 5))
def test_perft_five_deep(row: Row) -> None:
    assert Game.start(row.ruleset, side=row.side).perft(5) == row.count
