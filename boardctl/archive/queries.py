"""Questions about past games, and games brought by others: as the page and `boardctl games` ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

from boardctl.archive.records import full, summary
from boardctl.archive.schema import transaction
from boardctl.archive.statistics import statistics
from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.archive.store import Store

PAGE: Final = 200
"""Games in one answer; a line of the link holds them with room to spare."""


def answer(store: Store, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return status and body for one of these.

    {"query": "games"}                    the newest `PAGE`; also with "limit", "variant", and
                                          "before": the number of a game, to go on from there
    {"query": "game", "game": 7}          all that is kept of it
    {"query": "stats"}                    how games ended
    """
    match body.get("query"):
        case "games":
            return _games(store, body)
        case "game":
            number = body.get("game")
            game = store.game(number) if _is_number(number) else None
            if game is None:
                return 404, {"error": f"no game {number!r}"}
            return 200, full(game)
        case "stats":
            return 200, {"variants": statistics(store.results())}
        case other:
            return 400, {"error": f"unknown query: {other!r}; one of games, game, stats"}


def _games(store: Store, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    limit, before = body.get("limit", PAGE), body.get("before")
    variant = body.get("variant")
    if type(limit) is not int or not 1 <= limit <= PAGE:
        return 400, {"error": f"'limit' is 1 to {PAGE}; got {limit!r}"}
    if before is not None and not _is_number(before):
        return 400, {"error": f"'before' is the number of a game; got {before!r}"}
    if variant is not None and not _is_text(variant):
        return 400, {"error": f"'variant' is a text; got {variant!r}"}
    games = store.games(limit=limit, variant=variant, before=before)
    return 200, {"games": [summary(*entry) for entry in games]}


def _is_number(value: object) -> TypeGuard[int]:
    """Whether *value* can be the number of a game; SQLite's own have 63 bits."""
    return type(value) is int and 0 < value < 1 << 63


def _is_text(value: object) -> TypeGuard[str]:
    """Whether *value* can be in a file: JSON also has texts with half of a surrogate pair."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def bring(store: Store, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """Keep the game of `{"game": {...}}` unless the archive holds it; say whether it is new.

    Who brings it has replayed it (`boardctl.archive.exchange.from_json`): here that would take
    time from the loop of a running table.
    """
    from boardctl.archive.exchange import record_of  # noqa: PLC0415  no table needs it to play

    try:
        game = record_of(body.get("game"), "game")
    except BadRequestError as error:
        return 400, {"error": str(error)}
    with transaction(store.database):
        is_new = store.bring(game)
    return 200, {"added": is_new}
