"""Tests every chip, switch and light with one piece, guided by the lights; no screen is needed.

    1. lights   all red, all green, all blue, all white, then one after another: the person looks
    2. empty    pieces off; what still seems closed glows red, is stuck, and is left out
    3. walk     the next square glows white: put the piece there. Green: good. Red: it is not
    4. dark     squares without answer once more: the others glow, so a dark light is seen as a hole
    5. ghosts   matrix only: five patterns of 18 pieces show every missing diode

The walk finds switches that do not close, do not open, chatter, close a neighbour too, or belong to
another square.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hardware.cells import ALL_CELLS, CELLS
from hardware.ghosts import patterns, suspects
from hardware.guide import GREEN, RED, STEADY_S, WHITE, Ask, flash, settled
from hardware.naming import bits, cell_name, cell_names
from hardware.sentences import (
    ALL_BLUE,
    ALL_GREEN,
    ALL_RED,
    ALL_WHITE,
    CHATTER,
    CHATTERING,
    CLEAR,
    CLOSES_OTHERS,
    GOOD,
    NO_DIODE,
    NOT_CLOSING,
    ONE_BY_ONE,
    PATTERN,
    PATTERN_DONE,
    PUT,
    PUT_ON_HOLE,
    SEEN_ELSEWHERE,
    SILENT,
    STUCK_CLOSED,
    WITHOUT_LIGHT,
    WRONG,
    Sentence,
)
from hardware.wiring import MatrixWiring

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from hardware.guide import Script, Seen, Wait
    from hardware.strip import Rgb
    from hardware.wiring import Wiring

PATIENCE_S: Final = 10.0
CHATTER_EDGES: Final = 8
"""A piece put down clumsily changes its switch 2 to 6 times; more is a reed at its field's edge."""

CHATTER_S: Final = 3.0
"""A switch that has not come to rest by then never will."""

WRONG_STEADY_S: Final = 1.5
_LOOK_S: Final = 1.0
_RUN_S: Final = 0.05
_COLOURS: Final[tuple[tuple[str, Rgb], ...]] = (
    (ALL_RED, (160, 0, 0)),
    (ALL_GREEN, (0, 160, 0)),
    (ALL_BLUE, (0, 0, 160)),
    (ALL_WHITE, (60, 60, 60)),
)
_VERDICTS: Final = {"good": GOOD, "chatter": CHATTER, "wrong": WRONG, "silent": SILENT}
_AMBER: Final[Rgb] = (160, 90, 0)
_EVERYWHERE: Final = tuple(range(CELLS))


@dataclass(slots=True)
class SelfTest:
    """What was found. Cells throughout."""

    faults: list[str] = field(default_factory=list)
    good: set[int] = field(default_factory=set)
    stuck_closed: set[int] = field(default_factory=set)
    dead: list[int] = field(default_factory=list)
    dark: list[int] = field(default_factory=list)
    elsewhere: dict[int, list[int]] = field(default_factory=dict)
    chatter: dict[int, int] = field(default_factory=dict)
    diodes: list[int] = field(default_factory=list)
    ignored: int = 0

    def problems(self) -> list[str]:
        """Return what is wrong, one line each, with the remedy."""
        lines = list(self.faults)
        lines += _grouped(STUCK_CLOSED, self.stuck_closed)
        lines += [_elsewhere(cell, seen) for cell, seen in self.elsewhere.items()]
        lines += _grouped(CHATTERING, self.chatter)
        lines += _grouped(NOT_CLOSING, self.dead)
        lines += _grouped(WITHOUT_LIGHT, self.dark)
        lines += _grouped(NO_DIODE, self.diodes)
        return lines


def _elsewhere(cell: int, seen: Sequence[int]) -> Sentence:
    others = cell_names(other for other in seen if other != cell)
    template = CLOSES_OTHERS if cell in seen else SEEN_ELSEWHERE
    return Sentence(template, square=cell_name(cell), others=others)


def _grouped(template: str, cells: Iterable[int]) -> list[Sentence]:
    """Return one line for all squares with the same fault; none when there are none."""
    names = cell_names(sorted(cells))
    return [Sentence(template, squares=names)] if names else []


def selftest(
    found: SelfTest, wiring: Wiring, *, patience_s: float = PATIENCE_S, look_s: float = _LOOK_S
) -> Script:
    """Fill *found* step by step. Masks and lights are by cell."""
    yield from _lights(found, look_s)
    stuck = yield from _empty(patience_s)
    found.stuck_closed, found.ignored = set(bits(stuck)), stuck
    resting = 0
    silent: list[int] = []
    for cell in _EVERYWHERE:
        ask = Ask(Sentence(PUT, square=cell_name(cell)), {cell: WHITE})
        if cell not in found.stuck_closed:
            answered, resting = yield from _try(found, cell, ask, resting, patience_s)
            silent += [] if answered else [cell]
    for cell in silent:
        rest = dict.fromkeys(set(_EVERYWHERE) - {cell}, GREEN)
        ask = Ask(Sentence(PUT_ON_HOLE, square=cell_name(cell)), rest)
        answered, resting = yield from _try(found, cell, ask, resting, patience_s)
        (found.dark if answered else found.dead).append(cell)
    if isinstance(wiring, MatrixWiring):
        for pattern in patterns():
            yield from _ghosts(found, wiring, pattern, patience_s * 6)


