"""Rules as data: a `Ruleset` has a field for everything in which the games differ."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from engine.errors import RulesetError
from engine.pieces import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.position import Position


class Result(enum.Enum):
    """How a game ended."""

    WIN = "win"
    DRAW = "draw"
    NO_RESULT = "no-result"


class Reason(enum.Enum):
    """Why a game ended."""

    KING_ESCAPED = "king-escaped"
    KING_CAPTURED = "king-captured"
    SURROUNDED = "surrounded"
    NO_MOVES = "no-moves"
    REPETITION = "repetition"
    AGREED = "agreed"
    UNDECIDABLE = "undecidable"
    RESIGNED = "resigned"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: `winner` is None in a draw and when there is no result."""

    winner: Side | None
    result: Result
    reason: Reason


class Call(enum.Enum):
    """What the defenders call when the king has a way out (LINNAEUS R6)."""

    RAICKI = "raicki"
    TUICKU = "tuicku"


class Basis(enum.Enum):
    """What a rule rests on. The value is the word in the ruleset file."""

    SOURCE = "source"
    READING = "reading"
    SILENT = "silent"
    DISAGREE = "disagree"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where one rule of one game comes from.

    Attributes:
        source: document, section, rule number.
        basis: whether the source says so, we read it so, it is silent, or sources disagree.
        alternatives: other values that the sources name, or that people play.
        note: a remark for people, by language.
    """

    source: str
    basis: Basis = Basis.SOURCE
    alternatives: tuple[str, ...] = ()
    note: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PieceNames:
    """What the players of a game call the pieces, in one language."""

    attackers: str
    defenders: str
    king: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one game. Two rulesets are equal when they play the same.

    Attributes:
        name: the word on the command line.
        layout: the name of the layout used, a key of `layouts`.
        start: where the pieces stand at the start.
        first: the side that moves first; None: drawn by lot.
        king_range: the most squares that the king moves; 8 is any distance.
        king_armed: whether the king takes part in captures.
        king_sides: on how many sides the king is attacked when taken: 2 (opposite ones) or 4.
        throne: whether the centre is a throne, on which only the king stands.
        king_sides_on_throne: the same as `king_sides`, on the throne: 2 or 4.
        king_sides_beside_throne: beside it: 2, 3 (the throne is the fourth) or 4.
        throne_pass: whether other pieces may pass over the empty throne.
        throne_stop: whether other pieces may stop on it.
        king_may_return: whether the king may stop on it again; he may always pass.
        throne_against_attackers: when the throne stands against attackers: never, empty, always
            (also with the king on it).
        throne_against_defenders: the same against defenders.
        throne_ring: whether a man beside a king who is hemmed in on his throne is taken against
            the king.
        single_capture: whether a move takes one piece only, of the mover's choice.
        enclosure: who is to be enclosed for the attackers to win: none, king, all.
        repetition: what a repeated position means: none, draw, defenders-lose.
        repetition_count: the occurrence that counts, the start position included.
        no_move: what it means for the side to move to have no legal move: loss, draw, no-result.
        undecidable: whether the players may agree that the game cannot be decided any more.
        calls: whether open paths are called out.
        winner_takes_defenders: whether who has won plays the defenders in the next game.
    """

    name: str
    layout: str
    start: Position
    first: Side | None
    king_range: int
    king_armed: bool
    king_sides: int
    throne: bool
    king_sides_on_throne: int
    king_sides_beside_throne: int
    throne_pass: bool
    throne_stop: bool
    king_may_return: bool
    throne_against_attackers: str
    throne_against_defenders: str
    throne_ring: bool
    single_capture: bool
    enclosure: str
    repetition: str
    repetition_count: int
    no_move: str
    undecidable: bool
    calls: bool
    winner_takes_defenders: bool
    title: Mapping[str, str] = field(compare=False, repr=False)
    names: Mapping[str, PieceNames] = field(compare=False, repr=False)
    document: str = field(compare=False, repr=False)
    groups: Mapping[str, Mapping[str, str]] = field(compare=False, repr=False)
    layouts: Mapping[str, Position] = field(compare=False, repr=False)
    option_names: tuple[str, ...] = field(compare=False, repr=False)
    provenance: Mapping[str, Provenance] = field(compare=False, repr=False)

    @property
    def options(self) -> dict[str, str]:
        """The effective value of every option that this game has, as the command line writes it."""
        return {name: option_text(name, getattr(self, name)) for name in self.option_names}


