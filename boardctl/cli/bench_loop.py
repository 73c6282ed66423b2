"""`boardctl bench loop`: what the board process costs, with the bus left out.

Four measurements, each of the true code:

* `cpu`: the loop in this process, in real time at 200 scans a second, a scene at 30 pictures a
  second and an observer (a process of its own) that reads them; the scanner is a stub that
  returns a frame, so that neither the bus nor its model counts. `idle`: nobody touches the
  board. `busy`: a recorded game of the festival scenario passes over the switches as it was
  played.
* `step`: the recorded game and more like it, one scan after the other without a wait: the processor
  time of a scan's debouncing and of the session's step, where nothing changes and where something
  does.
* `start`: `boardctl run` as a process on the simulated board, from its start to READY=1, which is
  sent after the first scan.
* `memory`: of that process after some seconds of scanning.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import statistics
import time
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from boardctl.loop import Loop
    from boardctl.simulate.recording import Recording
    from hardware.cells import Frame
    from hardware.cells import Instant as HardwareInstant

_SCENARIO = "S3"
_GAMES = 20
"""A game has about ninety changes, too few to know the slowest of a hundred."""

LIMITS = {
    "cpu_percent": 3.0,
    "step_unchanged_us": 20.0,
    "step_changed_p99_ms": 1.0,
    "start_s": 1.0,
    "memory_mb": 60.0,
}
"""What the daemon promises on the reference machine (docs/benchmarks.md)."""


def register(bench: typer.Typer) -> None:
    """Add the command to the group of benchmarks."""
    bench.command("loop")(loop)


def loop(
    seconds: Annotated[float, typer.Option(min=1, help="How long each part is watched.")] = 10.0,
    variant: Annotated[str, typer.Option(help="The game.")] = "market",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measure the board process: processor time, time of a step, start, memory.

    Example: boardctl bench loop --seconds 20 --json
    """
    from boardctl.simulate.recording import record  # noqa: PLC0415  the command's own

    recording = record(variant, _SCENARIO, 1)
    started = _process(variant, seconds)
    found: dict[str, Any] = {
        "cpu_percent": {
            "idle": _cpu(recording, seconds, moving=False),
            "busy": _cpu(recording, seconds, moving=True),
        },
        "step": _steps(variant),
        **started,
    }
    conditions = {"scan_hz": 200, "pictures_hz": 30, "scenario": _SCENARIO, **_machine()}
    if as_json:
        typer.echo(json.dumps({"conditions": conditions, "limits": LIMITS, **found}))
        return
    for line in _lines(found, conditions):
        typer.echo(line)


def _machine() -> dict[str, object]:
    import os  # noqa: PLC0415  only here
    import platform  # noqa: PLC0415

    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "load": [round(value, 2) for value in os.getloadavg()],
    }


def _lines(found: Mapping[str, Any], conditions: Mapping[str, Any]) -> Iterator[str]:
    most = {name: f"(at most {limit:g})" for name, limit in LIMITS.items()}
    yield ", ".join(f"{name} {value}" for name, value in conditions.items())
    yield ""
    for name, value in found["cpu_percent"].items():
        yield f"processor, {name:5}    {value:8.2f} % of one core {most['cpu_percent']}"
    step = found["step"]
    yield f"scan, no change    {step['unchanged_us']:8.1f} us median {most['step_unchanged_us']}"
    yield (
        f"scan, change       {step['changed_p50_ms']:8.3f} ms median, {step['changed_p99_ms']:.3f} "
        f"ms 99 % of {step['changes']} {most['step_changed_p99_ms']}"
    )
    yield f"start              {found['start_s']:8.2f} s to the first scan {most['start_s']}"
    yield f"memory             {found['memory_mb']:8.1f} MB {most['memory_mb']}"


# --- the loop in this process --------------------------------------------------------------------


