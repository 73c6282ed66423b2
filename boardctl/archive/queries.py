"""Questions about past games, as the page asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from boardctl.archive.records import full, summary
from boardctl.archive.statistics import statistics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.archive.store import Store

PAGE: Final = 200
"""Games in one answer; a line of the link holds them with room to spare."""


def answer(store: Store, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return status and body for `{"query": "games"}`, `{"query": "game", "game": 7}`, `stats`."""
    match body.get("query"):
        case "games":
            return 200, {"games": [summary(*entry) for entry in store.games(limit=PAGE)]}
        case "game":
            number = body.get("game")
            game = store.game(number) if isinstance(number, int) else None
            if game is None:
                return 404, {"error": f"no game {number!r}"}
            return 200, full(game)
        case "stats":
            return 200, {"variants": statistics(store.results())}
        case other:
            return 400, {"error": f"unknown query: {other!r}; one of games, game, stats"}
