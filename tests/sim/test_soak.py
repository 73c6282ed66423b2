"""Weeks without care: nothing grows, nothing leaks, the archive keeps its size."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sim.soak import MAX_MB

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("hours", "warm_up", "options"),
    [
        pytest.param(0.25, 0.1, ("--scan-hz", "20", "--fps", "5"), id="a quarter of an hour"),
        pytest.param(24.0, 4.0, (), id="a day", marks=[pytest.mark.long]),
    ],
)
def test_a_table_that_is_played_on_grows_by_nothing(
    hours: float, warm_up: float, options: tuple[str, ...]
) -> None:
    times = ("--hours", str(hours), "--warm-up", str(warm_up))
    command = [sys.executable, "-m", "tests.sim.soak", *times, *options]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    found = json.loads(done.stdout)
    print(found)  # noqa: T201  pytest -rP shows the figures
    memory_mb = list(found["memory_mb"].values())
    assert found["games"] >= int(hours), found
    assert found["plies"] > 40 * hours, found
    assert len(memory_mb) > 1, found
    assert memory_mb[-1] - memory_mb[0] < 1.0, found
    assert found["descriptors"] == 0, found
    assert found["archive_mb"] < 1.2 * MAX_MB, found
    assert found["log_mb"] < 1.5, found
    assert found["kept"] > 0, found
