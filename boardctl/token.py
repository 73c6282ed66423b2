"""The operator's token: a secret in a file that the page's process reads."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_MODE = 0o640
"""The page's process reads it by its group."""


def ensure_token(file: Path) -> str:
    """Return the token in *file*; one of 128 bits is made where there is none.

    Raises:
        OSError: the file can be neither read nor made.
    """
    token = _read(file)
    if token:
        return token
    return write_token(file, secrets.token_urlsafe(16))


def write_token(file: Path, token: str) -> str:
    """Make *token* the operator's; the file is replaced in one step. Returns the token."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(file.name + ".new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(token + "\n")
    # The service's umask takes the group's right away; it is needed here and nowhere else.
    fresh.chmod(_MODE)
    fresh.replace(file)
    return token


def _read(file: Path) -> str | None:
    try:
        return file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