@dataclass(frozen=True, slots=True)
class _Field:
    """One rule in a ruleset file: the TOML values it allows and what the program makes of them."""

    default: bool | int | str
    choices: tuple[bool | int | str, ...] = ()
    read: Callable[[bool | int | str], object] = lambda value: value

    @property
    def allowed(self) -> str:
        """The allowed values as a person reads them."""
        return " | ".join(option_text("", choice) for choice in self.choices)


def _read_first(value: bool | int | str) -> Side | None:
    return None if value == "lot" else Side(value)


_YES_NO: Final = (False, True)
_WHEN: Final = ("never", "empty", "always")
MAX_COUNT: Final = 99
FIELDS: Final[Mapping[str, _Field]] = {
    "first": _Field("attackers", ("attackers", "defenders", "lot"), _read_first),
    "king_range": _Field(8, tuple(range(1, 9))),
    "king_armed": _Field(default=True, choices=_YES_NO),
    "king_sides": _Field(2, (2, 4)),
    "throne": _Field(default=False, choices=_YES_NO),
    "king_sides_on_throne": _Field(4, (2, 4)),
    "king_sides_beside_throne": _Field(3, (2, 3, 4)),
    "throne_pass": _Field(default=True, choices=_YES_NO),
    "throne_stop": _Field(default=False, choices=_YES_NO),
    "king_may_return": _Field(default=True, choices=_YES_NO),
    "throne_against_attackers": _Field("always", _WHEN),
    "throne_against_defenders": _Field("empty", _WHEN),
    "throne_ring": _Field(default=False, choices=_YES_NO),
    "single_capture": _Field(default=False, choices=_YES_NO),
    "enclosure": _Field("none", ("king", "all", "none")),
    "repetition": _Field("none", ("none", "draw", "defenders-lose")),
    "repetition_count": _Field(3, tuple(range(2, MAX_COUNT + 1))),
    "no_move": _Field("no-result", ("loss", "draw", "no-result")),
    "undecidable": _Field(default=False, choices=_YES_NO),
    "calls": _Field(default=False, choices=_YES_NO),
    "winner_takes_defenders": _Field(default=False, choices=_YES_NO),
}
"""Every rule of a ruleset file but the layout, with its values; the first in `_Field` is what a
file that leaves the rule out plays."""

OPTIONS: Final = (
    "first",
    "layout",
    "throne_pass",
    "throne_stop",
    "king_may_return",
    "enclosure",
    "repetition",
    "repetition_count",
    "no_move",
)
"""The rules that can be options of a game: changed without a file of one's own."""


def option_text(name: str, value: object) -> str:
    """Return a rule's value as the command line and the files' readers write it."""
    if name == "first" and value is None:
        return "lot"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.value if isinstance(value, Side) else str(value)


def allowed_values(ruleset: Ruleset, name: str) -> str:
    """Return the values that an option of a game allows, as a person reads them."""
    if name == "layout":
        return " | ".join(ruleset.layouts)
    if name == "repetition_count":
        return f"a number from 2 to {MAX_COUNT}"
    return FIELDS[name].allowed


def with_options(ruleset: Ruleset, options: Mapping[str, str]) -> Ruleset:
    """Return the ruleset with some of its options changed.

    Args:
        ruleset: the game.
        options: values by name, as the command line writes them: `{"first": "defenders"}`.

    Raises:
        RulesetError: every option that the game lacks and every value that is not allowed.
    """
    problems: list[str] = []
    changes: dict[str, object] = {}
    for name, text in options.items():
        if name not in ruleset.option_names:
            known = ", ".join(ruleset.option_names) or "none"
            problems.append(f"{ruleset.name} has no option {name!r}; its options: {known}")
        elif name == "layout" and text in ruleset.layouts:
            changes |= {"layout": text, "start": ruleset.layouts[text]}
        else:
            matches = [c for c in _choices(name) if option_text("", c) == text]
            if matches:
                changes[name] = FIELDS[name].read(matches[0])
            else:
                problems.append(
                    f"option {name}={text}: not a value of {name}; "
                    f"allowed: {allowed_values(ruleset, name)}"
                )
    if problems:
        raise RulesetError(tuple(problems))
    return replace(ruleset, **changes)  # type: ignore[arg-type]  # checked against FIELDS above


def _choices(name: str) -> tuple[bool | int | str, ...]:
    return () if name == "layout" else FIELDS[name].choices
