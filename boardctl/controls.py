"""Buttons and buzzer: from what fingers did to events, from signals to sound.

All are optional. One that cannot be opened (its pin is in use, no pin library) is logged and left
out: a table without buttons is still a table.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from boardctl.core.events import Button, ButtonHeld, ButtonPressed
from hardware import backends
from hardware.cells import Instant as HardwareInstant
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boardctl.config import ButtonSettings
    from boardctl.core.effects import Play
    from boardctl.core.events import Event
    from boardctl.core.occupancy import Instant
    from hardware.buttons import Buttons
    from hardware.buzzer import Buzzer

log = logging.getLogger(__name__)

HOLD_S: Final[Mapping[Button, float]] = {Button.NEW_GAME: 2.0, Button.SHUT_DOWN: 3.0}
"""How long the buttons are held that do what cannot be taken back. Source: docs/lights.md."""


class Controls:
    """The buttons and the buzzer of one table."""

    def __init__(self, buttons: Buttons | None, buzzer: Buzzer | None) -> None:
        self._buttons = buttons
        self._buzzer = buzzer

    def events(self, now: Instant) -> Sequence[Event]:
        """Return what the buttons have done since the last call; lets the buzzer go on."""
        at = HardwareInstant(now)
        if self._buzzer is not None:
            self._buzzer.step(at)
        if self._buttons is None:
            return ()
        return [_event(one) for one in self._buttons.poll(at)]

    def sound(self, effect: Play) -> None:
        """Sound a signal."""
        if self._buzzer is not None:
            self._buzzer.play(effect.sound.value)

    def close(self) -> None:
        """Fall silent and release the pins."""
        for part in (self._buttons, self._buzzer):
            if part is not None:
                part.close()


def open_controls(settings: ButtonSettings) -> Controls:
    """Open the buttons and the buzzer that the configuration names."""
    pins = {button.value: pin for button in Button if (pin := _pin(settings, button)) is not None}
    buttons: Buttons | None = None
    buzzer: Buzzer | None = None
    try:
        if pins:
            hold_s = {button.value: length for button, length in HOLD_S.items()}
            buttons = backends.open_buttons(pins=pins, hold_s=hold_s, bounce_s=settings.bounce_s)
        if settings.buzzer is not None:
            buzzer = backends.open_buzzer(settings.buzzer)
    except HardwareError as error:
        log.error("%s", error)  # noqa: TRY400  a wiring fault, not one of the program
    return Controls(buttons, buzzer)


def _pin(settings: ButtonSettings, button: Button) -> int | None:
    pin: int | None = getattr(settings, button.value.replace("-", "_"))
    return pin


def _event(one: object) -> Event:
    """Return the session's event for what a button has done."""
    from hardware.buttons import Held, Pressed  # noqa: PLC0415  loads gpiozero: only with buttons

    match one:
        case Held(name, fraction):
            return ButtonHeld(Button(name), fraction)
        case Pressed(name):
            return ButtonPressed(Button(name))
        case _:
            raise TypeError(one)
