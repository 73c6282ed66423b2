"""Every scene of the documentation: limits that hold in each of its frames."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl import pictures
from boardctl.core.gallery import SCENES, Film, film
from boardctl.core.motion import MAX_FLASH_HZ, Motion, level, run, turn
from boardctl.core.occupancy import Instant
from boardctl.core.palette import SEEN_TOGETHER
from boardctl.core.scene import lights, scene
from boardctl.core.settings import PALETTES
from hardware.light import Dimmer, estimate_ma
from tests.support.lights import FPS, flashes

GOLDEN = Path(__file__).parents[3] / "golden" / "scenes.txt"


@cache
def shot(name: str, palette: str = "default") -> Film:
    return film(name, random.Random(1), palette=palette)


@pytest.mark.parametrize("name", SCENES)
def test_no_square_flashes_faster_than_three_hertz(name: str) -> None:
    seen = shot(name)
    seconds = max(4.0, seen.story.length_s)
    frames = [
        scene(seen.snapshot, Instant(seen.end + place / FPS))
        for place in range(round(seconds * FPS))
    ]
    for square in range(81):
        luminance = [
            (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255 for r, g, b in (f[square] for f in frames)
        ]
        assert flashes(luminance) <= MAX_FLASH_HZ, f"square {square}"


@pytest.mark.parametrize("name", SCENES)
def test_what_is_seen_together_is_what_the_palettes_were_measured_for(name: str) -> None:
    seen = shot(name)
    for place in range(0, round(max(4.0, seen.story.length_s) * FPS), 3):
        frame = lights(seen.snapshot, Instant(seen.end + place / FPS))
        lit = {light.meaning for light in frame.values() if light.level > 0.0}
        assert any(lit <= group for group in SEEN_TOGETHER), sorted(m.value for m in lit)


@given(
    name=st.sampled_from(sorted(SCENES)),
    palette=st.sampled_from(PALETTES),
    after=st.floats(0.0, 20.0),
    brightness=st.floats(0.01, 1.0),
    max_ma=st.sampled_from([200.0, 900.0, 2500.0]),
    gamma=st.sampled_from([1.0, 2.2, 2.8]),
)
def test_no_frame_draws_more_than_the_budget(
    name: str, palette: str, after: float, brightness: float, max_ma: float, gamma: float
) -> None:
    seen = shot(name, palette)
    frame = scene(seen.snapshot, Instant(seen.end + after))
    shown = Dimmer(brightness=brightness, gamma=gamma, max_ma=max_ma).apply(frame)
    assert estimate_ma(shown) <= max_ma


@given(name=st.sampled_from(sorted(SCENES)), after=st.floats(0.0, 60.0))
def test_a_scene_is_a_pure_function_of_snapshot_and_time(name: str, after: float) -> None:
    seen = shot(name)
    now = Instant(seen.end + after)
    frame = scene(seen.snapshot, now)
    assert len(frame) == 81
    assert all(0 <= part <= 255 for rgb in frame for part in rgb)
    again = film(name, random.Random(1))
    assert scene(again.snapshot, now) == frame


def test_golden_frames() -> None:
    """Renew them by: boardctl scene --all tests/golden/scenes.txt."""
    drawn = "\n\n".join(pictures.text(name) for name in SCENES) + "\n"
    assert drawn == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("motion", Motion)
@given(t=st.floats(0.0, 1e6))
def test_every_motion_stays_between_dark_and_full(motion: Motion, t: float) -> None:
    assert 0.0 <= level(motion, t) <= 1.0


@pytest.mark.parametrize("motion", Motion)
def test_no_motion_flashes_faster_than_the_limit(motion: Motion) -> None:
    assert flashes([level(motion, place / FPS) for place in range(10 * FPS)]) <= MAX_FLASH_HZ


@pytest.mark.parametrize("length", range(1, 9))
def test_a_run_of_any_length_keeps_the_limit(length: int) -> None:
    for place in range(length):
        levels = [run(frame / FPS, place, length) for frame in range(10 * FPS)]
        assert 1 <= flashes(levels) <= MAX_FLASH_HZ


def test_turns_come_one_after_the_other() -> None:
    for frame in range(6 * FPS):
        bright = [place for place in range(3) if turn(frame / FPS, place, 3) > 0.5]
        assert len(bright) <= 1
