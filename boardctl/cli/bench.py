"""`boardctl bench`: reproducible measurements, one module for each."""

from __future__ import annotations

import importlib
import importlib.util

import typer

BENCHMARKS = ("recogniser", "engine", "loop", "web")
"""The modules `bench_NAME` of this package."""


def register(app: typer.Typer) -> None:
    """Add the group and whatever benchmarks there are."""
    bench = typer.Typer(
        help="Measure this machine or this program, with the conditions stated.",
        no_args_is_help=True,
    )
    bench.callback()(_group)
    for name in BENCHMARKS:
        module = f"{__package__}.bench_{name}"
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module).register(bench)
    app.add_typer(bench, name="bench")


def _group() -> None:
    """Measure this machine or this program, with the conditions stated."""
