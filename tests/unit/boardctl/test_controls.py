from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.config.load import parse
from boardctl.controls import HOLD_S, Controls, open_controls
from boardctl.core.effects import Play, Sound
from boardctl.core.events import Button, ButtonHeld, ButtonPressed
from boardctl.core.occupancy import Instant
from hardware.buzzer import SIGNALS
from tests.support.pins import pins

if TYPE_CHECKING:
    from boardctl.core.events import Event

__all__ = ["pins"]

TEXT = """[buttons]
confirm = 5
new_game = 6
take_back = 7
hint = 8
shut_down = 9
buzzer = 13
"""


def opened(text: str = TEXT) -> Controls:
    return open_controls(parse(text, None, {}).config.buttons)


def wait(controls: Controls, start: float, seconds: float) -> list[Event]:
    news: list[Event] = []
    for tick in range(round(seconds / 0.005)):
        news += controls.events(Instant(start + tick * 0.005))
    return news


@pytest.mark.parametrize(
    ("pin", "button"), [(5, Button.CONFIRM), (7, Button.TAKE_BACK), (8, Button.HINT)]
)
def test_a_plain_button_is_an_event(pins: Any, pin: int, button: Button) -> None:
    controls = opened()
    wait(controls, 0, 0.1)
    pins.pin(pin).drive_low()
    assert wait(controls, 1, 0.5) == [ButtonPressed(button)]
    controls.close()


@pytest.mark.parametrize(("pin", "button"), [(6, Button.NEW_GAME), (9, Button.SHUT_DOWN)])
def test_what_cannot_be_taken_back_must_be_held(pins: Any, pin: int, button: Button) -> None:
    controls = opened()
    wait(controls, 0, 0.1)
    pins.pin(pin).drive_low()
    news = wait(controls, 1, HOLD_S[button] - 0.1)
    assert news[0] == ButtonHeld(button, 0.05)
    assert all(isinstance(one, ButtonHeld) for one in news)
    assert wait(controls, 1 + HOLD_S[button] - 0.1, 0.2)[-1] == ButtonPressed(button)
    controls.close()


def test_every_sound_of_the_session_has_its_signal(pins: Any) -> None:
    assert {sound.value for sound in Sound} == set(SIGNALS)
    controls = opened()
    controls.sound(Play(Sound.WIN))
    controls.events(Instant(0))
    assert pins.pin(13).frequency == pytest.approx(523)
    controls.close()


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_logged_and_the_table_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    first = opened("[buttons]\nhint = 8\n")
    with caplog.at_level(logging.ERROR):
        controls = opened("[buttons]\nconfirm = 8\n")
    assert "button 'confirm' cannot use GPIO 8" in caplog.text
    assert controls.events(Instant(0)) == ()
    first.close()


def test_a_table_without_buttons_is_silent() -> None:
    controls = opened("")
    assert controls.events(Instant(0)) == ()
    controls.sound(Play(Sound.WIN))
    controls.close()
