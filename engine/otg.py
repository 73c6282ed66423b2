"""Whole games as OpenTafl's game text (`.otg`).

    [attackers:Ada]            tags, `[rules:...]` the last of them
    [rules:dim:9 ... start:/3ttt3/.../]

    1. e2-g2 e3-h3             a line a turn, the first mover's ply first
    [a remark|another]         remarks on the turn's two plies
    2. b5-b3 c5-c2xc3

A text written here carries the tags `variant` and `options`, because a rules record cannot
express every rule of ours; a reader without them takes the record.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.errors import NotationError
from engine.game import Game
from engine.otnr import format_otnr, parse_otnr
from engine.pieces import Side
from engine.rules import VARIANTS, Outcome, Reason, Result, Ruleset, load_variant, with_options

if TYPE_CHECKING:
    from collections.abc import Mapping

_TAG: Final = re.compile(r"\[([a-z][a-z-]*):([^\[\]]*)\]")
_REMARK: Final = re.compile(r"\[([^\[\]]*)\]")
_TURN: Final = re.compile(r"([0-9]{1,6})\.((?:[ \t]+[^\s\[\]]+){1,2})[ \t]*(?=\r?\n|$)")
_BLANK: Final = re.compile(r"\s+")
_MOVE: Final = re.compile(
    r"K?([a-z][0-9])-([a-z][0-9])(?:x(K?[a-z][0-9](?:/K?[a-z][0-9])*))?(?:\+\+?|--?)?",
)
_RESIGNS: Final = "---"
_SCORE: Final = {Side.ATTACKER: "1", Side.DEFENDER: "-1"}
_OURS: Final = frozenset({"variant", "options", "result", "termination", "rules"})
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class GameText:
    """A game with what the text says about it.

    Attributes:
        game: the game, played to its end.
        tags: `event`, `date`, `attackers`, ... as written, but those that the game itself gives.
        remarks: a remark a ply, empty where there is none; may be shorter than the game.
    """

    game: Game
    tags: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def format_game(text: GameText) -> str:
    """Return the game as `.otg` text. Brackets and bars in tags and remarks are softened."""
    tags = {key: value for key, value in text.tags.items() if key not in _OURS}
    tags |= _own_tags(text.game)
    lines = [f"[{key}:{_soft(value)}]" for key, value in tags.items()]
    return "\n".join([*lines, "", *_turn_lines(text), ""])


def _own_tags(game: Game) -> dict[str, str]:
    start = _first(game)
    ruleset = game.ruleset
    tags = {}
    if ruleset.name in VARIANTS:
        tags["variant"] = ruleset.name
        tags["options"] = " ".join(f"{key}={value}" for key, value in ruleset.options.items())
    tags["result"] = _result(game.outcome)
    if game.outcome is not None:
        tags["termination"] = game.outcome.reason.value
    tags["rules"] = format_otnr(ruleset, start.position)
    return tags


def _result(outcome: Outcome | None) -> str:
    if outcome is None or outcome.result is Result.NO_RESULT:
        return "?"
    return "0" if outcome.winner is None else _SCORE[outcome.winner]


def _first(game: Game) -> Game:
    while game.parent is not None:
        game = game.parent
    return game


def _turn_lines(text: GameText) -> list[str]:
    plies = text.game.plies
    remarks = [*text.remarks, *[""] * (len(plies) - len(text.remarks))]
    lines = []
    for at in range(0, len(plies), 2):
        lines.append(f"{at // 2 + 1}. {' '.join(str(ply) for ply in plies[at : at + 2])}")
        pair = [_soft(remark) for remark in remarks[at : at + 2]]
        if any(pair):
            lines.append(f"[{'|'.join(pair)}]")
    return lines


def _soft(text: str) -> str:
    return text.translate(str.maketrans("[]|", "()/"))


# -- reading ---------------------------------------------------------------------------------


def parse_game(text: str) -> GameText:
    """Read `.otg` text.

    Raises:
        NotationError: not such a text, or one with rules or variations that are not played here.
        IllegalMoveError: a move that the rules refuse.
    """
    tags, at = _read_tags(text)
    game = _start(tags)
    remarks: list[str] = []
    for moves, remark in _read_turns(text, at):
        for word in moves:
            game = _play(game, word)
        remarks += _remarks_of(remark, game.ply_count - len(remarks))
    while remarks and not remarks[-1]:
        remarks.pop()
    game = _finish(game, tags)
    kept = {key: value for key, value in tags.items() if key not in _OURS}
    return GameText(game, kept, tuple(remarks))


def _read_tags(text: str) -> tuple[dict[str, str], int]:
    """Return the tags and where they end."""
    tags: dict[str, str] = {}
    at = _skip(text, 0)
    while match := _TAG.match(text, at):
        if match[1] in tags:
            raise NotationError(f"game text: tag {match[1]!r} is given twice")
        tags[match[1]] = match[2]
        at = _skip(text, match.end())
    if "rules" not in tags:
        raise NotationError(f"game text: no [rules:...] tag before {_shown(text, at)}")
    return tags, at


def _read_turns(text: str, at: int) -> list[tuple[list[str], str]]:
    """Return each turn's words and the remark after it."""
    turns: list[tuple[list[str], str]] = []
    while at < len(text):
        if match := _TURN.match(text, at):
            if int(match[1]) != len(turns) + 1:
                raise NotationError(
                    f"game text: turn {match[1]} where {len(turns) + 1} is due; variations are not"
                    " read"
                )
            turns.append((match[2].split(), ""))
        elif (match := _REMARK.match(text, at)) and turns and not turns[-1][1]:
            turns[-1] = (turns[-1][0], match[1])
        else:
            raise NotationError(
                f"game text: not a turn such as '3. e2-g2 e3-h3': {_shown(text, at)}"
            )
        at = _skip(text, match.end())
    return turns


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _shown(text: str, at: int) -> str:
    return repr(text[at : at + _SHOWN])


