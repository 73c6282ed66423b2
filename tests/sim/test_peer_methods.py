"""The peers' methods do what their origins do: they follow clean games, and fail where known."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.simulate import record
from boardctl.simulate.measure import Followed, follow

if TYPE_CHECKING:
    from collections.abc import Iterator

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module", autouse=True)
def benchmarks_importable() -> Iterator[None]:
    sys.path.insert(0, str(BENCHMARKS))
    yield
    sys.path.remove(str(BENCHMARKS))


def followed(method: str, variant: str, scenario: str, seed: int) -> Followed:
    methods = importlib.import_module("recogniser").METHODS
    recording = record(variant, scenario, seed)
    return follow(recording, methods[method](recording))


METHODS = (
    "boardctl",
    "B-1 settle 250 ms, strict",
    "B-1 settle 250 ms, lenient",
    "B-1 settle 750 ms, lenient",
    "B-2 lift/place list",
    "B-2 lift/place list, 100 ms",
    "B-2 two slots, 750 ms",
    "B-3 legal targets, 125 ms",
    "B-4 button, never forgotten",
    "B-5 one frame",
    "B-5 two equal reads, 200 ms",
    "B-6 two-ply search, 250 ms",
)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_follows_a_clean_game(method: str) -> None:
    assert followed(method, "market", "S0", 2).exact


@pytest.mark.parametrize(
    ("method", "scenario"),
    [
        ("B-1 settle 250 ms, strict", "S6"),  # the opponent moves before the victim is removed
        ("B-2 lift/place list", "S1"),  # a slide is committed on its first legal square
        ("B-3 legal targets, 125 ms", "S5@0.05"),  # likewise, when slower than the debouncing
        ("B-4 button, 1 in 10 forgotten", "S0"),  # festival visitors forget
        ("B-5 one frame", "S1"),
        ("B-6 two-ply search, 250 ms", "S6"),
    ],
)
def test_methods_fail_where_they_are_known_to(method: str, scenario: str) -> None:
    assert not followed(method, "sea-battle", scenario, 2).exact


def test_a_settle_of_a_second_ply_is_found_by_searching_two() -> None:
    pairs = [
        followed(method, "market", "S6", 5).right
        for method in ("B-1 settle 250 ms, lenient", "B-6 two-ply search, 250 ms")
    ]
    assert pairs[0] <= pairs[1]
