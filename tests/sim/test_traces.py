"""Recorded frames read through the daemon's own code, to the very moves that were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from boardctl.replay import Score, replay
from boardctl.trace import read_trace
from tests.support.shared import SHARED, needs_shared

if TYPE_CHECKING:
    from pathlib import Path

TRACES = sorted((SHARED / "traces").glob("*.jsonl"))

AGAINST_THE_RULES = {"imperial-S4-2"}
"""Its 17th ply takes e7 although the emperor on e5 is trapped on all four sides: rules.md lets the
mover take the emperor only ("the only choice offered"). No legal story has that ply."""


def moves(path: Path) -> list[str]:
    """The moves that the daemon would have recorded."""
    score = Score()
    with path.open(encoding="utf-8") as lines:
        for decision in replay(read_trace(lines, path.name)):
            score.note(decision.effect)
    return [str(ply) for ply in score.moves]


@needs_shared
@pytest.mark.parametrize(
    "path", [p for p in TRACES if p.stem not in AGAINST_THE_RULES], ids=lambda path: path.stem
)
def test_a_trace_replays_to_its_moves(path: Path) -> None:
    assert moves(path) == path.with_suffix(".moves").read_text(encoding="utf-8").split()


@needs_shared
@pytest.mark.parametrize("name", sorted(AGAINST_THE_RULES))
def test_a_trace_with_an_illegal_ply_is_right_up_to_it(name: str) -> None:
    path = SHARED / "traces" / f"{name}.jsonl"
    true = path.with_suffix(".moves").read_text(encoding="utf-8").split()
    assert moves(path)[:16] == true[:16]
