"""Finds out how a board is wired, by one piece that walks over it.

1. The board is cleared. What stays closed is stuck, and left out.
2. The piece walks a1, b1 ... i9. The input that closes is that square's switch.
3. Each LED of the chain glows in turn; the piece is put where it glows. That is its square.

No screen is needed: a green flash of all lights says "taken, go on", a red one "this one is dead,
go on". A square where nothing is seen is given up after `PATIENCE_S`, or at once with the skip key.

A square that closes the input of an earlier one shares its wire: both are named. What cannot be
found is filled with what is left over, so that the maps are always complete and the rest of the
board plays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from hardware.cells import CELLS, SIDE
from hardware.guide import GREEN, RED, STEADY_S, WHITE, Ask, Script, Seen, flash, settled
from hardware.naming import bits, cell_name, cell_names
from hardware.sentences import (
    AS_PLANNED,
    CLEAR,
    FAULTY,
    FOUND_INPUT,
    FOUND_LIGHT,
    FRONT_FOR_BACK,
    HALF,
    INPUT_CLOSED,
    LEFT_FOR_RIGHT,
    LIGHTS,
    LONG_DIAGONAL,
    NO_LIGHT,
    NO_LIGHT_FOR,
    NO_SWITCH,
    NOT_AS_PLANNED,
    OTHER_DIAGONAL,
    PUT,
    PUT_ON_LIGHT,
    QUARTER_LEFT,
    QUARTER_RIGHT,
    SHARED_INPUT,
    SWAPPED,
    SWITCHES,
    TURNED,
    TWO_INPUTS,
    Sentence,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from hardware.cells import Instant
    from hardware.strip import Rgb

PATIENCE_S: Final = 10.0

SHARED_STEADY_S: Final = 1.5
"""An input that is taken already must hold longer: the piece may just be on its way."""


@dataclass(slots=True)
class Calibration:
    """What was found.

    Attributes:
        switches: the input of each square found, by cell.
        leds: the cell of each LED found, by its number on the chain.
        stuck: inputs closed on the empty board.
        shared: squares that close the input of another: (square, the other, input).
        double: squares that close several inputs at once.
        dead_squares: squares where nothing was seen.
        dead_leds: LEDs where no piece was put.
    """

    inputs: Sequence[str]
    led_count: int
    switches: dict[int, int] = field(default_factory=dict)
    leds: dict[int, int] = field(default_factory=dict)
    stuck: list[int] = field(default_factory=list)
    shared: list[tuple[int, int, int]] = field(default_factory=list)
    double: dict[int, list[int]] = field(default_factory=dict)
    dead_squares: list[int] = field(default_factory=list)
    dead_leds: list[int] = field(default_factory=list)

    @property
    def switch_map(self) -> tuple[str, ...]:
        """The value of `switches.map`: the input of each cell, complete and without doubles."""
        chosen = _filled(self.switches, range(CELLS), range(len(self.inputs)))
        return tuple(self.inputs[number] for number in chosen)

    @property
    def led_map(self) -> tuple[int, ...]:
        """The value of `leds.map`: the LED of each cell, complete and without doubles."""
        by_cell = {cell: led for led, cell in self.leds.items()}
        return _filled(by_cell, range(CELLS), range(self.led_count))

    @property
    def bad_squares(self) -> tuple[int, ...]:
        """Every square whose switch or light needs a person."""
        bad = {*self.dead_squares, *self.double, *self.unlit}
        for square, other, _ in self.shared:
            bad |= {square, other}
        return tuple(sorted(bad))

    @property
    def unlit(self) -> tuple[int, ...]:
        """Squares that no LED was found for."""
        return tuple(sorted(set(range(CELLS)) - set(self.leds.values())))

    def problems(self) -> list[str]:
        """Return what is wrong, one line each, with the remedy."""
        inputs = self.inputs
        lines = [Sentence(INPUT_CLOSED, input=inputs[number]) for number in self.stuck]
        lines += [
            Sentence(
                SHARED_INPUT,
                square=cell_name(square),
                other=cell_name(other),
                input=inputs[number],
            )
            for square, other, number in self.shared
        ]
        lines += [
            Sentence(
                TWO_INPUTS,
                square=cell_name(square),
                inputs=" + ".join(inputs[number] for number in numbers),
            )
            for square, numbers in self.double.items()
        ]
        if self.dead_squares:
            lines.append(Sentence(NO_SWITCH, squares=cell_names(self.dead_squares)))
        if self.unlit:
            leds = ", ".join(map(str, self.dead_leds)) or "-"
            lines.append(Sentence(NO_LIGHT_FOR, squares=cell_names(self.unlit), lights=leds))
        return [*lines]


def calibration(
    found: Calibration, *, leds: Iterable[int] | None = None, patience_s: float = PATIENCE_S
) -> Script:
    """Fill *found* step by step. Masks are by input number, lights by LED number.

    Only *leds* are looked for; None: all of the chain.
    """
    yield from _clear(found, patience_s)
    closed = 0
    for cell in range(CELLS):
        closed = yield from _find_switch(found, cell, closed, patience_s)
    for led in range(found.led_count) if leds is None else leds:
        closed = yield from _find_light(found, led, closed, patience_s)


def _clear(found: Calibration, patience_s: float) -> Script:
    ask = Ask(Sentence(CLEAR), _all(found, WHITE))
    seen = yield from settled(ask, lambda closed: not closed, patience_s=patience_s)
    if seen is None:
        seen = yield ask
        found.stuck = bits(seen.closed)


def _find_switch(
    found: Calibration, cell: int, resting: int, patience_s: float
) -> Generator[Ask, Seen, int]:
    """Learn the switch of *cell*; return what is closed now."""
    owners = {number: owner for owner, number in found.switches.items()}
    taken = sum(1 << number for number in owners)
    name = cell_name(cell)
    put = yield from _next_put(
        Ask(Sentence(PUT, square=name)),
        found,
        resting,
        steady_s=lambda closed: SHARED_STEADY_S if closed & taken else STEADY_S,
        gives_up=lambda closed, held_s: not closed and held_s >= patience_s,
    )
    numbers = bits(put.inputs)
    if len(numbers) == 1 and numbers[0] not in owners:
        found.switches[cell] = numbers[0]
        told = Sentence(FOUND_INPUT, square=name, input=found.inputs[numbers[0]])
        yield from flash(Ask(told, _all(found, GREEN)))
        return put.closed
    if not numbers:
        found.dead_squares.append(cell)
    elif len(numbers) > 1:
        found.double[cell] = numbers
    else:
        found.shared.append((cell, owners[numbers[0]], numbers[0]))
    yield from flash(Ask(Sentence(FAULTY, square=name), _all(found, RED)))
    return put.closed


def _find_light(
    found: Calibration, led: int, resting: int, patience_s: float
) -> Generator[Ask, Seen, int]:
    """Learn the square over *led*; return what is closed now."""
    owners = {number: cell for cell, number in found.switches.items()}
    put = yield from _next_put(
        Ask(Sentence(PUT_ON_LIGHT, light=led), {led: WHITE}),
        found,
        resting,
        steady_s=lambda _: STEADY_S,
        gives_up=lambda _, held_s: held_s >= patience_s,
    )
    cells = [owners[number] for number in bits(put.inputs) if number in owners]
    if len(cells) == 1 and cells[0] not in found.leds.values():
        found.leds[led] = cells[0]
        told = Sentence(FOUND_LIGHT, light=led, square=cell_name(cells[0]))
        yield from flash(Ask(told, _all(found, GREEN)))
    else:
        found.dead_leds.append(led)
        yield from flash(Ask(Sentence(NO_LIGHT, light=led), _all(found, RED)))
    return put.closed


class _Put(NamedTuple):
    """The inputs that a piece closed, 0 when it was given up; and all that are closed now."""

    inputs: int
    closed: int


def _next_put(
    ask: Ask,
    found: Calibration,
    resting: int,
    *,
    steady_s: Callable[[int], float],
    gives_up: Callable[[int, float], bool],
) -> Generator[Ask, Seen, _Put]:
    """Wait until the piece has left where it is *resting* and holds somewhere, or there again."""
    stuck = sum(1 << number for number in found.stuck)
    since: Instant | None = None
    last, rests = resting, True
    while True:
        seen = yield ask
        closed = seen.closed & ~stuck
        if since is None or closed != last:
            since, last = seen.now, closed
        rests = rests and closed == resting
        held_s = seen.now - since
        if closed and not rests and held_s >= steady_s(closed):
            return _Put(closed, closed)
        if seen.skip or gives_up(closed, held_s):
            return _Put(0, closed)


SYMMETRIES: Final[dict[str, Callable[[int, int], tuple[int, int]]]] = {
    QUARTER_RIGHT: lambda file, rank: (rank, SIDE - 1 - file),
    HALF: lambda file, rank: (SIDE - 1 - file, SIDE - 1 - rank),
    QUARTER_LEFT: lambda file, rank: (SIDE - 1 - rank, file),
    LEFT_FOR_RIGHT: lambda file, rank: (SIDE - 1 - file, rank),
    FRONT_FOR_BACK: lambda file, rank: (file, SIDE - 1 - rank),
    LONG_DIAGONAL: lambda file, rank: (rank, file),
    OTHER_DIAGONAL: lambda file, rank: (SIDE - 1 - rank, SIDE - 1 - file),
}
"""Where (file, rank) of the plan lies on a board that was put in the wrong way round."""


def differences(found: Sequence[object], plan: Sequence[object], what: str) -> list[str]:
    """Describe how a map differs from the plan: turned as a whole, or square by square.

    Args:
        found: what lies under each cell.
        plan: what was meant to.
        what: `switches` or `lights`, for the sentences.
    """
    if tuple(found) == tuple(plan):
        return [Sentence(AS_PLANNED, what=what)]
    for name, move in SYMMETRIES.items():
        turned = list(plan)
        for cell in range(CELLS):
            file, rank = move(cell % SIDE, cell // SIDE)
            turned[rank * SIDE + file] = plan[cell]
        if tuple(found) == tuple(turned):
            return [Sentence(TURNED, what=what, how=name)]
    place = {value: cell for cell, value in enumerate(plan)}
    wrong = [cell for cell in range(CELLS) if found[cell] != plan[cell]]
    swaps = [
        (cell, place[found[cell]])
        for cell in wrong
        if found[cell] in place and found[place[found[cell]]] == plan[cell]
    ]
    lines = [
        Sentence(SWAPPED, what=what, square=cell_name(a), other=cell_name(b))
        for a, b in swaps
        if a < b
    ]
    others = [cell for cell in wrong if cell not in dict(swaps)]
    if others:
        lines.append(Sentence(NOT_AS_PLANNED, what=what, squares=cell_names(others)))
    return [*lines]


def notes(found: Calibration, inputs: Sequence[str], leds: Sequence[int]) -> list[str]:
    """Say how what was found differs from the plan: the input and the LED of each cell."""
    return [
        *differences(found.switch_map, inputs, SWITCHES),
        *differences(found.led_map, leds, LIGHTS),
    ]


def _all(found: Calibration, colour: Rgb) -> dict[int, Rgb]:
    return dict.fromkeys(range(found.led_count), colour)


def _filled(known: dict[int, int], keys: Iterable[int], values: Iterable[int]) -> tuple[int, ...]:
    """Return a value for each key: the known one, or one of those left over."""
    taken = set(known.values())
    spare = iter([value for value in values if value not in taken])
    return tuple(known[key] if key in known else next(spare) for key in keys)
