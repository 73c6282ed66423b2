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
    token = read_token(file)
    if token:
        return token
    return write_token(file, secrets.token_urlsafe(16))


def write_token(file: Path, token: str) -> str:
    """Make *token* the operator's; the file is replaced in one step. Returns the token.

    What root writes belongs to whom the folder belongs to, or the service could not read it.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(file.name + ".new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(token + "\n")
    # The service's umask takes the group's right away; it is needed here and nowhere else.
    fresh.chmod(_MODE)
    if os.geteuid() == 0:
        folder = file.parent.stat()
        os.chown(fresh, folder.st_uid, folder.st_gid)
    fresh.replace(file)
    return token


def read_token(file: Path) -> str | None:
    """Return the token in *file*; None: there is no such file.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        return file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
