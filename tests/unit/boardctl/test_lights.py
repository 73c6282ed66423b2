from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from boardctl.core.occupancy import Instant
from boardctl.core.scene import scene, sign_scene
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Sign
from boardctl.lights import RETRY_S, Lights, SignLights
from engine import Game, load_variant
from hardware.light import Dimmer
from hardware.mock.strip import RecordingStrip

if TYPE_CHECKING:
    from boardctl.core.snapshot import Snapshot

FPS = 30.0


def snapshot() -> Snapshot:
    session = Session(
        SessionSettings(), Instant(0.0), random.Random(1), game=Game.start(load_variant("market"))
    )
    return session.snapshot


def lights(strip: RecordingStrip) -> Lights:
    def dimmer(brightness: float) -> Dimmer:
        return Dimmer(brightness=brightness, gamma=1.0, max_ma=1e9)

    return Lights(strip, dimmer, brightness=1.0, fps=FPS)


def test_a_new_snapshot_is_lit_at_once_whatever_the_time_of_the_next_picture() -> None:
    strip = RecordingStrip()
    shown, made = snapshot(), lights(strip)
    made.show(shown, Instant(0.0))
    other = replace(
        shown, version=shown.version + 1, settings=replace(shown.settings, palette="high-contrast")
    )
    made.show(other, Instant(0.001))
    assert len(strip.frames) == 2
    assert strip.frames[0] != strip.frames[1]


def test_motion_is_shown_at_the_rate_of_pictures() -> None:
    strip = RecordingStrip()
    shown, made = snapshot(), lights(strip)
    for tick in range(2000):
        made.show(shown, Instant(tick / 1000))
    assert len(strip.frames) <= 61


def test_a_refused_picture_is_tried_again_once_a_second_and_told() -> None:
    strip = RecordingStrip()
    strip.failing = True
    made = lights(strip)
    for tick in range(300):
        made.show(snapshot(), Instant(tick / 100))
    assert (made.fault or "").startswith("lights: ")
    assert made.sent == 0
    strip.failing = False
    made.show(snapshot(), Instant(3.0 + RETRY_S))
    assert (made.fault, made.sent) == (None, 1)


def test_observers_are_told_of_each_picture_once() -> None:
    made = lights(RecordingStrip())
    made.show(snapshot(), Instant(0.0))
    told = made.news(Instant(0.0))
    assert told is not None
    assert len(told) == 81
    assert all(len(colour) == 7 and colour.startswith("#") for colour in told)
    assert made.news(Instant(1.0)) is None


def test_another_brightness_is_sent_without_a_new_picture() -> None:
    strip = RecordingStrip()
    shown, made = snapshot(), lights(strip)
    made.show(shown, Instant(0.0))
    made.dim(0.5)
    made.show(shown, Instant(0.04))
    half = Dimmer(brightness=0.5, gamma=1.0, max_ma=1e9)
    assert list(strip.last) == half.apply(scene(shown, Instant(0.04)))


def test_a_sign_is_shown_from_its_beginning_and_tried_again_where_lights_come_late() -> None:
    strip = RecordingStrip()
    strip.failing = True
    dimmer = Dimmer(brightness=1.0, gamma=1.0, max_ma=1e9)
    sign = SignLights(strip, dimmer, Sign.STARTING, "high-contrast", Instant(5.0))
    for tick in range(500, 560):
        sign.show(Instant(tick / 100))
    assert (sign.lit, len(strip.frames)) == (False, 0)
    strip.failing = False
    sign.show(Instant(5.0 + RETRY_S / 2))
    assert not sign.lit, "not at every picture: opening lights may take its time"
    sign.show(Instant(5.0 + RETRY_S))
    assert sign.lit
    assert strip.last == sign_scene(Sign.STARTING, RETRY_S, "high-contrast")
