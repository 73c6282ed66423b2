"""Every library that the project needs is justified in docs/adr/0002-libraries.md."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RECORD = (ROOT / "docs" / "adr" / "0002-libraries.md").read_text()


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~;\[ ]", text, maxsplit=1)[0] for text in requirements}


def rows() -> set[str]:
    """The first column of the record's tables of libraries in use, without what is rejected."""
    used = RECORD.split("| alternative |")[0]
    return {line.split("|")[1].split("(")[0].strip() for line in used.splitlines() if "|" in line}


def test_each_library_has_a_row() -> None:
    needed = names(PROJECT["dependencies"]) | names(PROJECT["optional-dependencies"]["pi"])

    assert needed <= rows()


def test_each_row_is_a_library_that_is_needed() -> None:
    needed = names(PROJECT["dependencies"]) | names(PROJECT["optional-dependencies"]["pi"])

    assert rows() - {"library", "---"} <= needed
