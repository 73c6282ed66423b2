"""No file over 400 lines and no function over 40, unless a comment says why.

The comment is `# Longer than 40 lines: ...` inside the function, or `# Longer than 400 lines: ...`
anywhere in the file.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path.relative_to(ROOT)
    for folder in ("boardctl", "engine", "hardware", "benchmarks", "tests")
    for path in (ROOT / folder).rglob("*.py")
)


def long_functions(source: str) -> list[str]:
    lines = source.splitlines()
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            length = node.end_lineno - node.lineno + 1
            body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            if length > 40 and "# Longer than 40 lines:" not in body:
                found.append(f"{node.name} has {length} lines")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_stays_small(path: Path) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    count = len(source.splitlines())
    assert count <= 400 or "# Longer than 400 lines:" in source, f"{path} has {count} lines"
    assert long_functions(source) == []


def test_the_check_itself_finds_a_long_function() -> None:
    body = "\n".join(f"    x{n} = {n}" for n in range(41))
    assert long_functions(f"def f():\n{body}\n") == ["f has 42 lines"]
    assert long_functions(f"def f():\n    # Longer than 40 lines: a table\n{body}\n") == []