class _StubScanner:
    """Returns what a recorded board showed at the loop's time, and costs next to nothing."""

    def __init__(self, recording: Recording, *, moving: bool) -> None:
        self._frames = recording.frames
        self._moving = moving
        self._next = 0
        self._began: float | None = None
        self.faults = ()
        self.retries = self.losses = 0
        self.errors: Counter[str] = Counter()

    def scan(self, now: HardwareInstant) -> Frame:
        """Return the frame of the recording that stands at *now*."""
        if self._began is None:
            self._began = now
        at = now - self._began
        if self._moving:
            while self._next + 1 < len(self._frames) and self._frames[self._next + 1].at <= at:
                self._next += 1
        return self._frames[self._next].frame

    def close(self) -> None:
        """Nothing is open."""


def _cpu(recording: Recording, seconds: float, *, moving: bool) -> float:
    """Return the processor time of the loop, in percent of one core."""
    import tempfile  # noqa: PLC0415  only here
    from pathlib import Path  # noqa: PLC0415

    from boardctl.pace import now, run  # noqa: PLC0415  the loop is what is measured

    with tempfile.TemporaryDirectory() as folder, _loop(Path(folder), recording, moving) as made:
        run(made, _until(now() + 1.0))  # the first second loads and warms up
        begun = time.process_time(), now()
        run(made, _until(now() + seconds))
        return 100.0 * (time.process_time() - begun[0]) / (now() - begun[1])


def _until(end: float) -> Any:
    from boardctl.pace import now  # noqa: PLC0415  as above

    return lambda: now() >= end


@contextlib.contextmanager
def _loop(folder: Path, recording: Recording, moving: bool) -> Iterator[Loop]:
    """Put a loop together as the daemon does, but for scanner, strip and archive's disk."""
    import random  # noqa: PLC0415  only here

    from boardctl.app import dimmer, session_settings  # noqa: PLC0415
    from boardctl.archive import Archive, Keeper, Limits  # noqa: PLC0415
    from boardctl.config import Config  # noqa: PLC0415
    from boardctl.core.session import Session  # noqa: PLC0415
    from boardctl.lights import Lights  # noqa: PLC0415
    from boardctl.link.server import LinkServer  # noqa: PLC0415
    from boardctl.loop import Loop  # noqa: PLC0415
    from boardctl.notify import Notifier  # noqa: PLC0415
    from boardctl.pace import now  # noqa: PLC0415
    from boardctl.parts import Parts  # noqa: PLC0415
    from hardware.debounce import Debouncer  # noqa: PLC0415
    from hardware.strip import NoStrip  # noqa: PLC0415

    config = Config()
    limits = Limits(backup_dir=None, backups=1, max_bytes=1e9)
    keeper = Keeper(folder / "games.db", limits, table_name="bench", version="bench")
    keeper.open()
    archive = Archive(keeper)
    archive.start()
    link = LinkServer(folder / "link")
    rng = random.Random(1)  # noqa: S311  nothing is drawn
    start = recording.start
    parts = Parts(
        scanner=_StubScanner(recording, moving=moving),
        debouncer=Debouncer(),
        lights=Lights(NoStrip(), lambda level: dimmer(config.leds, level), brightness=0.5, fps=30),
        session_for=lambda _, at: Session(session_settings(config), at, rng, game=start),
        recorder=archive,
        link=link,
        notifier=Notifier({}),
        scan_hz=200.0,
        variant=recording.variant,
    )
    with contextlib.closing(link), contextlib.closing(archive), _observer(folder / "link"):
        yield Loop(parts, now())


_OBSERVER = """
import socket, sys
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    while sock.recv(65536):
        pass
"""


@contextlib.contextmanager
def _observer(path: Path) -> Iterator[None]:
    """Have somebody on the link who reads all he is told, as the page's process does."""
    import subprocess  # noqa: PLC0415  only here
    import sys  # noqa: PLC0415

    reader = subprocess.Popen([sys.executable, "-c", _OBSERVER, str(path)])  # noqa: S603  our own
    try:
        yield
    finally:
        reader.terminate()
        reader.wait()


# --- single steps --------------------------------------------------------------------------------


