"""Self test and calibration at a running table: the lights lead, the switches answer.

            begin                    the script ends, or `end`
    idle ───────────► working ──────────────────────────────────► idle, with a report
                     one step a scan

The work is a script of `hardware.guide`, which never waits; the loop gives it each scan and shows
the lights it asks for. Meanwhile the session hears nothing of the board.

Invariants: work begins only while no game is followed (none, over, or paused); it leaves the
session as it was; ending it is always possible.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from boardctl.config.rewrite import rewritten
from boardctl.core.commands import ChangeSetting
from boardctl.core.events import Button, ButtonHeld, ButtonPressed
from boardctl.core.orders import NO_WORK, NOT_NOW, PAUSE_FIRST, WORK_RUNS
from boardctl.core.snapshot import Phase
from boardctl.errors import NotNowError
from boardctl.requests import EndWork, SkipStep, StartWork, Work, WorkOrder
from hardware.calibrate import Calibration, calibration, notes
from hardware.cells import CELLS
from hardware.guide import Guide, Seen
from hardware.naming import bits, cell_name
from hardware.selftest import SelfTest, selftest
from hardware.sentences import Sentence
from hardware.wiring import DIRECT, raw_wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boardctl.core.commands import Command
    from boardctl.core.events import Event
    from hardware.cells import Frame, Instant
    from hardware.guide import Ask, Script
    from hardware.scanner import Fault, Scanner
    from hardware.strip import Rgb
    from hardware.wiring import Wiring

log = logging.getLogger(__name__)

_ALLOWED: Final = frozenset({Phase.SETUP, Phase.FINISHED, Phase.ATTRACT, Phase.PAUSED})
_PLAYING: Final = frozenset(
    {
        Phase.IN_SYNC,
        Phase.IN_HAND,
        Phase.REMOVE_CAPTURED,
        Phase.CHOOSE_VICTIM,
        Phase.MISMATCH,
    }
)
_DARK: Final[Rgb] = (0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the work needs to know of the table.

    Attributes:
        wiring: how the switches are wired, by the configuration.
        led_of_cell: the light of each cell, by the configuration.
        planned_inputs: the input of each cell in the documented wiring.
        planned_leds: the light of each cell by the layout of the chain.
        rewired: opens a scanner for another wiring of the same chips; None: it cannot be.
    """

    wiring: Wiring = DIRECT
    led_of_cell: Sequence[int] = range(CELLS)
    planned_inputs: Sequence[str] = DIRECT.inputs
    planned_leds: Sequence[int] = range(CELLS)
    rewired: Callable[[Wiring], Scanner] | None = None


@dataclass(slots=True)
class _Job:
    """One piece of work, from its beginning to its report."""

    work: Work
    found: SelfTest | Calibration
    guide: Guide
    ended: bool = False
    closed: int = 0


