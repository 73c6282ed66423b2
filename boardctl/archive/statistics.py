"""How the games end, per variant, with intervals: a few games say little, and that is shown."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

Z_95: Final = 1.959964
"""The normal quantile of a two-sided 95 % interval."""


def wilson(hits: int, games: int, z: float = Z_95) -> tuple[float, float]:
    """Return the Wilson score interval of a share; (0, 1) when there is no game.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if games == 0:
        return 0.0, 1.0
    share, spread = hits / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def statistics(
    results: Iterable[tuple[str, str | None, str | None, int, float]],
) -> dict[str, dict[str, Any]]:
    """Return for each variant its games, plies on the average, and the share of each ending.

    *results* holds (variant, winner, result, games, plies on the average).
    """
    by_variant: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    for variant, winner, result, games, plies in results:
        by_variant[variant].append((winner or str(result), games, plies))
    return {variant: _one(endings) for variant, endings in by_variant.items()}


def _one(endings: list[tuple[str, int, float]]) -> dict[str, Any]:
    total = sum(games for _, games, _ in endings)
    counts = {"attackers": 0, "defenders": 0, "draw": 0, "no-result": 0}
    for name, games, _ in endings:
        # Earlier versions took games in whose result was a win of nobody.
        counts[name if name in counts else "no-result"] += games
    return {
        "games": total,
        "mean_plies": round(sum(games * plies for _, games, plies in endings) / total, 1),
        "endings": {
            name: {
                "games": count,
                "share": round(count / total, 4),
                "interval_95": [round(bound, 4) for bound in wilson(count, total)],
            }
            for name, count in counts.items()
        },
    }
