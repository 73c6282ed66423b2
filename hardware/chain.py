"""Which LED of the chain shows which cell, and in which order it wants its colours.

White LEDs (RGBW) take the common part of the three colours: the same light for a third of the
current, so the budget of `hardware.light` holds for them as well.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from hardware.errors import WiringError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.strip import Rgb

ORDERS: Final = ("RGB", "GRB", "RGBW", "GRBW")

_BLACK: Final = (0, 0, 0)


class Chain:
    """A chain of LEDs.

    Attributes:
        count: how many LEDs are driven.
        order: the order of the colours in a LED, one of `ORDERS`.
        dark: the frame that lights nothing.
    """

    def __init__(self, led_of_cell: Sequence[int], *, order: str = "GRB") -> None:
        """Know the LED under each cell; LEDs under no cell stay dark.

        Raises:
            WiringError: an unknown order.
        """
        if order not in ORDERS:
            raise WiringError((f"leds.order is {order!r}; it is one of {', '.join(ORDERS)}",))
        self.order = order
        self.count = max(led_of_cell) + 1
        cells = {led: cell for cell, led in enumerate(led_of_cell)}
        nowhere = len(led_of_cell)
        self._cells = tuple(cells.get(led, nowhere) for led in range(self.count))
        self.dark: tuple[Rgb, ...] = (_BLACK,) * nowhere
        self._places = tuple("RGBW".index(letter) for letter in order)

    def pixels(self, colours: Sequence[Rgb]) -> list[tuple[int, ...]]:
        """Return the colours in chain order: (red, green, blue), or with white as a fourth."""
        cells = [*colours, _BLACK]
        if len(self._places) == len(_BLACK):
            return [cells[cell] for cell in self._cells]
        return [_with_white(cells[cell]) for cell in self._cells]

    def wire_bytes(self, colours: Sequence[Rgb]) -> bytes:
        """Return the bytes of a frame in the order in which they are sent."""
        first, second, third, *white = self._places
        pixels = self.pixels(colours)
        if white:
            ordered = [(p[first], p[second], p[third], p[white[0]]) for p in pixels]
            return bytes(chain.from_iterable(ordered))
        return bytes(chain.from_iterable([(p[first], p[second], p[third]) for p in pixels]))


def _with_white(colour: Rgb) -> tuple[int, int, int, int]:
    red, green, blue = colour
    white = min(colour)
    return red - white, green - white, blue - white, white
