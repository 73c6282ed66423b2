"""The shipped units and the install script on a real kernel under systemd.

User-Mode Linux boots Debian 12 once; inside, `guest/checks.py` installs the project's own wheel by
`systemd/install.sh`, plays on a bus made of software and on the kernel's i2c-stub, breaks things
and puts the project away again. Each of its checks is a test here.

`BOARDCTL_MACHINE_SUITES="bookworm trixie"` boots Debian 13 as well.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine import image, uml
from tests.machine.guest.checks import NAMES
from tests.support.tools import need

pytestmark = [pytest.mark.machine, pytest.mark.timeout(2400)]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SUITES = os.environ.get("BOARDCTL_MACHINE_SUITES", "bookworm").split()
LONGEST_S = 1800
PAYLOAD_MB = 96


@functools.cache
def console(suite: str) -> str:
    """Boot *suite* once, and return everything its console showed."""
    for tool in ("linux.uml", "mmdebstrap", "mke2fs", "unshare"):
        need(tool, f"/sbin/{tool}")
    if os.getuid() != 0:
        pytest.skip("needs root to lay out a Debian root file system")
    folder = image.cache() / f"payload-{suite}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        HERE, folder / "tests" / "machine", ignore=shutil.ignore_patterns("__pycache__")
    )
    (folder / "guest").symlink_to("tests/machine/guest")
    bundle = [str(ROOT / "scripts" / "bundle.sh"), "--out", str(folder / "bundle")]
    subprocess.run(
        [*bundle, "--machine", "x86_64", "--python", image.PYTHON_OF[suite]],
        check=True,
        env=os.environ | {"PYTHON": sys.executable},
    )
    payload = image.cache() / f"payload-{suite}.ext4"
    image.make_disk(folder, payload, PAYLOAD_MB)
    log = image.cache() / f"console-{suite}.log"
    return uml.boot(image.base_image(suite), payload, log, timeout_s=LONGEST_S)


@pytest.mark.parametrize("suite", SUITES)
def test_the_checks_ran_to_their_end(suite: str) -> None:
    shown = console(suite)

    print(shown)  # noqa: T201  pytest shows it when the run was cut off
    assert "-- all checks done" in shown


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("name", NAMES)
def test_on_a_booted_system(name: str, suite: str) -> None:
    shown = console(suite)

    failed = re.search(rf"^FAIL {re.escape(name)}:.*(?:\n    .*)*", shown, re.MULTILINE)
    assert failed is None, failed and failed[0]
    assert re.search(rf"^ok {re.escape(name)} \(", shown, re.MULTILINE), "the check did not run"
