"""The public benchmark: our recogniser and the peers' methods on the same simulated games.

    PYTHONPATH=. python benchmarks/recogniser.py --games 250 --out docs/img > table.md

Prints the tables of docs/recognition-benchmark.md and writes its pictures. The games are those of
`boardctl bench recogniser` with the same number and kind of seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from peers.confirm import ConfirmButton, presses
from peers.events import LiftPlaceList, TwoSlots
from peers.settle import SettleAndMatch
from peers.targets import LegalTargets

from boardctl.simulate import record
from boardctl.simulate.measure import OurReader, follow
from boardctl.simulate.recording import seeded
from boardctl.simulate.score import TEST_SEED, TUNING_SEED, expand, summarise
from engine import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.simulate import Recording
    from boardctl.simulate.measure import Followed, Reader
    from boardctl.simulate.score import Score
    from engine import Game
    from hardware.cells import Instant

    Make = Callable[[Game, Instant], Reader]

OURS = "boardctl"

_MEASURES = (
    "wrong final per 1000 plies",
    "false alarms per game",
    "help per game",
    "shown after, ms: median",
    "95 %",
)


def _confirm(recording: Recording, forgotten: float) -> Make:
    rng = seeded("presses", recording.variant, len(recording.frames), forgotten)
    return partial(ConfirmButton, pressed=presses(recording, rng, forgotten=forgotten))


METHODS: dict[str, Callable[[Recording], Make]] = {
    OURS: lambda _: OurReader,
    "B-1 settle 250 ms, strict": lambda _: partial(SettleAndMatch, settle_s=0.25),
    "B-1 settle 250 ms, lenient": lambda _: partial(SettleAndMatch, settle_s=0.25, lenient=True),
    "B-1 settle 500 ms, lenient": lambda _: partial(SettleAndMatch, settle_s=0.5, lenient=True),
    "B-1 settle 750 ms, lenient": lambda _: partial(SettleAndMatch, settle_s=0.75, lenient=True),
    "B-2 lift/place list": lambda _: LiftPlaceList,
    "B-2 lift/place list, 100 ms": lambda _: partial(LiftPlaceList, debounce_s=0.1),
    "B-2 two slots, 750 ms": lambda _: TwoSlots,
    "B-3 legal targets, 125 ms": lambda _: LegalTargets,
    "B-4 button, never forgotten": lambda recording: _confirm(recording, 0.0),
    "B-4 button, 1 in 10 forgotten": lambda recording: _confirm(recording, 0.1),
    "B-5 one frame": lambda _: partial(SettleAndMatch, settle_s=0.0, lenient=True, revises=False),
    "B-5 two equal reads, 200 ms": lambda _: partial(
        SettleAndMatch, settle_s=0.2, lenient=True, revises=False
    ),
    "B-6 two-ply search, 250 ms": lambda _: partial(
        SettleAndMatch, settle_s=0.25, lenient=True, two_plies=True
    ),
}


def play(job: tuple[str, str, int], methods: tuple[str, ...]) -> dict[str, Followed]:
    """Let every method follow one game."""
    recording = record(*job)
    return {method: follow(recording, METHODS[method](recording)) for method in methods}


def measure(
    scenarios: list[str], games: int, first: int, methods: tuple[str, ...], jobs: int
) -> dict[str, dict[str, Score]]:
    """Return the scores by method and scenario."""
    scores: dict[str, dict[str, Score]] = {method: {} for method in methods}
    with get_context("spawn").Pool(jobs) as pool:
        for scenario in scenarios:
            work = [(kind, scenario, first + n) for kind in VARIANTS for n in range(games)]
            played = pool.map(partial(play, methods=methods), work, chunksize=5)
            for method in methods:
                found = [game[method] for game in played]
                scores[method][scenario] = summarise(scenario, found)
            sys.stderr.write(f"{scenario} done\n")
    return scores


def table(scores: dict[str, dict[str, Score]], scenarios: list[str]) -> str:
    """Return the share of games followed by every method, as Markdown."""
    lines = [
        "| games followed, % | " + " | ".join(scenarios) + " |",
        "|---|" + "---|" * len(scenarios),
    ]
    for method, by_scenario in scores.items():
        cells = []
        for scenario in scenarios:
            score = by_scenario[scenario]
            share = 100 * score.followed / score.games
            cells.append(f"{share:.1f} ({100 * score.low:.1f}-{100 * score.high:.1f})")
        lines.append(f"| {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def details(scores: dict[str, dict[str, Score]], scenario: str) -> str:
    """Return every measure of one scenario, as Markdown."""
    lines = [
        f"| {scenario} | plies right before the first error, % | revised per 100 plies | "
        + " | ".join(_MEASURES)
        + " |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for method, by_scenario in scores.items():
        score = by_scenario[scenario]
        median, p95 = score.latency_s or (float("nan"), float("nan"))
        lines.append(
            f"| {method} | {100 * score.right:.1f} | {100 * score.revised / score.plies:.1f} "
            f"| {1000 * score.wrong_final / score.plies:.2f} "
            f"| {score.false_alarms / score.games:.2f} | {score.help / score.games:.2f} "
            f"| {1000 * median:.0f} | {1000 * p95:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="ours and the peers' methods on the same games")
    parser.add_argument("--games", type=int, default=250, help="per scenario and variant")
    parser.add_argument("--seeds", choices=("test", "tuning"), default="tuning")
    parser.add_argument("--scenario", nargs="*", default=["S0", "S1", "S2", "S3", "S4", "S6", "S7"])
    parser.add_argument("--method", nargs="*", default=list(METHODS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write the scores as JSON")
    asked = parser.parse_args()
    first = TEST_SEED if asked.seeds == "test" else TUNING_SEED
    scenarios = expand(asked.scenario)
    scores = measure(scenarios, asked.games, first, tuple(asked.method), asked.jobs)
    print(table(scores, scenarios))
    for scenario in scenarios:
        print(f"\n{details(scores, scenario)}")
    if asked.out:
        import dataclasses  # noqa: PLC0415  only here

        found = {
            method: {name: dataclasses.asdict(score) for name, score in by_scenario.items()}
            for method, by_scenario in scores.items()
        }
        asked.out.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
