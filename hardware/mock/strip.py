"""A strip that remembers what it was told to show."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from hardware.cells import CELLS
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.strip import Rgb

DARK: Final[tuple[Rgb, ...]] = ((0, 0, 0),) * CELLS


class RecordingStrip:
    """Keeps the frames it is shown.

    Attributes:
        frames: the last frames, newest at the end.
        failing: when set, `show` refuses as a device that is gone does.
        closed: whether it has been closed.
    """

    def __init__(self, *, keep: int = 10_000) -> None:
        """Keep at most *keep* frames."""
        self.frames: deque[tuple[Rgb, ...]] = deque(maxlen=keep)
        self.failing = False
        self.closed = False

    @property
    def last(self) -> tuple[Rgb, ...]:
        """The frame that is lit now; dark before the first."""
        return self.frames[-1] if self.frames else DARK

    def show(self, colours: Sequence[Rgb]) -> None:
        """Remember a frame."""
        if self.failing:
            raise HardwareError("the simulated strip refuses the frame")
        self.frames.append(tuple(colours))

    def close(self) -> None:
        """Go dark."""
        if not self.closed:
            self.frames.append(DARK)
            self.closed = True
