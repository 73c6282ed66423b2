"""The simulated board's hands: what `POST /api/sim` does to reeds and chips, and nothing else.

{"lift": "e3"}                        take the piece from a square
{"put": "d3"}                         set a piece down
{"slide": ["e3", "e4", "e5"]}         push a piece along squares, reed by reed
{"nudge": "e3"}                       a piece loses its reed for a moment
{"setup": true}                       all pieces to where the game begins
{"stick": "e3", "to": "closed"}       jam a reed `closed` or `open`; `free` ends it
{"chip": "0x21", "does": "silent"}    cut a chip off; `answer` ends it; `reset`: its supply dips
{"noise": {"chatter": 0.5}}           how unruly hands and reeds are: the knobs of
                                      `hardware.mock.noise`
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from boardctl.errors import BadRequestError, NotNowError
from engine.errors import NotationError
from engine.squares import parse_square
from hardware.cells import NO_CELLS, SIDE, Cell, CellSet, Instant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.squares import SquareSet
    from hardware.mock.board import MockBoard
    from hardware.mock.noise import NoisyHands

NUDGE_S: Final = 0.08
"""For so long a nudged piece is off its reed."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a request changed.

    Attributes:
        closed, opened: the cells whose reeds now differ, to be awaited.
        by: when the last of its changes happens.
    """

    by: Instant
    closed: CellSet = NO_CELLS
    opened: CellSet = NO_CELLS


class SimulatedHands:
    """Moves magnets on a `MockBoard`; cells and squares share their numbers."""

    def __init__(self, hands: NoisyHands) -> None:
        self.board = hands.board
        self._hands = hands

    def set_up(self, occupied: SquareSet) -> None:
        """Put pieces on exactly these squares."""
        self._hands.forget()
        self.board.set(CellSet(int(occupied)))

    def advance(self, now: Instant) -> None:
        """Move what is to be moved by *now*."""
        self._hands.advance(now)

    def noise(self) -> dict[str, dict[str, float | str]]:
        """Return every knob: where it stands and its bounds."""
        values = self._hands.values
        return {
            name: {"value": values[name], **dataclasses.asdict(knob)}
            for name, knob in self._hands.knobs.items()
        }

    def act(self, body: Mapping[str, Any], start: SquareSet, now: Instant) -> Done:
        """Do what a request asks; *start* is where the pieces stand when a game begins.

        Raises:
            BadRequestError: the request is malformed.
            NotNowError: it cannot be done now.
        """
        actions = self._actions()
        asked = [name for name in actions if name in body]
        if not asked:
            raise BadRequestError(f"unknown request; one of {', '.join(actions)}")
        if len(asked) > 1:
            raise BadRequestError(f"one thing at a time; got {' and '.join(asked)}")
        return actions[asked[0]](body, start, now)

    def _actions(self) -> dict[str, Callable[[Mapping[str, Any], SquareSet, Instant], Done]]:
        return {
            "lift": self._lift,
            "put": self._put,
            "slide": self._slide,
            "nudge": self._nudge,
            "setup": self._setup,
            "stick": self._stick,
            "chip": self._chip,
            "noise": self._noise,
        }

    def _lift(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = self._with_piece("lift", body["lift"])
        return Done(self._hands.lift(cell, now), opened=_one(cell))

    def _put(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = self._free("put", body["put"])
        return Done(self._hands.put(cell, now), closed=_one(cell))

    def _slide(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        names = body["slide"]
        if not isinstance(names, list) or not 2 <= len(names) <= SIDE:  # noqa: PLR2004  from and to
            raise BadRequestError(f"'slide' is a list of 2 to {SIDE} squares; got {names!r}")
        path = [self._with_piece("slide", names[0])]
        path += [self._free("slide", name) for name in names[1:]]
        by = self._hands.push(path, now)
        return Done(by, closed=_one(path[-1]), opened=_one(path[0]))

    def _nudge(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = self._with_piece("nudge", body["nudge"])
        self._hands.lift(cell, now)
        return Done(self._hands.put(cell, Instant(now + NUDGE_S)), closed=_one(cell))

    def _noise(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        values = body["noise"]
        if not isinstance(values, dict):
            raise BadRequestError(f"'noise' is an object of numbers; got {values!r}")
        for name, value in values.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise BadRequestError(f"'noise': {name!r} is a number; got {value!r}")
        try:
            self._hands.turn(values)
        except ValueError as error:
            raise BadRequestError(f"'noise': {error}") from error
        return Done(now)

    def _setup(self, body: Mapping[str, Any], start: SquareSet, now: Instant) -> Done:
        if body["setup"] is not True:
            raise BadRequestError(f"'setup' is true; got {body['setup']!r}")
        before, after = int(self.board.closed), int(start)
        self.set_up(start)
        return Done(now, closed=CellSet(after & ~before), opened=CellSet(before & ~after))

    def _stick(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = _cell("stick", body["stick"])
        ways = {"closed": True, "open": False, "free": None}
        way = body.get("to")
        if not isinstance(way, str) or way not in ways:
            raise BadRequestError(f"'to' is one of {', '.join(ways)}; got {way!r}")
        self.board.stick(cell, ways[way])
        return Done(now)

    def _chip(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        address = _address(body["chip"], self.board)
        match body.get("does"):
            case "silent":
                self.board.chip_silent(address)
            case "answer":
                self.board.chip_silent(address, silent=False)
            case "reset":
                self.board.chip_reset(address)
            case other:
                raise BadRequestError(f"'does' is one of silent, answer, reset; got {other!r}")
        return Done(now)

    def _with_piece(self, field: str, name: object) -> Cell:
        cell = _cell(field, name)
        if not self._hands.stands(cell):
            raise NotNowError(f"no piece stands on {name}")
        return cell

    def _free(self, field: str, name: object) -> Cell:
        cell = _cell(field, name)
        if self._hands.stands(cell):
            raise NotNowError(f"a piece stands on {name} already")
        return cell


def _one(cell: Cell) -> CellSet:
    return CellSet(1 << cell)


def _cell(field: str, name: object) -> Cell:
    if not isinstance(name, str):
        raise BadRequestError(f"{field!r} is a square such as 'e3', a text; got {name!r}")
    try:
        return Cell(parse_square(name))
    except NotationError as error:
        raise BadRequestError(f"{field!r}: {error}") from error


def _address(text: object, board: MockBoard) -> int:
    known = {f"{chip:#04x}": chip for chip in board.bus.chips}
    if not isinstance(text, str) or text not in known:
        raise BadRequestError(f"'chip' is one of {', '.join(known)}; got {text!r}")
    return known[text]
