"""Power cuts at random moments; `make test-crash` makes a thousand of them."""

from __future__ import annotations

import pytest

from tests.crash.drill import run


def test_ten_power_cuts_lose_and_invent_nothing() -> None:
    totals = run(10, seed=1)
    assert totals["cuts"] == 10
    assert totals["checked"] >= 5


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_power_cuts_lose_and_invent_nothing() -> None:
    assert run(50, seed=100)["cuts"] == 50
