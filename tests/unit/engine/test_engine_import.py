"""What importing the rules costs: they are loaded by every command and by small machines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
RUNS = 5
MOST_MS = 30
BUSY = 2.5  # a busy machine is excused, up to so many times what the standard library takes
MOST_MB = 20
NO_BYTE_CODE = "PYTHONDONTWRITEBYTECODE"  # where it is set, every start would compile anew

PROBE = """
import json, sys, time
before = set(sys.modules)
began = time.process_time()
import dataclasses, enum, functools, re, typing
standard = time.process_time() - began
import engine
spent = time.process_time() - began
memory = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024
found = {"ms": spent * 1000, "standard_ms": standard * 1000, "mb": memory}
print(json.dumps(found | {"modules": sorted(set(sys.modules) - before)}))
"""


def probe() -> dict[str, Any]:
    """Import the engine in a fresh process: milliseconds of processor time, MB, new modules."""
    environment = {key: value for key, value in os.environ.items() if key != NO_BYTE_CODE}
    ran = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_import_is_quick_and_small() -> None:
    probe()  # writes the byte code, if that is missing
    found = [probe() for _ in range(RUNS)]
    limit = max(MOST_MS, BUSY * min(each["standard_ms"] for each in found))
    assert min(each["ms"] for each in found) < limit
    assert min(each["mb"] for each in found) < MOST_MB


def test_import_loads_no_more_than_it_needs() -> None:
    heavy = {"tomllib", "difflib", "random", "asyncio", "logging", "socket", "engine.otg"}
    assert not heavy & set(probe()["modules"])
