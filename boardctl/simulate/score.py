"""Many games in a row: scores of a reader by scenario, with how sure they are.

Seeds for tuning and seeds for testing are different games, and stay so: whoever changes the reader
looks at the former only; the figures in the documents come from the latter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.simulate.measure import Followed, OurReader, follow
from boardctl.simulate.recording import record
from hardware.mock.effects import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TUNING_SEED: Final = 1
TEST_SEED: Final = 1_000_001
"""The first seed of each kind; game n of a scenario and variant has seed first + n."""

NAMES: Final = tuple(SCENARIOS)
"""The scenarios, S0 to S7."""

SWEEP_M_S: Final = (0.05, 0.08, 0.12, 0.2, 0.35, 0.6, 1.0)
"""The speeds of S5."""

_Z95: Final = 1.959964
"""Two-sided 95 % of the standard normal distribution."""


@dataclass(frozen=True, slots=True)
class Score:
    """What came of the games of one scenario, all variants together.

    Attributes:
        scenario: its name.
        games: how many were played.
        followed: how many were followed exactly (see `measure`).
        low, high: 95 % confidence interval of that share (Wilson).
        undecidable: how many of the games no reader of the frames could know for sure; they
            count as games all the same.
        plies: how many plies were played.
        right: share of the plies that come before the first error of their game.
        before_error: plies before the first error, the mean of the games that have one.
        revised, wrong_final, false_alarms, help: sums (see `measure`).
        latency_s: median and 95th percentile from landing to the right ply shown.
        light_s: 99th percentile from the lifting frame to the square shown as lifted.
    """

    scenario: str
    games: int
    followed: int
    low: float
    high: float
    undecidable: int
    plies: int
    right: float
    before_error: float | None
    revised: int
    wrong_final: int
    false_alarms: int
    help: int
    latency_s: tuple[float, float] | None
    light_s: float | None


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share. Source: E. B. Wilson, JASA 22 (1927)."""
    if not trials:
        return (0.0, 1.0)
    share = hits / trials
    spread = _Z95**2 / trials
    middle = share + spread / 2
    reach = _Z95 * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low = max(0.0, (middle - reach) / (1 + spread))
    return (low, 1.0 if hits == trials else min(1.0, (middle + reach) / (1 + spread)))


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the value below which *share* of the values lie; None of none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def expand(scenarios: Iterable[str]) -> list[str]:
    """Return the scenarios with S5 spread out over its speeds: `S5@0.05` and so on."""
    return [
        name
        for scenario in scenarios
        for name in ([f"S5@{speed}" for speed in SWEEP_M_S] if scenario == "S5" else [scenario])
    ]


def play(job: tuple[str, str, int]) -> Followed:
    """Record one game (variant, scenario, seed) and let our reader follow it."""
    variant, scenario, seed = job
    return follow(record(variant, scenario, seed), OurReader)


def summarise(scenario: str, games: Sequence[Followed]) -> Score:
    """Return the score of the games of one scenario."""
    followed = sum(game.exact for game in games)
    low, high = wilson(followed, len(games))
    plies = sum(game.plies for game in games)
    failed = [game.right for game in games if not game.exact]
    latencies = [latency for game in games for latency in game.latencies_s]
    lights = [light for game in games for light in game.light_s]
    median, p95 = percentile(latencies, 0.5), percentile(latencies, 0.95)
    return Score(
        scenario=scenario,
        games=len(games),
        followed=followed,
        low=low,
        high=high,
        undecidable=sum(bool(game.undecidable) for game in games),
        plies=plies,
        right=sum(game.right for game in games) / plies if plies else 1.0,
        before_error=sum(failed) / len(failed) if failed else None,
        revised=sum(game.revised for game in games),
        wrong_final=sum(game.wrong_final for game in games),
        false_alarms=sum(game.false_alarms for game in games),
        help=sum(game.help for game in games),
        latency_s=None if median is None or p95 is None else (median, p95),
        light_s=percentile(lights, 0.99),
    )
