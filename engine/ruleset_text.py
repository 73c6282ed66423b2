"""The rules of a game as a person reads them, in English and German, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.ruleset import FIELDS, Basis, Ruleset, option_text

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule for a reader.

    Attributes:
        key: the rule's name in ruleset files and options.
        value: its value, as options write it.
        heading: what it is about.
        text: the rule itself, a full sentence.
        source: where it comes from, and on what it rests.
        note: a remark, or nothing.
        is_option: whether the game lets the players change it.
        alternatives: other values that the sources name or that people play.
    """

    key: str
    value: str
    heading: str
    text: str
    source: str
    note: str
    is_option: bool
    alternatives: tuple[str, ...]


_HEADINGS: Final[Mapping[str, tuple[str, str]]] = {
    "layout": ("Start", "Aufstellung"),
    "first": ("First move", "Erster Zug"),
    "king_range": ("Movement", "Zugweise"),
    "king_armed": ("King captures", "König schlägt"),
    "king_sides": ("King taken", "Fang des Königs"),
    "throne": ("Centre", "Mitte"),
    "king_sides_on_throne": ("On the throne", "Auf dem Thron"),
    "king_sides_beside_throne": ("Beside the throne", "Neben dem Thron"),
    "throne_pass": ("Passing the throne", "Über den Thron"),
    "throne_stop": ("Stopping on the throne", "Halt auf dem Thron"),
    "king_may_return": ("King's return", "Rückkehr des Königs"),
    "throne_against_attackers": ("Throne as anvil", "Thron als Amboss"),
    "throne_against_defenders": ("Throne as anvil", "Thron als Amboss"),
    "throne_ring": ("Hemmed in", "Eingekreist"),
    "single_capture": ("Several at once", "Mehrere zugleich"),
    "enclosure": ("Enclosure", "Umzingelung"),
    "repetition": ("Repetition", "Wiederholung"),
    "repetition_count": ("Repetition counts", "Wiederholung zählt"),
    "no_move": ("No legal move", "Kein Zug möglich"),
    "undecidable": ("Undecidable", "Nicht entscheidbar"),
    "calls": ("Calls", "Rufe"),
    "winner_takes_defenders": ("Next game", "Nächste Partie"),
}

_ANY_DISTANCE: Final = (
    "All pieces move along a row or a column, any distance over empty squares.",
    "Alle Figuren ziehen gerade in Reihe oder Linie, beliebig weit über leere Felder.",
)
_PAIR: Final = ("two opposite sides", "zwei gegenüberliegenden Seiten")
_FOUR: Final = ("all four sides", "allen vier Seiten")

