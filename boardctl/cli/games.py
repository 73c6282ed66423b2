"""`boardctl games`: the archive of what was played."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.cli.config import ConfigFile, load_configuration
from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.cli.sources import Source

Database = Annotated[
    Path | None, typer.Option("--file", metavar="DB", help="An archive; default: the table's own.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON value.")]
GameNumber = Annotated[int, typer.Argument(metavar="GAME", help="Its number in `games list`.")]


def register(app: typer.Typer) -> None:
    """Add the commands of the archive."""
    group = typer.Typer(
        help="Past games: list, show, export, import, count.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_games)
    group.command("show")(show)
    group.command("export")(export)
    group.command("import")(import_games)
    group.command("stats")(stats)
    app.add_typer(group, name="games")


@contextlib.contextmanager
def _opened(file: Path | None, config: Path | None, *, writing: bool = False) -> Iterator[Source]:
    """Open the archive named on the command line or in the configuration.

    One named on the command line is begun by *writing* to it; the configured one is the table's
    to begin, to whose user it must belong. A running table is asked for its own.
    """
    from boardctl.cli.sources import open_file, table_of  # noqa: PLC0415  SQLite takes its time
    from boardctl.config.places import places  # noqa: PLC0415

    if file is None:
        where = places(load_configuration(config).config, os.environ)
        table = table_of(where.archive, where.socket)
        if table is not None:
            yield table
            return
        file = where.archive
        remedy, begins = "name one with --file", False
    else:
        remedy, begins = "begin it with 'boardctl games import'", writing
    if file.is_dir():
        raise BadRequestError(f"{file}: a directory, no archive; name the file in it")
    if not file.exists() and not begins:
        raise BadRequestError(f"{file}: no such archive; {remedy}")
    with open_file(file, writing=writing) as source:
        yield source


def list_games(
    variant: Annotated[str | None, typer.Option(help="Of this game only.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, newest first.")] = 50,
    file: Database = None,
    config: ConfigFile = None,
    as_json: Json = False,
) -> None:
    """List past games, newest first.

    Example: boardctl games list --variant linnaeus --limit 10
    """
    with _opened(file, config) as source:
        games = list(source.games(limit, variant))
    if as_json:
        typer.echo(json.dumps(games))
        return
    for game in games:
        plies = f"{game['plies']} plies"
        typer.echo(
            f"{game['id']:>5}  {game['started'] or '-':<25}  {game['variant']:<12} {plies:>10}  "
            f"{_ending(game)}"
        )


def _ending(game: dict[str, Any]) -> str:
    outcome = game["outcome"]
    if outcome is None:
        return "abandoned" if game["abandoned"] else "in play"
    who = f" by the {outcome['winner']}" if outcome["winner"] else ""
    return f"{outcome['result']}{who}: {outcome['reason']}"


def show(
    game: GameNumber, file: Database = None, config: ConfigFile = None, as_json: Json = False
) -> None:
    """Show one game with all that is kept of it.

    Example: boardctl games show 17
    """
    with _opened(file, config) as source:
        values = source.game(game)
    if as_json:
        typer.echo(json.dumps(values))
        return
    typer.echo(f"game {values['id']}: {values['variant']}, {values['started']}, {_ending(values)}")
    typer.echo(f"start {values['position']}, {values['side']} to move")
    for ply in values["record"]:
        notes = [f"read as {text} first" for text in ply["revisions"]]
        notes += ["taken back"] if ply["retracted"] else []
        typer.echo(f"{ply['number']:>4}. {ply['move']:<14} {'; '.join(notes)}".rstrip())
    for each in values["corrections"]:
        typer.echo(f"after {each['ply']}: set to {each['position']}, {each['side']} to move")


def export(
    games: Annotated[list[int] | None, typer.Argument(help="Which; none: all.")] = None,
    form: Annotated[
        str, typer.Option("--format", help="json, or otg: OpenTafl's text of one game.")
    ] = "json",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Default: print it.")] = None,
    file: Database = None,
    config: ConfigFile = None,
) -> None:
    """Write games as JSON or OpenTafl's text, to be read by `boardctl games import`.

    Example: boardctl games export 3 4 5 --out festival.json
    """
    from boardctl.archive.exchange import record_of, to_json, to_otg  # noqa: PLC0415

    if form not in {"json", "otg"}:
        raise BadRequestError(f"--format {form!r}: json or otg")
    if form == "otg" and len(games or ()) != 1:
        raise BadRequestError("--format otg: one game a file; name one")
    with _opened(file, config) as source:
        chosen = [source.game(number) for number in games] if games else list(source.every())
    text = to_json(chosen) + "\n" if form == "json" else to_otg(record_of(chosen[0], "game"))
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.is_dir() or not out.parent.is_dir():
        raise BadRequestError(f"{out}: name a file in a directory that exists")
    out.write_text(text, encoding="utf-8")
    typer.echo(f"wrote {len(chosen)} game{'' if len(chosen) == 1 else 's'} to {out}")


def import_games(
    source: Annotated[str, typer.Argument(metavar="FILE", help="'-': standard input.")],
    file: Database = None,
    config: ConfigFile = None,
) -> None:
    """Add the games of a file to the archive: all of them or, when one is wrong, none.

    The file is JSON of `boardctl games export` or OpenTafl's text. Games that the archive holds
    already are passed over. An archive named by --file that is not there yet is begun.

    Example: boardctl games import festival.json
    """
    from boardctl.archive.exchange import from_text  # noqa: PLC0415

    brought = from_text(_text(source), source)
    with _opened(file, config, writing=True) as archive:
        added = archive.bring(brought)
    typer.echo(f"{added} games added, {len(brought) - added} were there already")


def _text(source: str) -> str:
    """Read the file to import."""
    try:
        if source == "-":
            return sys.stdin.read()
        return Path(source).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequestError(f"{source}: not UTF-8 text") from error
    except OSError as error:
        raise BadRequestError(f"{source}: {(error.strerror or str(error)).lower()}") from error


def stats(file: Database = None, config: ConfigFile = None, as_json: Json = False) -> None:
    """Count how the games of each variant ended, with 95 % Wilson intervals.

    Example: boardctl games stats --json
    """
    with _opened(file, config) as source:
        found = source.statistics()
    if as_json:
        typer.echo(json.dumps(found))
        return
    for variant, values in found.items():
        typer.echo(f"{variant}: {values['games']} games, {values['mean_plies']} plies on average")
        for name, ending in values["endings"].items():
            low, high = ending["interval_95"]
            typer.echo(
                f"  {name:<10} {ending['games']:>5}  {ending['share']:6.1%}  "
                f"({low:.1%} to {high:.1%})"
            )
