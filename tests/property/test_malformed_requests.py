"""Whatever JSON comes as a command or a simulated hand: it is obeyed or refused, no crash."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from boardctl.core import commands
from boardctl.errors import BadRequestError
from boardctl.hands import SimulatedHands
from boardctl.requests import parse_command
from engine.squares import SquareSet
from hardware.backends import open_simulation
from hardware.cells import Instant

WORDS = st.sampled_from(
    [
        "undo",
        "set-variant",
        "market",
        "linnaeus",
        "first",
        "attackers",
        "e5",
        "a1",
        "closed",
        "free",
        "0x20",
        "silent",
        "palette",
        "default",
        "brightness",
        "0.5",
        "on",
        "new-game",
        "resign",
        "hint",
    ]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
COMMAND_FIELDS = st.sampled_from(
    ["variant", "options", "side", "position", "winner", "swap_sides", "number", "setting", "value"]
)
COMMAND_NAMES = st.sampled_from(
    ["undo", "set-variant", "resign", "declare-result", "confirm-position", "new-game",
     "start-lesson", "change-setting", "pause", "hint"]
)  # fmt: skip
DEEDS = st.sampled_from(["lift", "put", "slide", "nudge", "setup", "stick", "to", "chip", "does"])


@given(st.dictionaries(COMMAND_FIELDS, VALUES, max_size=3), COMMAND_NAMES | VALUES)
def test_any_command_is_read_or_refused(fields: dict[str, Any], name: Any) -> None:
    with contextlib.suppress(BadRequestError):
        command = parse_command({"command": name, **fields}, own_variant="market")
        assert isinstance(command, commands.Command)


@given(st.dictionaries(DEEDS, VALUES, min_size=1, max_size=3))
def test_any_hand_moves_or_is_refused(body: dict[str, Any]) -> None:
    hands = SimulatedHands(open_simulation(seed=1).hands)
    hands.set_up(SquareSet(0b111))
    with contextlib.suppress(BadRequestError):
        hands.act(body, SquareSet(0b111), Instant(1.0))
