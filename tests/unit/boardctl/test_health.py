from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from boardctl.core.effects import Clear, GameAbandoned, PlyRetracted
from boardctl.core.occupancy import Instant
from boardctl.health import Lateness, MachineFiles, Scans, Tally, machine

if TYPE_CHECKING:
    from pathlib import Path


def test_percentiles_of_lateness_are_within_a_tenth_of_a_millisecond() -> None:
    lateness = Lateness()
    for number in range(1000):
        lateness.add(number * 1e-5, Instant(number / 200))
    assert lateness.percentile(0.5) == pytest.approx(0.005, abs=1e-4)
    assert lateness.percentile(0.99) == pytest.approx(0.0099, abs=1e-4)


def test_what_is_later_than_100_ms_counts_as_that() -> None:
    lateness = Lateness()
    lateness.add(3.0, Instant(0.0))
    assert lateness.percentile(0.5) == pytest.approx(0.1, abs=2e-4)


def test_old_lateness_is_forgotten_within_a_minute() -> None:
    lateness = Lateness()
    lateness.add(0.05, Instant(0.0))
    for second in range(70):
        lateness.add(0.001, Instant(second))
    assert lateness.percentile(1.0) < 0.002


def test_without_scans_there_is_no_lateness() -> None:
    assert Lateness().percentile(0.99) == 0.0


def test_the_rate_is_that_of_the_last_measure() -> None:
    scans = Scans()
    scans.measure(Instant(0.0))
    scans.count = 200
    scans.measure(Instant(1.0))
    assert scans.hz == 200
    scans.count = 250
    scans.measure(Instant(1.5))
    assert scans.hz == 100


def test_effects_are_counted_by_their_name() -> None:
    tally = Tally()
    tally.note([Clear(), PlyRetracted(3), PlyRetracted(2), GameAbandoned(1)])
    assert tally.counts == {"clear": 1, "ply_retracted": 2, "game_abandoned": 1}


def test_a_pis_temperature_and_voltage_are_read(tmp_path: Path) -> None:
    (tmp_path / "temp").write_text("48312\n")
    (tmp_path / "throttled").write_text("50001\n")
    (tmp_path / "memory").write_text("30000 10240 4000 1 0 9000 0\n")
    found = machine(MachineFiles(tmp_path / "temp", tmp_path / "throttled", tmp_path / "memory"))
    assert found["temperature_c"] == pytest.approx(48.312)
    assert found["undervoltage"] is True
    assert found["undervoltage_since_boot"] is True
    assert found["memory_mb"] == 40.0
    (tmp_path / "throttled").write_text("50000\n")
    again = machine(MachineFiles(throttled=tmp_path / "throttled"))
    assert (again["undervoltage"], again["undervoltage_since_boot"]) == (False, True)


def test_what_a_machine_does_not_tell_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "rubbish").write_text("rubbish")
    files = MachineFiles(tmp_path / "none", tmp_path / "rubbish", tmp_path / "rubbish")
    assert set(machine(files)) == {"cpu_s"}