_TEXTS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("first", "attackers"): ("The attackers move first.", "Die Angreifer ziehen zuerst."),
    ("first", "defenders"): ("The defenders move first.", "Die Verteidiger ziehen zuerst."),
    ("first", "lot"): ("Who moves first is drawn by lot.", "Wer zuerst zieht, wird ausgelost."),
    ("king_range", "8"): _ANY_DISTANCE,
    ("king_armed", "yes"): (
        "The king takes part in captures like any other piece.",
        "Der König schlägt mit wie jede andere Figur.",
    ),
    ("king_armed", "no"): (
        "The king takes no part in captures.",
        "Der König schlägt nicht mit.",
    ),
    ("king_sides", "2"): (
        f"The king is taken by attackers on {_PAIR[0]}.",
        f"Der König wird von Angreifern auf {_PAIR[1]} gefangen.",
    ),
    ("king_sides", "4"): (
        f"The king is taken by attackers on {_FOUR[0]}.",
        f"Der König wird von Angreifern auf {_FOUR[1]} gefangen.",
    ),
    ("throne", "yes"): ("The centre is the throne.", "Das mittlere Feld ist der Thron."),
    ("throne", "no"): (
        "The centre is a square like any other.",
        "Das mittlere Feld ist ein Feld wie jedes andere.",
    ),
    ("king_sides_on_throne", "2"): (
        f"On the throne he is taken by attackers on {_PAIR[0]}.",
        f"Auf dem Thron wird er von Angreifern auf {_PAIR[1]} gefangen.",
    ),
    ("king_sides_on_throne", "4"): (
        f"On the throne he is taken by attackers on {_FOUR[0]}.",
        f"Auf dem Thron wird er von Angreifern auf {_FOUR[1]} gefangen.",
    ),
    ("king_sides_beside_throne", "2"): (
        f"Beside the throne he is taken on {_PAIR[0]}; a hostile throne counts as one.",
        f"Neben dem Thron wird er auf {_PAIR[1]} gefangen; ein feindlicher Thron zählt mit.",
    ),
    ("king_sides_beside_throne", "3"): (
        "Beside the throne he is taken by attackers on the other three sides.",
        "Neben dem Thron wird er von Angreifern auf den drei übrigen Seiten gefangen.",
    ),
    ("king_sides_beside_throne", "4"): (
        f"Beside the throne he is taken by attackers on {_FOUR[0]}.",
        f"Neben dem Thron wird er von Angreifern auf {_FOUR[1]} gefangen.",
    ),
    ("throne_pass", "yes"): (
        "Every piece may pass over the empty throne.",
        "Jede Figur darf über den leeren Thron hinwegziehen.",
    ),
    ("throne_pass", "no"): (
        "Only the king may pass over the empty throne.",
        "Nur der König darf über den leeren Thron hinwegziehen.",
    ),
    ("throne_stop", "yes"): (
        "Every piece may stop on the empty throne.",
        "Jede Figur darf auf dem leeren Thron halten.",
    ),
    ("throne_stop", "no"): (
        "No piece but the king may stop on the throne.",
        "Keine Figur außer dem König darf auf dem Thron halten.",
    ),
    ("king_may_return", "yes"): (
        "The king may return to the throne.",
        "Der König darf auf den Thron zurückkehren.",
    ),
    ("king_may_return", "no"): (
        "Once he has left it the king may not stop on the throne again.",
        "Hat der König den Thron verlassen, darf er nicht wieder darauf halten.",
    ),
    ("throne_against_attackers", "never"): (
        "The throne takes no part in capturing attackers.",
        "Der Thron wirkt beim Schlagen von Angreifern nicht mit.",
    ),
    ("throne_against_attackers", "empty"): (
        "Attackers may be taken against the empty throne.",
        "Angreifer können gegen den leeren Thron geschlagen werden.",
    ),
    ("throne_against_attackers", "always"): (
        "Attackers may be taken against the throne, also with the king on it.",
        "Angreifer können gegen den Thron geschlagen werden, auch wenn der König darauf steht.",
    ),
    ("throne_against_defenders", "never"): (
        "The throne takes no part in capturing defenders.",
        "Der Thron wirkt beim Schlagen von Verteidigern nicht mit.",
    ),
    ("throne_against_defenders", "empty"): (
        "Defenders may be taken against the empty throne.",
        "Verteidiger können gegen den leeren Thron geschlagen werden.",
    ),
    ("throne_against_defenders", "always"): (
        "Defenders may be taken against the throne, also with their king on it.",
        "Verteidiger können gegen den Thron geschlagen werden, auch mit ihrem König darauf.",
    ),
    ("throne_ring", "yes"): (
        (
            "With the king on the throne, attackers on three sides of him and his man on the"
            " fourth, that man is taken by an attacker who arrives beyond him."
        ),
        (
            "Steht der König auf dem Thron, Angreifer auf drei Seiten und sein Mann auf der"
            " vierten, so schlägt ein Angreifer, der hinter diesem ankommt, den Mann."
        ),
    ),
    ("throne_ring", "no"): (
        "A man beside the king on his throne is never taken against him.",
        "Ein Mann neben dem König auf dem Thron wird nie gegen ihn geschlagen.",
    ),
    ("single_capture", "yes"): (
        "A move takes one piece; if it traps several, the mover chooses which.",
        "Ein Zug schlägt nur eine Figur; sind mehrere gefangen, wählt, wer zieht.",
    ),
    ("single_capture", "no"): (
        "A move takes every piece that it traps.",
        "Ein Zug schlägt alle Figuren, die er einschließt.",
    ),
    ("enclosure", "none"): (
        "Enclosing the defenders wins nothing.",
        "Umzingeln allein gewinnt nicht.",
    ),
    ("enclosure", "king"): (
        (
            "The attackers win when the king is enclosed: every chain of neighbouring squares from"
            " him to the edge meets an attacker."
        ),
        (
            "Die Angreifer gewinnen, wenn der König umzingelt ist: jede Kette benachbarter Felder"
            " von ihm zum Rand trifft auf einen Angreifer."
        ),
    ),
    ("enclosure", "all"): (
        (
            "The attackers win when the king and all defenders left are enclosed: none of them can"
            " be reached from the edge over neighbouring squares without attackers."
        ),
        (
            "Die Angreifer gewinnen, wenn der König und alle übrigen Verteidiger umzingelt sind:"
            " keiner ist vom Rand über benachbarte Felder ohne Angreifer zu erreichen."
        ),
    ),
    ("repetition", "none"): (
        "A position may come again any number of times.",
        "Eine Stellung darf beliebig oft wiederkehren.",
    ),
    ("repetition", "draw"): (
        "A position that comes again too often is a draw.",
        "Kehrt eine Stellung zu oft wieder, ist das Spiel unentschieden.",
    ),
    ("repetition", "defenders-lose"): (
        "A position that comes again too often loses for the defenders, whoever repeats.",
        "Kehrt eine Stellung zu oft wieder, verlieren die Verteidiger, wer auch wiederholt.",
    ),
    ("no_move", "loss"): (
        "Whoever cannot move has lost.",
        "Wer nicht ziehen kann, hat verloren.",
    ),
    ("no_move", "draw"): (
        "If the side to move cannot move, the game is drawn.",
        "Kann die Seite am Zug nicht ziehen, ist das Spiel unentschieden.",
    ),
    ("no_move", "no-result"): (
        "If the side to move cannot move, the game ends without a result.",
        "Kann die Seite am Zug nicht ziehen, endet das Spiel ohne Ergebnis.",
    ),
    ("undecidable", "yes"): (
        "The players may agree that the game cannot be decided any more: a draw.",
        "Die Spieler können sich einigen, dass nichts mehr zu entscheiden ist: unentschieden.",
    ),
    ("undecidable", "no"): (
        "There is no rule for games that cannot be decided any more.",
        "Für Spiele, die nicht mehr zu entscheiden sind, gibt es keine Regel.",
    ),
    ("calls", "yes"): (
        'One open path from the king to the edge is called "Raicki", two or more "Tuicku".',
        "Ein offener Weg des Königs zum Rand heißt „Raicki“, zwei oder mehr „Tuicku“.",
    ),
    ("calls", "no"): ("Open paths are not called.", "Offene Wege werden nicht ausgerufen."),
    ("winner_takes_defenders", "yes"): (
        "Whoever has won plays the defenders in the next game.",
        "Wer gewonnen hat, spielt in der nächsten Partie die Verteidiger.",
    ),
    ("winner_takes_defenders", "no"): (
        "Who plays which side in the next game is left to the players.",
        "Wer in der nächsten Partie welche Seite spielt, bleibt den Spielern überlassen.",
    ),
}

