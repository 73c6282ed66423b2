"""The shell around the pure parts: scan, step, perform effects, show, wait.

The only module that reads a clock or waits. One thread runs it and owns everything mutable: bus,
strip, session and link. A turn takes well under a millisecond and never waits for a disk or for
an observer; `turn` is a function of the time it is given, so tests run hours of play in seconds.

    now ──┬─ scan due? ── Frame ─ Debouncer ─ Cells ─ Occupancy ── BoardSeen ─┐
          ├─ faults differ? ─────────────────────────── FaultSeen/FaultCleared ┤
          ├─ buttons, observers' commands, archive's acknowledgements ─────────┤
          ├─ session's deadline passed? ──────────────────────────────── Tick ─┤
          │                                                            Session ├─ effects ─ archive,
          │                                                                    │   log, sound
          └─ snapshot differs, or time for the next picture? ── scene ── Dimmer ── strip
                                                        └────── link: snapshot, leds, health
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from boardctl.core.commands import Setting
from boardctl.core.effects import Play, Refused, SettingChanged, ShutDown
from boardctl.core.events import (
    BoardSeen,
    CommandGiven,
    FaultCleared,
    FaultSeen,
    Stopping,
    Tick,
)
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.scene import scene
from boardctl.core.snapshot import snapshot_json
from boardctl.errors import BadRequestError
from boardctl.hands import Done, ImpossibleError
from boardctl.health import Scans, Tally
from boardctl.requests import parse_command
from engine import VARIANTS, load_variant, with_options
from engine.squares import SquareSet
from hardware import cells as hardware_cells
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boardctl.core.effects import Effect
    from boardctl.core.events import Committed, Event
    from boardctl.core.session import Session
    from boardctl.core.snapshot import Snapshot
    from boardctl.hands import SimulatedHands
    from boardctl.link import LinkServer, Request
    from boardctl.notify import Notifier
    from hardware.cells import Cells
    from hardware.debounce import Debouncer
    from hardware.light import Dimmer
    from hardware.scanner import Scanner
    from hardware.strip import LedStrip, Rgb

log = logging.getLogger(__name__)

HEALTH_PERIOD_S: Final = 1.0
STRIP_RETRY_S: Final = 1.0
ATTEMPT_PERIOD_S: Final = 0.5
SIM_READ_S: Final = 0.03
"""A simulated hand is answered when its change has been seen for so long, read by then."""

SIM_GIVE_UP_S: Final = 0.25
"""A change that never shows (a dead chip, a stuck reed) is answered after so long."""

_AT_ONCE: Final = Instant(float("-inf"))


class Recorder(Protocol):
    """The archive as the loop sees it: nothing here ever waits."""

    @property
    def fault(self) -> str | None:
        """Why games are not being kept, in one line; None while they are."""

    def take(self, effects: Sequence[Effect], now: Instant) -> None:
        """Keep what of *effects* belongs in the record."""

    def committed(self) -> Sequence[Committed]:
        """Return what has reached the disk since the last call."""

    def ask(self, request: Request) -> None:
        """Have a query answered in its time."""

    def answers(self) -> Sequence[tuple[Request, int, Mapping[str, Any]]]:
        """Return the answers that have become ready since the last call."""

    def report(self) -> Mapping[str, Any]:
        """Return the archive's part of the health report."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """What the loop drives; `boardctl.app` puts it together.

    Attributes:
        session_for: makes the session from the first thing that was seen.
        buttons: what the buttons have done since the last call.
        sound: plays a signal.
        report: further entries of the health report.
        between_games: called in each second while no game is on; returns commands to obey (a
            configuration that was read again).
    """

    scanner: Scanner
    debouncer: Debouncer
    strip: LedStrip
    dimmer: Dimmer
    session_for: Callable[[Occupancy, Instant], Session]
    recorder: Recorder
    link: LinkServer
    notifier: Notifier
    scan_hz: float
    fps: float
    variant: str
    hands: SimulatedHands | None = None
    buttons: Callable[[Instant], Sequence[Event]] = lambda _: ()
    sound: Callable[[Play], None] = lambda _: None
    new_dimmer: Callable[[float], Dimmer] | None = None
    report: Callable[[], Mapping[str, Any]] = dict
    between_games: Callable[[Snapshot], Sequence[CommandGiven]] = lambda _: ()


@dataclass(slots=True)
class _Waiting:
    """A simulated hand whose change has not been read yet."""

    request: Request
    done: Done
    seen_at: Instant | None = None


@dataclass(slots=True)
class _Lights:
    """What is lit, and when the next picture is due."""

    lit: tuple[Rgb, ...] = ()
    due: Instant = _AT_ONCE
    published: bool = True
    publish_due: Instant = _AT_ONCE
    retry_at: Instant | None = None
    fault: str | None = None
    sent: int = 0


class Loop:
    """One table. Call `turn` whenever its returned deadline has come; `run` does."""

    def __init__(self, parts: Parts, now: Instant) -> None:
        self._parts = parts
        self._period_s = 1.0 / parts.scan_hz
        self._frame_s = 1.0 / parts.fps
        self._started_at = now
        self._scan_due = now
        self._health_due = now
        self._cells: Cells | None = None
        self._cells_shown: Cells | None = None
        self._session: Session | None = None
        self._version = -1
        self._faults: tuple[object, ...] = ((), None, None)
        self._waiting: list[_Waiting] = []
        self._lights = _Lights()
        self.scans = Scans()
        self.tally = Tally()
        self.shut_down = False

    @property
    def snapshot(self) -> Snapshot | None:
        """What the table shows; None before the first scan."""
        return None if self._session is None else self._session.snapshot

    @property
    def _session_now(self) -> Session:
        assert self._session is not None  # noqa: S101  after the first scan; for the type checker
        return self._session

    def turn(self, now: Instant) -> Instant:
        """Do all that is due at *now*; return when the next turn is."""
        if self._parts.hands is not None:
            self._parts.hands.board.advance(hardware_cells.Instant(now))
        if now >= self._scan_due:
            self._scan(now)
        self._collect(now)
        session = self._session
        if session is not None:
            deadline = session.next_deadline
            if deadline is not None and now >= deadline:
                self._handle(Tick(), now)
            self._show(session.snapshot, now)
        self._answer_hands(now)
        self._parts.link.flush()
        if now >= self._health_due:
            self._report(now)
        return self._scan_due

    def stop(self, now: Instant) -> None:
        """End the session and show its last picture."""
        if self._session is not None:
            self._handle(Stopping(), now)
            self._show(self._session.snapshot, now)
        self._parts.link.flush()

    # --- in: switches, faults, people, the archive ----------------------------------------------

    def _scan(self, now: Instant) -> None:
        self.scans.count += 1
        self.scans.lateness.add(max(0.0, now - self._scan_due), now)
        self._scan_due = Instant(self._scan_due + self._period_s)
        if self._scan_due <= now:
            # Too late for the next one as well: go on from here instead of catching up in a burst.
            self.scans.skipped += int((now - self._scan_due) / self._period_s) + 1
            self._scan_due = Instant(now + self._period_s)
        at = hardware_cells.Instant(now)
        cells = self._parts.debouncer.step(self._parts.scanner.scan(at), at)
        if cells is not None:
            self._cells = cells
            occupancy = occupancy_of(cells)
            if self._session is None:
                self._begin(occupancy, now)
            self._handle(BoardSeen(occupancy), now)
        self._note_faults(now)
        self._parts.notifier.alive(now)

    def _begin(self, occupancy: Occupancy, now: Instant) -> None:
        self._session = self._parts.session_for(occupancy, now)
        self._parts.notifier.ready()

    def _note_faults(self, now: Instant) -> None:
        """Tell the session when what is wrong has changed."""
        scanner, recorder, lights = self._parts.scanner, self._parts.recorder, self._lights
        faults = (scanner.faults, recorder.fault, lights.fault)
        if faults == self._faults or self._session is None:
            return
        self._faults = faults
        reasons = [fault.reason for fault in scanner.faults]
        reasons += [text for text in (recorder.fault, lights.fault) if text is not None]
        if not reasons:
            log.info("all hardware answers")
            self._handle(FaultCleared(), now)
            return
        squares = 0
        for fault in scanner.faults:
            squares |= fault.cells
        text = "; ".join(reasons)
        log.warning("fault: %s", text)
        self._handle(FaultSeen(text, SquareSet(squares)), now)

    def _collect(self, now: Instant) -> None:
        """Take in what buttons, archive and observers have brought."""
        parts = self._parts
        requests = parts.link.poll()
        if self._session is None:
            return
        for event in (*parts.buttons(now), *parts.recorder.committed()):
            self._handle(event, now)
        for request in requests:
            self._serve(request, now)
        for request, status, body in parts.recorder.answers():
            parts.link.reply(request, status, body)

    def _handle(self, event: Event, now: Instant) -> list[Effect]:
        """Step the session and do what it asks."""
        effects = self._session_now.handle(event, now)
        if effects:
            self.tally.note(effects)
            self._parts.recorder.take(effects, now)
            for effect in effects:
                self._perform(effect)
        return effects

    def _perform(self, effect: Effect) -> None:
        log.log(_level(effect), "%s", effect)
        match effect:
            case Play():
                self._parts.sound(effect)
            case SettingChanged(Setting.BRIGHTNESS.value, value):
                if self._parts.new_dimmer is not None:
                    self._parts.dimmer = self._parts.new_dimmer(float(value))
                    self._lights.lit = ()
            case ShutDown():
                self.shut_down = True

    # --- requests of observers -------------------------------------------------------------------

    def _serve(self, request: Request, now: Instant) -> None:
        try:
            match request.kind:
                case "command":
                    self._obey(request, now)
                case "sim" if self._parts.hands is not None:
                    self._move_hands(request, now)
                case "query":
                    self._query(request, now)
                case kind:
                    self._parts.link.reply(request, 404, {"error": f"no {kind!r} at this table"})
        except ImpossibleError as error:
            self._parts.link.reply(request, 409, {"error": str(error)})
        except BadRequestError as error:
            self._parts.link.reply(request, 400, {"error": str(error)})

    def _obey(self, request: Request, now: Instant) -> None:
        command = parse_command(request.body, own_variant=self._parts.variant)
        log.info("operator: %s", command)
        refusals = [
            effect.reason
            for effect in self._handle(CommandGiven(command), now)
            if isinstance(effect, Refused)
        ]
        if refusals:
            self._parts.link.reply(request, 409, {"error": "; ".join(refusals)})
        else:
            self._parts.link.reply(request, 200, self._snapshot_json())

    def _move_hands(self, request: Request, now: Instant) -> None:
        assert self._parts.hands is not None  # noqa: S101  the caller's match, for the checker
        start = start_of(self._session_now.snapshot, self._parts.variant)
        done = self._parts.hands.act(request.body, start, hardware_cells.Instant(now))
        self._waiting.append(_Waiting(request, done))

    def _answer_hands(self, now: Instant) -> None:
        """Answer the hands whose change has been seen and read."""
        for waiting in list(self._waiting):
            if waiting.seen_at is None and self._shows(waiting.done, now):
                waiting.seen_at = now
            read = waiting.seen_at is not None and now >= waiting.seen_at + SIM_READ_S
            if read or now >= waiting.done.by + SIM_GIVE_UP_S:
                self._waiting.remove(waiting)
                self._parts.link.reply(waiting.request, 200, self._snapshot_json())

    def _shows(self, done: Done, now: Instant) -> bool:
        closed = 0 if self._cells is None else int(self._cells.closed)
        return now >= done.by and closed & done.closed == done.closed and not closed & done.opened

    def _query(self, request: Request, now: Instant) -> None:
        match request.body.get("query"):
            case "health":
                self._parts.link.reply(request, 200, self._health(now))
            case "state":
                self._parts.link.reply(request, 200, self._snapshot_json())
            case _:
                self._parts.recorder.ask(request)

    def _snapshot_json(self) -> dict[str, Any]:
        assert self._session is not None  # noqa: S101  requests are served with a session only
        return self._state(self._session.snapshot)

    def _state(self, snapshot: Snapshot) -> dict[str, Any]:
        """Return the snapshot with the raw switches: the page draws pieces the game knows not."""
        closed = 0 if self._cells is None else int(self._cells.closed)
        return {**snapshot_json(snapshot), "cells": f"{closed:x}"}

    # --- out: lights, observers, health ----------------------------------------------------------

    def _show(self, snapshot: Snapshot, now: Instant) -> None:
        """Publish what differs and light the next picture when it is due."""
        lights = self._lights
        changed = snapshot.version != self._version
        if changed or self._cells is not self._cells_shown:
            self._version = snapshot.version
            self._cells_shown = self._cells
            self._parts.link.publish("snapshot", self._state(snapshot))
        if changed or now >= lights.due:
            lights.due = Instant(now + self._frame_s)
            colours = scene(snapshot, now)
            if colours != lights.lit:
                lights.lit = colours
                lights.published = False
                lights.retry_at = now
        if lights.retry_at is not None and now >= lights.retry_at:
            self._light(now)
        if not lights.published and now >= lights.publish_due:
            lights.published = True
            lights.publish_due = Instant(now + self._frame_s)
            self._parts.link.publish("leds", [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in lights.lit])

    def _light(self, now: Instant) -> None:
        """Send the picture; a strip that refuses is tried again once a second."""
        lights = self._lights
        try:
            self._parts.strip.show(self._parts.dimmer.apply(lights.lit))
        except HardwareError as error:
            lights.retry_at = Instant(now + STRIP_RETRY_S)
            lights.fault = f"lights: {error}"
        else:
            lights.retry_at = None
            lights.fault = None
            lights.sent += 1

    def _report(self, now: Instant) -> None:
        """Once a second: measure, tell the observers and systemd."""
        self._health_due = Instant(now + HEALTH_PERIOD_S)
        self.scans.measure(now)
        health = self._health(now)
        self._parts.link.publish("health", health)
        if self._session is not None:
            snapshot = self._session.snapshot
            self._parts.notifier.status(_status_line(snapshot, health))
            for given in self._parts.between_games(snapshot):
                self._handle(given, now)

    def _health(self, now: Instant) -> dict[str, Any]:
        lateness, faults = self.scans.lateness, self._parts.scanner.faults
        reasons = [fault.reason for fault in faults]
        reasons += [text for text in (self._parts.recorder.fault, self._lights.fault) if text]
        return {
            "scanning": self._session is not None,
            "uptime_s": round(now - self._started_at, 1),
            "scans": self.scans.count,
            "scans_skipped": self.scans.skipped,
            "scan_hz": round(self.scans.hz, 1),
            "scan_lateness_p50_ms": round(1000 * lateness.percentile(0.5), 2),
            "scan_lateness_p99_ms": round(1000 * lateness.percentile(0.99), 2),
            "pictures": self._lights.sent,
            "observers": self._parts.link.clients,
            "faults": len(reasons),
            "fault_reasons": reasons,
            "events": dict(self.tally.counts),
            "archive": self._parts.recorder.report(),
            **self._parts.report(),
        }


def occupancy_of(cells: Cells) -> Occupancy:
    """Return the board by square: the one place where cells become squares.

    Both number a1 = 0 to i9 = 80 row by row, so the masks are the same.
    """
    return Occupancy(SquareSet(int(cells.closed)), SquareSet(int(cells.unknown)))


def start_of(snapshot: Snapshot, own_variant: str) -> SquareSet:
    """Return where the pieces stand when the game that *snapshot* shows begins.

    *own_variant* is the configuration's game, which may be the path of a ruleset.
    """
    variant = snapshot.variant if snapshot.variant in VARIANTS else own_variant
    return with_options(load_variant(variant), snapshot.options).start.occupied


def _level(effect: Effect) -> int:
    """Return how loudly an effect is logged: game events are for people, the rest for bug hunts."""
    return logging.DEBUG if isinstance(effect, Play | SettingChanged) else logging.INFO


def _status_line(snapshot: Snapshot, health: Mapping[str, Any]) -> str:
    """Return the line of `systemctl status`."""
    parts = [snapshot.title, snapshot.phase.value, f"{len(snapshot.plies)} plies"]
    parts.append(f"{health['scan_hz']:.0f} scans/s")
    if health["faults"]:
        parts.append(f"{health['faults']} faults: {health['fault_reasons'][0]}")
    return ", ".join(parts)


def now() -> Instant:
    """Read the clock that the loop goes by: monotonic, unmoved by changes of the wall time."""
    return Instant(time.monotonic())


def run(
    loop: Loop,
    should_stop: Callable[[], bool],
    *,
    clock: Callable[[], Instant] = now,
    sleep: Callable[[float], None] = time.sleep,  # noqa: TID251  the one place that waits
) -> None:
    """Turn *loop* until *should_stop*, then end its session."""
    while not should_stop() and not loop.shut_down:
        deadline = loop.turn(clock())
        rest = deadline - clock()
        if rest > 0:
            sleep(rest)
    loop.stop(clock())


_Found = TypeVar("_Found")


def wait_for(
    attempt: Callable[[], _Found | None],
    should_stop: Callable[[], bool],
    *,
    patience_s: float,
    clock: Callable[[], Instant] = now,
    sleep: Callable[[float], None] = time.sleep,  # noqa: TID251  as above
) -> _Found | None:
    """Try *attempt* until it returns something; None after *patience_s*, or when stopped."""
    until = clock() + patience_s
    while not should_stop():
        found = attempt()
        if found is not None or clock() >= until:
            return found
        sleep(ATTEMPT_PERIOD_S)
    return None
