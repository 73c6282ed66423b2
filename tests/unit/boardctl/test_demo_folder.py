from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from boardctl import demo
from boardctl.token import ensure_token, write_token

if TYPE_CHECKING:
    from pathlib import Path

_OTHER = """
import signal
from boardctl import demo
with demo.folder() as where:
    print(where, flush=True)
    signal.pause()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for temporary files of our own, for child processes too."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_what_a_killed_demonstration_leaves_is_cleared_away_by_the_next(temporary: Path) -> None:
    command = [sys.executable, "-c", _OTHER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        theirs = temporary / other.stdout.readline().strip()
        (theirs / "games.db").write_text("kept while it plays")
        with demo.folder() as ours:
            assert (theirs / "games.db").exists()
            assert set(temporary.iterdir()) == {theirs, ours}
        other.send_signal(signal.SIGKILL)
    assert list(temporary.iterdir()) == [theirs]
    with demo.folder() as ours:
        assert list(temporary.iterdir()) == [ours]
    assert list(temporary.iterdir()) == []


def test_what_belongs_to_another_user_is_left_alone(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = temporary / "boardctl-foreign"
    foreign.mkdir()
    (foreign / "in-use").touch()
    monkeypatch.setattr(os, "geteuid", lambda: foreign.stat().st_uid + 1)
    with demo.folder():
        assert (foreign / "in-use").exists()


def test_a_folder_that_is_not_a_demonstrations_is_left_alone(temporary: Path) -> None:
    other = temporary / "elsewhere"
    other.mkdir()
    (other / "in-use").touch()
    (temporary / "boardctl-link").symlink_to(other)
    (temporary / "boardctl-mine").mkdir()
    with demo.folder():
        assert (other / "in-use").exists()
        assert (temporary / "boardctl-mine").exists()


@pytest.mark.parametrize("make", [ensure_token, lambda file: write_token(file, "12345678")])
def test_a_token_that_root_writes_is_the_folders_owners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: object
) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda _, user, group: given.append((user, group)))
    assert callable(make)
    assert make(tmp_path / "token")
    owner = tmp_path.stat()
    assert given == [(owner.st_uid, owner.st_gid)]
