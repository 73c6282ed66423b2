"""The rules core beside another core of the same shape, in one run, as ratios.

    PYTHONPATH=. python benchmarks/engine_beside.py FOLDER      # FOLDER/core.py, FOLDER/core.pxd

The other core offers `State()`, its start position, and `perft(state, depth, bulk)`. Where this
installation's core is compiled, the other one is compiled with the same directives, in a temporary
folder; else both run as plain Python. All take turns within a round, so that a busy machine slows
them alike; what counts is the median of the ratios.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from boardctl.cli.bench_engine import start_state
from engine import COMPILED, VARIANTS, Game, Side, core, load_variant

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

DIRECTIVES = ("annotation_typing", "boundscheck", "initializedcheck", "wraparound")
"""Switched off, as in setup.py."""

DEPTH = 4 if COMPILED else 3


def other_core(folder: Path, work: Path) -> ModuleType:
    """Return the core of *folder*, compiled in *work* if ours is.

    Raises:
        subprocess.CalledProcessError: it cannot be compiled.
    """
    for source in folder.glob("core.p*"):
        shutil.copy(source, work)
    found = work / "core.py"
    if COMPILED:
        options = [option for name in DIRECTIVES for option in ("-X", f"{name}=False")]
        command = [sys.executable, "-m", "Cython.Build.Cythonize", "-q", "-i", "-3", *options]
        subprocess.run([*command, "-X", "cdivision=True", found], check=True)  # noqa: S603  ours
        found = next(path for path in work.glob("core.*") if path.suffix in {".so", ".pyd"})
    spec = importlib.util.spec_from_file_location("core", found)
    if spec is None or spec.loader is None:
        raise ImportError(found)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def speed(perft: Callable[[Any, int, int], int], state: Any, bulk: int) -> float:
    """Return million moves a second of processor time."""
    begun = process_time()
    counted = perft(state, DEPTH, bulk)
    return counted / (process_time() - begun) / 1e6


def main() -> None:
    """Print a line for each game."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--rounds", type=int, default=7)
    given = arguments.parse_args()
    games = {}
    for name in VARIANTS:
        ruleset = load_variant(name)
        games[name] = start_state(core, Game.start(ruleset, side=ruleset.first or Side.ATTACKER))
    with tempfile.TemporaryDirectory() as work:
        other = other_core(given.folder, Path(work))
        state = other.State()
        speeds: dict[tuple[str, int], list[float]] = {}
        ratios: dict[tuple[str, int], list[float]] = {}
        for _ in range(given.rounds):
            for bulk in (0, 1):
                theirs = speed(other.perft, state, bulk)
                speeds.setdefault(("other", bulk), []).append(theirs)
                for name, start in games.items():
                    ours = speed(core.perft, start, bulk)
                    speeds.setdefault((name, bulk), []).append(ours)
                    ratios.setdefault((name, bulk), []).append(ours / theirs)
    build = "compiled" if COMPILED else "plain Python"
    print(f"{build}, depth {DEPTH}: million moves a second (ratio), medians of {given.rounds}")
    for name in ("other", *VARIANTS):
        made, counted = (median(speeds[name, bulk]) for bulk in (0, 1))
        beside = [
            f"({median(ratios[name, bulk]):.2f})" if name != "other" else "" for bulk in (0, 1)
        ]
        print(f"{name:12} made {made:7.2f} {beside[0]:8} counted {counted:8.1f} {beside[1]}")


if __name__ == "__main__":
    main()
