"""Short signals on a piezo buzzer: each is known by its rhythm and direction, not its pitch alone.

`step` is called with the time as often as the loop turns; nothing waits and no thread plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import gpiozero
from gpiozero.tones import Tone

from hardware.errors import pin_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.cells import Instant


class Note(NamedTuple):
    """A tone of *hz*, or silence when it is 0, for *length_s*."""

    hz: float
    length_s: float


_GAP: Final = Note(0, 0.05)

SIGNALS: Final[Mapping[str, tuple[Note, ...]]] = {
    "accepted": (Note(880, 0.05),),
    "capture": (Note(660, 0.06), Note(440, 0.10)),
    "illegal": (Note(220, 0.12), _GAP, Note(220, 0.20)),
    "raicki": (Note(660, 0.12), Note(880, 0.18)),
    "tuicku": (Note(660, 0.12), Note(880, 0.12), _GAP, Note(660, 0.12), Note(880, 0.18)),
    "win": (Note(523, 0.12), Note(659, 0.12), Note(784, 0.12), Note(1047, 0.40)),
}
"""The signals by name."""


class Melody:
    """The notes that are still to be played. Pure: time comes in."""

    def __init__(self) -> None:
        """Begin silent."""
        self._notes: tuple[Note, ...] = ()
        self._ends: float | None = None

    def play(self, notes: tuple[Note, ...]) -> None:
        """Begin *notes* at the next step; what was being played is cut off."""
        self._notes = notes
        self._ends = None

    def step(self, now: Instant) -> float | None:
        """Return the tone that begins now, in Hz, 0 for silence; None when nothing changes."""
        if self._ends is not None and now < self._ends:
            return None
        if not self._notes:
            was_playing = self._ends is not None
            self._ends = None
            return 0.0 if was_playing else None
        note, *rest = self._notes
        self._notes = tuple(rest)
        self._ends = now + note.length_s
        return note.hz


class Buzzer:
    """A piezo buzzer between a GPIO and ground."""

    def __init__(self, pin: int) -> None:
        """Claim GPIO *pin*.

        Raises:
            HardwareError: the pin cannot be used.
        """
        self._melody = Melody()
        self.muted = False
        try:
            # Two octaves around 440 Hz: 110 to 1760 Hz.
            self._device: Any = gpiozero.TonalBuzzer(pin, octaves=2)
        except (gpiozero.GPIOZeroError, OSError, ImportError) as error:
            raise pin_error("the buzzer", pin, error) from error

    def play(self, signal: str) -> None:
        """Sound the signal of this name, one of `SIGNALS`, unless muted."""
        if not self.muted:
            self._melody.play(SIGNALS[signal])

    def step(self, now: Instant) -> None:
        """Begin or end the tones that are due."""
        hz = self._melody.step(now)
        if hz is None:
            return
        if hz:
            self._device.play(Tone(hz))
        else:
            self._device.stop()

    def close(self) -> None:
        """Fall silent and release the pin. Closing twice is allowed."""
        self._device.close()
