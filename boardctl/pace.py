"""The daemon's clock, and all its waiting.

`now` is the one clock that the board process goes by, and only `run`, `wait_for` and `show` wait
in it; everything they call takes the time as an argument. (Commands at which a person stands and
waits, such as `calibrate` and the benchmarks, are given `now` or a counter of their own.)
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeVar

from boardctl.core.occupancy import Instant

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.loop import Loop

STOP_PICTURES: Final = 12
STOP_PICTURE_S: Final = 0.08
"""The sign of stopping: so many pictures, so many seconds apart, then the lights go out."""

ATTEMPT_PERIOD_S: Final = 0.5

SIGN_PICTURE_S: Final = 1 / 30
"""Pictures of a sign that is shown without a session are so far apart."""


def now() -> Instant:
    """Read the clock that the loop goes by: monotonic, unmoved by changes of the wall time."""
    return Instant(time.monotonic())


def run(
    loop: Loop,
    should_stop: Callable[[], bool],
    *,
    clock: Callable[[], Instant] = now,
    sleep: Callable[[float], None] = time.sleep,  # noqa: TID251  here alone
) -> None:
    """Turn *loop* until *should_stop*, then end its session."""
    while not should_stop() and not loop.shut_down:
        loop.rest(loop.turn(clock()), clock, sleep)
    for _ in range(STOP_PICTURES):
        loop.stop(clock())
        sleep(STOP_PICTURE_S)


_Found = TypeVar("_Found")


def wait_for(
    attempt: Callable[[], _Found | None],
    should_stop: Callable[[], bool],
    *,
    patience_s: float,
    picture: Callable[[Instant], None] = lambda _: None,
    clock: Callable[[], Instant] = now,
    sleep: Callable[[float], None] = time.sleep,  # noqa: TID251  as above
) -> _Found | None:
    """Try *attempt* until it returns something; None after *patience_s*, or when stopped.

    Between the attempts *picture* is shown.
    """
    until = clock() + patience_s
    while not should_stop():
        found = attempt()
        if found is not None or clock() >= until:
            return found
        show(picture, ATTEMPT_PERIOD_S, should_stop, clock=clock, sleep=sleep)
    return None


def show(
    picture: Callable[[Instant], None],
    seconds: float,
    should_stop: Callable[[], bool],
    *,
    clock: Callable[[], Instant] = now,
    sleep: Callable[[float], None] = time.sleep,  # noqa: TID251  as above
) -> None:
    """Show *picture* again and again for so many seconds, or until stopped."""
    until = clock() + seconds
    while not should_stop() and clock() < until:
        picture(clock())
        sleep(SIGN_PICTURE_S)
