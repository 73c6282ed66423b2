from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from boardctl.cli.bench_web import _lines, web
from boardctl.errors import BadRequestError
from tests.support.chromium import ROOT


@pytest.mark.parametrize(("spectators", "seconds"), [(0, 5.0), (5, 0.5), (-1, 5.0)])
def test_senseless_numbers_are_refused(spectators: int, seconds: float) -> None:
    with pytest.raises(BadRequestError):
        web(spectators, seconds)


@pytest.mark.parametrize(
    ("growth_ms", "memory_mb", "lost", "verdict"),
    [(1.0, 40.0, 0, "kept"), (6.0, 40.0, 0, "NOT KEPT"), (1.0, 130.0, 0, "NOT KEPT"),
     (1.0, 40.0, 1, "NOT KEPT")],
)  # fmt: skip
def test_the_report_says_whether_the_goals_are_kept(
    growth_ms: float, memory_mb: float, lost: int, verdict: str
) -> None:
    row = {
        "spectators": 5, "lost": lost, "events_per_s": 1, "kbytes_per_s": 1, "scan_hz": 200.0,
        "scan_late_p50_ms": 0.1, "scan_late_p99_ms": 1.0, "page_memory_mb": memory_mb,
    }  # fmt: skip
    report = {
        "conditions": {
            "machine": "x", "processors": 2, "python": "3", "seconds": 5.0, "load": [0.1],
        },
        "alone": row, "crowd": row, "lateness_growth_ms": growth_ms,
    }  # fmt: skip
    assert _lines(report)[-1].endswith(f": {verdict}")


@pytest.mark.slow
def test_a_small_crowd_costs_the_table_nothing() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "boardctl", "bench", "web", "--spectators", "20", "--seconds", "4",
         "--json"],
        capture_output=True, text=True, check=True, cwd=ROOT, env=dict(os.environ), timeout=90,
    )  # fmt: skip
    report = json.loads(answer.stdout)
    assert report["crowd"]["spectators"] == 20
    assert report["crowd"]["lost"] == 0
    assert report["crowd"]["events_per_s"] > 20
    assert report["crowd"]["page_memory_mb"] < 120
