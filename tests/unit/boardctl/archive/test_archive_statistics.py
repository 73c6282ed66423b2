from __future__ import annotations

import pytest

from boardctl.archive.statistics import statistics, wilson


@pytest.mark.parametrize(
    ("hits", "games", "low", "high"),
    [
        # Figures of Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_is_wilsons(hits: int, games: int, low: float, high: float) -> None:
    assert wilson(hits, games) == pytest.approx((low, high), abs=5e-5)


def test_endings_are_counted_per_variant() -> None:
    found = statistics(
        [
            ("market", "attackers", "win", 3, 40.0),
            ("market", "defenders", "win", 1, 20.0),
            ("market", None, "draw", 1, 30.0),
            ("imperial", None, "no-result", 2, 10.0),
        ]
    )
    market = found["market"]
    assert (market["games"], market["mean_plies"]) == (5, 34.0)
    assert {name: ending["games"] for name, ending in market["endings"].items()} == {
        "attackers": 3,
        "defenders": 1,
        "draw": 1,
        "no-result": 0,
    }
    low, high = market["endings"]["attackers"]["interval_95"]
    assert low < market["endings"]["attackers"]["share"] == 0.6 < high
    assert found["imperial"]["endings"]["no-result"]["games"] == 2


def test_no_games_give_no_statistics() -> None:
    assert statistics([]) == {}


def test_a_win_of_nobody_counts_as_no_result() -> None:
    found = statistics([("market", None, "win", 1, 5.0)])
    assert found["market"]["endings"]["no-result"]["games"] == 1