def _steps(variant: str) -> dict[str, float]:
    """Return the time of a scan that changes nothing, and of one that changes something."""
    import gc  # noqa: PLC0415  only here

    from boardctl.simulate.recording import record  # noqa: PLC0415

    recordings = [record(variant, _SCENARIO, seed) for seed in range(1, _GAMES + 1)]
    unchanged: list[float] = []
    changed: list[float] = []
    # As the daemon does: what lives as long as the process is not looked at again and again.
    gc.collect()
    gc.freeze()
    try:
        for recording in recordings:
            for took, seen in _times(recording):
                (changed if seen else unchanged).append(took)
    finally:
        gc.unfreeze()
    return {
        "unchanged_us": 1e6 * statistics.median(unchanged),
        "unchanged_mean_us": 1e6 * statistics.fmean(unchanged),
        "changed_p50_ms": 1e3 * statistics.median(changed),
        "changed_p99_ms": 1e3 * statistics.quantiles(changed, n=100)[98],
        "changes": len(changed),
    }


def _times(recording: Recording) -> Iterator[tuple[float, bool]]:
    """Yield for each scan of a game the processor time it takes, and whether it changes anything.

    Time is the thread's own: the machine may do other things meanwhile.
    """
    from boardctl.core.events import BoardSeen, Tick  # noqa: PLC0415  only here
    from boardctl.core.occupancy import Instant  # noqa: PLC0415
    from boardctl.loop import occupancy_of  # noqa: PLC0415
    from hardware import cells  # noqa: PLC0415
    from hardware.debounce import Debouncer  # noqa: PLC0415

    session, debouncer = _session(recording), Debouncer()
    frames, scan = iter(recording.frames), recording.frames[0].frame
    upcoming = next(frames, None)
    for number in itertools.count():
        at = number * recording.scan_s
        if at >= recording.end:
            break
        while upcoming is not None and upcoming.at <= at:
            scan, upcoming = upcoming.frame, next(frames, None)
        begun = time.thread_time()
        seen = debouncer.step(scan, cells.Instant(at))
        deadline = session.next_deadline
        now = Instant(at)
        if seen is not None:
            session.handle(BoardSeen(occupancy_of(seen)), now)
        elif deadline is not None and at >= deadline:
            session.handle(Tick(), now)
        yield time.thread_time() - begun, seen is not None


def _session(recording: Recording) -> Any:
    import random  # noqa: PLC0415  only here

    from boardctl.core.occupancy import Instant  # noqa: PLC0415
    from boardctl.core.session import Session  # noqa: PLC0415
    from boardctl.core.settings import SessionSettings  # noqa: PLC0415

    rng = random.Random(1)  # noqa: S311  nothing is drawn
    return Session(SessionSettings(), Instant(0.0), rng, game=recording.start)


# --- the daemon as a process ---------------------------------------------------------------------


def _process(variant: str, seconds: float) -> dict[str, float]:
    """Return how soon `boardctl run` has made its first scan, and its memory after a while."""
    import os  # noqa: PLC0415  only here
    import socket  # noqa: PLC0415
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415
    import tempfile  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    with (
        tempfile.TemporaryDirectory() as name,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
    ):
        folder = Path(name)
        manager.bind(str(folder / "notify"))
        manager.settimeout(60)
        (folder / "boardctl.toml").write_text(
            f'[table]\nvariant = "{variant}"\n[switches]\ndriver = "simulated"\n'
            f'[leds]\ndriver = "simulated"\n'
            f'[run]\nstate_dir = "{folder}"\nsocket = "{folder}/link"\nlog_level = "error"\n',
            encoding="utf-8",
        )
        begun = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603  our own interpreter and module
            [sys.executable, "-m", "boardctl", "run", "--config", str(folder / "boardctl.toml")],
            env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify")},
        )
        try:
            while manager.recv(4096) != b"READY=1":
                pass
            start_s = time.perf_counter() - begun
            memory_mb = _memory_after(folder / "link", seconds)
        finally:
            process.terminate()
            process.wait()
    return {"start_s": start_s, "memory_mb": memory_mb}


def _memory_after(path: Path, seconds: float) -> float:
    from boardctl.link.question import ask  # noqa: PLC0415  only here

    time.sleep(seconds)  # noqa: TID251  another process is watched
    _, health = ask(path, "query", {"query": "health"}, timeout_s=5.0)
    return float(health.get("memory_mb", 0.0))
