"""`boardctl bench recogniser`: how well hands are read, on simulated games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.simulate.measure import Followed
    from boardctl.simulate.score import Score

_HEAD = (
    f"{'scenario':9}{'games':>6}{'followed':>9}{'95 % interval':>18}{'undec.':>7}"
    f"{'right':>8}{'revised':>8}{'wrong final':>12}{'alarms':>7}{'help':>5}"
    f"{'shown ms':>9}{'p95':>5}{'light p99':>10}"
)


def register(bench: typer.Typer) -> None:
    """Add the command to the group of benchmarks."""
    bench.command(epilog="Example: boardctl bench recogniser --games 50 --scenario S3")(recogniser)


def recogniser(
    games: Annotated[int, typer.Option(min=1, help="Games per scenario and variant.")] = 250,
    scenario: Annotated[
        list[str] | None, typer.Option(help="S0 to S7, or S5@SPEED in m/s; repeatable.")
    ] = None,
    variant: Annotated[list[str] | None, typer.Option(help="A game; repeatable.")] = None,
    seeds: Annotated[
        str,
        typer.Option(help="'test' for figures to publish; 'tuning' while changing the recogniser."),
    ] = "test",
    jobs: Annotated[int, typer.Option(min=1, help="Processes to share the work.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play simulated games from fixed seeds and report how the recogniser followed them.

    S0 clean, S1 bounce and slides, S2 hesitation, S3 festival, S4 with hardware faults, S5 slides
    of one speed, S6 fast play, S7 recovery. The games of the two kinds of seeds are different:
    whoever tunes on the test seeds measures nothing.
    """
    from boardctl.simulate import score  # noqa: PLC0415  heavy, and only for this command
    from engine import VARIANTS  # noqa: PLC0415

    scenarios, variants = _asked(scenario, variant, seeds)
    first = score.TEST_SEED if seeds == "test" else score.TUNING_SEED
    if not as_json:
        typer.echo(
            f"{games} games for each scenario of {', '.join(variants)}; {seeds} seeds from {first}"
        )
        typer.echo(_HEAD)
    work = [
        (name, [(kind, name, first + n) for kind in variants or VARIANTS for n in range(games)])
        for name in score.expand(scenarios)
    ]
    scores = []
    for name, played in _play(work, jobs):
        scores.append(score.summarise(name, played))
        if not as_json:
            typer.echo(_line(scores[-1]))
    if as_json:
        typer.echo(json.dumps(_report(scores, games, variants, seeds, first)))


def _asked(
    scenario: list[str] | None, variant: list[str] | None, seeds: str
) -> tuple[list[str], list[str]]:
    """Return the scenarios and variants asked for, all by default."""
    from boardctl.simulate.recording import scenario as lookup  # noqa: PLC0415  see recogniser
    from boardctl.simulate.score import NAMES  # noqa: PLC0415
    from engine import VARIANTS  # noqa: PLC0415

    if seeds not in {"test", "tuning"}:
        raise BadRequestError(f"unknown seeds: {seeds!r}; 'test' or 'tuning'")
    for name in scenario or ():
        try:
            lookup(name)
        except ValueError as error:
            raise BadRequestError(str(error)) from None
    for name in variant or ():
        if name not in VARIANTS:
            raise BadRequestError(f"unknown game: {name!r}; one of {', '.join(VARIANTS)}")
    return scenario or list(NAMES), variant or list(VARIANTS)


def _play(
    work: list[tuple[str, list[tuple[str, str, int]]]], jobs: int
) -> Iterator[tuple[str, list[Followed]]]:
    """Yield the played games scenario by scenario."""
    from multiprocessing import get_context  # noqa: PLC0415  see recogniser

    from boardctl.cli.progress import progress  # noqa: PLC0415
    from boardctl.simulate.score import play  # noqa: PLC0415

    if jobs == 1:
        for name, games in work:
            yield name, [play(game) for game in progress(games, label=name)]
        return
    with get_context("spawn").Pool(jobs) as pool:
        for name, games in work:
            yield name, pool.map(play, games, chunksize=5)


def _line(score: Score) -> str:
    """Return one line of the table."""
    interval = f"{score.low:.2%}-{score.high:.2%}"
    median, p95 = score.latency_s or (float("nan"), float("nan"))
    light = float("nan") if score.light_s is None else score.light_s
    return (
        f"{score.scenario:9}{score.games:6}{score.followed / score.games:9.2%}{interval:>18}"
        f"{score.undecidable:7}{score.right:8.2%}{score.revised:8}{score.wrong_final:12}"
        f"{score.false_alarms:7}{score.help:5}{1000 * median:9.0f}{1000 * p95:5.0f}"
        f"{1000 * light:10.0f}"
    )


def _report(
    scores: list[Score], games: int, variants: list[str], seeds: str, first: int
) -> dict[str, Any]:
    """Return the result as JSON, with its conditions."""
    import dataclasses  # noqa: PLC0415  see recogniser
    import platform  # noqa: PLC0415

    return {
        "games": games,
        "variants": variants,
        "seeds": {"kind": seeds, "first": first},
        "python": platform.python_version(),
        "machine": platform.machine(),
        "scores": [dataclasses.asdict(score) for score in scores],
    }
