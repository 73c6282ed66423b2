"""`boardctl run`, `demo`, `status`, `operator-link`: the table itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.cli.config import ConfigFile, load_configuration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.config import Loaded

_ASK_S = 3.0


def register(app: typer.Typer) -> None:
    """Add the commands of a running table."""
    app.command("run")(run)
    app.command("demo")(demo)
    app.command("record")(record)
    app.command("status")(status)
    app.command("operator-link")(operator_link)


def run(config: ConfigFile = None) -> None:
    """Run the table on the hardware that the configuration names: what systemd starts.

    SIGTERM ends it in order, SIGHUP reads the configuration again between two games. Exit code 69
    when the bus is still absent after switches.bus_wait_s.

    Example: boardctl run --config /etc/boardctl/boardctl.toml
    """
    from boardctl import daemon  # noqa: PLC0415  the daemon's parts take their time

    daemon.run(_configuration(config))


def _configuration(file: Path | None) -> Loaded:
    """Return the configuration; one that is wrong is told by the lights as well."""
    from boardctl import daemon  # noqa: PLC0415  as above
    from boardctl.config import DEFAULT_FILE, sound_part  # noqa: PLC0415
    from boardctl.errors import ConfigurationError  # noqa: PLC0415

    try:
        return load_configuration(file, required=True)
    except ConfigurationError:
        daemon.show_no_configuration(sound_part(file or DEFAULT_FILE))
        raise


def record(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Where the first game's trace goes.")],
    config: ConfigFile = None,
) -> None:
    """Run the table and write the raw scans of each game as a trace for `boardctl replay`.

    A second game goes to OUT-2, and so on. Ctrl-C ends it; the service must not run meanwhile.

    Example: boardctl record game.jsonl --config /etc/boardctl/boardctl.toml
    """
    from boardctl import daemon  # noqa: PLC0415  as above
    from boardctl.errors import BadRequestError  # noqa: PLC0415

    if not out.parent.is_dir() or out.is_dir():
        raise BadRequestError(f"{out}: name a file in a directory that exists")
    daemon.run(_configuration(config), record_to=out)


def demo(
    variant: Annotated[str, typer.Option(help="The game, or the path of a ruleset.")] = "market",
    port: Annotated[int, typer.Option(help="The page's port; 0 takes any free one.")] = 8080,
    seed: Annotated[
        int | None, typer.Option(help="Decides lots and simulated players; left out: chance.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(help="The operator's token; left out: an unguessable one.")
    ] = None,
    autoplay: Annotated[
        bool, typer.Option("--autoplay", help="Two clumsy simulated players play.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every event.")] = False,
) -> None:
    """Run a simulated board with its page; needs no hardware and no configuration.

    Prints the page's URL, then the operator's. Ctrl-C ends it.

    Example: boardctl demo --variant linnaeus --port 8080
    """
    from boardctl import daemon  # noqa: PLC0415  as above

    daemon.demo(
        daemon.Demo(variant, port, seed, token, autoplay, verbose),
        show=typer.echo,
    )


def status(
    config: ConfigFile = None,
    socket: Annotated[
        Path | None, typer.Option(help="The table's socket; default: as configured.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show how the running table is: scan rate, faults, game.

    Example: boardctl status
    """
    from boardctl.link.question import ask  # noqa: PLC0415

    path = socket or Path(load_configuration(config).config.run.socket)
    answers = {
        query: ask(path, "query", {"query": query}, timeout_s=_ASK_S)[1]
        for query in ("health", "state")
    }
    if as_json:
        typer.echo(json.dumps(answers))
        return
    for line in _status_lines(answers["health"], answers["state"]):
        typer.echo(line)


def _status_lines(health: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """Return the report for a person."""
    moves = state["moves"]
    last = f", last {moves[-1]}" if moves else ""
    turn = f"{state['side']} to move" if state["side"] else "nobody to move"
    outcome = state["outcome"]
    if outcome is not None:
        turn = f"{outcome['result']}: {outcome['winner'] or 'nobody'} ({outcome['reason']})"
    archive = health["archive"]
    late = f"{health['scan_lateness_p50_ms']:.1f} ms (median)"
    late += f", {health['scan_lateness_p99_ms']:.1f} ms (99 %)"
    running = f"{_duration(health['uptime_s'])}, boot {archive['boot'] or 'not counted'}"
    running += f", {health.get('memory_mb', '?')} MB, {health['observers']} observers"
    lines = [
        f"game     {state['variant']}, {state['reading']}, {len(moves)} plies{last}; {turn}",
        f"scans    {health['scan_hz']:.1f} Hz, late by {late}, {health['scans_skipped']} skipped",
        f"running  {running}",
        f"archive  {'ok' if archive['ok'] else archive['fault']}",
    ]
    if "temperature_c" in health:
        under = "under-voltage now" if health.get("undervoltage") else "voltage ok"
        lines.append(f"machine  {health['temperature_c']:.0f} C, {under}")
    reasons = health["fault_reasons"]
    lines += [f"fault    {reason}" for reason in reasons] or ["faults   none"]
    if archive["notice"]:
        lines.append(f"notice   {archive['notice']}")
    return lines


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"{days} d {hours:02}:{minutes:02}:{rest:02}"


def operator_link(
    config: ConfigFile = None,
    new: Annotated[
        bool, typer.Option("--new", help="Make a new token; every operator must log in again.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print the operator's URL with its token, as text and as a QR code.

    Example: boardctl operator-link --config /etc/boardctl/boardctl.toml
    """
    import os  # noqa: PLC0415
    import secrets  # noqa: PLC0415

    from boardctl.config.places import places  # noqa: PLC0415
    from boardctl.errors import BoardctlError  # noqa: PLC0415
    from boardctl.token import read_token, write_token  # noqa: PLC0415

    settings = load_configuration(config).config
    file = places(settings, os.environ).token
    token = write_token(file, secrets.token_urlsafe(16)) if new else read_token(file)
    if not token:
        raise BoardctlError(
            f"{file}: there is no operator's token; the table makes one when it starts, --new now"
        )
    web = settings.web
    base = web.public_url.rstrip("/") or f"http://{_visible(web.host)}:{web.port}"
    url = operator_url(base, token)
    if as_json:
        typer.echo(json.dumps({"url": url, "token": token}))
        return
    typer.echo(url)
    _print_qr(url)


def operator_url(base: str, token: str) -> str:
    """Return the address that logs an operator in."""
    from urllib.parse import quote  # noqa: PLC0415

    return f"{base}/operator?token={quote(token, safe='')}"


def _visible(host: str) -> str:
    """Return a name by which a page that serves every address can be reached."""
    import socket  # noqa: PLC0415

    return socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104  a comparison


def _print_qr(url: str) -> None:
    import sys  # noqa: PLC0415

    import segno  # noqa: PLC0415

    segno.make(url, error="m").terminal(out=sys.stdout, compact=True)