class Workshop:
    """The work at one table.

    Attributes:
        working: whether the board belongs to the work and not to the game.
        scanner: what to scan instead of the table's own while a calibration runs.
        version: grows with each change of what `view` returns.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._job: _Job | None = None
        self._skip = False
        self._colours: tuple[Ask, tuple[Rgb, ...]] | None = None
        self._cell_of_led = {led: cell for cell, led in enumerate(tools.led_of_cell)}
        self.working = False
        self.scanner: Scanner | None = None
        self.version = 0

    def order(self, order: WorkOrder, phase: Phase) -> None:
        """Do as the operator says; *phase* is what the table is about.

        Raises:
            NotNowError: it is not possible now.
        """
        match order:
            case StartWork(work):
                self._begin(work, phase)
            case SkipStep():
                self.skip()
            case EndWork():
                self._end()

    def skip(self) -> None:
        """Go on to the next square or light, with the next scan.

        Raises:
            NotNowError: nothing is going on.
        """
        if not self.working:
            raise NotNowError(NO_WORK)
        self._skip = True

    def check_free(self, command: Command) -> None:
        """Refuse what must wait until the work is over: all but the settings.

        Raises:
            NotNowError: it must.
        """
        if self.working and not isinstance(command, ChangeSetting):
            raise NotNowError(WORK_RUNS)

    def let_through(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return what of the buttons' *events* is for the session; "confirm" skips a step."""
        if not self.working:
            return events
        if ButtonPressed(Button.CONFIRM) in events:
            self.skip()
        shut_down = ButtonPressed(Button.SHUT_DOWN)
        return [event for event in events if isinstance(event, ButtonHeld) or event == shut_down]

    def step(self, frame: Frame, faults: Sequence[Fault], now: Instant) -> None:
        """Give the work a scan; *faults* are the scanner's."""
        job = self._job
        if job is None or job.ended:
            return
        before = (job.guide.ask.task, job.closed)
        job.closed = int(frame.closed)
        reasons = [fault.reason for fault in faults]
        job.guide.step(Seen(job.closed, now, int(frame.unknown), reasons, self._skip))
        self._skip = False
        if job.guide.finished:
            self._finish(job)
        if job.ended or before != (job.guide.ask.task, job.closed):
            self.version += 1

    def colours(self) -> tuple[Rgb, ...] | None:
        """Return the light of each cell that the work asks for; None: the game's lights."""
        job = self._job
        if job is None or not self.working:
            return None
        ask = job.guide.ask
        if self._colours is None or self._colours[0] is not ask:
            by_led = job.work is Work.CALIBRATION
            lights = {
                self._cell_of_led.get(number) if by_led else number: colour
                for number, colour in ask.lights.items()
            }
            self._colours = ask, tuple(lights.get(cell, _DARK) for cell in range(CELLS))
        return self._colours[1]

    # --- what observers are told -----------------------------------------------------------------

    def view(self) -> dict[str, Any] | None:
        """Return how the work is doing; None where there is none."""
        job = self._job
        if job is None:
            return None
        marks = _marks(job.found)
        return {
            "kind": job.work.value,
            "working": not job.ended,
            "task": str(job.guide.ask.task) if not job.ended else "",
            "square": None if job.ended else _square_of(job.guide.ask),
            "squares": {cell_name(cell): mark for cell, mark in sorted(marks.items())},
            "closed": [] if job.ended else self._closed(job),
            "problems": len(job.found.problems()),
        }

    def report(self) -> dict[str, Any]:
        """Return the view with every sentence as template and values, and the maps found."""
        job, view = self._job, self.view()
        if job is None or view is None:
            return {"work": None}
        found = job.found
        report: dict[str, Any] = {
            **view,
            "task": None if job.ended else _parts(job.guide.ask.task),
            "problems": [_parts(line) for line in found.problems()],
            "notes": [],
            "maps": "",
        }
        if isinstance(found, Calibration) and job.guide.finished:
            tools = self._tools
            told = notes(found, tools.planned_inputs, tools.planned_leds)
            report["notes"] = [_parts(line) for line in told]
            report["maps"] = rewritten(
                "", {"switches": {"map": found.switch_map}, "leds": {"map": found.led_map}}
            )
        return {"work": report}

    def _closed(self, job: _Job) -> list[str]:
        """Return the squares that answer now."""
        if isinstance(job.found, SelfTest):
            return [cell_name(cell) for cell in bits(job.closed)]
        owners = {number: cell for cell, number in job.found.switches.items()}
        cells = sorted(owners[number] for number in bits(job.closed) if number in owners)
        return [cell_name(cell) for cell in cells]

    # --- begin and end ---------------------------------------------------------------------------

    def _begin(self, work: Work, phase: Phase) -> None:
        if self.working:
            raise NotNowError(WORK_RUNS)
        if phase in _PLAYING:
            raise NotNowError(PAUSE_FIRST)
        if phase not in _ALLOWED:
            raise NotNowError(NOT_NOW)
        found, script = self._new(work)
        self._job = _Job(work, found, Guide(script))
        self.working = True
        self._skip = False
        self.version += 1
        log.info("%s begins", work.value)

    def _new(self, work: Work) -> tuple[SelfTest | Calibration, Script]:
        tools = self._tools
        if work is Work.SELF_TEST:
            test = SelfTest()
            return test, selftest(test, tools.wiring)
        if tools.rewired is None:
            raise NotNowError(NOT_NOW)
        raw = raw_wiring(tools.wiring)
        self.scanner = tools.rewired(raw)
        learned = Calibration(raw.inputs, max(tools.led_of_cell) + 1)
        return learned, calibration(learned, leds=sorted(tools.led_of_cell))

    def _finish(self, job: _Job) -> None:
        """The board belongs to the game again; the report stays."""
        job.ended = True
        self.working = False
        self.scanner = None
        problems = job.found.problems()
        good = sum(mark == "good" for mark in _marks(job.found).values())
        log.info("%s ends: %d of %d squares are good", job.work.value, good, CELLS)
        for line in problems:
            log.warning("%s: %s", job.work.value, line)

    def _end(self) -> None:
        if self._job is None:
            raise NotNowError(NO_WORK)
        if self._job.ended:
            self._job = None
        else:
            self._finish(self._job)
        self.version += 1


def _marks(found: SelfTest | Calibration) -> dict[int, str]:
    """Return what is known of each cell: `good`, or what is wrong with it."""
    worse: list[tuple[Iterable[int], str]]
    if isinstance(found, SelfTest):
        marks = dict.fromkeys(found.good, "good")
        worse = [
            (found.chatter, "chatter"),
            (found.elsewhere, "wrong"),
            (found.dead, "dead"),
            (found.dark, "dark"),
            (found.diodes, "wrong"),
            (found.stuck_closed, "stuck"),
        ]
    else:
        marks = dict.fromkeys(found.switches, "switch")
        marks |= dict.fromkeys(found.leds.values(), "good")
        shared = [cell for square, other, _ in found.shared for cell in (square, other)]
        worse = [(shared, "wrong"), (found.double, "wrong"), (found.dead_squares, "dead")]
    for cells, mark in worse:
        marks |= dict.fromkeys(cells, mark)
    return marks


def _square_of(ask: Ask) -> str | None:
    """Return the square that *ask* is about, if it is about one."""
    return ask.task.values.get("square") if isinstance(ask.task, Sentence) else None


def _parts(text: str) -> dict[str, Any]:
    """Return a sentence as its template and values; what others wrote has no gaps."""
    if isinstance(text, Sentence):
        return {"text": text.template, "values": dict(text.values)}
    return {"text": text, "values": {}}