def _start(tags: Mapping[str, str]) -> Game:
    """Return the game at its start, by the tags `variant` and `options`, else by the record."""
    record = parse_otnr(tags["rules"])
    ruleset: Ruleset = record
    if tags.get("variant") in VARIANTS:
        ruleset = load_variant(tags["variant"])
        pairs = [word.partition("=") for word in tags.get("options", "").split()]
        ruleset = with_options(ruleset, {key: value for key, _, value in pairs})
    return Game.start(ruleset, side=record.first, position=record.start)


def _play(game: Game, word: str) -> Game:
    """Return the game after one word of a turn."""
    if word == _RESIGNS:
        return game.end(Outcome(game.position.side.other, Result.WIN, Reason.RESIGNED))
    match = _MOVE.fullmatch(word)
    if match is None:
        raise NotationError(f"game text: not a move: {_shown(word, 0)}")
    taken = f"x{match[3].replace('K', '')}" if match[3] else ""
    return game.push(game.parse(f"{match[1]}-{match[2]}{taken}"))


def _remarks_of(text: str, count: int) -> list[str]:
    """Return the remarks on the `count` plies of a turn."""
    parts = text.split("|") if text else []
    if len(parts) > count:
        raise NotationError(f"game text: {len(parts)} remarks on {count} moves: {_shown(text, 0)}")
    return parts + [""] * (count - len(parts))


def _finish(game: Game, tags: Mapping[str, str]) -> Game:
    """Return the game ended as the tags say, where the moves have not ended it."""
    result = tags.get("result", "?")
    why = tags.get("termination", "")
    if game.outcome is not None:
        return game
    winners = {score: side for side, score in _SCORE.items()}
    if result in winners:
        reason = Reason.RESIGNED if "resign" in why.lower() else _reason(why, Reason.OPERATOR)
        return game.end(Outcome(winners[result], Result.WIN, reason))
    if result == "0":
        return game.end(Outcome(None, Result.DRAW, _reason(why, Reason.AGREED)))
    if result != "?":
        raise NotationError(f"game text: result {result!r}; allowed: 1, -1, 0, ?")
    if _reason(why, Reason.AGREED) is Reason.OPERATOR:
        return game.end(Outcome(None, Result.NO_RESULT, Reason.OPERATOR))
    return game


def _reason(text: str, otherwise: Reason) -> Reason:
    return next((reason for reason in Reason if reason.value == text), otherwise)
