"""What scans make of the contacts: frames at the scan's pace, with the faults of chips and wires.

Contacts change at any time; a scan sees their state every `scan_s`. Six expanders carry 14 cells
each (the last one 11). One that does not answer leaves its cells unknown in that frame.
"""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hardware.cells import ALL_CELLS, CELLS, Cell, CellSet, Frame, Instant
from hardware.mcp23017 import USABLE_PINS
from hardware.mock.reeds import lognormal

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from hardware.mock.effects import Effects
    from hardware.mock.reeds import Edge

CELLS_OF_A_CHIP: Final = USABLE_PINS
CHIPS: Final = tuple(
    CellSet(((1 << CELLS_OF_A_CHIP) - 1) << first & ALL_CELLS)
    for first in range(0, CELLS, CELLS_OF_A_CHIP)
)
"""The cells of each expander."""


class Defect(enum.Enum):
    """How a single switch can be bad."""

    CLOSED = "stuck closed"
    OPEN = "stuck open"
    FLICKERS = "flickers"


@dataclass(frozen=True, slots=True)
class BadSwitch:
    """One switch that does not do as it should, from `since` to the end."""

    cell: Cell
    defect: Defect
    since: Instant


@dataclass(frozen=True, slots=True)
class Silence:
    """The expander number `chip` does not answer from `start` until `end`."""

    chip: int
    start: Instant
    end: Instant


@dataclass(frozen=True, slots=True)
class TimedFrame:
    """A frame that differs from the one before; `at` is the scan's instant."""

    at: Instant
    frame: Frame


def draw_silences(effects: Effects, rng: random.Random, end: Instant) -> tuple[Silence, ...]:
    """Draw whether and when an expander drops out of a recording that lasts until *end*."""
    if rng.random() >= effects.silent:
        return ()
    start = rng.uniform(0.0, end)
    length = lognormal(rng, effects.silent_s)
    return (Silence(rng.randrange(len(CHIPS)), Instant(start), Instant(start + length)),)


class _Timeline:
    """What changes at which scan; scans are numbered from 0."""

    def __init__(self) -> None:
        self.contacts: defaultdict[int, list[tuple[Cell, bool]]] = defaultdict(list)
        self.forced: defaultdict[int, list[tuple[Cell, bool]]] = defaultdict(list)
        self.dark: defaultdict[int, int] = defaultdict(int)
        self.wrong: defaultdict[int, int] = defaultdict(int)

    def numbers(self) -> list[int]:
        """Return the scans at which a frame may differ from the one before."""
        passing = [*self.dark, *self.wrong]
        return sorted({0, *self.contacts, *self.forced, *passing, *(n + 1 for n in passing)})

    def frames(self, start: CellSet) -> Iterator[tuple[int, Frame]]:
        """Yield a frame for each of these scans."""
        contacts, forced, jammed = int(start), 0, 0
        for number in self.numbers():
            for cell, closed in self.contacts.get(number, ()):
                contacts = contacts & ~(1 << cell) | closed << cell
            for cell, closed in self.forced.get(number, ()):
                jammed |= 1 << cell
                forced = forced & ~(1 << cell) | closed << cell
            dark = self.dark.get(number, 0)
            read = (contacts & ~jammed | forced) ^ self.wrong.get(number, 0)
            yield number, Frame(CellSet(read & ~dark), CellSet(dark))


def sample(
    start: CellSet,
    edges: Sequence[Edge],
    end: Instant,
    effects: Effects,
    rng: random.Random,
    *,
    bad: Sequence[BadSwitch] = (),
    silences: Sequence[Silence] = (),
) -> list[TimedFrame]:
    """Return the frames from 0 to *end* that differ from their predecessors.

    *start* holds the contacts closed at instant 0; *edges* are in order.
    """
    timeline = _Timeline()
    last = _number(end, effects)
    for edge in edges:
        timeline.contacts[_number(edge.at, effects)].append((edge.cell, edge.closed))
    for switch in bad:
        for at, closed in _forced(switch, end, effects, rng):
            timeline.forced[_number(at, effects)].append((switch.cell, closed))
    _misread(timeline, edges, last, effects, rng)
    for silence in silences:
        for number in range(_number(silence.start, effects), _number(silence.end, effects)):
            timeline.dark[number] |= CHIPS[silence.chip]
    frames: list[TimedFrame] = []
    for number, frame in timeline.frames(start):
        if number <= last and (not frames or frames[-1].frame != frame):
            frames.append(TimedFrame(Instant(number * effects.scan_s), frame))
    return frames


def _number(at: Instant, effects: Effects) -> int:
    """Return the first scan at or after *at*."""
    return math.ceil(at / effects.scan_s - 1e-9)


def _forced(
    switch: BadSwitch, end: Instant, effects: Effects, rng: random.Random
) -> Iterator[tuple[Instant, bool]]:
    """Yield the states a bad switch shows, whatever lies above it."""
    if switch.defect is not Defect.FLICKERS:
        yield switch.since, switch.defect is Defect.CLOSED
        return
    period = 1.0 / rng.uniform(*effects.flicker_hz)
    duty = rng.uniform(*effects.faulty_duty)
    now = float(switch.since)
    while now < end:
        yield Instant(now), True
        yield Instant(now + period * duty), False
        now += period * rng.uniform(0.7, 1.3)


def _misread(
    timeline: _Timeline, edges: Sequence[Edge], last: int, effects: Effects, rng: random.Random
) -> None:
    """Add the reads that fail (no answer, N17) or return a wrong byte (N19)."""
    if effects.read_error:
        reads = rng.expovariate(effects.read_error)
        while reads < last * len(CHIPS):
            number, chip = divmod(int(reads), len(CHIPS))
            timeline.dark[number] |= CHIPS[chip]
            reads += max(1.0, rng.expovariate(effects.read_error))
    for edge in edges:
        highest = edge.cell % CELLS_OF_A_CHIP == CELLS_OF_A_CHIP - 1
        if highest and rng.random() < effects.corrupt:
            wrong = rng.randrange(1 << 8) << (edge.cell - 7) & ALL_CELLS
            timeline.wrong[_number(edge.at, effects)] ^= wrong
