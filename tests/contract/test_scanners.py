"""What every Scanner promises; the wooden board itself too with BOARDCTL_REAL=1."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.app import open_devices
from boardctl.config import DEFAULT_FILE, load
from hardware.backends import open_simulation
from hardware.cells import ALL_CELLS, Instant
from hardware.wiring import DIRECT, MATRIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hardware.scanner import Scanner

real = pytest.mark.skipif(
    os.environ.get("BOARDCTL_REAL") != "1", reason="set BOARDCTL_REAL=1 on a Pi with a board"
)


def real_board() -> Scanner:
    """The board of this machine, wired as its configuration says."""
    config = load(Path(os.environ.get("BOARDCTL_CONFIG", DEFAULT_FILE))).config
    return open_devices(config).scanner


def broken() -> Scanner:
    simulation = open_simulation(seed=0)
    simulation.board.bus.stuck = True
    return simulation.scanner


OPENERS: list[object] = [
    pytest.param(lambda: open_simulation(seed=0, wiring=DIRECT).scanner, id="direct"),
    pytest.param(lambda: open_simulation(seed=0, wiring=MATRIX).scanner, id="matrix"),
    pytest.param(broken, id="broken"),
    pytest.param(real_board, id="real", marks=real),
]


@pytest.fixture(params=OPENERS)
def scanner(request: pytest.FixtureRequest) -> Iterator[Scanner]:
    opener: Callable[[], Scanner] = request.param
    opened = opener()
    yield opened
    opened.close()


def test_a_frame_holds_cells_of_the_board_only(scanner: Scanner) -> None:
    for scan in range(200):
        frame = scanner.scan(Instant(scan * 0.005))
        assert frame.closed & ~ALL_CELLS == 0
        assert frame.unknown & ~ALL_CELLS == 0
        assert frame.closed & frame.unknown == 0


def test_cells_are_unknown_exactly_when_a_fault_names_them(scanner: Scanner) -> None:
    for scan in range(200):
        frame = scanner.scan(Instant(scan * 0.005))
        named = 0
        for fault in scanner.faults:
            named |= fault.cells
            assert fault.source
            assert "\n" not in fault.reason
            assert 0 <= fault.since <= scan * 0.005
        assert frame.unknown == named


def test_faults_stand_oldest_first(scanner: Scanner) -> None:
    scanner.scan(Instant(0))
    since = [fault.since for fault in scanner.faults]
    assert since == sorted(since)


def test_closing_twice_is_allowed(scanner: Scanner) -> None:
    scanner.scan(Instant(0))
    scanner.close()
    scanner.close()
