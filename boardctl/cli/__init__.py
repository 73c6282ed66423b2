"""The commands of `boardctl`, one module per group.

Each group has `register(app)`, which adds its commands. What a command needs is imported inside
it: `boardctl --help` and the rules commands start without loading web, archive or hardware.
"""

from __future__ import annotations

import typer

from boardctl.cli import (
    bench,
    config,
    games,
    hardware,
    replay,
    rules,
    scene,
    service,
    table,
)

GROUPS = (table, rules, replay, scene, hardware, config, games, service, bench)
"""The groups, in the order of `boardctl --help`."""


def build() -> typer.Typer:
    """Return the command line with every command registered."""
    app = typer.Typer(
        name="boardctl",
        help="Play hnefatafl on a real wooden board whose switches see and whose lights answer.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_version)
    for group in GROUPS:
        group.register(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata  # noqa: PLC0415  40 ms that few commands need

        try:
            typer.echo(f"boardctl {metadata.version('boardctl')}")
        except metadata.PackageNotFoundError:
            typer.echo("boardctl, from a source tree that was never installed")
        raise typer.Exit


def _version(
    *,
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_print_version, is_eager=True
    ),
) -> None:
    """Play hnefatafl on a real wooden board whose switches see and whose lights answer."""
    del version  # the callback has acted on it
