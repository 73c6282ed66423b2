"""What shows colours under the squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green, blue, 0..255 each."""


class LedStrip(Protocol):
    """Shows 81 colours. One thread owns it.

    The colours are in cell order and final: brightness, gamma and the current budget have been
    applied by `hardware.light.Dimmer`. The strip only knows which LED lies under which cell.
    """

    def show(self, colours: Sequence[Rgb]) -> None:
        """Send one frame.

        Raises:
            HardwareError: the device refused the frame.
        """

    def close(self) -> None:
        """Switch all lights off and release the device. Closing twice is allowed."""


class NoStrip:
    """A table without lights."""

    def show(self, colours: Sequence[Rgb]) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Release nothing."""
