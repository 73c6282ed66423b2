"""The four games, and rulesets read from TOML.

The games are the files in `rulesets/`; each field there names its source. A file of the user's
own works the same; docs/rules.md explains the fields. The types are in `engine.ruleset`, and
named here as well.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.errors import NotationError, RulesetError
from engine.notation import parse_diagram
from engine.pieces import Side
from engine.ruleset import (
    FIELDS,
    MAX_COUNT,
    OPTIONS,
    Basis,
    Call,
    Outcome,
    PieceNames,
    Provenance,
    Reason,
    Result,
    Ruleset,
    allowed_values,
    option_text,
    with_options,
)
from engine.squares import EDGE

if TYPE_CHECKING:
    from engine.position import Position

__all__ = [
    "VARIANTS",
    "Call",
    "Outcome",
    "Reason",
    "Result",
    "Ruleset",
    "allowed_values",
    "load_variant",
    "option_text",
    "parse_ruleset",
    "with_options",
]

VARIANTS: Final = ("sea-battle", "market", "imperial", "linnaeus")
"""The games that come with the program, by name."""

LANGUAGES: Final = ("en", "de")
EDGES: Final = ("north", "east", "south", "west")
"""The edges of the board as groups of attackers are named: rank 9, file i, rank 1, file a."""


def load_variant(name_or_path: str) -> Ruleset:
    """Return one of the four games by name, or the ruleset in a TOML file.

    Raises:
        RulesetError: no such game or file, or every problem of the file.
    """
    if name_or_path in VARIANTS:
        return _load_named(name_or_path)
    from pathlib import Path  # noqa: PLC0415  see parse_ruleset

    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise RulesetError(
            (
                (
                    f"no game named {name_or_path!r}; the games: {', '.join(VARIANTS)},"
                    " or the path of a .toml file"
                ),
            )
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RulesetError((f"cannot read the ruleset {name_or_path!r}: {reason}",)) from error
    return parse_ruleset(text, name_or_path)


@cache
def _load_named(name: str) -> Ruleset:
    from pathlib import Path  # noqa: PLC0415  see parse_ruleset

    file = Path(__file__).parent / "rulesets" / f"{name}.toml"
    return parse_ruleset(file.read_text(encoding="utf-8"), file.name)


def parse_ruleset(text: str, file: str) -> Ruleset:
    """Return the ruleset in a TOML text; `file` names it in the messages.

    Raises:
        RulesetError: every problem, each with the file, the key and what is allowed.
    """
    import tomllib  # noqa: PLC0415  milliseconds that only a loaded game pays

    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
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
            texts = [
                self.text(given, key, default) for key, default in zip(keys, words, strict=True)
            ]
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
        return f"a number from 2 to {MAX_COUNT}"
    return " | ".join(_toml(choice) for choice in choices)


def _toml(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
