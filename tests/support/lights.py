"""Watching the lights of a table over time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from boardctl.core.occupancy import Instant
from boardctl.core.scene import lights
from engine.squares import parse_square, square_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boardctl.core.palette import Meaning
    from boardctl.core.rehearsal import Rehearsal

FPS = 50


class Watch:
    """What every square showed for some seconds, should nothing happen.

    Attributes:
        levels: the brightness of each lit square, 50 a second.
        meanings: what each square said in that time.
    """

    def __init__(self, table: Rehearsal, seconds: float = 4.0) -> None:
        frames = [
            lights(table.snapshot, Instant(table.now + place / FPS))
            for place in range(round(seconds * FPS))
        ]
        self.levels: dict[str, list[float]] = {}
        self.meanings: dict[str, set[Meaning]] = {}
        for place, frame in enumerate(frames):
            for square, light in frame.items():
                name = square_name(square)
                self.levels.setdefault(name, [0.0] * len(frames))[place] = light.level
                if light.level > 0.0:
                    self.meanings.setdefault(name, set()).add(light.meaning)

    def squares(self, meaning: Meaning) -> set[str]:
        """The squares that said this."""
        return {name for name, said in self.meanings.items() if meaning in said}

    def hertz(self, square: str) -> float:
        """How often a square became bright, a second."""
        levels = self.levels[square]
        low, high = min(levels), max(levels)
        if high - low < 0.05:
            return 0.0
        middle = (low + high) / 2
        ups = sum(a < middle <= b for a, b in itertools.pairwise(levels))
        return ups * FPS / len(levels)

    def is_steady(self, square: str) -> bool:
        """Whether it did not change."""
        return self.hertz(square) == 0.0

    def brightest(self, square: str) -> float:
        """Its greatest level."""
        return max(self.levels.get(square, [0.0]))


def flashes(levels: Sequence[float]) -> int:
    """The most flashes of one square within any second: pairs of opposing changes of a tenth."""
    turns: list[int] = []
    extreme, rising = levels[0], None
    for place, value in enumerate(levels):
        if rising is not False and value <= extreme - 0.1:
            rising, extreme = False, value
            turns.append(place)
        elif rising is not True and value >= extreme + 0.1:
            rising, extreme = True, value
            turns.append(place)
        elif (rising and value > extreme) or (rising is False and value < extreme):
            extreme = value
    return max((sum(start <= t < start + FPS for t in turns) // 2 for start in turns), default=0)


def light_at(table: Rehearsal, square: str, after: float = 0.0) -> Meaning | None:
    """What a square says some seconds from now; None when it is dark."""
    light = lights(table.snapshot, Instant(table.now + after)).get(parse_square(square))
    return light.meaning if light is not None and light.level > 0.0 else None
