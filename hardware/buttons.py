"""Push buttons: what a finger did, from what the pins say.

gpiozero reads the pins; everything else is decided here from levels and times, on the loop's
thread: its callbacks come from threads of their own, and its bounce filter is left to each pin
library.

    pin      ___|~|_|~~~~~~~~~~~~~~~~~~~|_|~|______
    down     ________|~~~~~~~~~~~~~~~~~~~~~~~|_____      each edge bounce_s after its last change
    plain            Pressed
    to hold          Held .05 .1 .15 ... Held 1, Pressed   (let go before: Held 0, nothing is done)

A button that is down when the daemon starts must be let go first: a shorted wire never shuts the
machine down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import gpiozero

from hardware.errors import pin_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.cells import Instant

POLL_S: Final = 0.01
"""How often the pins are read; a finger is slower than a reed."""

STEPS: Final = 20
"""Into how many steps the time of holding is told."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """The button called *name* was pressed, and held for its time where it must be held."""

    name: str


@dataclass(frozen=True, slots=True)
class Held:
    """The button *name* is being held: *fraction* of its time has passed; 0 when it was let go."""

    name: str
    fraction: float


Happening: TypeAlias = Pressed | Held


class Press:
    """One button. Pure: the level of its pin and the time come in."""

    def __init__(self, name: str, *, hold_s: float, bounce_s: float) -> None:
        """Wait for *name*; it acts at once when *hold_s* is 0."""
        self._name = name
        self._hold_s = hold_s
        self._bounce_s = bounce_s
        self._level: bool | None = None
        self._since: Instant | None = None
        self._down = False
        self._down_at = 0.0
        self._step: int | None = None

    def step(self, level: bool, now: Instant) -> list[Happening]:
        """Take the level of the pin, true while it is pressed; return what has happened."""
        if self._level is None:
            self._level = self._down = level
        if level != self._level or self._since is None:
            self._level, self._since = level, now
        if level != self._down and now - self._since >= self._bounce_s:
            return self._turn(level, self._since)
        return self._holding(now) if self._step is not None else []

    def _turn(self, down: bool, at: Instant) -> list[Happening]:
        self._down, self._down_at = down, at
        if down and not self._hold_s:
            return [Pressed(self._name)]
        let_go_early = self._step is not None
        self._step = 0 if down else None
        return [Held(self._name, 0.0)] if let_go_early else []

    def _holding(self, now: Instant) -> list[Happening]:
        """Tell how much of the time has passed, each step once."""
        step = min(STEPS, int((now - self._down_at) / self._hold_s * STEPS))
        if step == self._step:
            return []
        self._step = None if step == STEPS else step
        news: list[Happening] = [Held(self._name, step / STEPS)]
        return [*news, Pressed(self._name)] if step == STEPS else news


class Buttons:
    """All buttons of a table, each between its pin and ground."""

    def __init__(
        self, pins: Mapping[str, int], *, hold_s: Mapping[str, float], bounce_s: float
    ) -> None:
        """Claim the pins.

        Args:
            pins: the GPIO number (BCM) of each button by name.
            hold_s: how long the ones that must be held are held.
            bounce_s: a level counts when it has been steady for so long.

        Raises:
            HardwareError: a pin is in use, or this machine has none.
        """
        self._presses: list[tuple[Any, Press]] = []
        self._due = float("-inf")
        for name, pin in pins.items():
            press = Press(name, hold_s=hold_s.get(name, 0.0), bounce_s=bounce_s)
            self._presses.append((self._claim(name, pin), press))

    def _claim(self, name: str, pin: int) -> Any:
        try:
            return gpiozero.DigitalInputDevice(pin, pull_up=True)
        except (gpiozero.GPIOZeroError, OSError, ImportError) as error:
            self.close()
            raise pin_error(f"button {name!r}", pin, error) from error

    def poll(self, now: Instant) -> list[Happening]:
        """Return what has happened; costs next to nothing when called more often than `POLL_S`."""
        if now < self._due:
            return []
        self._due = now + POLL_S
        news: list[Happening] = []
        for pin, press in self._presses:
            news += press.step(bool(pin.value), now)
        return news

    def close(self) -> None:
        """Release the pins. Closing twice is allowed."""
        for pin, _ in self._presses:
            pin.close()
        self._presses = []
