"""Settings of the whole suite; helpers live in tests/support and are imported by name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator

# The machine that runs the tests may be busy: a slow example is no failure.
settings.register_profile(
    "boardctl", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("boardctl")

ALLOWED_SKIPS = ("BOARDCTL_REAL", "compiler", "compiled", "immutable")
"""Skips that are right on any machine: real hardware, and what the slow suites cover."""


FEWEST_WORKERS = 4
"""Browsers, child processes and power cuts take real time: on two cores four tests at once."""


@pytest.hookimpl(optionalhook=True)  # the suite also runs without xdist
def pytest_xdist_auto_num_workers() -> int:
    """Answer `-n auto`."""
    return max(FEWEST_WORKERS, os.cpu_count() or 1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With BOARDCTL_NO_SKIP=1 a check that could not run is a failure, not a skip."""
    report = yield
    if (
        os.environ.get("BOARDCTL_NO_SKIP") == "1"
        and report.skipped
        and isinstance(report.longrepr, tuple)
    ):
        reason = report.longrepr[2]
        if not any(word in reason for word in ALLOWED_SKIPS):
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid} was skipped, which CI does not allow: {reason}"
    return report
