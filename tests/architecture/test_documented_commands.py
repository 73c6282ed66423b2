"""Every `boardctl` command and option that the documents name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from boardctl.cli import build

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"(?<![\w/.-])boardctl((?: +[\w./:=@'\"<>-]+)+)")


def calls(text: str) -> list[list[str]]:
    """Return the words after `boardctl` of each call in the code of a document."""
    return [call[1].split() for code in CODE.findall(text) for call in CALL.finditer(code)]


def wrong(words: list[str], command: object) -> str | None:
    """Return what of *words* the command line does not know."""
    if not words or words[0].startswith("-"):
        return None
    commands = getattr(command, "commands", {})
    word, *rest = words
    if word.startswith("boardctl"):  # units: systemctl restart boardctl ...
        return None
    if word not in commands:
        return word if re.fullmatch("[a-z-]+", word) else None
    known = commands[word]
    if hasattr(known, "commands"):
        return wrong(rest, known)
    options = {name for each in known.params for name in (*each.opts, *each.secondary_opts)}
    used = {one.partition("=")[0] for one in rest if one.startswith("--")}
    return next(iter(used - options - {"--help"}), None)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_call_in_a_document_is_understood(document: Path) -> None:
    command = typer.main.get_command(build())

    found = [(words, wrong(words, command)) for words in calls(document.read_text())]

    assert not [(" ".join(words), reason) for words, reason in found if reason is not None]


def test_an_unknown_command_or_option_is_noticed() -> None:
    command = typer.main.get_command(build())

    assert wrong(["frobnicate"], command) == "frobnicate"
    assert wrong(["config", "mend"], command) == "mend"
    assert wrong(["status", "--louder"], command) == "--louder"
    assert wrong(["status", "--json"], command) is None
