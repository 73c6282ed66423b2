"""Which pin is which switch, and which LED lies under which cell: data, not code.

Two ways to wire 81 switches:

* direct: each switch between a pin and ground; six chips of 14 inputs. Default: cell k hangs on
  chip k // 14, pins GPA0-6 then GPB0-6 (`0x20.A0` is a1, `0x25.B3` is i9).
* matrix: nine columns read by one chip, nine rows pulled low one at a time by another, a diode at
  each switch, or three closed corners of a rectangle make the fourth seem closed. Default: columns
  a-i are `0x20.A0`-`A6`, `B0`, `B1`; rows 1-9 are the same pins of `0x21`.

Pins and crossings that no cell uses may exist; two cells may never share one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from hardware.cells import CELLS, SIDE
from hardware.errors import WiringError
from hardware.mcp23017 import FIRST_ADDRESS, LAST_ADDRESS, USABLE_PINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIN = re.compile(r"0x([0-9a-fA-F]{2})\.([AB])([0-7])")
_CROSSING = re.compile(r"R([0-8])C([0-8])")


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """A pin of an expander: `port` 0 is A, 1 is B; `bit` 0..6. Text form `0x20.A0`."""

    address: int
    port: int
    bit: int

    def __str__(self) -> str:
        return f"{self.address:#04x}.{'AB'[self.port]}{self.bit}"


@dataclass(frozen=True, slots=True)
class DirectWiring:
    """One pin a switch. `pins[k]` is the switch of cell k."""

    pins: tuple[Pin, ...]

    @property
    def addresses(self) -> tuple[int, ...]:
        """The chips used, lowest address first."""
        return tuple(sorted({pin.address for pin in self.pins}))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The text form of each switch, by cell: the values of `switches.map`."""
        return tuple(str(pin) for pin in self.pins)


@dataclass(frozen=True, slots=True)
class MatrixWiring:
    """Rows by columns. `crossings[k]` is (row, column), 0..8 each, of the switch of cell k."""

    rows: tuple[Pin, ...]
    columns: tuple[Pin, ...]
    crossings: tuple[tuple[int, int], ...]

    @property
    def addresses(self) -> tuple[int, ...]:
        """The chips used: the column chip, then the row chip."""
        return self.columns[0].address, self.rows[0].address

    @property
    def inputs(self) -> tuple[str, ...]:
        """The text form of each switch, by cell: the values of `switches.map`."""
        return tuple(f"R{row}C{column}" for row, column in self.crossings)


Wiring: TypeAlias = DirectWiring | MatrixWiring


def parse_pin(text: str) -> Pin:
    """Read a pin such as `0x20.A0`.

    Raises:
        WiringError: no such pin, or one that cannot be an input.
    """
    match = _PIN.fullmatch(text)
    if match is None:
        raise WiringError((f"{text!r} is no pin; write chip, port and bit, such as '0x20.A0'",))
    pin = Pin(int(match[1], 16), "AB".index(match[2]), int(match[3]))
    if not FIRST_ADDRESS <= pin.address <= LAST_ADDRESS:
        raise WiringError((f"{text!r}: an MCP23017 has an address from 0x20 to 0x27",))
    if pin.bit == USABLE_PINS // 2:
        raise WiringError(
            (
                (
                    f"{text!r}: GPA7 and GPB7 are outputs only (data sheet DS20001952 D); as inputs"
                    " they can stop the bus; use bits 0 to 6"
                ),
            )
        )
    return pin


