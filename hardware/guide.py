"""Guided work at the board: the lights say what to do next, the switches answer.

A script is a generator: it yields what to show and receives what was seen, so it reads from top to
bottom and still never waits, reads a clock or touches a device.

    script --- Ask(task, lights) ---> screen and lights
           <-- Seen(closed, now) ---- scanner

`Guide` runs a script one scan at a time. `settled` and `flash` are the two waits that scripts use.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from hardware.cells import Instant
    from hardware.strip import Rgb

STEADY_S: Final = 0.3
"""A piece that is being put down rocks for less."""

FLASH_S: Final = 0.25

GREEN: Final[Rgb] = (0, 160, 0)
RED: Final[Rgb] = (200, 0, 0)
WHITE: Final[Rgb] = (140, 140, 140)


@dataclass(frozen=True, slots=True)
class Seen:
    """One scan.

    Attributes:
        closed: mask of the closed switches.
        now: when.
        unknown: mask of the switches that could not be read.
        faults: what the scanner complains of.
        skip: whether the person asked to go on.
    """

    closed: int
    now: Instant
    unknown: int = 0
    faults: Sequence[str] = ()
    skip: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """What to tell the person: a line of text, and lights by number; the others are dark."""

    task: str
    lights: Mapping[int, Rgb] = field(default_factory=dict)


Script: TypeAlias = Generator[Ask, Seen, None]
Wait: TypeAlias = Generator[Ask, Seen, "Seen | None"]


class Guide:
    """Runs a script.

    Attributes:
        ask: what to show now.
        finished: whether the script has ended.
    """

    def __init__(self, script: Script) -> None:
        """Begin; the first thing to show is in `ask` at once."""
        self._script = script
        self.finished = False
        self.ask = Ask("")
        self._advance(lambda: next(script))

    def step(self, seen: Seen) -> Ask:
        """Take a scan; return what to show."""
        if not self.finished:
            self._advance(lambda: self._script.send(seen))
        return self.ask

    def _advance(self, to_next: Callable[[], Ask]) -> None:
        try:
            self.ask = to_next()
        except StopIteration:
            self.finished = True


def settled(
    ask: Ask,
    wanted: Callable[[int], bool],
    *,
    steady_s: Callable[[int], float] = lambda _: STEADY_S,
    patience_s: float,
    hurry: Callable[[int], bool] = lambda _: True,
) -> Wait:
    """Show *ask* until the same wanted set of closed switches has held; return that scan.

    Args:
        ask: what to show.
        wanted: which closed sets count.
        steady_s: how long such a set must hold.
        patience_s: give up and return None when nothing has changed for so long.
        hurry: whether patience runs out while this set is closed.
    """
    seen = yield ask
    changed_at, last = seen.now, seen.closed
    while True:
        if seen.closed != last:
            changed_at, last = seen.now, seen.closed
        held_s = seen.now - changed_at
        if wanted(last) and held_s >= steady_s(last):
            return seen
        if seen.skip or (held_s >= patience_s and hurry(last)):
            return None
        seen = yield ask


def flash(ask: Ask, *, length_s: float = FLASH_S) -> Generator[Ask, Seen, Seen]:
    """Show *ask* for a moment, or until the person wants to go on; return the last scan."""
    seen = yield ask
    ends = seen.now + length_s
    while seen.now < ends and not seen.skip:
        seen = yield ask
    return seen
