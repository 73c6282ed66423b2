"""Weeks without care: nothing grows, nothing leaks, the archive keeps its size."""

from __future__ import annotations

import gc
import os
import random
import tempfile
from pathlib import Path

import pytest

from boardctl.app import open_devices, table
from boardctl.archive import Store, open_database
from boardctl.config import parse
from boardctl.core.occupancy import Instant
from boardctl.simulate.autoplay import Autoplay
from engine import load_variant
from hardware.cells import CellSet
from hardware.mock.effects import SCENARIOS

HOUR_S = 3600.0
MAX_MB = 1


def memory_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def soak(hours: float, *, warm_up: float, folder: Path) -> dict[str, float]:
    """Let simulated players play for so long by the loop's clock; measure from the warm-up on."""
    environ = {
        "BOARDCTL_SWITCHES__DRIVER": "simulated",
        "BOARDCTL_SWITCHES__SCAN_HZ": "20",
        "BOARDCTL_LEDS__DRIVER": "simulated",
        "BOARDCTL_LEDS__FPS": "5",
        "BOARDCTL_ARCHIVE__MAX_MB": str(MAX_MB),
        "BOARDCTL_RUN__STATE_DIR": str(folder),
        "BOARDCTL_RUN__SOCKET": str(folder / "link"),
    }
    loaded = parse("", None, environ)
    devices = open_devices(loaded.config)
    assert devices.hands is not None
    devices.hands.board.set(CellSet(int(load_variant("market").start.occupied)))
    players = Autoplay(devices.hands.board, random.Random(1), SCENARIOS["S0"])
    devices.players = players.step
    now = Instant(0.0)
    before: tuple[float, int] | None = None
    with table(loaded, devices, now, environ={}, rng=random.Random(1)) as ready:
        while now < hours * HOUR_S:
            now = ready.loop.turn(now)
            if before is None and now >= warm_up * HOUR_S:
                before = (memory_mb(), descriptors())
        assert before is not None
        counts = ready.loop.tally.counts
        found = {
            "grown_mb": memory_mb() - before[0],
            "descriptors": descriptors() - before[1],
            "games": counts["game_over"],
            "plies": counts["ply_final"],
        }
    found["archive_mb"] = (folder / "games.db").stat().st_size / 2**20
    store = Store(open_database(folder / "games.db"))
    found["kept"] = len(list(store.all_games()))
    store.database.close()
    return found


@pytest.mark.parametrize(
    ("hours", "warm_up"),
    [
        pytest.param(0.25, 0.1, id="a quarter of an hour"),
        pytest.param(24.0, 4.0, id="a day", marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
    ],
)
def test_a_table_that_is_played_on_grows_by_nothing(hours: float, warm_up: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = soak(hours, warm_up=warm_up, folder=Path(folder))
    assert found["games"] >= int(hours), found
    assert found["plies"] > 40 * hours, found
    assert found["grown_mb"] < 1.0, found
    assert found["descriptors"] == 0, found
    assert found["archive_mb"] < 1.2 * MAX_MB, found
    assert found["kept"] > 0, found
