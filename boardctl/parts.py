"""What the loop drives, put together by `boardctl.app`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from boardctl.reception import Questions
from boardctl.workshop import Tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boardctl.core.effects import Effect, Play
    from boardctl.core.events import CommandGiven, Committed, Event
    from boardctl.core.occupancy import Instant, Occupancy
    from boardctl.core.session import Session
    from boardctl.core.snapshot import Snapshot
    from boardctl.hands import SimulatedHands
    from boardctl.lights import Lights
    from boardctl.link.server import LinkServer
    from boardctl.notify import Notifier
    from boardctl.tape import Tape
    from hardware import cells as hardware_cells
    from hardware.debounce import Debouncer
    from hardware.scanner import Scanner


class Recorder(Questions, Protocol):
    """The archive as the loop sees it: nothing here ever waits."""

    @property
    def fault(self) -> str | None:
        """Why games are not being kept, in one line; None while they are."""

    def take(self, effects: Sequence[Effect], now: Instant) -> None:
        """Keep what of *effects* belongs in the record."""

    def committed(self) -> Sequence[Committed]:
        """Return what has reached the disk since the last call."""

    def report(self) -> Mapping[str, Any]:
        """Return the archive's part of the health report."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """What the loop drives; `boardctl.app` puts it together.

    Attributes:
        session_for: makes the session from the first thing that was seen.
        variant: the configuration's game.
        hands: the simulated board's, where there is one.
        tape: records the raw scans.
        players: what simulated players do at that board until now, seeing what the table shows.
        buttons: what the buttons have done since the last call.
        sound: plays a signal.
        wake: waits so many seconds for the chips' interrupt, and tells whether it came; None
            where that wire is missing.
        report: further entries of the health report.
        between_games: called once a second; returns commands to obey (those of a configuration
            that was read again).
        configuration: the configuration in force, section by section.
        tools: what self test and calibration need.
    """

    scanner: Scanner
    debouncer: Debouncer
    lights: Lights
    session_for: Callable[[Occupancy, Instant], Session]
    recorder: Recorder
    link: LinkServer
    notifier: Notifier
    scan_hz: float
    variant: str
    hands: SimulatedHands | None = None
    players: Callable[[Snapshot, hardware_cells.Instant], None] | None = None
    tape: Tape | None = None
    buttons: Callable[[Instant], Sequence[Event]] = lambda _: ()
    sound: Callable[[Play], None] = lambda _: None
    wake: Callable[[float], bool] | None = None
    report: Callable[[], Mapping[str, Any]] = dict
    between_games: Callable[[Snapshot], Sequence[CommandGiven]] = lambda _: ()
    configuration: Callable[[Snapshot], Sequence[Mapping[str, Any]]] = lambda _: ()
    tools: Tools = field(default_factory=Tools)
