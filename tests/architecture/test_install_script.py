"""`systemd/install.sh` says what it will do, and in a dry run does nothing.

What it really does is checked on booted systems: tests/machine.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.tools import need

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "systemd" / "install.sh"


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [need("bash"), str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )


def traces() -> dict[str, bool]:
    """Tell which of the places the script writes to exist."""
    return {path: Path(path).exists() for path in ("/opt/boardctl", "/etc/boardctl", *targets())}


def targets() -> list[str]:
    listed = re.search(r"readonly FILES=\((.*?)\n\)", SCRIPT.read_text(), re.DOTALL)
    assert listed is not None
    return [line.split()[1].strip('"') for line in listed[1].split("\n") if line.strip()]


def test_every_shipped_file_is_installed_somewhere() -> None:
    listed = re.search(r"readonly FILES=\((.*?)\n\)", SCRIPT.read_text(), re.DOTALL)
    assert listed is not None
    sources = {line.split()[0].strip('"') for line in listed[1].split("\n") if line.strip()}

    shipped = {
        str(path.relative_to(SCRIPT.parent))
        for path in SCRIPT.parent.rglob("*")
        if path.is_file() and path != SCRIPT
    }

    assert sources == shipped


def test_a_dry_run_tells_the_steps_and_changes_nothing() -> None:
    before = traces()

    done = run_script("--dry-run")

    assert done.returncode == 0, done.stderr
    for word in (
        "python3 -m venv",
        "systemd-sysusers",
        "config init",
        "doctor",
        "systemctl enable",
    ):
        assert word in done.stdout
    for line in done.stdout.splitlines():
        assert not line.startswith("+")
    assert traces() == before


def test_a_dry_run_of_the_removal_keeps_the_archive_and_says_so() -> None:
    done = run_script("--uninstall", "--dry-run")

    assert done.returncode == 0, done.stderr
    assert "kept: /var/lib/boardctl" in done.stdout
    assert not re.search(r"rm -rf? /var/lib/boardctl\b(?!/)", done.stdout.split("== Done")[0])
    for target in targets():
        assert f"rm -f {target}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--frobnicate",), "unknown option '--frobnicate'"),
        (("--wheels",), "--wheels needs a folder"),
    ],
)
def test_a_wrong_option_is_named(arguments: tuple[str, ...], reason: str) -> None:
    done = run_script(*arguments)

    assert done.returncode == 2
    assert reason in done.stderr


def test_a_folder_without_wheels_is_refused_before_anything_happens(tmp_path: Path) -> None:
    done = run_script("--dry-run", "--wheels", str(tmp_path))

    assert done.returncode == 1
    assert "make bundle" in done.stderr
    assert "would run" not in done.stdout


def test_without_root_it_says_what_to_do(tmp_path: Path) -> None:
    id_of_a_user = tmp_path / "id"
    id_of_a_user.write_text("#!/bin/sh\necho 1000\n")
    id_of_a_user.chmod(0o755)

    done = subprocess.run(
        [need("bash"), str(SCRIPT), "--rollback"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )

    assert done.returncode == 1
    assert "sudo" in done.stderr
