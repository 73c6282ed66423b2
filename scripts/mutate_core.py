"""Mutation test of the rules core: which small faults would the tests not notice?

Every mutant changes one thing in `engine/core.py` (a comparison, an operator, a constant, a
statement left out). In a forked process the tests' own checks run against it: the cases, perft
two deep, and random games against the naive rules. A mutant that passes all of them survives and
is printed. Run it as `python scripts/mutate_core.py`; a quarter of an hour.
"""

# ruff: noqa: INP001  a script, no package
from __future__ import annotations

import ast
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from engine import core, lookup  # noqa: E402  the path comes first
from engine.rules import VARIANTS  # noqa: E402
from tests.property import test_engine_against_naive as against_naive  # noqa: E402
from tests.property import test_engine_properties as properties  # noqa: E402
from tests.unit.engine import test_core as core_tests  # noqa: E402
from tests.unit.engine import test_engine_cases as cases  # noqa: E402
from tests.unit.engine import test_engine_perft as perft  # noqa: E402
from tests.unit.engine import test_game as single  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

SOURCE = ROOT / "engine" / "core.py"
PLIES = 250
SECONDS = 60
_COMPARE = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_OPERATE = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Mod,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


Undo = Callable[[], None]


def mutants(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Yield every mutant of a module with a description; the tree is restored after each."""
    for node in ast.walk(tree):
        for text, undo in _changes(node):
            yield f"line {getattr(node, 'lineno', '?')}: {text}", tree
            undo()


def _changes(node: ast.AST) -> Iterator[tuple[str, Undo]]:
    """Yield (what was changed, how to undo it) for one node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
        old = node.ops[0]
        node.ops[0] = _COMPARE[type(old)]()
        yield f"{type(old).__name__} -> {type(node.ops[0]).__name__}", _setter(node.ops, 0, old)
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OPERATE:
        old_op = node.op
        node.op = _OPERATE[type(old_op)]()
        yield (
            f"{type(old_op).__name__} -> {type(node.op).__name__}",
            lambda: setattr(node, "op", old_op),
        )
    elif isinstance(node, ast.BoolOp):
        old_bool = node.op
        node.op = ast.Or() if isinstance(old_bool, ast.And) else ast.And()
        yield f"{type(old_bool).__name__} swapped", lambda: setattr(node, "op", old_bool)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        old_value = node.value
        node.value = old_value + 1
        yield f"{old_value} -> {old_value + 1}", lambda: setattr(node, "value", old_value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        operand = node.operand
        node.operand = ast.UnaryOp(ast.Not(), operand, lineno=node.lineno, col_offset=0)
        yield "not dropped", lambda: setattr(node, "operand", operand)
    body = getattr(node, "body", None)
    if isinstance(body, list):
        yield from _omissions(body)


def _omissions(body: list[ast.stmt]) -> Iterator[tuple[str, Undo]]:
    """Yield the omission of each assignment, call, return or `continue` of a block."""
    for at, statement in enumerate(body):
        if isinstance(statement, ast.AugAssign | ast.Assign | ast.Return | ast.Continue) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        ):
            body[at] = ast.Pass(lineno=statement.lineno, col_offset=0)
            yield (
                f"line {statement.lineno} left out: {ast.unparse(statement)}",
                _setter(body, at, statement),
            )


def _setter(items: list[Any], at: int, value: object) -> Undo:
    def undo() -> None:
        items[at] = value

    return undo


def survives(code: CodeType) -> bool:
    """Say whether the tests pass with the core replaced by this code."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            exec(code, core.__dict__)  # noqa: S102  our own file, changed by us
            check()
        except BaseException:  # noqa: BLE001  whatever a mutant does, it has been noticed
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def check() -> None:
    """Run what the tests run, with fewer random plies; raise on the first difference."""
    lookup.core_rules.cache_clear()
    for file in (cases.OWN, cases.PUBLIC):
        found = json.loads(file.read_text("utf-8")) if file.exists() else {"cases": [], "paths": []}
        for case in found["cases"]:
            cases.check(case)
        for case in found["paths"]:
            cases.check_paths(case)
    for row in (param.values[0] for param in perft.rows(1, 2)):  # type: ignore[attr-defined]
        perft.test_perft(row)
        perft.test_perft_with_every_leaf_made(row)
    slow = {"test_a_very_long_game_can_be_forgotten", "test_mobility_counts_the_ways"}
    for name, test in (vars(single) | vars(core_tests)).items():
        if name.startswith("test_") and name not in slow:
            for arguments in calls(test):
                test(**arguments)
    for variant in VARIANTS:
        against_naive.test_perft_with_a_king_who_walks_agrees(variant)
        against_naive.play_together(variant, PLIES, seed=3)
    properties.test_unmake_restores_the_core()
    properties.test_counting_is_pushing()


def calls(test: Any) -> list[dict[str, object]]:
    """Return the arguments of every call that pytest's `parametrize` marks stand for."""
    found: list[dict[str, object]] = [{}]
    for mark in getattr(test, "pytestmark", []):
        names, values = mark.args
        keys = [names] if isinstance(names, str) and "," not in names else list(names)
        found = [
            before | dict(zip(keys, value if len(keys) > 1 else [value], strict=True))
            for before in found
            for value in values
        ]
    return found


def main() -> int:
    """Print the survivors; return how many there are. `--from N` begins with the N-th mutant."""
    check()
    begin = int(sys.argv[2]) if sys.argv[1:2] == ["--from"] else 1
    lost = total = 0
    for text, tree in mutants(ast.parse(SOURCE.read_text("utf-8"))):
        total += 1
        if total < begin:
            continue
        try:
            code = compile(ast.fix_missing_locations(tree), str(SOURCE), "exec")
        except (SyntaxError, ValueError):
            continue
        if survives(code):
            lost += 1
            print(f"survives: {total}: {text}", flush=True)  # noqa: T201  a script
    print(f"{total} mutants, {lost} survive")  # noqa: T201  a script
    return lost


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
