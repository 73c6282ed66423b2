"""Rules records of OpenTafl's notation: read where we can play them, refused where we cannot.

A record is `key:value` words from `dim:` to `start:`. Keys and their defaults are OpenTafl's;
what each means there was found from its notation specification and its serializer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import NotationError
from engine.notation import format_position, parse_position
from engine.pieces import Side
from engine.ruleset import FIELDS, PieceNames, Provenance, Ruleset
from engine.squares import EDGE, square_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.position import Position

_DEFAULTS: Final = {
    "name": "OpenTafl",
    "esc": "c",
    "surf": "y",
    "atkf": "y",
    "tfr": "d",
    "ka": "y",
    "ks": "s",
    "kj": "n",
    "cor": "default",
    "cen": "default",
    "afor": "",
    "dfor": "",
    "spd": "-1",
    "cenh": "tcnk",
    "cenhe": "tcnkTCNK",
    "cenp": "tcnkTCNK",
    "cens": "K",
    "cenre": "tcnkTCNK",
    "sw": "n",
    "efe": "n",
    "ber": "n",
    "linc": "n",
}
_NO_PIECE_OF_OURS: Final = frozenset(
    [
        "nj",
        "cj",
        "mj",
        "swf",
        "corh",
        "corp",
        "cors",
        "corre",
        "aforh",
        "aforp",
        "afors",
        "aforre",
        "dforh",
        "dforp",
        "dfors",
        "dforre",
    ]
)
"""Keys about pieces and squares that a game of ours does not have."""

_ONLY: Final[Mapping[str, tuple[str, str]]] = {
    "esc": ("e", "escape to the corners"),
    "kj": ("n", "a jumping king"),
    "cor": ("", "corner squares with rules of their own"),
    "afor": ("", "fortresses"),
    "dfor": ("", "fortresses"),
    "sw": ("n", "shieldwall captures"),
    "efe": ("n", "edge fort escapes"),
    "ber": ("n", "berserk moves"),
}
"""Keys that we play in one way only, and what every other value would mean."""

_SPEEDS: Final = 12
_KING_SPEED: Final = 9
_ANY_SPEED: Final = "-1"
_SOURCE: Final = "OpenTafl rules record"


@dataclass(frozen=True, slots=True)
class _Record:
    """The words of a record, by key, over OpenTafl's defaults."""

    words: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.words.get(key, _DEFAULTS.get(key, ""))

    def choose(self, key: str, meanings: Mapping[str, object]) -> object:
        """Return what a word means.

        Raises:
            NotationError: it means something else than what we play.
        """
        if self[key] in meanings:
            return meanings[self[key]]
        raise NotationError(
            f"rules record: {key}:{self[key]}: not played here; known: {', '.join(meanings)}"
        )

    def both(self, key: str) -> bool:
        """Return whether attackers and defenders alike are in a list of piece types."""
        attackers, defenders = "t" in self[key], "T" in self[key]
        if attackers != defenders:
            raise NotationError(
                f"rules record: {key}:{self[key]}: t and T differ; here both sides may or may not"
            )
        return attackers


def parse_otnr(text: str) -> Ruleset:
    """Read a rules record.

    Raises:
        NotationError: the text is no record, or it has a rule that is not played here: named,
            with what it would mean.
    """
    record = _words(text)
    for key, (value, meaning) in _ONLY.items():
        if record[key] != value:
            raise NotationError(f"rules record: {key}:{record[key]}: {meaning}: not played here")
    first = Side.ATTACKER if record.choose("atkf", {"y": True, "n": False}) else Side.DEFENDER
    start = parse_position(record["start"], first)
    if start.king is None or EDGE >> start.king & 1:
        where = "no king" if start.king is None else f"the king on {square_name(start.king)}"
        raise NotationError(f"rules record: start: {where}; he starts inside the edge")
    values = {key: spec.read(spec.default) for key, spec in FIELDS.items()}
    values |= _general(record) | _king(record) | _centre(record)
    return Ruleset(
        **(values | {"first": first}),  # type: ignore[arg-type]  # the fields' own types
        name=record["name"].replace("_", " ") or _DEFAULTS["name"],
        layout="start",
        start=start,
        title=dict.fromkeys(("en", "de"), record["name"].replace("_", " ")),
        names={
            "en": PieceNames("attackers", "defenders", "king"),
            "de": PieceNames("Angreifer", "Verteidiger", "König"),
        },
        document=_SOURCE,
        groups={},
        layouts={"start": start},
        option_names=(),
        provenance={key: Provenance(_SOURCE) for key in ("layout", *FIELDS)},
    )


def _words(text: str) -> _Record:
    words: dict[str, str] = {}
    for word in text.split():
        key, colon, value = word.partition(":")
        if not colon or key in words:
            problem = "is given twice" if colon else "is no key:value"
            raise NotationError(f"rules record: {word[:80]!r} {problem}")
        words[key] = value
    unknown = words.keys() - _DEFAULTS.keys() - _NO_PIECE_OF_OURS - {"dim", "start"}
    if unknown:
        raise NotationError(f"rules record: unknown keys: {', '.join(sorted(unknown))[:80]}")
    if "start" not in words:
        raise NotationError("rules record: no start: position")
    if words.get("dim") != "9":
        raise NotationError(f"rules record: dim:{words.get('dim')}: the board here is dim:9")
    return _Record(words)


def _general(record: _Record) -> dict[str, object]:
    return {
        "enclosure": record.choose("surf", {"y": "all", "n": "none"}),
        "repetition": record.choose("tfr", {"i": "none", "d": "draw"}),
        "no_move": "loss",
    }


