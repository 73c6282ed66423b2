"""From the colours of the scene to what the lights are told: gamma, brightness, current budget.

The current of a frame is estimated as

    81 LEDs x 1 mA + sum of all channels / 255 x 20 mA

20 mA a channel and under 1 mA idle are the figures of the WS2812B; measured strips draw less
(18 mA), so the estimate errs on the safe side. Full white is 4.9 A. A frame over the budget is
scaled as a whole, which keeps hues and the contrast between squares. Source: docs/hardware.md,
"Power".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardware.cells import CELLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.strip import Rgb

CHANNEL_MA: Final = 20.0
IDLE_MA: Final = 1.0
FULL: Final = 255


class Dimmer:
    """Applies gamma and brightness to a frame and keeps it within the current budget."""

    def __init__(self, *, brightness: float, gamma: float, max_ma: float) -> None:
        """Prepare the table.

        Args:
            brightness: of the brightest light, 0..1.
            gamma: exponent from the even steps of the eye to the even steps of a lamp; 1 is none.
            max_ma: what all lights together may draw, in mA.
        """
        self._table = tuple(
            round(FULL * brightness * (value / FULL) ** gamma) for value in range(FULL + 1)
        )
        # No light but the idle current is left when the budget is smaller than that.
        spare_ma = max(0.0, max_ma - CELLS * IDLE_MA)
        self._most = spare_ma / CHANNEL_MA * FULL
        self._last: tuple[Sequence[Rgb], list[Rgb]] | None = None

    def apply(self, colours: Sequence[Rgb]) -> list[Rgb]:
        """Return the frame to show; the same list again for the same sequence."""
        if self._last is not None and colours is self._last[0]:
            return self._last[1]
        table = self._table
        levels = [(table[red], table[green], table[blue]) for red, green, blue in colours]
        total = sum(map(sum, levels))
        if total > self._most:
            levels = _scaled(levels, self._most / total)
        if isinstance(colours, tuple):
            self._last = (colours, levels)
        return levels


def _scaled(levels: list[Rgb], scale: float) -> list[Rgb]:
    """Return the frame at *scale*, every channel rounded down so that the budget holds."""
    table = [int(value * scale) for value in range(FULL + 1)]
    return [(table[red], table[green], table[blue]) for red, green, blue in levels]


def estimate_ma(colours: Sequence[Rgb]) -> float:
    """Return the estimated current of a frame as it is shown, in mA."""
    return len(colours) * IDLE_MA + sum(map(sum, colours)) / FULL * CHANNEL_MA
