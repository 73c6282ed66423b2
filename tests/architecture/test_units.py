"""The shipped systemd units are valid and as closed as they claim."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.tools import need

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
INSTALLED = "/opt/boardctl/current/bin/"
WORST_EXPOSURE = {"boardctl.service": 1.0, "boardctl-web.service": 1.5}


def settings(unit: str) -> dict[str, list[str]]:
    """Return the values of each directive of *unit*, in order."""
    found: dict[str, list[str]] = {}
    for line in (SYSTEMD / unit).read_text().splitlines():
        key, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


@pytest.mark.parametrize("unit", WORST_EXPOSURE)
def test_systemd_finds_nothing_wrong_with(unit: str, tmp_path: Path) -> None:
    analyze = need("systemd-analyze")
    # `verify` wants the programs to exist: stand-ins take the place of the installed ones.
    for name in ("boardctl", "python"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    for each in WORST_EXPOSURE:
        text = (SYSTEMD / each).read_text().replace(INSTALLED, f"{tmp_path}/")
        (tmp_path / each).write_text(text)

    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("unit", "worst"), WORST_EXPOSURE.items())
def test_exposure_stays_low(unit: str, worst: float) -> None:
    analyze = need("systemd-analyze")

    done = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", str(SYSTEMD / unit)],
        capture_output=True,
        text=True,
        check=True,
    )

    score = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert score is not None, done.stdout
    assert float(score[1]) <= worst


def test_the_board_has_no_network() -> None:
    board = settings("boardctl.service")

    assert board["PrivateNetwork"] == ["yes"]
    assert board["IPAddressDeny"] == ["any"]
    assert board["RestrictAddressFamilies"] == ["AF_UNIX"]


def test_the_board_sees_its_devices_and_no_others() -> None:
    board = settings("boardctl.service")

    assert "PrivateDevices" not in board  # would hide the bus
    assert board["DevicePolicy"] == ["closed"]
    assert {"char-i2c rw", "char-spi rw", "char-gpiochip rw"} <= set(board["DeviceAllow"])


def test_a_wrong_configuration_is_not_tried_again_and_all_else_is() -> None:
    for unit in WORST_EXPOSURE:
        service = settings(unit)
        assert service["Restart"] == ["always"]
        assert service["RestartPreventExitStatus"] == ["78"]
        assert service["StartLimitIntervalSec"] == ["0"]


def test_either_unit_is_restarted_without_the_other() -> None:
    binding = {"Requires", "Requisite", "BindsTo", "PartOf", "Upholds"}

    for unit in WORST_EXPOSURE:
        assert not binding & settings(unit).keys()


def test_the_lights_are_darkened_when_the_board_stops_or_dies() -> None:
    (command,) = settings("boardctl.service")["ExecStopPost"]

    assert command == f"-{INSTALLED}boardctl lights-off --config /etc/boardctl/boardctl.toml"