_BASIS: Final[Mapping[Basis, tuple[str, str]]] = {
    Basis.SOURCE: ("", ""),
    Basis.READING: ("our reading", "unsere Lesart"),
    Basis.SILENT: ("source silent: our default", "Quelle schweigt: unsere Festlegung"),
    Basis.DISAGREE: ("sources disagree: our default", "Quellen uneins: unsere Festlegung"),
}

_COMMON: Final = (
    (
        "A piece is taken when an opponent's move ends beside it and it then stands between two"
        " opponents in a row or a column. Moving between two opponents is safe. The defenders win"
        " at once when the king stands on any square of the edge."
    ),
    (
        "Eine Figur ist geschlagen, wenn ein gegnerischer Zug neben ihr endet und sie dann in Reihe"
        " oder Linie zwischen zwei Gegnern steht. Zwischen zwei Gegner zu ziehen ist gefahrlos. Die"
        " Verteidiger gewinnen sofort, wenn der König auf irgendeinem Randfeld steht."
    ),
)

_THRONE_ONLY: Final = (
    "king_sides_on_throne",
    "king_sides_beside_throne",
    "throne_pass",
    "throne_stop",
    "king_may_return",
    "throne_against_attackers",
    "throne_against_defenders",
    "throne_ring",
)


def common_text(language: str) -> str:
    """Return what holds in every game, in "en" or "de"."""
    return _COMMON[_column(language)]


def names_text(ruleset: Ruleset, language: str) -> str:
    """Return who is who: what the players of this game call the pieces."""
    names = ruleset.names[language]
    generic = (("Attackers", "Defenders", "King"), ("Angreifer", "Verteidiger", "König"))
    called = zip(
        generic[_column(language)], (names.attackers, names.defenders, names.king), strict=True
    )
    return "; ".join(f"{who}: {name}" for who, name in called)


def rule_texts(ruleset: Ruleset, language: str) -> tuple[RuleText, ...]:
    """Return the rules of a game in the order of play; throne rules only where there is one."""
    keys = ("layout", *FIELDS)
    return tuple(
        _rule_text(ruleset, key, language)
        for key in keys
        if (ruleset.throne or key not in _THRONE_ONLY)
        and (key != "repetition_count" or ruleset.repetition != "none")
    )


def _rule_text(ruleset: Ruleset, key: str, language: str) -> RuleText:
    column = _column(language)
    provenance = ruleset.provenance[key]
    value = option_text(key, getattr(ruleset, key))
    basis = _BASIS[provenance.basis][column]
    return RuleText(
        key=key,
        value=value,
        heading=_HEADINGS[key][column],
        text=_sentence(key, value, column),
        source=f"{provenance.source}; {basis}" if basis else provenance.source,
        note=provenance.note.get(language, ""),
        is_option=key in ruleset.option_names,
        alternatives=provenance.alternatives,
    )


def _sentence(key: str, value: str, column: int) -> str:
    if key == "layout":
        return (f"The {value}.", f"Die Aufstellung „{value}“.")[column]
    if key == "king_range" and value != "8":
        limit = (
            f"The king moves at most {value} squares.",
            f"Der König zieht höchstens {value} Felder weit.",
        )
        return f"{_ANY_DISTANCE[column]} {limit[column]}"
    if key == "repetition_count":
        return (
            f"The occurrence that counts is number {value}; the start position is the first.",
            f"Es zählt das {value}. Vorkommen; die Anfangsstellung ist das erste.",
        )[column]
    return _TEXTS[key, value][column]


def _column(language: str) -> int:
    return 1 if language == "de" else 0
