"""Rules as data: a `Ruleset` has a field for everything in which the games differ.

The four games are the TOML files in `rulesets/`; each field there names its source. A file of
the user's own works the same.
"""

from __future__ import annotations

import enum
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.errors import NotationError, RulesetError
from engine.notation import parse_diagram
from engine.pieces import Side
from engine.squares import CENTRE, EDGE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.position import Position

VARIANTS: Final = ("sea-battle", "market", "imperial", "linnaeus")
"""The games that come with the program, by name."""

LANGUAGES: Final = ("en", "de")
EDGES: Final = ("north", "east", "south", "west")
"""The edges of the board as the groups of attackers are named: rank 9, file i, rank 1, file a."""


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
_MAX_COUNT: Final = 99
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
    "repetition_count": _Field(3, tuple(range(2, _MAX_COUNT + 1))),
    "no_move": _Field("no-result", ("loss", "draw", "no-result")),
    "undecidable": _Field(default=False, choices=_YES_NO),
    "calls": _Field(default=False, choices=_YES_NO),
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
        return f"a number from 2 to {_MAX_COUNT}"
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


def load_variant(name_or_path: str) -> Ruleset:
    """Return one of the four games by name, or the ruleset in a TOML file.

    Raises:
        RulesetError: no such game or file, or every problem of the file.
    """
    if name_or_path in VARIANTS:
        return _load_named(name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise RulesetError(
            (
                f"no game named {name_or_path!r}; the games: {', '.join(VARIANTS)},"
                " or the path of a .toml file",
            )
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RulesetError((f"cannot read the ruleset {name_or_path!r}: {reason}",)) from error
    return parse_ruleset(text, name_or_path)


@lru_cache(maxsize=None)
def _load_named(name: str) -> Ruleset:
    file = resources.files("engine.rulesets").joinpath(f"{name}.toml")
    return parse_ruleset(file.read_text(encoding="utf-8"), f"{name}.toml")


def parse_ruleset(text: str, file: str) -> Ruleset:
    """Return the ruleset in a TOML text; `file` names it in the messages.

    Raises:
        RulesetError: every problem, each with the file, the key and what is allowed.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError((f"{file}: not TOML: {error}",)) from error
    return _Reader(file).ruleset(data)


class _Reader:
    """Reads one ruleset file and remembers every problem."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[str] = []

    def ruleset(self, data: dict[str, object]) -> Ruleset:
        """Return the ruleset, or raise with all problems."""
        self.check_keys(
            "",
            data,
            ("name", "document", "options", "title", "names", "groups", "layouts", "rules"),
        )
        name = self.text(data, "name")
        layouts = self.layouts(self.table(data, "layouts"))
        rules = self.table(data, "rules")
        self.check_keys("rules.", rules, ("layout", *FIELDS))
        values = {key: self.rule(rules, key) for key in FIELDS}
        layout = self.layout(rules, layouts)
        provenance = {key: self.provenance(rules, key) for key in ("layout", *FIELDS)}
        title = self.texts(data, "title", name)
        names = self.names(self.table(data, "names"))
        options = self.options(data.get("options", []))
        document = self.text(data, "document", self.file)
        groups = self.groups(self.table(data, "groups"))
        if self.problems:
            raise RulesetError(tuple(self.problems))
        return Ruleset(
            name=name,
            layout=layout,
            start=layouts[layout],
            title=title,
            names=names,
            document=document,
            groups=groups,
            layouts=layouts,
            option_names=options,
            provenance=provenance,
            **values,  # type: ignore[arg-type]  # each checked against FIELDS by rule()
        )

    def report(self, key: str, problem: str) -> None:
        """Remember a problem."""
        self.problems.append(f"{self.file}: {key}: {problem}")

    def check_keys(self, prefix: str, table: dict[str, object], known: tuple[str, ...]) -> None:
        """Report keys that mean nothing, with the nearest one that does."""
        from difflib import get_close_matches  # noqa: PLC0415  # 5 ms that a right file never pays

        for key in table.keys() - set(known):
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"allowed: {', '.join(known)}"
            self.report(prefix + key, f"unknown key; {hint}")

    def table(self, data: dict[str, object], key: str) -> dict[str, object]:
        """Return a table; an empty one, reported, where there is none."""
        value = data.get(key, {})
        if isinstance(value, dict):
            return value
        self.report(key, f"{value!r} is no table; write [{key}]")
        return {}

    def text(self, data: dict[str, object], key: str, default: str | None = None) -> str:
        """Return a text, which must be there unless it has a default."""
        value = data.get(key, default)
        if isinstance(value, str) and value.strip():
            return value
        self.report(key, "missing; a text" if value is None else f"{value!r} is not a text")
        return "?"

    def texts(self, data: dict[str, object], key: str, default: str) -> dict[str, str]:
        """Return a text a language; a plain text serves all languages."""
        value = data.get(key, default)
        if isinstance(value, str):
            return dict.fromkeys(LANGUAGES, value)
        if isinstance(value, dict) and all(isinstance(value.get(lang), str) for lang in LANGUAGES):
            return {language: value[language] for language in LANGUAGES}
        self.report(key, f"{value!r}; a text, or a table of texts with {', '.join(LANGUAGES)}")
        return {}

    def layouts(self, table: dict[str, object]) -> dict[str, Position]:
        """Return the layouts; each needs a king inside and somebody on either side."""
        found: dict[str, Position] = {}
        for name, diagram in table.items():
            try:
                position = parse_diagram(str(diagram), Side.ATTACKER)
            except NotationError as error:
                self.report(f"layouts.{name}", str(error))
                continue
            found[name] = position
            if position.king is None or EDGE >> position.king & 1:
                self.report(f"layouts.{name}", "needs one king (k), not on the edge")
            elif not position.attackers:
                self.report(f"layouts.{name}", "needs attackers (a)")
        if not table:
            self.report("layouts", "missing; a diagram of nine lines by name")
        return found

    def layout(self, rules: dict[str, object], layouts: dict[str, Position]) -> str:
        """Return the name of the layout in use."""
        value = self.value(rules, "layout", next(iter(layouts), ""))
        if value in layouts:
            return str(value)
        if layouts:
            self.report("rules.layout", f"{value!r} is no layout; allowed: {' | '.join(layouts)}")
        return ""

    def value(self, rules: dict[str, object], key: str, default: object) -> object:
        """Return a rule's value: given plainly or as `value` of a table."""
        rule = rules.get(key, default)
        return rule.get("value", default) if isinstance(rule, dict) else rule

    def rule(self, rules: dict[str, object], key: str) -> object:
        """Return one rule, checked; its default, reported, where it is wrong."""
        spec = FIELDS[key]
        value = self.value(rules, key, spec.default)
        for choice in spec.choices:
            if value == choice and type(value) is type(choice):
                return spec.read(choice)
        self.report(f"rules.{key}", f"{value!r} is not allowed; allowed: {_toml_allowed(key)}")
        return spec.read(spec.default)

    def provenance(self, rules: dict[str, object], key: str) -> Provenance:
        """Return where a rule comes from."""
        rule = rules.get(key)
        if not isinstance(rule, dict):
            missing = "" if key in rules else " (not in the file: the program's default)"
            return Provenance(self.file + missing)
        where = f"rules.{key}."
        self.check_keys(where, rule, ("value", "source", "basis", "alternatives", "note"))
        basis = rule.get("basis", Basis.SOURCE.value)
        if basis not in {known.value for known in Basis}:
            allowed = " | ".join(known.value for known in Basis)
            self.report(where + "basis", f"{basis!r} is not allowed; allowed: {allowed}")
            basis = Basis.SOURCE.value
        alternatives = rule.get("alternatives", [])
        if not isinstance(alternatives, list):
            self.report(where + "alternatives", f"{alternatives!r} is not a list")
            alternatives = []
        return Provenance(
            source=self.text(rule, "source", self.file),
            basis=Basis(basis),
            alternatives=tuple(option_text("", value) for value in alternatives),
            note=self.texts(rule, "note", "") if "note" in rule else {},
        )

    def names(self, table: dict[str, object]) -> dict[str, PieceNames]:
        """Return the pieces' names a language."""
        found = {}
        for language, words in (("en", _ENGLISH), ("de", _GERMAN)):
            given = table.get(language, {})
            if not isinstance(given, dict):
                self.report(f"names.{language}", f"{given!r} is no table")
                given = {}
            keys = [item.name for item in fields(PieceNames)]
            self.check_keys(f"names.{language}.", given, tuple(keys))
            texts = [self.text(given, key, default) for key, default in zip(keys, words)]
            found[language] = PieceNames(*texts)
        return found

    def groups(self, table: dict[str, object]) -> dict[str, dict[str, str]]:
        """Return what the attackers of each edge are called, where the game says so."""
        self.check_keys("groups.", table, EDGES)
        return {edge: self.texts(table, edge, "") for edge in table}

    def options(self, names: object) -> tuple[str, ...]:
        """Return the rules that the game lets the players change."""
        if isinstance(names, list) and all(name in OPTIONS for name in names):
            return tuple(names)
        self.report("options", f"{names!r}; a list of: {', '.join(OPTIONS)}")
        return ()


_ENGLISH: Final = ("attackers", "defenders", "king")
_GERMAN: Final = ("Angreifer", "Verteidiger", "König")


def _toml_allowed(key: str) -> str:
    choices = FIELDS[key].choices
    if key == "repetition_count":
        return f"a number from 2 to {_MAX_COUNT}"
    return " | ".join(_toml(choice) for choice in choices)


def _toml(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


THRONE: Final = CENTRE
"""The throne's square, where the rules have one."""
