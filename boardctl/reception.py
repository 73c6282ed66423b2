"""Observers' requests: commands obeyed, questions answered, simulated hands moved and awaited."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from boardctl.core.effects import Refused
from boardctl.core.events import CommandGiven
from boardctl.errors import BadRequestError, NotNowError
from boardctl.requests import EndWork, SkipStep, StartWork, parse_command
from engine import VARIANTS, load_variant, with_options
from hardware import cells as hardware_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boardctl.core.effects import Effect
    from boardctl.core.events import Event
    from boardctl.core.occupancy import Instant
    from boardctl.core.snapshot import Snapshot
    from boardctl.hands import Done, SimulatedHands
    from boardctl.link.server import LinkServer, Request
    from boardctl.workshop import Workshop
    from engine.squares import SquareSet
    from hardware.cells import Cells

log = logging.getLogger(__name__)

CALM_S: Final = 0.15
"""A simulated hand is answered when the session, having seen it, wants no tick for so long: the
recogniser weighs a landing in steps of some 30 to 70 ms until it shows the move."""

GIVE_UP_S: Final = 0.5
"""A change that never shows (a dead chip, a stuck reed) is answered after so long."""


class Host(Protocol):
    """The loop as the reception sees it."""

    @property
    def cells(self) -> Cells | None:
        """The switches as last read."""

    @property
    def next_tick(self) -> Instant | None:
        """When the session wants to be woken."""

    @property
    def snapshot(self) -> Snapshot:
        """What the table shows."""

    def handle(self, event: Event, now: Instant) -> Sequence[Effect]:
        """Step the session, perform the effects and return them."""

    def state(self) -> dict[str, Any]:
        """Return the snapshot as JSON."""

    def health(self, now: Instant) -> dict[str, Any]:
        """Return the health report."""

    def configuration(self) -> Sequence[Mapping[str, Any]]:
        """Return the configuration in force, section by section."""


class Questions(Protocol):
    """Who answers questions about past games, in his own time."""

    def ask(self, request: Request) -> None:
        """Have a query answered, or a game kept that is brought."""

    def answers(self) -> Sequence[tuple[Request, int, Mapping[str, Any]]]:
        """Return the answers that have become ready since the last call."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A simulated hand whose change has not been read yet."""

    request: Request
    done: Done


class Reception:
    """Serves the link for one table; `variant` is the configuration's game."""

    def __init__(
        self,
        link: LinkServer,
        questions: Questions,
        workshop: Workshop,
        *,
        variant: str,
        hands: SimulatedHands | None,
    ) -> None:
        self._link = link
        self._questions = questions
        self._workshop = workshop
        self._variant = variant
        self._hands = hands
        self._waiting: list[_Waiting] = []

    def serve(self, requests: Sequence[Request], host: Host, now: Instant) -> None:
        """Answer *requests* and all that has become answerable."""
        for request in requests:
            try:
                self._serve(request, host, now)
            except NotNowError as error:
                if request.kind == "command":
                    log.info("refused: %s", error)
                self._link.reply(request, 409, {"error": str(error)})
            except BadRequestError as error:
                self._link.reply(request, 400, {"error": str(error)})
        for request, status, body in self._questions.answers():
            self._link.reply(request, status, body)
        if self._waiting:
            self._answer_hands(host, now)

    def _serve(self, request: Request, host: Host, now: Instant) -> None:
        match request.kind, request.body.get("query"):
            case "command", _:
                self._obey(request, host, now)
            case "sim", _ if self._hands is not None:
                start = start_of(host.snapshot, self._variant)
                done = self._hands.act(request.body, start, hardware_cells.Instant(now))
                self._waiting.append(_Waiting(request, done))
            case "query", "health":
                self._link.reply(request, 200, host.health(now))
            case "query", "state":
                self._link.reply(request, 200, host.state())
            case "query", "noise" if self._hands is not None:
                self._link.reply(request, 200, {"noise": self._hands.noise()})
            case "query", "work":
                self._link.reply(request, 200, self._workshop.report())
            case "query", "configuration":
                self._link.reply(request, 200, {"sections": host.configuration()})
            case "query" | "import", _:
                self._questions.ask(request)
            case kind, _:
                self._link.reply(request, 404, {"error": f"no {kind!r} at this table"})

    def _obey(self, request: Request, host: Host, now: Instant) -> None:
        command = parse_command(request.body, own_variant=self._variant)
        log.info("operator: %s", command)
        if isinstance(command, StartWork | SkipStep | EndWork):
            self._workshop.order(command, host.snapshot.phase)
            self._link.reply(request, 200, host.state())
            return
        self._workshop.check_free(command)
        effects = host.handle(CommandGiven(command), now)
        refusals = [effect.reason for effect in effects if isinstance(effect, Refused)]
        if refusals:
            self._link.reply(request, 409, {"error": "; ".join(refusals)})
        else:
            self._link.reply(request, 200, host.state())

    def _answer_hands(self, host: Host, now: Instant) -> None:
        """Answer the hands whose change has been seen and read."""
        tick = host.next_tick
        calm = tick is None or tick > now + CALM_S
        for waiting in list(self._waiting):
            read = calm and _shows(host.cells, waiting.done, now)
            if read or now >= waiting.done.by + GIVE_UP_S:
                self._waiting.remove(waiting)
                self._link.reply(waiting.request, 200, host.state())


def _shows(cells: Cells | None, done: Done, now: Instant) -> bool:
    """Whether the switches show what a hand has done."""
    closed = 0 if cells is None else int(cells.closed)
    return now >= done.by and closed & done.closed == done.closed and not closed & done.opened


def start_of(snapshot: Snapshot, own_variant: str) -> SquareSet:
    """Return where the pieces stand when the game that *snapshot* shows begins.

    *own_variant* is the configuration's game, which may be the path of a ruleset.
    """
    variant = snapshot.variant if snapshot.variant in VARIANTS else own_variant
    return with_options(load_variant(variant), snapshot.options).start.occupied
