"""`boardctl config`: write, check and show the configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from boardctl.config import Loaded

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help="The configuration file; default /etc/boardctl/boardctl.toml.",
    ),
]
"""The `--config` option of every command that takes one."""


def load_configuration(file: Path | None, *, required: bool = False) -> Loaded:
    """Read the file named on the command line, or the default one.

    Without *required* a default file that does not exist means: all defaults.
    """
    from boardctl.config import DEFAULT_FILE, load  # noqa: PLC0415  pydantic takes its time

    if file is None and (required or DEFAULT_FILE.exists()):
        return load(DEFAULT_FILE)
    return load(file)


def register(app: typer.Typer) -> None:
    """Add `config init`, `config check` and `config show`."""
    group = typer.Typer(
        help="Write, check and show the configuration.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("init")(init)
    group.command("check")(check)
    group.command("show")(show)
    app.add_typer(group, name="config")


def init(
    file: Annotated[Path, typer.Argument(help="Where to write; '-' prints it.")] = Path(
        "boardctl.toml"
    ),
) -> None:
    """Write a configuration with every key explained and commented out.

    A file that exists is left alone.

    Example: boardctl config init /etc/boardctl/boardctl.toml
    """
    from boardctl.config.document import commented_file  # noqa: PLC0415  as above
    from boardctl.errors import BadRequestError  # noqa: PLC0415

    if str(file) == "-":
        typer.echo(commented_file(), nl=False)
        return
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(commented_file())
    except FileExistsError as error:
        raise BadRequestError(f"{file}: exists already; move it away first") from error
    except FileNotFoundError as error:
        raise BadRequestError(f"{file}: no directory {file.parent}") from error
    typer.echo(f"wrote {file}; edit it, then: boardctl config check {file}")


def check(
    file: Annotated[Path | None, typer.Argument(help="The file to check.")] = None,
    config: ConfigFile = None,
) -> None:
    """Report every problem of a configuration; exit code 78 when there is one.

    Example: boardctl config check boardctl.toml
    """
    from boardctl.config import DEFAULT_FILE  # noqa: PLC0415

    chosen = file or config
    load_configuration(chosen, required=True)
    typer.echo(f"{chosen or DEFAULT_FILE}: no problems")


def show(
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print the effective values and where each comes from.

    Example: BOARDCTL_LEDS__BRIGHTNESS=0.2 boardctl config show
    """
    loaded = load_configuration(config)
    if as_json:
        typer.echo(json.dumps(_values(loaded)))
        return
    from boardctl.config.describe import toml  # noqa: PLC0415

    for section, keys in loaded.config.model_dump().items():
        typer.echo(f"[{section}]")
        for key, value in keys.items():
            text = f"{key} = {toml(value)}" if value is not None else f"# {key} is left out"
            typer.echo(f"{text:<44} # {loaded.sources.get(f'{section}.{key}', 'default')}")
        typer.echo()


def _values(loaded: Loaded) -> dict[str, dict[str, dict[str, Any]]]:
    return {
        section: {
            key: {"value": value, "source": loaded.sources.get(f"{section}.{key}", "default")}
            for key, value in keys.items()
        }
        for section, keys in loaded.config.model_dump(mode="json").items()
    }
