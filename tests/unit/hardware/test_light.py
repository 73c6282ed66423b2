from __future__ import annotations

import pytest

from hardware.light import Dimmer, estimate_ma

WHITE = (255, 255, 255)
DARK = (0, 0, 0)


def test_full_white_is_the_figure_of_the_documentation() -> None:
    assert estimate_ma([WHITE] * 81) == pytest.approx(4941)
    assert estimate_ma([DARK] * 81) == pytest.approx(81)


def test_without_gamma_dimming_or_want_nothing_changes() -> None:
    frame = [(n, 255 - n, n // 2) for n in range(81)]
    assert Dimmer(brightness=1, gamma=1, max_ma=6000).apply(frame) == frame


def test_gamma_darkens_the_middle_and_keeps_the_ends() -> None:
    levels = Dimmer(brightness=1, gamma=2.2, max_ma=6000).apply([(0, 128, 255)])
    assert levels == [(0, 56, 255)]


def test_brightness_is_that_of_the_brightest_light() -> None:
    assert Dimmer(brightness=0.4, gamma=1, max_ma=6000).apply([WHITE]) == [(102, 102, 102)]


def test_a_frame_over_the_budget_is_scaled_as_a_whole() -> None:
    dimmer = Dimmer(brightness=1, gamma=1, max_ma=1000)
    levels = dimmer.apply([(240, 120, 60)] * 81)
    assert len(set(levels)) == 1
    red, green, blue = levels[0]
    assert red / green == pytest.approx(2, rel=0.1)
    assert green / blue == pytest.approx(2, rel=0.15)
    assert 950 < estimate_ma(levels) <= 1000


def test_a_frame_within_the_budget_is_left_alone() -> None:
    frame = [WHITE] * 10 + [DARK] * 71
    assert Dimmer(brightness=1, gamma=1, max_ma=700).apply(frame) == frame


def test_a_budget_below_the_idle_current_leaves_the_board_dark() -> None:
    assert Dimmer(brightness=1, gamma=1, max_ma=50).apply([WHITE] * 81) == [DARK] * 81


def test_the_same_scene_costs_nothing_the_second_time() -> None:
    dimmer = Dimmer(brightness=0.5, gamma=2.2, max_ma=1000)
    scene = (WHITE,) * 81
    assert dimmer.apply(scene) is dimmer.apply(scene)


def test_a_list_that_was_changed_in_place_is_computed_anew() -> None:
    dimmer = Dimmer(brightness=1, gamma=1, max_ma=6000)
    frame = [DARK] * 81
    dimmer.apply(frame)
    frame[0] = WHITE
    assert dimmer.apply(frame)[0] == WHITE
