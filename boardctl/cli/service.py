"""`boardctl web`, `boardctl lights-off`: what the units of systemd start beside `run`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from boardctl.cli.config import ConfigFile, load_configuration

if TYPE_CHECKING:
    import typer

    from boardctl.config import Config


def register(app: typer.Typer) -> None:
    """Add the commands of the units."""
    app.command("web")(web)
    app.command("lights-off")(lights_off)


def web(config: ConfigFile = None) -> None:
    """Serve the table's page as the configuration says; the board process runs beside it.

    Example: boardctl web --config /etc/boardctl/boardctl.toml
    """
    arguments = web_arguments(load_configuration(config).config)
    # The page's process starts anew, without what reading the configuration has loaded (17 MB).
    command = [sys.executable, "-m", "boardctl.web", *arguments]
    os.execv(sys.executable, command)  # noqa: S606  no shell is wanted


def web_arguments(config: Config) -> list[str]:
    """Return the arguments of `python -m boardctl.web` for *config*."""
    from boardctl.config.places import places  # noqa: PLC0415  with the configuration, not before

    where = places(config, os.environ)
    settings = config.web
    arguments = ["--socket", str(where.socket), "--token-file", str(where.token)]
    arguments += ["--host", settings.host, "--port", str(settings.port)]
    if settings.public_url:
        arguments += ["--public-url", settings.public_url]
    return arguments


def lights_off(config: ConfigFile = None) -> None:
    """Switch all lights off: systemd calls it when the board has stopped or died.

    Example: boardctl lights-off --config /etc/boardctl/boardctl.toml
    """
    from boardctl.app import open_strip  # noqa: PLC0415  the drivers take their time

    open_strip(load_configuration(config).config.leds).close()
