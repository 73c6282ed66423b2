"""Every situation of the lights has its test, and the table of docs/lights.md names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.support.shared import SHARED, needs_shared

ROOT = Path(__file__).resolve().parents[2]
USUAL = [f"tests/unit/boardctl/core/{name}.py" for name in ("test_scene", "test_scene_ends")]


def rows() -> dict[str, list[str]]:
    """The tests of each situation, as docs/lights.md has them."""
    _, _, text = (ROOT / "docs" / "lights.md").read_text().partition("\n## Who checks what\n")
    found = re.findall(r"^\| (.+?) \| (`.+`) \|$", text, re.MULTILINE)
    return {situation: re.findall(r"`(.+?)`", tests) for situation, tests in found}


def functions(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    usual = set().union(*map(functions, USUAL))
    named = [test for tests in rows().values() for test in tests]
    assert len(named) > 30
    for test in named:
        file, _, name = test.rpartition("::")
        assert name in (functions(file) if file else usual), test


def test_every_test_of_a_situation_is_in_the_table() -> None:
    named = {test for tests in rows().values() for test in tests}
    written = {name for file in USUAL for name in functions(file) if name.startswith("test_")}
    assert written - named == {"test_the_lot_draws_both_sides"}


@needs_shared
def test_no_situation_of_the_specification_is_left_out() -> None:
    text = (SHARED / "spec" / "lights.md").read_text()
    _, _, *wanted = re.findall(r"^\|(.+?)\|", text, re.MULTILINE)
    assert len(wanted) > 20
    have = set(rows())
    for situation in wanted:
        assert any(situation.strip().startswith(name) for name in have), situation
