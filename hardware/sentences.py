"""What the guided work says to people: every sentence with its gaps, for translation.

A `Sentence` is a text like any other, so terminals print it as it is; whoever speaks another
language takes its `template` and its `values`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping


class Sentence(str):
    """A text that remembers the template and the values it was made of."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, str]

    def __new__(cls, template: str, **values: object) -> Self:
        """Fill the gaps of *template*."""
        texts = {name: str(value) for name, value in values.items()}
        made = super().__new__(cls, template.format(**texts))
        made.template, made.values = template, texts
        return made


ALL_RED: Final = "all lights are red"
ALL_GREEN: Final = "all lights are green"
ALL_BLUE: Final = "all lights are blue"
ALL_WHITE: Final = "all lights are white"
ONE_BY_ONE: Final = "one light after another, a1 to i9"
CLEAR: Final = "take all pieces off the board"
PUT: Final = "put the piece on {square}"
PUT_ON_HOLE: Final = "put the piece on {square}, the one that is not green"
GOOD: Final = "{square}: good"
CHATTER: Final = "{square}: chatter"
WRONG: Final = "{square}: wrong"
SILENT: Final = "{square}: silent"
PATTERN: Final = "put a piece on each square that glows"
PATTERN_DONE: Final = "pattern done"
FOUND_INPUT: Final = "{square} is {input}"
FAULTY: Final = "{square} is faulty; go on"
PUT_ON_LIGHT: Final = "put the piece where light {light} glows"
FOUND_LIGHT: Final = "light {light} is {square}"
NO_LIGHT: Final = "light {light} was not found; go on"

TASKS: Final = (
    *(ALL_RED, ALL_GREEN, ALL_BLUE, ALL_WHITE, ONE_BY_ONE, CLEAR, PUT, PUT_ON_HOLE),
    *(GOOD, CHATTER, WRONG, SILENT, PATTERN, PATTERN_DONE),
    *(FOUND_INPUT, FAULTY, PUT_ON_LIGHT, FOUND_LIGHT, NO_LIGHT),
)

STUCK_CLOSED: Final = (
    "closed without a piece: {squares}; look for a short circuit, or a reed that was bent and"
    " sticks"
)
SEEN_ELSEWHERE: Final = "a piece on {square} is seen on {others}; run 'boardctl calibrate'"
CLOSES_OTHERS: Final = "{square} closes {others} too; part their wires, or use a weaker magnet"
CHATTERING: Final = (
    "chattering: {squares}; move the reed or the magnet, so that the piece rests well inside its"
    " field"
)
NOT_CLOSING: Final = (
    "not closing: {squares}; check the reed, its joints and its wire, and whether the magnet"
    " reaches it (a reed right under the pole stays open)"
)
WITHOUT_LIGHT: Final = (
    "without light: {squares}; check the LED there and the joint before it, or run 'boardctl"
    " calibrate'"
)
NO_DIODE: Final = "without a working diode: {squares}; solder one in, its ring towards the row"
INPUT_CLOSED: Final = "input {input} is closed on an empty board; look for a short to ground"
SHARED_INPUT: Final = "{square} and {other} share input {input}; part their wires"
TWO_INPUTS: Final = "{square} closes {inputs} at once; part their wires"
NO_SWITCH: Final = "no switch was seen: {squares}; check the reed, its joints and its wire"
NO_LIGHT_FOR: Final = (
    "no light was found for {squares}; LEDs without a square: {lights}; check their joints, and"
    " the switches of these squares"
)

PROBLEMS: Final = (
    *(STUCK_CLOSED, SEEN_ELSEWHERE, CLOSES_OTHERS, CHATTERING, NOT_CLOSING, WITHOUT_LIGHT),
    *(NO_DIODE, INPUT_CLOSED, SHARED_INPUT, TWO_INPUTS, NO_SWITCH, NO_LIGHT_FOR),
)

AS_PLANNED: Final = "{what}: as planned"
TURNED: Final = "{what}: as planned, but {how}"
SWAPPED: Final = "{what}: {square} and {other} are swapped"
NOT_AS_PLANNED: Final = "{what}: not as planned at {squares}"
SWITCHES: Final = "switches"
LIGHTS: Final = "lights"
QUARTER_RIGHT: Final = "turned by a quarter, to the right"
HALF: Final = "turned by a half"
QUARTER_LEFT: Final = "turned by a quarter, to the left"
LEFT_FOR_RIGHT: Final = "mirrored, left for right"
FRONT_FOR_BACK: Final = "mirrored, front for back"
LONG_DIAGONAL: Final = "mirrored at the long diagonal"
OTHER_DIAGONAL: Final = "mirrored at the other diagonal"

NOTES: Final = (
    *(AS_PLANNED, TURNED, SWAPPED, NOT_AS_PLANNED, SWITCHES, LIGHTS),
    *(QUARTER_RIGHT, HALF, QUARTER_LEFT, LEFT_FOR_RIGHT, FRONT_FOR_BACK),
    *(LONG_DIAGONAL, OTHER_DIAGONAL),
)
