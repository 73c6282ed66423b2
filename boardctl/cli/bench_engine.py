"""`boardctl bench engine`: how fast the rules are, compiled and as plain Python."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType


_DEPTH = {"compiled": 4, "pure Python": 3}
"""Deep enough for the clock, not longer than a second or two a round."""

_MILLION = 1_000_000


def register(bench: typer.Typer) -> None:
    """Add the command to the group of benchmarks."""
    bench.command(epilog="Example: boardctl bench engine --rounds 9 --game market")(engine)


def engine(
    rounds: Annotated[int, typer.Option(help="Rounds; the median counts.")] = 5,
    game: Annotated[str | None, typer.Option(help="One game only.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count moves from the start position: every leaf made, and the last ply only counted.

    Both builds of the core are measured in turn, where both are there. `push` and `legal` are
    what the daemon pays for one ply and for one list of legal plies, in the build in use.
    """
    from boardctl.cli.progress import progress  # noqa: PLC0415  only this command waits
    from engine import VARIANTS  # noqa: PLC0415  loaded by the commands that play

    if rounds < 1:
        raise BadRequestError(f"--rounds {rounds}: at least 1")
    games = VARIANTS if game is None else (game,)
    rows = [_measure(name, rounds) for name in progress(games, label="bench engine")]
    conditions = _conditions()
    if as_json:
        typer.echo(json.dumps({"conditions": conditions, "rounds": rounds, "games": rows}))
        return
    for line in _table(rows, conditions, rounds):
        typer.echo(line)


def builds() -> dict[str, ModuleType]:
    """Return the core's builds that this installation has, by name."""
    import importlib.util  # noqa: PLC0415  see above
    from pathlib import Path  # noqa: PLC0415

    from engine import COMPILED, core  # noqa: PLC0415

    if not COMPILED:
        return {"pure Python": core}
    source = Path(core.__file__).with_name("core.py")
    spec = importlib.util.spec_from_file_location("engine_core_as_python", source)
    if spec is None or spec.loader is None:
        return {"compiled": core}
    pure = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pure)
    return {"compiled": core, "pure Python": pure}


def _measure(name: str, rounds: int) -> dict[str, Any]:
    """Return one game's figures: the median of the rounds, with the slowest and the fastest."""
    from engine import Game, Side, load_variant  # noqa: PLC0415  see above

    ruleset = load_variant(name)
    start = Game.start(ruleset, side=ruleset.first or Side.ATTACKER)
    found: dict[str, Any] = {"game": ruleset.name, "builds": {}}
    timings: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for build, core in builds().items():
            for kind, bulk in (("make", 0), ("bulk", 1)):
                speed = _perft_speed(core, start, _DEPTH[build], bulk)
                timings.setdefault((build, kind), []).append(speed)
    for (build, kind), speeds in timings.items():
        found["builds"].setdefault(build, {})[kind] = _summary(speeds)
    found["push_us"], found["legal_us"] = _game_costs(start)
    return found


def _perft_speed(core: Any, start: Any, depth: int, bulk: int) -> float:
    """Return million moves a second of one count."""
    state = start_state(core, start)
    count, seconds = _timed(lambda: core.perft(state, depth, bulk))
    return float(count) / seconds / _MILLION


def start_state(core: Any, game: Any) -> Any:
    """Return a game's position as a state of one build of the core, to count moves from."""
    from engine.lookup import core_pieces, rule_tables  # noqa: PLC0415  see above
    from engine.pieces import Side  # noqa: PLC0415

    turn = int(game.position.side is Side.DEFENDER)
    return core.State(core.Rules(**rule_tables(game.ruleset)), core_pieces(game.position), turn)


def _game_costs(start: Any) -> tuple[float, float]:
    """Return microseconds for a push with its outcome, and for the legal plies of a position."""
    plies = start.legal_plies
    children = [start.push(ply) for ply in plies]
    _, pushing = _timed(lambda: [start.push(ply).outcome for ply in plies])
    _, listing = _timed(lambda: [child.legal_plies for child in children])
    per_ply = _MILLION / len(plies)
    return round(pushing * per_ply, 1), round(listing * per_ply, 1)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what *work* returns, and the seconds it took."""
    from time import perf_counter  # noqa: PLC0415  a benchmark reads the clock

    began = perf_counter()
    result = work()
    return result, perf_counter() - began


def _summary(speeds: list[float]) -> dict[str, float]:
    ordered = sorted(speeds)
    return {
        "median": round(ordered[len(ordered) // 2], 3),
        "min": round(ordered[0], 3),
        "max": round(ordered[-1], 3),
    }


def _conditions() -> dict[str, str | int | None]:
    """Return what a reader must know to compare figures."""
    import os  # noqa: PLC0415  see above
    import platform  # noqa: PLC0415

    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }


def _table(rows: list[dict[str, Any]], conditions: dict[str, Any], rounds: int) -> Iterator[str]:
    yield f"{conditions['python']}, {conditions['system']}, {conditions['processors']} processors"
    yield f"million moves a second from the start position, median of {rounds} rounds (min-max)"
    yield ""
    yield f"{'game':12} {'core':12} {'every leaf made':>22} {'last ply counted':>24}"
    for row in rows:
        for build, kinds in row["builds"].items():
            made, counted = (_range(kinds[kind]) for kind in ("make", "bulk"))
            yield f"{row['game']:12} {build:12} {made:>22} {counted:>24}"
    yield ""
    for row in rows:
        yield (
            f"{row['game']:12} push with outcome {row['push_us']:.1f} us,"
            f" legal plies {row['legal_us']:.1f} us"
        )


def _range(figures: dict[str, float]) -> str:
    return f"{figures['median']:.2f} ({figures['min']:.2f}-{figures['max']:.2f})"
