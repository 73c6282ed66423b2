"""Draws docs/images/wiring-*.svg from the very map that the driver uses.

    python scripts/draw_wiring.py            # writes docs/images/
    python scripts/draw_wiring.py --check    # exit 1 when a picture there is stale

Every label comes from `hardware.wiring`: a changed map changes the pictures, and
tests/architecture/test_wiring_pictures.py fails until they are drawn anew.
"""

# ruff: noqa: INP001  a script, no package
from __future__ import annotations

import sys
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hardware.cells import SIDE  # noqa: E402  the tree need not be installed
from hardware.wiring import (  # noqa: E402  as above
    DIRECT,
    MATRIX,
    DirectWiring,
    MatrixWiring,
    Pin,
    led_order,
)

IMAGES: Final = ROOT / "docs" / "images"
COLOURS: Final = ("#c0392b", "#2471a3", "#1e8449", "#b7950b", "#7d3c98", "#ba4a00", "#5d6d7e")
INK: Final = "#222222"
SQUARE: Final = 58

# The 28-pin package of the MCP23017. Source: Microchip DS20001952, "Package Types", Table 2-1.
PACKAGE_LEFT: Final = (*[f"GPB{bit}" for bit in range(8)], "VDD", "VSS", "NC", "SCL", "SDA", "NC")
PACKAGE_RIGHT: Final = (*[f"GPA{bit}" for bit in range(7, -1, -1)],
                        "INTA", "INTB", "RESET", "A2", "A1", "A0")  # fmt: skip


class Drawing:
    """An SVG that grows line by line."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            '<g font-family="sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def text(self, x: float, y: float, text: str, *, size: int = 12, anchor: str = "middle",
             colour: str = INK, bold: bool = False) -> None:  # fmt: skip
        """Write one line whose baseline is at *y*."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{colour}"{weight}>{escape(text)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, *, fill: str = "#ffffff",
            line: str = INK) -> None:  # fmt: skip
        """Draw a rectangle."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" '
            f'stroke="{line}"/>'
        )

    def wire(self, *points: tuple[float, float], colour: str = INK, width: float = 1.5) -> None:
        """Draw a line through *points*."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
        )

    def dot(self, x: float, y: float, *, radius: float = 3, colour: str = INK) -> None:
        """Draw a joint."""
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>')

    def triangle(self, *points: tuple[float, float], colour: str = INK) -> None:
        """Draw a filled triangle."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{colour}"/>')

    def finish(self) -> str:
        """Return the picture."""
        return "\n".join([*self._parts, "</g></svg>", ""])


def square_name(cell: int) -> str:
    """Return `a1` for cell 0."""
    return f"{'abcdefghi'[cell % SIDE]}{cell // SIDE + 1}"


def pin_name(pin: Pin) -> str:
    """Return the pin's name in the data sheet, such as GPA0."""
    return f"GP{'AB'[pin.port]}{pin.bit}"


def colour_of(address: int) -> str:
    """Return the colour of a chip in all pictures."""
    return COLOURS[(address - 0x20) % len(COLOURS)]


