"""Fuzz the engine's readers: any text either reads and round-trips, or is refused as documented.

Needs `pip install atheris`; run it for ten minutes as
`python scripts/fuzz_parsers.py -max_total_time=600`. Hypothesis does the same in the tests, for
seconds; this looks at what the code branches on.
"""

# ruff: noqa: INP001  a script, no package
from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

with atheris.instrument_imports(include=["engine"]):
    from engine import EngineError, Game, Side, format_position, load_variant, parse_position
    from engine.otg import GameText, format_game, parse_game
    from engine.otnr import format_otnr, parse_otnr
    from engine.rules import parse_ruleset

START = Game.start(load_variant("imperial"), side=Side.DEFENDER)


def read_position(text: str) -> None:
    """Read a position record."""
    position = parse_position(text, Side.ATTACKER)
    assert parse_position(format_position(position), Side.ATTACKER) == position  # noqa: S101


def read_move(text: str) -> None:
    """Read a move."""
    ply = START.parse(text)
    assert START.parse(str(ply)) == ply  # noqa: S101


def read_rules_record(text: str) -> None:
    """Read a rules record."""
    ruleset = parse_otnr(text)
    again = parse_otnr(format_otnr(ruleset))
    assert format_otnr(again) == format_otnr(ruleset)  # noqa: S101


def read_game(text: str) -> None:
    """Read a game text."""
    read = parse_game(text)
    again = parse_game(format_game(GameText(read.game, read.tags, read.remarks)))
    assert again.game.plies == read.game.plies  # noqa: S101
    assert again.game.position == read.game.position  # noqa: S101


def read_ruleset(text: str) -> None:
    """Read a ruleset file and play its first ply."""
    ruleset = parse_ruleset(text, "fuzz.toml")
    assert Game.start(ruleset, side=Side.ATTACKER).position.attackers  # noqa: S101


READERS = (read_position, read_move, read_rules_record, read_game, read_ruleset)


def one_input(data: bytes) -> None:
    """Give the bytes after the first to the reader that the first chooses."""
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    try:
        READERS[data[0] % len(READERS)](text)
    except EngineError as error:
        assert str(error)  # noqa: PT017, S101  refused with words


def main() -> None:
    """Fuzz until the time is over or something is found."""
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