def _note_faults(found: SelfTest, seen: Seen) -> None:
    found.faults += [fault for fault in seen.faults if fault not in found.faults]


def _lights(found: SelfTest, look_s: float) -> Script:
    for task, colour in _COLOURS:
        ask = Ask(Sentence(task), dict.fromkeys(_EVERYWHERE, colour))
        seen = yield from flash(ask, length_s=look_s)
        _note_faults(found, seen)
    for cell in _EVERYWHERE:
        ask = Ask(Sentence(ONE_BY_ONE), {cell: WHITE})
        seen = yield from flash(ask, length_s=_RUN_S)
        if seen.skip:
            return


def _empty(patience_s: float, *, ignored: int = 0) -> Generator[Ask, Seen, int]:
    """Wait for an empty board; return what stays closed."""
    text = Sentence(CLEAR)
    seen: Seen | None = yield Ask(text)
    while seen is not None and seen.closed & ~ignored:
        shown = seen.closed
        lights = dict.fromkeys(bits(shown & ~ignored), RED)
        seen = yield from _change(Ask(text, lights), shown, patience_s)
    return 0 if seen is not None else shown


def _change(ask: Ask, shown: int, patience_s: float) -> Wait:
    """Show *ask* until something else than *shown* is closed."""
    return settled(ask, lambda closed: closed != shown, patience_s=patience_s)


def _try(
    found: SelfTest, cell: int, ask: Ask, resting: int, patience_s: float
) -> Generator[Ask, Seen, tuple[bool, int]]:
    """Have a piece put on *cell*; return whether anything was seen, and what is closed now."""
    watch = _Watch(cell, resting)
    while True:
        seen = yield ask
        _note_faults(found, seen)
        if seen.unknown >> cell & 1:
            return True, resting
        verdict = watch.step(seen.closed & ~found.ignored & ~seen.unknown, seen, patience_s)
        if verdict is not None:
            break
    closed = watch.closed
    if verdict == "good":
        found.good.add(cell)
    elif verdict == "chatter":
        found.chatter[cell] = watch.edges
    elif verdict == "wrong":
        left = closed & watch.resting
        if closed & ~left == 1 << cell:
            found.stuck_closed |= set(bits(left))
            found.ignored |= left
            found.good.add(cell)
        else:
            found.elsewhere[cell] = bits(closed)
    colour = GREEN if verdict == "good" else RED
    lights = {cell: colour} if verdict == "good" else dict.fromkeys(_EVERYWHERE, colour)
    yield from flash(Ask(Sentence(_VERDICTS[verdict], square=cell_name(cell)), lights))
    return verdict != "silent", closed & ~found.ignored


class _Watch:
    """Watches one square while a piece is being put on it."""

    def __init__(self, cell: int, resting: int) -> None:
        self._bit = 1 << cell
        self.resting = resting
        self.closed = resting
        self.edges = 0
        self._left = not resting
        self._since: float | None = None
        self._touched: float | None = None

    def step(self, closed: int, seen: Seen, patience_s: float) -> str | None:
        """Return `good`, `chatter`, `wrong` or `silent` once it is clear."""
        now = seen.now
        if self._since is None or closed != self.closed:
            self._count(closed, now)
        held_s = now - (self._since if self._since is not None else now)
        if closed == self._bit and self._left and held_s >= STEADY_S:
            return "chatter" if self.edges > CHATTER_EDGES else "good"
        if self._touched is not None and self.edges > CHATTER_EDGES:
            return "chatter" if now - self._touched >= CHATTER_S else None
        if closed and self._left and held_s >= WRONG_STEADY_S:
            return "wrong"
        waited = held_s >= patience_s and not closed
        return "silent" if seen.skip or waited or held_s >= patience_s * 6 else None

    def _count(self, closed: int, now: float) -> None:
        if (closed ^ self.closed) & self._bit:
            self.edges += 1
            self._touched = now if self._touched is None else self._touched
        self.closed, self._since = closed, now
        self._left = self._left or closed != self.resting


def _ghosts(
    found: SelfTest,
    wiring: MatrixWiring,
    pattern: frozenset[tuple[int, int]],
    patience_s: float,
) -> Script:
    """Have a pattern laid out; learn which diodes are missing."""
    cell_at = {crossing: cell for cell, crossing in enumerate(wiring.crossings)}
    cells = {cell_at[crossing] for crossing in pattern}
    cells -= found.stuck_closed | set(found.dead)
    wanted = sum(1 << cell for cell in cells)
    left = yield from _empty(patience_s, ignored=found.ignored)
    seen: Seen | None = yield Ask(Sentence(PATTERN))
    while seen is not None and seen.closed & wanted != wanted:
        missing = bits(wanted & ~seen.closed)
        ask = Ask(Sentence(PATTERN), dict.fromkeys(missing, _AMBER))
        seen = yield from _change(ask, seen.closed, patience_s)
    if seen is None:
        return
    ghosts = seen.closed & ~(wanted | left | found.ignored | seen.unknown) & ALL_CELLS
    laid = {wiring.crossings[cell] for cell in cells}
    seeming = {wiring.crossings[cell] for cell in bits(ghosts)}
    bad = [cell_at[diode] for diode in suspects(laid, seeming)]
    found.diodes += [cell for cell in bad if cell not in found.diodes]
    yield from flash(
        Ask(Sentence(PATTERN_DONE), dict.fromkeys(_EVERYWHERE, RED if seeming else GREEN))
    )
