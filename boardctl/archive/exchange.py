"""Games carried from one archive to another, as JSON or as OpenTafl's game text.

    {"format": "boardctl-games/1", "games": [{"uid": ..., "variant": "market", ...}, ...]}

A game's object is what `boardctl games show --json` prints (`boardctl.archive.records.full`). A
reader needs `variant`, `position`, `side` and `moves`; everything else may be left out.
"""

from __future__ import annotations

import hashlib
import json
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
    except (EngineError, KeyError, TypeError, ValueError) as error:
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
        json.dumps(game, ensure_ascii=False).encode()  # a lone half of a pair is no text
        record = _record(game)
        _check_outcome(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _wrong(place, error) from error
    return record


def _wrong(place: str, error: Exception) -> BadRequestError:
    missing = isinstance(error, KeyError)
    return BadRequestError(
        f"{place}: no {error}" if missing else f"{place}: {'; '.join(str(error).splitlines())}"
    )


def _check_outcome(record: GameRecord) -> None:
    """ValueError unless the outcome is one that a game can have."""
    if record.result is not None:
        Result(record.result)
        Reason(record.reason)
    if record.winner is not None:
        Side(record.winner)


def _record(game: Mapping[str, Any]) -> GameRecord:
    outcome = game.get("outcome") or {}
    started = str(game.get("started", ""))
    plies = game.get("record")
    if plies is None:
        plies = [{"number": n, "move": move} for n, move in enumerate(game["moves"], start=1)]
    finished = game.get("finished")
    if finished is None:
        # An archive resumes its newest game without an end; what comes from elsewhere is over.
        finished = started
    reason = outcome.get("reason") or ABANDONED
    return GameRecord(
        id=0,
        uid=str(game.get("uid") or _fingerprint(game)),
        source=IMPORTED,
        table_name=str(game.get("table", "")),
        variant=_text(game, "variant"),
        options={str(name): str(value) for name, value in dict(game.get("options", {})).items()},
        position=_text(game, "position"),
        side=_text(game, "side"),
        started=started,
        finished=str(finished),
        winner=outcome.get("winner"),
        result=outcome.get("result"),
        reason=reason,
        plies=tuple(_ply(ply) for ply in plies),
        corrections=tuple(
            Correction(_number(each["ply"]), str(each["position"]), str(each["side"]))
            for each in game.get("corrections", [])
        ),
    )


def _ply(ply: Mapping[str, Any]) -> PlyRecord:
    retracted = ply.get("retracted")
    return PlyRecord(
        number=_number(ply["number"]),
        move=_text(ply, "move"),
        final=bool(ply.get("final", True)),
        revisions=tuple(str(each) for each in ply.get("revisions", ())),
        at_s=float(ply.get("at_s", 0.0)),
        wall=str(ply.get("wall", "")),
        retracted=None if retracted is None else str(retracted),
    )


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < _MOST_PLIES:
        raise ValueError(f"no number of a ply: {value!r:.40}")
    return value


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values[name]
    if not isinstance(value, str):
        raise TypeError(f"{name!r} is a text; got {value!r}")
    return value


def _fingerprint(game: Mapping[str, Any]) -> str:
    """Return an identifier for a game that has none: the same game is imported once only."""
    return hashlib.sha256(json.dumps(game, sort_keys=True).encode()).hexdigest()[:16]