def draw_board(wiring: DirectWiring) -> str:
    """The board from above: the pin of each square."""
    margin, legend = 40, 60
    size = SIDE * SQUARE + 2 * margin
    picture = Drawing(size, size + legend, "Direct wiring: the pin of each square, from above")
    for cell, pin in enumerate(wiring.pins):
        x, y = margin + cell % SIDE * SQUARE, margin + (SIDE - 1 - cell // SIDE) * SQUARE
        picture.box(x, y, SQUARE, SQUARE, fill="#f7f1e3")
        picture.box(x, y, SQUARE, 15, fill=colour_of(pin.address))
        picture.text(x + SQUARE / 2, y + 11, f"{pin.address:#04x}", size=11, colour="#ffffff")
        picture.text(x + SQUARE / 2, y + 34, square_name(cell), size=15, bold=True)
        picture.text(x + SQUARE / 2, y + 51, pin_name(pin), size=12)
    note = "Each reed lies between its pin and GND; the chip's pull-up is the only resistor."
    picture.text(size / 2, size + 10, note)
    used = ", ".join(f"{address:#04x}" for address in wiring.addresses)
    spare = len(wiring.addresses) * 14 - len(wiring.pins)
    picture.text(size / 2, size + 30, f"Chips {used}; {spare} inputs stay free.")
    return picture.finish()


def draw_chip(picture: Drawing, x: float, y: float, address: int, squares: dict[str, str]) -> None:
    """One package with what is soldered to each leg."""
    row, width = 19, 92
    colour = colour_of(address)
    picture.box(x, y, width, row * 14 + 8, fill="#fdfdfd", line=colour)
    picture.text(x + width / 2, y - 8, f"MCP23017 at {address:#04x}", bold=True, colour=colour)
    fixed = {
        "VDD": "3.3 V", "VSS": "GND", "SCL": "Pi 5 (SCL)", "SDA": "Pi 3 (SDA)", "NC": "-",
        "RESET": "3.3 V by 10 k", "INTA": "-", "INTB": "-", "GPA7": "free: output only",
        "GPB7": "free: output only",
    } | {f"A{bit}": "3.3 V" if address >> bit & 1 else "GND" for bit in range(3)}  # fmt: skip
    for index, (left, right) in enumerate(zip(PACKAGE_LEFT, PACKAGE_RIGHT, strict=True)):
        middle = y + 15 + index * row
        for name, leg, edge, anchor, away in (
            (left, index + 1, x, "end", -1),
            (right, 28 - index, x + width, "start", 1),
        ):
            inner = "start" if away < 0 else "end"
            picture.wire((edge, middle - 4), (edge + away * 10, middle - 4))
            picture.text(edge - away * 4, middle, f"{leg} {name}", size=10, anchor=inner)
            tied = squares.get(name) or fixed.get(name, "free")
            strong = name in squares
            picture.text(edge + away * 13, middle, tied, size=11, anchor=anchor, bold=strong)


def draw_chips(wiring: DirectWiring) -> str:
    """The six packages, leg by leg."""
    columns, cell_width, cell_height = 3, 330, 320
    rows = -(-len(wiring.addresses) // columns)
    width, height = columns * cell_width, rows * cell_height + 70
    picture = Drawing(width, height, "Direct wiring: the legs of each MCP23017")
    for index, address in enumerate(wiring.addresses):
        squares = {
            pin_name(pin): square_name(cell)
            for cell, pin in enumerate(wiring.pins)
            if pin.address == address
        }
        x = index % columns * cell_width + 119
        y = index // columns * cell_height + 40
        draw_chip(picture, x, y, address, squares)
    lines = (
        "100 nF between VDD and VSS at each chip. The other end of every reed goes to GND.",
        "SDA and SCL run from chip to chip; the Pi has their pull-ups (1.8 k). 3.3 V, never 5 V.",
    )
    for index, line in enumerate(lines):
        picture.text(width / 2, height - 38 + index * 20, line)
    return picture.finish()


def draw_matrix(wiring: MatrixWiring) -> str:
    """Nine rows by nine columns, a switch and a diode at each crossing."""
    left, top, step = 130, 90, 76
    width, height = left + SIDE * step + 60, top + SIDE * step + 110
    picture = Drawing(width, height, "Matrix wiring: a switch and a diode at each crossing")
    bottom = top + SIDE * step
    for column, pin in enumerate(wiring.columns):
        x = left + column * step + 16
        picture.wire((x, top - 14), (x, bottom - 20), colour=colour_of(pin.address))
        picture.text(x, top - 36, pin_name(pin), bold=True, colour=colour_of(pin.address))
        picture.text(x, top - 21, f"{pin.address:#04x}", size=10)
    for row, pin in enumerate(wiring.rows):
        y = top + (SIDE - 1 - row) * step + 46
        picture.wire((left - 30, y), (left + SIDE * step, y), colour=colour_of(pin.address))
        picture.text(left - 36, y, pin_name(pin), anchor="end", bold=True,
                     colour=colour_of(pin.address))  # fmt: skip
        picture.text(left - 36, y + 13, f"{pin.address:#04x}", size=10, anchor="end")
    for cell, (row, column) in enumerate(wiring.crossings):
        x, y = left + column * step + 16, top + (SIDE - 1 - row) * step + 46
        draw_crossing(picture, x, y, square_name(cell))
    notes = (
        "Each crossing: column, reed switch, diode (1N4148), row. The diode's band is at the row.",
        "One row at a time is pulled low; the columns have the chip's pull-ups.",
        "Supply, SDA, SCL, RESET and the address pins are as in the direct wiring.",
    )
    for index, note in enumerate(notes):
        picture.text(width / 2, bottom + 36 + index * 20, note)
    return picture.finish()


def draw_crossing(picture: Drawing, x: float, y: float, name: str) -> None:
    """From the column line at *x* through switch and diode down to the row line at *y*."""
    picture.dot(x, y - 30)
    picture.wire((x, y - 30), (x + 10, y - 30))
    picture.wire((x + 10, y - 30), (x + 25, y - 38))  # the open reed
    picture.dot(x + 10, y - 30, radius=2)
    picture.dot(x + 27, y - 30, radius=2)
    picture.wire((x + 27, y - 30), (x + 40, y - 30), (x + 40, y - 20))
    picture.triangle((x + 34, y - 20), (x + 46, y - 20), (x + 40, y - 9))
    picture.wire((x + 34, y - 8), (x + 46, y - 8), width=2)
    picture.wire((x + 40, y - 8), (x + 40, y))
    picture.dot(x + 40, y)
    picture.text(x + 18, y - 8, name, size=12, bold=True)


def draw_lights() -> str:
    """The chain of lights from above, and how its data line is fed."""
    margin, below = 40, 150
    size = SIDE * SQUARE + 2 * margin
    picture = Drawing(size, size + below, "Lights: the chain from above, and its feed")
    order = led_order("serpentine")
    centres: dict[int, tuple[float, float]] = {}
    for cell, led in enumerate(order):
        x, y = margin + cell % SIDE * SQUARE, margin + (SIDE - 1 - cell // SIDE) * SQUARE
        picture.box(x, y, SQUARE, SQUARE, fill="#f7f1e3")
        picture.text(x + 5, y + 14, square_name(cell), size=11, anchor="start", colour="#666666")
        centres[led] = (x + SQUARE / 2, y + SQUARE / 2 + 4)
    picture.wire(*[centres[led] for led in sorted(centres)], colour=COLOURS[1], width=2)
    for led, (across, down) in centres.items():
        picture.dot(across, down, radius=12, colour=COLOURS[1])
        picture.text(across, down + 4, str(led), size=11, colour="#ffffff")
    feed = size + 24
    boxes = (("Pi GPIO10", "pin 19"), ("74AHCT125", "at 5 V"), ("330 ohm", ""), ("LED 0", "DIN"))
    for index, (first, second) in enumerate(boxes):
        x = margin + index * 140
        picture.box(x, feed, 100, 40)
        picture.text(x + 50, feed + 17, first, bold=True)
        picture.text(x + 50, feed + 33, second, size=11)
        if index:
            picture.wire((x - 40, feed + 20), (x, feed + 20), colour=COLOURS[1])
    lines = (
        "The LEDs have a 5 V supply of their own, fed in at both ends, 1000 uF across it;",
        "its GND, the Pi's and the shifter's are one. 10 k from the shifter's input to GND.",
    )
    for index, line in enumerate(lines):
        picture.text(size / 2, feed + 70 + index * 20, line)
    return picture.finish()


def pictures() -> dict[str, str]:
    """Return every picture by its file name."""
    return {
        "wiring-board.svg": draw_board(DIRECT),
        "wiring-chips.svg": draw_chips(DIRECT),
        "wiring-matrix.svg": draw_matrix(MATRIX),
        "wiring-lights.svg": draw_lights(),
    }


def main() -> int:
    """Write the pictures, or with `--check` tell which are stale."""
    stale = 0
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, content in pictures().items():
        path = IMAGES / name
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        stale += 1
        if "--check" in sys.argv[1:]:
            print(f"{path} is stale; run scripts/draw_wiring.py")  # noqa: T201  a script
        else:
            path.write_text(content, encoding="utf-8")
    return int("--check" in sys.argv[1:] and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
