"""The soak: a table that is played on for a day of its own time, in well under an hour.

    python -m tests.sim.soak --hours 24 --warm-up 4

Two simulated players use the simulated board; the loop's clock is advanced from turn to turn, so
nothing waits. All else is the daemon: switches at register level, recogniser, session, lights,
archive on disk. 50 scans and 15 pictures a second unless said otherwise: at the table's own 200 and
30 the model of the chips, which the table does not have, takes most of the time. A process of its
own, since pytest keeps every log line of a test in memory.

Memory is what the kernel counts (resident pages), taken between two games: a game that is being
played holds all its positions. Counting begins after a warm-up. Until then the program fills its
tables (a ply for each of the 1296 ways of a piece, made once), SQLite its page cache, and the
allocators find out how much the longest game and the busiest moment need.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from boardctl.app import open_devices, table
from boardctl.archive import Store, open_database
from boardctl.config import parse
from boardctl.core.occupancy import Instant
from boardctl.simulate.autoplay import Autoplay
from engine import load_variant
from hardware.cells import CellSet
from hardware.mock.effects import SCENARIOS
from tests.support.archives import all_games

HOUR_S = 3600.0
MAX_MB = 1
"""The archive's stated size: small, so that a day's games reach it."""

SAMPLES = 20


def memory_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGESIZE") / 2**20, 2)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def configuration(folder: Path, scan_hz: int, fps: int) -> Any:
    environ = {
        "BOARDCTL_SWITCHES__DRIVER": "simulated",
        "BOARDCTL_SWITCHES__SCAN_HZ": str(scan_hz),
        "BOARDCTL_LEDS__DRIVER": "simulated",
        "BOARDCTL_LEDS__FPS": str(fps),
        "BOARDCTL_ARCHIVE__MAX_MB": str(MAX_MB),
        "BOARDCTL_RUN__STATE_DIR": str(folder),
        "BOARDCTL_RUN__SOCKET": str(folder / "link"),
    }
    return parse("", None, environ)


def soak(
    hours: float, *, warm_up: float, scan_hz: int, fps: int, folder: Path, show: bool = False
) -> dict[str, Any]:
    """Play for so many hours by the loop's clock; return what was counted from the warm-up on."""
    loaded = configuration(folder, scan_hz, fps)
    devices = open_devices(loaded.config)
    assert devices.hands is not None
    devices.hands.board.set(CellSet(int(load_variant(loaded.config.table.variant).start.occupied)))
    rng = random.Random(1)
    devices.players = Autoplay(devices.hands.board, rng, SCENARIOS["S0"]).step
    now = Instant(0.0)
    due_h, open_before, log_mb = warm_up, 0, 0.0
    memory: dict[float, float] = {}
    with table(loaded, devices, now, environ={}, rng=rng) as ready:
        # As `boardctl.daemon` does before its loop.
        gc.collect()
        gc.freeze()
        while due_h <= hours:
            now = ready.loop.turn(now)
            if now >= due_h * HOUR_S and not ready.loop.snapshot.plies:
                memory[round(now / HOUR_S, 2)] = memory_mb()
                open_before = open_before or descriptors()
                log_mb = max(log_mb, (folder / "games.db-wal").stat().st_size / 2**20)
                due_h += (hours - warm_up) / SAMPLES
                if show:
                    sys.stderr.write(f"\r{now / HOUR_S:.1f} of {hours:g} h")
        counts = ready.loop.tally.counts
        found = {
            "memory_mb": memory,
            "descriptors": descriptors() - open_before,
            "log_mb": round(log_mb, 2),
            "games": counts["game_over"],
            "plies": counts["ply_final"],
            "scans": ready.loop.scans.count,
            "pictures": ready.loop.health(now)["pictures"],
        }
    return found | archive_counts(folder)


def archive_counts(folder: Path) -> dict[str, Any]:
    size_mb = (folder / "games.db").stat().st_size / 2**20
    store = Store(open_database(folder / "games.db"))
    kept = len(all_games(store))
    store.database.close()
    return {"archive_mb": round(size_mb, 2), "kept": kept}


def main() -> None:
    """Run the soak from the command line; print one JSON object."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--hours", type=float, default=24.0)
    arguments.add_argument("--warm-up", type=float, default=4.0)
    arguments.add_argument("--scan-hz", type=int, default=50)
    arguments.add_argument("--fps", type=int, default=15)
    given = arguments.parse_args()
    logging.basicConfig(filename=os.devnull)
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        found = soak(
            given.hours,
            warm_up=given.warm_up,
            scan_hz=given.scan_hz,
            fps=given.fps,
            folder=Path(folder),
            show=sys.stderr.isatty(),
        )
    took_s = round(time.process_time() - begun)
    sys.stdout.write(json.dumps({"hours": given.hours, "processor_s": took_s, **found}) + "\n")


if __name__ == "__main__":
    main()
