"""Changes a few keys of a configuration file and leaves every other character as it is.

People write comments into their configuration; a file written anew from its values would lose them.
So the text is edited, and the result is believed only when reading it gives the old values with
the new ones in their places.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

Changes: TypeAlias = "Mapping[str, Mapping[str, Sequence[str] | Sequence[int]]]"
"""New lists by section and key."""

_SECTION: Final = re.compile(r"\s*\[([^\[\]]+)\]\s*(#.*)?")
_PER_LINE: Final = 9


def rewritten(text: str, changes: Changes) -> str:
    """Return the text of a configuration file with *changes* made.

    Raises:
        BadRequestError: the file is not TOML, or writes these keys in a way that cannot be edited.
    """
    lines = text.splitlines()
    for section, keys in changes.items():
        for key, values in keys.items():
            lines = _with_key(lines, section, key, _toml_list(key, values))
    result = "\n".join(lines) + "\n"
    if _parsed(result) != _expected(_parsed(text), changes):
        raise BadRequestError(
            "the configuration writes the maps in a way that cannot be edited; take them out of it"
            " by hand, then run 'boardctl calibrate' again"
        )
    return result


def replace_file(file: Path, text: str) -> Path | None:
    """Put *text* in the place of *file*, so that a power cut leaves the old or the new one.

    Returns the copy of the old file, whose name ends in `.old`; None when there was none.
    """
    fresh = file.with_name(f".{file.name}.new")
    old: Path | None = None
    with fresh.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    if file.exists():
        status = file.stat()
        fresh.chmod(status.st_mode)
        if os.geteuid() == 0:
            os.chown(fresh, status.st_uid, status.st_gid)
        old = file.with_name(f"{file.name}.old")
        old.unlink(missing_ok=True)
        os.link(file, old)
    fresh.replace(file)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return old


def _with_key(lines: list[str], section: str, key: str, assignment: list[str]) -> list[str]:
    """Return the lines with one key of a section set."""
    start = _section_start(lines, section)
    if start is None:
        gap = [""] if lines and lines[-1].strip() else []
        return [*lines, *gap, f"[{section}]", *assignment]
    end = next((at for at in range(start, len(lines)) if _SECTION.fullmatch(lines[at])), len(lines))
    pattern = re.compile(rf"\s*{re.escape(key)}\s*=")
    for at in range(start, end):
        if pattern.match(lines[at]):
            return [*lines[:at], *assignment, *lines[_value_end(lines, at) :]]
    return [*lines[:start], *assignment, *lines[start:]]


def _section_start(lines: list[str], section: str) -> int | None:
    """Return the number of the line after the section's header."""
    for at, line in enumerate(lines):
        match = _SECTION.fullmatch(line)
        if match and match[1].strip() == section:
            return at + 1
    return None


def _value_end(lines: list[str], start: int) -> int:
    """Return the number of the line after the value that begins in line *start*."""
    for end in range(start + 1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return start + 1


def _toml_list(key: str, values: Sequence[str] | Sequence[int]) -> list[str]:
    """Return the assignment of a list, a row of the board a line."""
    words = [f'"{value}"' if isinstance(value, str) else str(value) for value in values]
    rows = [words[at : at + _PER_LINE] for at in range(0, len(words), _PER_LINE)]
    return [f"{key} = [", *(f"  {', '.join(row)}," for row in rows), "]"]


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRequestError(f"the configuration is not TOML: {error}") from error


def _expected(values: dict[str, Any], changes: Changes) -> dict[str, Any]:
    for section, keys in changes.items():
        values.setdefault(section, {}).update({key: list(value) for key, value in keys.items()})
    return values
