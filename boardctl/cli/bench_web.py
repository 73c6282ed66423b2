"""`boardctl bench web`: what a crowd of spectators costs the table."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from boardctl.errors import BadRequestError, BoardctlError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MOST_GROWTH_MS: Final = 5.0
"""Growth of the scans' lateness (99th percentile) that is allowed. Source: the project's goals."""

MOST_MEMORY_MB: Final = 120.0
"""Memory of the page's process that is allowed."""

_OPENED_AT_ONCE: Final = 50
_SETTLE_S: Final = 3.0


def register(bench: typer.Typer) -> None:
    """Add the command to the group of benchmarks."""
    bench.command(epilog="Example: boardctl bench web --spectators 100 --seconds 15")(web)


def web(
    spectators: Annotated[int, typer.Option(help="Event streams to open.")] = 500,
    seconds: Annotated[float, typer.Option(help="Length of each of the two runs.")] = 20.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let two simulated players play a demonstration, without and with spectators.

    The spectators are connections of this very process, so they use the same processors as the
    table: a real crowd costs it less. Lateness is how long after its time a scan begins, as the
    board process measures it at its full rate.
    """
    if spectators < 1 or seconds < 1:
        raise BadRequestError("--spectators and --seconds are at least 1")
    alone = asyncio.run(_run(0, seconds))
    crowd = asyncio.run(_run(spectators, seconds))
    report = {
        "conditions": {
            "machine": platform.machine(),
            "processors": os.cpu_count(),
            "python": platform.python_version(),
            "seconds": seconds,
            "load": [round(value, 1) for value in os.getloadavg()],
        },
        "alone": alone,
        "crowd": crowd,
        "lateness_growth_ms": round(crowd["scan_late_p99_ms"] - alone["scan_late_p99_ms"], 2),
    }
    if as_json:
        typer.echo(json.dumps(report))
    else:
        for line in _lines(report):
            typer.echo(line)


@dataclass(slots=True)
class _Crowd:
    """What the spectators have received."""

    events: int = 0
    bytes: int = 0
    lost: int = 0
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


async def _run(spectators: int, seconds: float) -> dict[str, Any]:
    """Return the figures of one demonstration."""
    async with _demonstration() as (host, port, process):
        await asyncio.sleep(_SETTLE_S)
        crowd = _Crowd()
        while len(crowd.tasks) < spectators:
            count = min(_OPENED_AT_ONCE, spectators - len(crowd.tasks))
            crowd.tasks += [asyncio.create_task(_watch(host, port, crowd)) for _ in range(count)]
            await asyncio.sleep(0.1)
        await asyncio.sleep(seconds)
        health = await _health(host, port)
        figures = {
            "spectators": spectators,
            "lost": crowd.lost,
            "events_per_s": round(crowd.events / seconds),
            "kbytes_per_s": round(crowd.bytes / seconds / 1024),
            "scan_hz": health["scan_hz"],
            "scan_late_p50_ms": health["scan_lateness_p50_ms"],
            "scan_late_p99_ms": health["scan_lateness_p99_ms"],
            "page_memory_mb": _memory_mb(_page_process(process.pid)),
        }
        for task in crowd.tasks:
            task.cancel()
        await asyncio.gather(*crowd.tasks, return_exceptions=True)
        return figures


@asynccontextmanager
async def _demonstration() -> AsyncIterator[tuple[str, int, asyncio.subprocess.Process]]:
    """Run `boardctl demo --autoplay` on a free port."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "boardctl", "demo", "--autoplay", "--port", "0", "--seed", "1"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None  # noqa: S101  asked for above; for the type checker
        url = (await process.stdout.readline()).decode().strip()
        if not url.startswith("http://"):
            raise BoardctlError("the demonstration does not start; try 'boardctl demo'")
        host, _, port = url.removeprefix("http://").rstrip("/").partition(":")
        yield host, int(port), process
    finally:
        process.send_signal(signal.SIGINT)
        await process.wait()


async def _watch(host: str, port: int, crowd: _Crowd) -> None:
    """Follow the table as a page does, until cancelled."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET /api/events?leds=1 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    try:
        while data := await reader.read(65536):
            crowd.bytes += len(data)
            crowd.events += data.count(b"data: ")
        crowd.lost += 1
    except ConnectionError:
        crowd.lost += 1
    finally:
        writer.close()


async def _health(host: str, port: int) -> dict[str, Any]:
    """Return the board process's own figures."""
    reader, writer = await asyncio.open_connection(host, port)
    head = f"GET /api/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    answer = await reader.read()
    writer.close()
    figures: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return figures


def _page_process(demonstration: int) -> int:
    """Return the process id of the page that a demonstration has started."""
    children = Path(f"/proc/{demonstration}/task/{demonstration}/children")
    for child in children.read_text(encoding="ascii").split():
        if b"boardctl.web" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    raise BoardctlError("the demonstration has no page")


def _memory_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


def _lines(report: dict[str, Any]) -> list[str]:
    """Return the report for a person."""
    conditions = report["conditions"]
    load = conditions["load"][0]
    lines = [
        (
            f"{conditions['machine']}, {conditions['processors']} processors, Python "
            f"{conditions['python']}, {conditions['seconds']:g} s each, load {load}"
        ),
        (
            f"{'spectators':>10} {'late p50':>9} {'late p99':>9} {'scans/s':>8} {'events/s':>9} "
            f"{'kB/s':>7} {'lost':>5} {'page MB':>8}"
        ),
    ]
    lines += [
        f"{row['spectators']:10} {row['scan_late_p50_ms']:6.1f} ms {row['scan_late_p99_ms']:6.1f} "
        f"ms {row['scan_hz']:8.1f} {row['events_per_s']:9} {row['kbytes_per_s']:7} "
        f"{row['lost']:5} {row['page_memory_mb']:8.1f}"
        for row in (report["alone"], report["crowd"])
    ]
    growth, memory = report["lateness_growth_ms"], report["crowd"]["page_memory_mb"]
    kept = growth < MOST_GROWTH_MS and memory < MOST_MEMORY_MB and not report["crowd"]["lost"]
    lines.append(
        f"p99 grows by {growth:.1f} ms (allowed: {MOST_GROWTH_MS:g}), the page takes "
        f"{memory:.0f} MB (allowed: {MOST_MEMORY_MB:g}): {'kept' if kept else 'NOT KEPT'}"
    )
    return lines
