"""One demonstration and one browser for all browser tests of a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import Demo, chromium, demonstration

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def demo() -> Iterator[Demo]:
    with demonstration("--seed", "1") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails at a demonstration shows what was asked of the table and what it says."""
    report = yield
    demo = getattr(item, "funcargs", {}).get("demo")
    if report.failed and isinstance(demo, Demo):
        report.sections.append(("the table", demo.told()))
    return report
