from __future__ import annotations

from typing import Any

import pytest

from hardware.buttons import Buttons, Happening, Held, Press, Pressed
from hardware.cells import Instant
from hardware.errors import HardwareError
from tests.support.pins import pins

__all__ = ["pins"]

HOLD_S = {"shut-down": 3.0}


class Panel:
    """Two buttons on mock pins, and the time."""

    def __init__(self, factory: Any) -> None:
        self.buttons = Buttons({"hint": 5, "shut-down": 6}, hold_s=HOLD_S, bounce_s=0.03)
        self.hint, self.shut_down = factory.pin(5), factory.pin(6)
        self.now = 0.0
        self.wait(0.1)

    def wait(self, seconds: float) -> list[Happening]:
        news: list[Happening] = []
        for _ in range(round(seconds / 0.005)):
            self.now += 0.005
            news += self.buttons.poll(Instant(self.now))
        return news


def test_a_press_counts_once_when_it_has_settled(pins: Any) -> None:
    panel = Panel(pins)
    panel.hint.drive_low()
    assert panel.wait(0.02) == []
    assert panel.wait(0.03) == [Pressed("hint")]
    assert panel.wait(1) == []
    panel.hint.drive_high()
    assert panel.wait(1) == []


def test_bounces_are_one_press(pins: Any) -> None:
    panel = Panel(pins)
    news: list[Happening] = []
    for _ in range(4):
        panel.hint.drive_low()
        news += panel.wait(0.01)
        panel.hint.drive_high()
        news += panel.wait(0.01)
    panel.hint.drive_low()
    news += panel.wait(0.1)
    assert news == [Pressed("hint")]


def test_a_spark_is_no_press(pins: Any) -> None:
    panel = Panel(pins)
    panel.hint.drive_low()
    news = panel.wait(0.02)
    panel.hint.drive_high()
    assert news + panel.wait(1) == []


def test_a_button_to_hold_tells_how_long_and_then_acts(pins: Any) -> None:
    panel = Panel(pins)
    panel.shut_down.drive_low()
    news = panel.wait(2.9)
    assert news == [Held("shut-down", step / 20) for step in range(1, 20)]
    assert panel.wait(0.2) == [Held("shut-down", 1.0), Pressed("shut-down")]
    assert panel.wait(5) == []
    panel.shut_down.drive_high()
    assert panel.wait(1) == []


def test_let_go_early_nothing_is_done(pins: Any) -> None:
    panel = Panel(pins)
    panel.shut_down.drive_low()
    panel.wait(1.45)
    panel.shut_down.drive_high()
    assert panel.wait(1) == [Held("shut-down", 0.0)]
    panel.shut_down.drive_low()
    assert panel.wait(1)[0] == Held("shut-down", 0.05), "and the time begins anew"


def test_a_bounce_while_holding_does_not_end_it() -> None:
    press = Press("x", hold_s=1.0, bounce_s=0.03)
    press.step(False, Instant(0))
    press.step(True, Instant(0.1))
    press.step(True, Instant(0.2))
    assert press.step(False, Instant(0.5)) == [Held("x", 0.4)]
    press.step(True, Instant(0.51))
    assert press.step(True, Instant(1.09))[-1] == Held("x", 0.95)
    assert press.step(True, Instant(1.1))[-1] == Pressed("x")


def test_a_button_down_at_the_start_must_be_let_go_first() -> None:
    press = Press("shut-down", hold_s=1.0, bounce_s=0.03)
    for tick in range(1000):
        assert press.step(True, Instant(tick * 0.01)) == []
    news = [press.step(tick < 1200, Instant(tick * 0.01)) for tick in range(1000, 1300)]
    assert not any(news)
    news = [press.step(True, Instant(tick * 0.01)) for tick in range(1300, 1500)]
    assert [Held("shut-down", 1.0), Pressed("shut-down")] in news


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_an_error_that_releases_the_others() -> None:
    first = Buttons({"hint": 5}, hold_s={}, bounce_s=0.03)
    with pytest.raises(HardwareError, match="button 'confirm' cannot use GPIO 5"):
        Buttons({"new-game": 7, "confirm": 5}, hold_s={}, bounce_s=0.03)
    Buttons({"new-game": 7}, hold_s={}, bounce_s=0.03).close()
    first.close()
    first.close()
