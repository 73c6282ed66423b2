"""How a light moves: each motion is a level 0..1 as a function of seconds.

Colour is never alone (one man in twelve sees some colours alike), so every meaning has its own
motion, too. Urgency is speed: what can wait breathes, what cannot blinks. No motion flashes
faster than `MAX_FLASH_HZ`, the limit of WCAG 2.3.1 for photosensitive people.

    STEADY   ████████████████████  a place to go to
    EMBER    ▆▇█▇▆▅▆▇█▇▆▅▆▇█▇▆▅▆▇  a slow glow: the last move
    TIDE     ▄▅▆▇██▇▆▅▄▄▅▆▇██▇▆▅▄  whose turn
    BREATHE  ▁▂▄▆█▆▄▂▁▂▄▆█▆▄▂▁▂▄▆  0.5 Hz: a piece belongs here
    SIMMER   ▅▆█▆▅▆█▆▅▆█▆▅▆█▆▅▆█▆  1 Hz, shallow: would be taken
    PULSE    ▁▄█▄▁▄█▄▁▄█▄▁▄█▄▁▄█▄  1 Hz: lift this
    WINK     ████▁████▁████▁████▁  steady with a short gap a second: a capture
    GLINT    █    █    █    █      one spark a second: cannot be read
    BLINK    ██  ██  ██  ██  ██    2 Hz: wrong
    DOUBLE   █ █     █ █     █ █   two flashes: not yours
    BEAT     █▅▁▁▁█▅▁▁▁█▅▁▁▁█▅▁▁▁  a heart: the king in danger
    TURNS    each of several candidates pulses in its own second
    RUN      a light that travels along a line
"""

from __future__ import annotations

import enum
import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_FLASH_HZ: Final = 3.0


class Motion(enum.Enum):
    """The vocabulary of motions; TURNS and RUN also depend on the place (`turn`, `run`)."""

    STEADY = "steady"
    EMBER = "ember"
    TIDE = "tide"
    BREATHE = "breathe"
    SIMMER = "simmer"
    PULSE = "pulse"
    WINK = "wink"
    GLINT = "glint"
    BLINK = "blink"
    DOUBLE = "double"
    BEAT = "beat"
    TURNS = "turns"
    RUN = "run"


def level(motion: Motion, t: float) -> float:
    """Return the brightness, 0..1, of a light in *motion* at second *t*."""
    return _LEVELS[motion](t)


def turn(t: float, place: int, places: int) -> float:
    """Return the level of candidate *place* of *places* that pulse one after the other.

    Each has a second of its own, so that the eye walks over them and counts.
    """
    if places < 2:  # noqa: PLR2004 - one alone has no turn to wait for
        return _swing(t, 1.0, 0.1)
    second = t % places
    return _swing(second, 1.0, 0.12) if int(second) == place else 0.12


def run(t: float, place: int, length: int, *, speed: float = 10.0, pause: int = 4) -> float:
    """Return the level at *place* of a light that runs along *length* squares again and again.

    Args:
        t: seconds.
        place: index on the line, 0 where the run starts.
        length: squares of the line.
        speed: squares a second, at the most; slower where the line is so short that a square
            would be passed more than 1.5 times a second.
        pause: squares' worth of darkness between two runs.
    """
    cycle = length + pause
    speed = min(speed, 1.5 * cycle)
    head = (t * speed) % cycle
    behind = head - place
    if behind < 0:
        return 0.06
    return max(0.06, 1.0 - behind / 3.0)


def _swing(t: float, hertz: float, low: float) -> float:
    return low + (1.0 - low) * (0.5 - 0.5 * math.cos(2 * math.pi * hertz * t))


def _window(t: float, period: float, *spans: tuple[float, float], low: float) -> float:
    at = t % period
    return 1.0 if any(start <= at < end for start, end in spans) else low


def _beat(t: float) -> float:
    at = t % 1.0
    return max(0.12, math.exp(-6.0 * at))


_LEVELS: Final[Mapping[Motion, Callable[[float], float]]] = {
    Motion.STEADY: lambda _: 1.0,
    Motion.EMBER: lambda t: _swing(t, 0.2, 0.6),
    Motion.TIDE: lambda t: _swing(t, 0.25, 0.45),
    Motion.BREATHE: lambda t: _swing(t, 0.5, 0.12),
    Motion.SIMMER: lambda t: _swing(t, 1.0, 0.45),
    Motion.PULSE: lambda t: _swing(t, 1.0, 0.1),
    Motion.WINK: lambda t: _window(t, 1.0, (0.0, 0.8), low=0.25),
    Motion.GLINT: lambda t: _window(t, 1.0, (0.0, 0.15), low=0.0),
    Motion.BLINK: lambda t: _window(t, 0.5, (0.0, 0.25), low=0.0),
    # 0.4 s from flash to flash: 2.5 Hz within the pair.
    Motion.DOUBLE: lambda t: _window(t, 1.6, (0.0, 0.2), (0.4, 0.6), low=0.05),
    Motion.BEAT: _beat,
    Motion.TURNS: lambda _: 1.0,
    Motion.RUN: lambda _: 1.0,
}
