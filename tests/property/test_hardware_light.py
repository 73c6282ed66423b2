from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.light import Dimmer, estimate_ma

channel = st.integers(0, 255)
colour = st.tuples(channel, channel, channel)
frames = st.one_of(
    st.lists(colour, min_size=81, max_size=81),
    st.builds(lambda one: [one] * 81, colour),
)


@given(frames, st.floats(0, 1), st.floats(1, 3.5), st.floats(81, 6000))
def test_no_frame_exceeds_the_budget(
    frame: list[tuple[int, int, int]], brightness: float, gamma: float, max_ma: float
) -> None:
    levels = Dimmer(brightness=brightness, gamma=gamma, max_ma=max_ma).apply(frame)
    assert estimate_ma(levels) <= max_ma + 1e-6
    assert all(0 <= value <= 255 for level in levels for value in level)


@given(frames, st.floats(81, 6000))
def test_scaling_keeps_the_order_of_the_channels(
    frame: list[tuple[int, int, int]], max_ma: float
) -> None:
    levels = Dimmer(brightness=1, gamma=1, max_ma=max_ma).apply(frame)
    for before, after in zip(frame, levels, strict=True):
        for a in range(3):
            for b in range(3):
                assert before[a] < before[b] or after[a] >= after[b]