def chip_pins(address: int) -> tuple[Pin, ...]:
    """Return the 14 inputs of a chip in their default order."""
    half = USABLE_PINS // 2
    return tuple(Pin(address, n // half, n % half) for n in range(USABLE_PINS))


DIRECT: Final = DirectWiring(
    tuple(Pin(FIRST_ADDRESS + k // USABLE_PINS, *divmod(k % USABLE_PINS, 7)) for k in range(CELLS))
)
"""The documented direct wiring."""

NATURAL_CROSSINGS: Final = tuple(divmod(cell, SIDE) for cell in range(CELLS))

MATRIX: Final = MatrixWiring(
    rows=tuple(Pin(FIRST_ADDRESS + 1, *divmod(n, 7)) for n in range(SIDE)),
    columns=tuple(Pin(FIRST_ADDRESS, *divmod(n, 7)) for n in range(SIDE)),
    crossings=NATURAL_CROSSINGS,
)
"""The documented matrix wiring."""


def all_inputs(addresses: Sequence[int]) -> DirectWiring:
    """Return a wiring whose "cells" are all 14 inputs of each chip: what calibration reads."""
    return DirectWiring(tuple(pin for address in addresses for pin in chip_pins(address)))


def raw_wiring(wiring: Wiring) -> Wiring:
    """Return the wiring that reads every input of the same chips in its natural order."""
    if isinstance(wiring, MatrixWiring):
        return MatrixWiring(wiring.rows, wiring.columns, NATURAL_CROSSINGS)
    return all_inputs(wiring.addresses)


def direct_wiring(switch_map: Sequence[str]) -> DirectWiring:
    """Read a direct wiring: the pin of each cell, a1 first.

    Raises:
        WiringError: every fault of the map at once.
    """
    problems: list[str] = []
    pins = _parse_pins(switch_map, problems)
    problems += _count_problem(switch_map, CELLS, "switches.map") + _duplicates(switch_map)
    if problems:
        raise WiringError(tuple(problems))
    return DirectWiring(pins)


def matrix_wiring(
    rows: Sequence[str], columns: Sequence[str], switch_map: Sequence[str] | None = None
) -> MatrixWiring:
    """Read a matrix wiring: nine row pins, nine column pins, and the crossing of each cell.

    Args:
        rows: the pins pulled low one at a time, row 1 first; all of one chip.
        columns: the pins read, column a first; all of another chip.
        switch_map: `R0C0` (row 0, column 0 of those lists) and so on for each cell, a1 first; None
            stands for the natural order.

    Raises:
        WiringError: every fault at once.
    """
    problems: list[str] = []
    row_pins, column_pins = _parse_pins(rows, problems), _parse_pins(columns, problems)
    problems += _count_problem(rows, SIDE, "switches.rows") + _duplicates([*rows, *columns])
    problems += _count_problem(columns, SIDE, "switches.columns")
    chips = [{pin.address for pin in pins} for pins in (row_pins, column_pins)]
    if not problems and (len(chips[0]) != 1 or len(chips[1]) != 1 or chips[0] == chips[1]):
        problems.append("switches.rows and switches.columns: each uses one chip, and not the same")
    crossings: tuple[tuple[int, int], ...] = NATURAL_CROSSINGS
    if switch_map is not None:
        crossings = _parse_crossings(switch_map, problems)
    if problems:
        raise WiringError(tuple(problems))
    return MatrixWiring(row_pins, column_pins, crossings)


def _parse_pins(texts: Iterable[str], problems: list[str]) -> tuple[Pin, ...]:
    pins = []
    for text in texts:
        try:
            pins.append(parse_pin(text))
        except WiringError as error:
            problems.extend(error.problems)
    return tuple(pins)


def _parse_crossings(texts: Sequence[str], problems: list[str]) -> tuple[tuple[int, int], ...]:
    matches = [_CROSSING.fullmatch(text) for text in texts]
    problems += [
        f"{text!r} is no crossing; write row and column, 'R0C0' to 'R8C8'"
        for text, match in zip(texts, matches, strict=True)
        if match is None
    ]
    problems += _count_problem(texts, CELLS, "switches.map") + _duplicates(texts)
    return tuple((int(match[1]), int(match[2])) for match in matches if match)


def _count_problem(values: Sequence[object], count: int, key: str) -> list[str]:
    return [] if len(values) == count else [f"{key} has {len(values)} entries; it needs {count}"]


def _duplicates(values: Iterable[object]) -> list[str]:
    return [f"{value} is used {n} times" for value, n in Counter(values).items() if n > 1]


def led_order(layout: str, *, start: str = "a1", along: str = "ranks") -> tuple[int, ...]:
    """Return the LED under each cell for a strip laid in lines.

    Args:
        layout: `rows` when every line begins at the same edge, `serpentine` when the strip turns
            round at the end of each line.
        start: the corner of the first LED: `a1`, `i1`, `a9` or `i9`.
        along: `ranks` when the first line runs along the row of *start*, `files` along its column.

    Raises:
        WiringError: an unknown word.
    """
    words = (layout in {"rows", "serpentine"}, start in {"a1", "i1", "a9", "i9"})
    if not all(words) or along not in {"ranks", "files"}:
        raise WiringError(
            (
                (
                    f"leds: layout {layout!r}, start {start!r}, along {along!r}: layout is 'rows'"
                    " or 'serpentine', start a corner, along 'ranks' or 'files'"
                ),
            )
        )
    order = [0] * CELLS
    for led in range(CELLS):
        line, place = divmod(led, SIDE)
        if layout == "serpentine" and line % 2:
            place = SIDE - 1 - place
        file, rank = (place, line) if along == "ranks" else (line, place)
        file = SIDE - 1 - file if start[0] == "i" else file
        rank = SIDE - 1 - rank if start[1] == "9" else rank
        order[rank * SIDE + file] = led
    return tuple(order)


def led_map(indexes: Sequence[int], *, count: int = CELLS) -> tuple[int, ...]:
    """Check a free map: the LED under each cell, a1 first, of a strip of *count* LEDs.

    Raises:
        WiringError: every fault of the map at once.
    """
    problems = _count_problem(indexes, CELLS, "leds.map")
    problems += [
        f"LED {index} is not on a strip of {count} (0 to {count - 1})"
        for index in indexes
        if not 0 <= index < count
    ]
    problems += [f"LED {text}" for text in _duplicates(indexes)]
    if problems:
        raise WiringError(tuple(problems))
    return tuple(indexes)
