"""What a failing disk does to a database's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PAGE = 4096
"""The size of SQLite's pages; the first of a file holds its header."""


def pages(file: Path) -> int:
    """How many whole pages a database has."""
    return file.stat().st_size // PAGE


def tear(file: Path, torn: range) -> None:
    """Overwrite whole pages, as a dying card does."""
    with file.open("r+b") as out:
        for page in torn:
            out.seek(page * PAGE)
            out.write(b"\xa5" * PAGE)
