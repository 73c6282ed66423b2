"""What is checked inside the booted system, one line each on the console: `ok NAME`, `FAIL NAME`.

The order matters: each check leaves the table as the next one expects it.
"""

# ruff: noqa: T201  the console is the report, and real time passes here
from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

# Importing registers the checks; the order of the names is the order of the checks.
from tests.machine.guest import (
    checks_1_install,
    checks_2_play,
    checks_3_upgrade,
)
from tests.machine.guest.harness import CHECKS, run

PARTS = (checks_1_install, checks_2_play, checks_3_upgrade)
NAMES = [name for name, _ in CHECKS]


def stay_inside() -> None:
    """End at once anywhere but in the emulated machine: the checks install and delete as root."""
    if "User Mode Linux" not in Path("/proc/cpuinfo").read_text():
        os._exit(1)


def main() -> None:
    """Run every check in order, the later ones even after a failure."""
    started = time.monotonic()
    kernel, python = os.uname().release, sys.version.split()[0]
    print(f"-- Linux {kernel}, Python {python}, {run('systemctl', '--version').splitlines()[0]}")
    for name, function in CHECKS:
        stay_inside()
        start = time.monotonic()
        try:
            function()
        except Exception as error:  # noqa: BLE001  whatever goes wrong is the check's failure
            print(
                f"FAIL {name}: {type(error).__name__}: {str(error)[-3000:]}".replace("\n", "\n    ")
            )
        else:
            print(f"ok {name} ({time.monotonic() - start:.1f} s)")
    print(f"-- all checks done in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
