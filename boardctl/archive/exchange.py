"""Games carried from one archive to another, as JSON or as OpenTafl's game text.

    {"format": "boardctl-games/1", "games": [{"uid": ..., "variant": "market", ...}, ...]}

A game's object is what `boardctl games show --json` prints (`boardctl.archive.records.full`). A
reader needs `variant`, `position`, `side` and `moves`; everything else may be left out.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING, Any, Final

from boardctl.archive.records import ABANDONED, Correction, GameRecord, PlyRecord, rebuild
from boardctl.errors import BadRequestError
from engine import VARIANTS, Game, Reason, Result, Side, format_position
from engine.errors import EngineError
from engine.otg import GameText, format_game, parse_game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMAT: Final = "boardctl-games/1"
IMPORTED: Final = "import"

_MOST_PLIES: Final = 1_000_000
"""No game is so long; larger numbers would not fit into a database."""


def to_json(games: Sequence[Mapping[str, Any]]) -> str:
    """Return *games*, each all that is kept of it, as one JSON document."""
    return json.dumps({"format": FORMAT, "games": games}, indent=1)


def to_otg(game: GameRecord) -> str:
    """Return one game as OpenTafl's text, from its last correction on.

    Raises:
        EngineError: the game's ruleset is gone or cannot be expressed.
    """
    tags = {"event": game.table_name, "date": game.started[:10]}
    return format_game(GameText(rebuild(game), {key: tag for key, tag in tags.items() if tag}))


def from_text(text: str, name: str) -> list[GameRecord]:
    """Read a file of games, JSON or OpenTafl's text.

    Raises:
        BadRequestError: what is wrong, with *name* (of the file) and the place.
    """
    return from_json(text, name) if text.lstrip()[:1] in {"", "{"} else [_from_otg(text, name)]


def _from_otg(text: str, name: str) -> GameRecord:
    try:
        game = parse_game(text).game
        document = _document(game)
    except (EngineError, ValueError) as error:
        raise BadRequestError(f"{name}: {'; '.join(str(error).splitlines())}") from error
    return _read(document, name)


def _document(game: Game) -> dict[str, Any]:
    """Return a game as an object of the JSON form."""
    first = game
    while first.parent is not None:
        first = first.parent
    if game.ruleset.name not in VARIANTS:
        raise ValueError("its rules record is none of our games; only those are kept")
    outcome = game.outcome
    return {
        "variant": game.ruleset.name,
        "options": dict(game.ruleset.options),
        "position": format_position(first.position),
        "side": first.position.side.value,
        "moves": [str(ply) for ply in game.plies],
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.value,
            "result": outcome.result.value,
            "reason": outcome.reason.value,
        },
    }


def from_json(text: str, name: str) -> list[GameRecord]:
    """Read a document; every game is replayed, so that only legal ones get into an archive.

    Raises:
        BadRequestError: what is wrong, with *name* (of the file) and the number of the game.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"{name}: not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadRequestError(f"{name}: no games of boardctl; 'format' must be {FORMAT!r}")
    games = document.get("games")
    if not isinstance(games, list):
        raise BadRequestError(f"{name}: 'games' must be a list; got {type(games).__name__}")
    return [_read(game, f"{name}: game {number}") for number, game in enumerate(games, start=1)]


def _read(game: object, place: str) -> GameRecord:
    record = record_of(game, place)
    try:
        rebuild(record)
    except EngineError as error:
        raise _wrong(place, error) from error
    return record


def record_of(game: object, place: str) -> GameRecord:
    """Return the game of one object of the JSON form, not replayed.

    Raises:
        BadRequestError: what is wrong in it, with *place*.
    """
    if not isinstance(game, dict):
        raise BadRequestError(f"{place}: an object is needed; got {game!r:.60}")
    try:
        json.dumps(game, ensure_ascii=False).encode()  # half of a surrogate pair is no text
        return _record(game)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise _wrong(place, error) from error


def _wrong(place: str, error: Exception) -> BadRequestError:
    missing = isinstance(error, KeyError)
    return BadRequestError(
        f"{place}: no {error}" if missing else f"{place}: {'; '.join(str(error).splitlines())}"
    )


def _record(game: Mapping[str, Any]) -> GameRecord:
    winner, result, reason = _outcome(game.get("outcome"))
    plies = _objects(game, "record")
    if "record" not in game:
        plies = [{"number": n, "move": move} for n, move in enumerate(game["moves"], start=1)]
    started = _text(game, "started", "")
    # An archive resumes its newest game without an end; what comes from elsewhere is over.
    finished = _text(game, "finished", started)
    return GameRecord(
        id=0,
        uid=_text(game, "uid", "") or _fingerprint(game),
        source=IMPORTED,
        table_name=_text(game, "table", ""),
        variant=_text(game, "variant"),
        options={name: _text(game["options"], name) for name in dict(game.get("options", {}))},
        position=_text(game, "position"),
        side=_text(game, "side"),
        started=started,
        finished=finished,
        winner=winner,
        result=result,
        reason=reason,
        plies=tuple(_ply(ply) for ply in plies),
        corrections=tuple(
            Correction(
                _number(each, "ply", least=0),
                _text(each, "position"),
                _text(each, "side"),
                _text(each, "wall", ""),
            )
            for each in _objects(game, "corrections")
        ),
    )


def _outcome(outcome: object) -> tuple[str | None, str | None, str]:
    """Return winner, result and reason; ValueError or TypeError if no game can end so."""
    if not outcome:
        return None, None, ABANDONED
    if not isinstance(outcome, dict):
        raise TypeError(f"'outcome' is an object; got {outcome!r:.40}")
    winner = None if outcome.get("winner") is None else Side(outcome["winner"])
    result = Result(outcome["result"])
    if (winner is not None) is not (result is Result.WIN):
        raise ValueError(f"{result.value!r} goes with {'no ' if winner else 'a '}winner")
    return winner and winner.value, result.value, Reason(outcome["reason"]).value


def _ply(ply: Mapping[str, Any]) -> PlyRecord:
    revisions = ply.get("revisions", [])
    if not isinstance(revisions, list) or not all(isinstance(each, str) for each in revisions):
        raise TypeError(f"'revisions' is a list of texts; got {revisions!r:.40}")
    return PlyRecord(
        number=_number(ply, "number", least=1),
        move=_text(ply, "move"),
        final=bool(ply.get("final", True)),
        revisions=tuple(revisions),
        at_s=_seconds(ply.get("at_s", 0.0)),
        wall=_text(ply, "wall", ""),
        retracted=_text(ply, "retracted", "") or None,
    )


def _objects(values: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = values.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise TypeError(f"{name!r} is a list of objects; got {found!r:.40}")
    return found


def _number(values: Mapping[str, Any], name: str, *, least: int) -> int:
    value = values[name]
    if type(value) is not int or not least <= value < _MOST_PLIES:
        raise ValueError(f"{name!r} is {least} to {_MOST_PLIES - 1}; got {value!r:.40}")
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"'at_s' is a number of seconds; got {value!r:.40}")
    return float(value)


def _text(values: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """Return a text; *default* where it is left out or null, KeyError if there is none."""
    value = values[name] if default is None else values.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise TypeError(f"{name!r} is a text; got {value!r:.40}")
    return value


def _fingerprint(game: Mapping[str, Any]) -> str:
    """Return an identifier for a game that has none: the same game is imported once only."""
    return hashlib.sha256(json.dumps(game, sort_keys=True).encode()).hexdigest()[:16]
