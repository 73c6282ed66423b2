"""The simulated board's hands: what `POST /api/sim` does to reeds and chips, and nothing else.

{"lift": "e3"}                        take the piece from a square
{"put": "d3"}                         set a piece down
{"slide": ["e3", "e4", "e5"]}         push a piece along squares, reed by reed
{"nudge": "e3"}                       a piece loses its reed for a moment
{"setup": true}                       all pieces to where the game begins
{"stick": "e3", "to": "closed"}       jam a reed `closed` or `open`; `free` ends it
{"chip": "0x21", "does": "silent"}    cut a chip off; `answer` ends it; `reset`: its supply dips
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from boardctl.errors import BadRequestError, NotNowError
from engine.errors import NotationError
from engine.squares import parse_square
from hardware.cells import NO_CELLS, Cell, CellSet, Instant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.squares import SquareSet
    from hardware.mock.board import MockBoard

SLIDE_STEP_S: Final = 0.06
"""From reed to reed: a piece pushed over 5 cm squares at 0.8 m/s."""

NUDGE_S: Final = 0.08


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

    def __init__(self, board: MockBoard) -> None:
        self.board = board

    def set_up(self, occupied: SquareSet) -> None:
        """Put pieces on exactly these squares."""
        self.board.set(CellSet(int(occupied)))

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
        }

    def _lift(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = self._with_piece(body["lift"])
        self.board.lift(cell)
        return Done(now, opened=_one(cell))

    def _put(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = self._free(body["put"])
        self.board.put(cell)
        return Done(now, closed=_one(cell))

    def _slide(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        path = body["slide"]
        if not isinstance(path, list) or len(path) < 2:  # noqa: PLR2004  from and to
            raise BadRequestError(f"'slide' is a list of squares; got {path!r}")
        first, *rest = [self._with_piece(path[0]), *(self._free(name) for name in path[1:])]
        at, before = now, first
        for cell in rest:
            at = Instant(at + SLIDE_STEP_S)
            self.board.schedule(at, before, closed=False)
            self.board.schedule(at, cell, closed=True)
            before = cell
        return Done(at, closed=_one(before), opened=_one(first))

    def _nudge(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = self._with_piece(body["nudge"])
        self.board.lift(cell)
        back = Instant(now + NUDGE_S)
        self.board.schedule(back, cell, closed=True)
        return Done(back, closed=_one(cell))

    def _setup(self, body: Mapping[str, Any], start: SquareSet, now: Instant) -> Done:
        if body["setup"] is not True:
            raise BadRequestError(f"'setup' is true; got {body['setup']!r}")
        before, after = int(self.board.closed), int(start)
        self.set_up(start)
        return Done(now, closed=CellSet(after & ~before), opened=CellSet(before & ~after))

    def _stick(self, body: Mapping[str, Any], _: SquareSet, now: Instant) -> Done:
        cell = _cell(body["stick"])
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

    def _with_piece(self, name: object) -> Cell:
        cell = _cell(name)
        if not self.board.closed >> cell & 1:
            raise NotNowError(f"no piece stands on {name}")
        return cell

    def _free(self, name: object) -> Cell:
        cell = _cell(name)
        if self.board.closed >> cell & 1:
            raise NotNowError(f"a piece stands on {name} already")
        return cell


def _one(cell: Cell) -> CellSet:
    return CellSet(1 << cell)


def _cell(name: object) -> Cell:
    try:
        return Cell(parse_square(name if isinstance(name, str) else repr(name)))
    except NotationError as error:
        raise BadRequestError(str(error)) from error


def _address(text: object, board: MockBoard) -> int:
    try:
        address = int(str(text), 16)
    except ValueError:
        address = -1
    if address not in board.bus.chips:
        known = ", ".join(f"{chip:#04x}" for chip in board.bus.chips)
        raise BadRequestError(f"no chip {text!r}; one of {known}")
    return address
