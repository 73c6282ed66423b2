"""Send requests made from the served OpenAPI document to a demonstration, with and without token.

Run from the project's root: make test-api (half of MINUTES=10 each), or
python scripts/fuzz_api.py --minutes 10 --schemathesis .venv-api/bin/schemathesis

Without the token nothing may change; /api/sim, which needs none, is left to the other half. The
event stream never ends, so it is left out of both.
"""

# ruff: noqa: INP001  a script, no package
from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.chromium import TOKEN, Demo, demonstration

CHECKS: Final = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance,response_headers_conformance"
)
FAILED: Final = 500
STEADY: Final = (
    *("game", "moves", "position", "side", "variant", "options", "reading", "settings", "work"),
)
"""What only commands change in a game that nobody touches."""


def main() -> int:
    """Run both halves; return the exit code."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=10.0, help="in all")
    arguments.add_argument("--schemathesis", default="schemathesis", help="the program")
    given = arguments.parse_args()
    half_s = max(1, round(given.minutes * 30))
    good = True
    with demonstration("--seed", "1") as demo:
        demo.fresh("market")
        before = steady(demo)
        without = ("--exclude-path", "/api/sim", "--generation-with-security-parameters", "false")
        good &= run(given.schemathesis, demo, half_s, *without)
        after = steady(demo)
        changed = [key for key in before if before[key] != after[key]]
        print(f"changed without token: {', '.join(changed) or 'nothing'}")  # noqa: T201  a script
        good &= not changed
        header = ("--header", f"Authorization: Bearer {TOKEN}")
        good &= run(given.schemathesis, demo, half_s, *header)
        healthy = demo.get("api/health")
        print(f"afterwards: {healthy['scan_hz']} scans/s, {healthy['scans_skipped']} skipped")  # noqa: T201
    return 0 if good else 1


def steady(demo: Demo) -> dict[str, Any]:
    """Return what must stay as it is."""
    state = demo.state
    return {**{key: state[key] for key in STEADY}, "noise": demo.get("api/sim")}


def run(program: str, demo: Demo, length_s: int, *options: str) -> bool:
    """Let *program* send requests for so long; tell the answers, return whether all was well."""
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events.ndjson"
        command = [
            *(program, "run", f"{demo.url}api/openapi.json", "--url", demo.url.rstrip("/")),
            *("--checks", CHECKS, "--max-time", str(length_s), "--max-examples", "100000"),
            *("--exclude-path", "/api/events", "--continue-on-failure", "--no-color"),
            *("--report-ndjson-path", str(events), "--request-timeout", "20"),
            *("--generation-database", "none", *options),
        ]
        code = subprocess.run(command, check=False).returncode  # noqa: S603  named by the caller
        answers = statuses(events)
    total = sum(answers.values())
    told = ", ".join(f"{status}: {count}" for status, count in sorted(answers.items()))
    print(f"{total} answers: {told}")  # noqa: T201  a script
    return code == 0 and total > 0 and not any(status >= FAILED for status in answers)


def statuses(events: Path) -> Counter[int]:
    """Count the answers by their status."""
    found: Counter[int] = Counter()
    for line in events.read_text(encoding="utf-8").splitlines():
        collect(json.loads(line), found)
    return found


def collect(value: Any, found: Counter[int]) -> None:
    """Count every `status_code` below *value*."""
    if isinstance(value, dict):
        if isinstance(value.get("status_code"), int):
            found[value["status_code"]] += 1
        for inner in value.values():
            collect(inner, found)
    elif isinstance(value, list):
        for inner in value:
            collect(inner, found)


if __name__ == "__main__":
    sys.exit(main())