def _king(record: _Record) -> dict[str, object]:
    return {
        "king_armed": record.choose("ka", {"y": True, "n": False}),
        "king_sides": record.choose("ks", {"s": 4, "y": 4, "c": 2, "w": 2, "n": 2}),
        "king_range": _king_range(record["spd"]),
    }


def _king_range(speeds: str) -> int:
    """Read speed limits: only the king's may be limited, in the list of all twelve kinds."""
    listed = speeds.rstrip(",").split(",")
    others = [speed for at, speed in enumerate(listed) if at != _KING_SPEED]
    king = listed[_KING_SPEED] if len(listed) == _SPEEDS else _ANY_SPEED
    if any(speed != _ANY_SPEED for speed in others) or len(listed) not in {1, 2, _SPEEDS}:
        raise NotationError(f"rules record: spd:{speeds}: only the king's range is limited here")
    if king == _ANY_SPEED:
        return 8
    if king not in {str(choice) for choice in FIELDS["king_range"].choices}:
        raise NotationError(f"rules record: spd:{speeds}: a king's range is 1 to 8 squares")
    return int(king)


def _centre(record: _Record) -> dict[str, object]:
    if record["cen"].rstrip(",") not in {"", "default", "e5"}:
        raise NotationError(f"rules record: cen:{record['cen']}: the throne here is e5 or nowhere")
    if not record["cen"]:
        return {"throne": False}
    if "K" not in record["cenp"]:
        raise NotationError(f"rules record: cenp:{record['cenp']}: here the king always passes")
    weak = record["ks"] in {"w", "n"}
    strong_beside = 3 if "K" in record["cenhe"] else 4
    return {
        "throne": True,
        "king_sides_on_throne": 2 if weak else 4,
        "king_sides_beside_throne": 2 if weak else strong_beside,
        "throne_pass": record.both("cenp"),
        "throne_stop": record.both("cens"),
        "king_may_return": "K" in record["cens"] and "K" in record["cenre"],
        "throne_ring": record.choose("linc", {"y": True, "n": False}),
        "throne_against_attackers": _against("t", record),
        "throne_against_defenders": _against("T", record),
    }


def _against(letter: str, record: _Record) -> str:
    if letter in record["cenh"]:
        return "always"
    return "empty" if letter in record["cenhe"] else "never"


# -- writing ---------------------------------------------------------------------------------


def inexpressible(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the rules of a game that a record cannot express; it then says the nearest."""
    expressible = {
        "first": ruleset.first is not None,
        "single_capture": not ruleset.single_capture,
        "enclosure": ruleset.enclosure != "king",
        "repetition": ruleset.repetition != "defenders-lose",
        "repetition_count": ruleset.repetition == "none" or ruleset.repetition_count == 3,  # noqa: PLR2004
        "no_move": ruleset.no_move == "loss",
        "king_sides": _strength(ruleset) is not None,
        "undecidable": not ruleset.undecidable,
        "calls": not ruleset.calls,
        "winner_takes_defenders": not ruleset.winner_takes_defenders,
    }
    return tuple(rule for rule, fits in expressible.items() if not fits)


def _strength(ruleset: Ruleset) -> str | None:
    """Return the letter for the king's strength; None where there is none for it."""
    if not ruleset.throne:
        return "w" if ruleset.king_sides == 2 else "s"  # noqa: PLR2004
    sides = (
        ruleset.king_sides,
        ruleset.king_sides_on_throne,
        min(ruleset.king_sides_beside_throne, 3),
    )
    return {(4, 4, 3): "s", (2, 4, 3): "c", (2, 2, 2): "w"}.get(sides)


def format_otnr(ruleset: Ruleset, start: Position | None = None) -> str:
    """Return the rules record of a ruleset, or the nearest one (see `inexpressible`).

    Args:
        ruleset: the rules.
        start: where the pieces stand and who moves first, when not as the ruleset says. Where
            the lot decides and no start is given, the record says the attackers.
    """
    mover = start.side if start else ruleset.first or Side.ATTACKER
    words = {
        "dim": "9",
        "name": ruleset.name.replace(" ", "_"),
        "esc": "e",
        "surf": "y" if ruleset.enclosure == "all" else "n",
        "atkf": "y" if mover is Side.ATTACKER else "n",
        "tfr": "i" if ruleset.repetition == "none" else "d",
        "ka": "y" if ruleset.king_armed else "n",
        "ks": _strength(ruleset) or "s",
        "nj": "n",
        "cj": "n",
        "cor": "",
        **_centre_words(ruleset),
    }
    if ruleset.king_range < 8:  # noqa: PLR2004
        limits = [_ANY_SPEED] * _SPEEDS
        limits[_KING_SPEED] = str(ruleset.king_range)
        words["spd"] = ",".join(limits)
    words["start"] = format_position(start or ruleset.start)
    return " ".join(f"{key}:{value}" for key, value in words.items())


def _centre_words(ruleset: Ruleset) -> dict[str, str]:
    if not ruleset.throne:
        return {"cen": ""}
    attackers, defenders = ruleset.throne_against_attackers, ruleset.throne_against_defenders
    always = ("tcnk" if attackers == "always" else "") + ("TCN" if defenders == "always" else "")
    empty = ("tcnk" if attackers != "never" else "") + ("TCN" if defenders != "never" else "")
    king = "K" if ruleset.king_sides_beside_throne == 3 else ""  # noqa: PLR2004
    return {
        "cenp": "tcnkTCNK" if ruleset.throne_pass else "K",
        "cens": ("tcnkTCN" if ruleset.throne_stop else "")
        + ("K" if ruleset.king_may_return else ""),
        "cenh": always,
        "cenhe": empty + king,
        "linc": "y" if ruleset.throne_ring else "n",
    }
