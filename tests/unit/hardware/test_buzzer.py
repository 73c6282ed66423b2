from __future__ import annotations

import itertools
from typing import Any

import pytest

from hardware.buzzer import SIGNALS, Buzzer, Melody, Note
from hardware.cells import Instant
from hardware.errors import HardwareError
from tests.support.pins import pins

__all__ = ["pins"]


def heard(notes: tuple[Note, ...]) -> list[tuple[int, float]]:
    melody = Melody()
    melody.play(notes)
    changes = []
    for tick in range(200):
        hz = melody.step(Instant(tick * 0.01 + 1e-6))
        if hz is not None:
            changes.append((tick * 10, hz))
    return changes


def test_a_melody_is_its_notes_in_time_and_then_silence() -> None:
    assert heard((Note(660, 0.1), Note(0, 0.05), Note(880, 0.2))) == [
        (0, 660),
        (100, 0),
        (150, 880),
        (350, 0),
    ]


@pytest.mark.parametrize("name", SIGNALS)
def test_every_signal_is_short_and_ends_in_silence(name: str) -> None:
    changes = heard(SIGNALS[name])
    assert changes[-1][1] == 0
    assert changes[-1][0] <= 800


def test_no_two_signals_have_the_same_rhythm_and_direction() -> None:
    shapes = set()
    for notes in SIGNALS.values():
        tones = [note.hz for note in notes if note.hz]
        rises = tuple((b > a) - (b < a) for a, b in itertools.pairwise(tones))
        shapes.add(rises)
    assert len(shapes) == len(SIGNALS)


def test_a_new_signal_cuts_the_old_one_off() -> None:
    melody = Melody()
    melody.play(SIGNALS["win"])
    assert melody.step(Instant(0)) == 523
    melody.play(SIGNALS["accepted"])
    assert melody.step(Instant(0.01)) == 880
    assert melody.step(Instant(0.07)) == 0
    assert melody.step(Instant(0.2)) is None


def test_the_buzzer_sounds_and_falls_silent(pins: Any) -> None:
    buzzer = Buzzer(13)
    buzzer.play("accepted")
    buzzer.step(Instant(0))
    assert pins.pin(13).frequency == pytest.approx(880)
    buzzer.step(Instant(0.01))
    assert pins.pin(13).frequency == pytest.approx(880)
    buzzer.step(Instant(0.06))
    assert pins.pin(13).frequency is None
    buzzer.close()
    buzzer.close()


def test_muted_it_is_silent(pins: Any) -> None:
    buzzer = Buzzer(13)
    buzzer.muted = True
    buzzer.play("win")
    buzzer.step(Instant(0))
    assert pins.pin(13).frequency is None
    buzzer.close()


@pytest.mark.usefixtures("pins")
def test_a_pin_in_use_is_an_error() -> None:
    first = Buzzer(13)
    with pytest.raises(HardwareError, match="the buzzer cannot use GPIO 13"):
        Buzzer(13)
    first.close()
