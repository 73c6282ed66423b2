"""The shell around the pure parts: scan, step, perform effects, show, and say when to turn again.

One thread runs it and owns everything mutable: bus, strip, session and link. A turn takes well
under a millisecond and never waits for a disk or for an observer. It reads no clock: `turn` is a
function of the time that `boardctl.pace` gives it, so tests run hours of play in seconds.

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
from typing import TYPE_CHECKING, Any, Final

from boardctl.core.commands import Setting
from boardctl.core.effects import Play, SettingChanged, ShutDown
from boardctl.core.events import BoardSeen, FaultCleared, FaultSeen, Stopping, Tick
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.snapshot import snapshot_json
from boardctl.health import Scans, Tally
from boardctl.logbook import Logbook
from boardctl.reception import Reception
from boardctl.workshop import Workshop
from engine.squares import SquareSet
from hardware import cells as hardware_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boardctl.core.effects import Effect
    from boardctl.core.events import Event
    from boardctl.core.session import Session
    from boardctl.core.snapshot import Snapshot
    from boardctl.hands import SimulatedHands
    from boardctl.parts import Parts
    from hardware.cells import Cells, Frame

log = logging.getLogger(__name__)

HEALTH_PERIOD_S: Final = 1.0

IDLE_AFTER_S: Final = 30.0
IDLE_SCAN_S: Final = 1 / 30
"""A table with an interrupt wire that has rested for so long is scanned as often as it is lit. The
scan stays the truth: a wire that is broken costs the first touch 33 ms."""


class Loop:
    """One table. Call `turn` whenever its returned deadline has come; `run` does.

    Attributes:
        cells: the switches as last read.
        next_tick: when the session wants to be woken; it changes with the session only.
        scans: the pace of the scans.
        tally: what has happened.
        shut_down: whether somebody at the table wants the machine off.
    """

    def __init__(self, parts: Parts, now: Instant) -> None:
        self._parts = parts
        self._workshop = workshop = Workshop(parts.tools)
        self._reception = Reception(
            parts.link, parts.recorder, workshop, variant=parts.variant, hands=parts.hands
        )
        self._period_s = 1.0 / parts.scan_hz
        self._changed_at = now
        self._started_at = now
        self._scan_due = now
        self._health_due = now
        self._session: Session | None = None
        self._published_version = -1
        self._published_cells: Cells | None = None
        self._published_work = 0
        self._unseen = False
        self._faults: tuple[object, ...] = ((), None, None)
        self._logbook = Logbook(log)
        self.cells: Cells | None = None
        self.next_tick: Instant | None = None
        self.scans = Scans()
        self.tally = Tally()
        self.shut_down = False

    def turn(self, now: Instant) -> Instant:
        """Do all that is due at *now*; return when the next turn is."""
        parts = self._parts
        if parts.hands is not None:
            self._move_pieces(parts.hands, hardware_cells.Instant(now))
        if now >= self._scan_due:
            self._scan(now)
        requests = parts.link.poll()
        if self._session is not None:
            buttons = self._workshop.let_through(parts.buttons(now))
            for event in (*buttons, *parts.recorder.committed()):
                self.handle(event, now)
            if self.next_tick is not None and now >= self.next_tick:
                self.handle(Tick(), now)
            self._reception.serve(requests, self, now)
            self._show(now)
        if now >= self._health_due:
            self._report(now)
        return self._scan_due

    def stop(self, now: Instant) -> None:
        """End the session and show the next picture of the sign that says so."""
        if self._session is not None:
            self.handle(Stopping(), now)
            self._show(now)
        if self._parts.tape is not None:
            self._parts.tape.close(hardware_cells.Instant(now))

    # --- the session -----------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session; there is one from the first scan on."""
        assert self._session is not None  # noqa: S101  as said; for the type checker
        return self._session

    @property
    def snapshot(self) -> Snapshot:
        """What the table shows; not before the first scan."""
        return self.session.snapshot

    def state(self) -> dict[str, Any]:
        """Return the snapshot as JSON, with the switches as they are: the page draws all pieces."""
        closed = 0 if self.cells is None else int(self.cells.closed)
        return {
            **snapshot_json(self.session.snapshot),
            "cells": f"{closed:x}",
            "work": self._workshop.view(),
        }

    def configuration(self) -> Sequence[Mapping[str, Any]]:
        """Return the configuration in force, section by section."""
        return self._parts.configuration(self.snapshot)

    def handle(self, event: Event, now: Instant) -> Sequence[Effect]:
        """Step the session, perform the effects and return them."""
        effects = self.session.handle(event, now)
        self.next_tick = self.session.next_deadline
        if effects:
            self.tally.note(effects)
            self._parts.recorder.take(effects, now)
            if self._parts.tape is not None:
                self._parts.tape.note(effects, self.snapshot, hardware_cells.Instant(now))
            for effect in effects:
                self._perform(effect)
        return effects

    def _perform(self, effect: Effect) -> None:
        self._logbook.note(effect)
        match effect:
            case Play():
                self._parts.sound(effect)
            case SettingChanged(Setting.BRIGHTNESS.value, value):
                self._parts.lights.dim(float(value))
            case ShutDown():
                self.shut_down = True

    # --- in: simulated hands, switches and faults ------------------------------------------------

    def _move_pieces(self, hands: SimulatedHands, at: hardware_cells.Instant) -> None:
        """Do on the simulated board what is due by now."""
        players, busy = self._parts.players, self._session is None or self._workshop.working
        if players is not None and not busy:
            players(self.snapshot, at)
        hands.advance(at)

    def _scan(self, now: Instant) -> None:
        self._pace(now)
        scanner = self._workshop.scanner or self._parts.scanner
        frame = scanner.scan(hardware_cells.Instant(now))
        if self._workshop.working:
            self._unseen = True
            self._workshop.step(frame, scanner.faults, hardware_cells.Instant(now))
        if scanner is self._parts.scanner:
            self._look(frame, now)
            self._note_faults(now)
        self._parts.notifier.alive(now)

    def _look(self, frame: Frame, now: Instant) -> None:
        """Debounce what was scanned; the session sees it unless the board is being worked at."""
        at, working = hardware_cells.Instant(now), self._workshop.working
        debouncer, tape = self._parts.debouncer, self._parts.tape
        if tape is not None and not working:
            tape.frame(frame, at)
        cells = debouncer.step(frame, at)
        if cells is not None or debouncer.next_deadline is not None:
            self._changed_at = now
            self._scan_due = min(self._scan_due, Instant(now + self._period_s))
        self.cells = self.cells if cells is None else cells
        if self.cells is None or working or not (cells is not None or self._unseen):
            return
        self._unseen = False
        occupancy = occupancy_of(self.cells)
        if self._session is None:
            self._session = self._parts.session_for(occupancy, now)
            if tape is not None and self.snapshot.game:
                tape.begin(self.snapshot, at)
            self._parts.notifier.ready()
        self.handle(BoardSeen(occupancy), now)

    def _pace(self, now: Instant) -> None:
        """Count this scan and set the time of the next one."""
        self.scans.count += 1
        self.scans.lateness.add(max(0.0, now - self._scan_due), now)
        period_s = IDLE_SCAN_S if self._is_idle(now) else self._period_s
        self._scan_due = Instant(self._scan_due + period_s)
        if self._scan_due <= now:
            # Too late for the next one as well: go on from here instead of catching up in a burst.
            self.scans.skipped += int((now - self._scan_due) / period_s) + 1
            self._scan_due = Instant(now + period_s)

    def _is_idle(self, now: Instant) -> bool:
        """Tell whether scans may be rare, because an interrupt would end the wait for the next."""
        rested = now - self._changed_at >= IDLE_AFTER_S
        quiet = rested and not self._parts.scanner.faults and not self._workshop.working
        return self._parts.wake is not None and quiet

    def rest(
        self, until: Instant, clock: Callable[[], Instant], sleep: Callable[[float], None]
    ) -> None:
        """Wait until *until*; a chip of an idle table that reports a change is scanned at once."""
        now = clock()
        if until <= now:
            return
        # Shorter waits are never cut off: a wire that is always low must not make the loop spin.
        short = until - now < 2 * self._period_s
        if self._parts.wake is None or short or not self._is_idle(now):
            sleep(until - now)
        elif self._parts.wake(until - now):
            self._scan_due = Instant(max(clock(), now + self._period_s))

    def _note_faults(self, now: Instant) -> None:
        """Tell the session when what is wrong has changed."""
        parts = self._parts
        faults = (parts.scanner.faults, parts.recorder.fault, parts.lights.fault)
        if faults == self._faults or self._session is None:
            return
        self._faults = faults
        reasons = self._fault_reasons()
        if not reasons:
            log.info("all hardware answers")
            self.handle(FaultCleared(), now)
            return
        squares = 0
        for fault in parts.scanner.faults:
            squares |= fault.cells
        text = "; ".join(reasons)
        log.warning("fault: %s", text)
        self.handle(FaultSeen(text, SquareSet(squares)), now)

    def _fault_reasons(self) -> list[str]:
        parts = self._parts
        reasons = [fault.reason for fault in parts.scanner.faults]
        return reasons + [text for text in (parts.recorder.fault, parts.lights.fault) if text]

    # --- out: lights, observers, health ----------------------------------------------------------

    def _show(self, now: Instant) -> None:
        """Light and publish what differs."""
        parts, snapshot = self._parts, self.session.snapshot
        cells, work = self.cells, self._workshop.version
        news = snapshot.version != self._published_version or work != self._published_work
        if news or cells is not self._published_cells:
            self._published_version, self._published_work = snapshot.version, work
            self._published_cells = cells
            parts.link.publish("snapshot", self.state())
        parts.lights.show(snapshot, now, self._workshop.colours())
        colours = parts.lights.news(now)
        if colours is not None:
            parts.link.publish("leds", colours)
        parts.link.flush()

    def _report(self, now: Instant) -> None:
        """Once a second: measure, tell the observers and systemd."""
        self._health_due = Instant(now + HEALTH_PERIOD_S)
        self.scans.measure(now)
        health = self.health(now)
        self._parts.link.publish("health", health)
        if self._session is not None:
            self._parts.notifier.status(_status_line(self._session.snapshot, health))
            for given in self._parts.between_games(self._session.snapshot):
                self.handle(given, now)

    def health(self, now: Instant) -> dict[str, Any]:
        """Return the health report."""
        lateness, reasons = self.scans.lateness, self._fault_reasons()
        return {
            "scanning": self._session is not None,
            "uptime_s": round(now - self._started_at, 1),
            "scans": self.scans.count,
            "scans_skipped": self.scans.skipped,
            "scan_hz": round(self.scans.hz, 1),
            "scan_lateness_p50_ms": round(1000 * lateness.percentile(0.5), 2),
            "scan_lateness_p99_ms": round(1000 * lateness.percentile(0.99), 2),
            "pictures": self._parts.lights.sent,
            "observers": self._parts.link.clients,
            "faults": len(reasons),
            "fault_reasons": reasons,
            "events": dict(self.tally.counts),
            "reliability": [round(share, 3) for share in self._parts.debouncer.reliability],
            "archive": self._parts.recorder.report(),
            **self._parts.report(),
        }


def occupancy_of(cells: Cells) -> Occupancy:
    """Return the board by square: the one place where cells become squares.

    Both number a1 = 0 to i9 = 80 row by row, so the masks are the same.
    """
    return Occupancy(SquareSet(int(cells.closed)), SquareSet(int(cells.unknown)))


def _status_line(snapshot: Snapshot, health: Mapping[str, Any]) -> str:
    """Return the line of `systemctl status`."""
    parts = [snapshot.title, snapshot.phase.value, f"{len(snapshot.plies)} plies"]
    parts.append(f"{health['scan_hz']:.0f} scans/s")
    if health["faults"]:
        parts.append(f"{health['faults']} faults: {health['fault_reasons'][0]}")
    return ", ".join(parts)
