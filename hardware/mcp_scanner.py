"""Reads all switches through MCP23017 chips, and keeps reading when some of them fail.

Each section (a chip, or the matrix) is in one of two states:

               configure and read succeed
      DOWN -------------------------------> UP
       ^   <------------------------------- |
       |    no answer twice, time-out, or   |   a change is believed only after the settings have
     retry  settings lost                       been read back in the same scan; besides, each
     0.05, 0.1 ... 1 s                          section is checked once a second

Invariants:
* a section that is down reads as `unknown` in every frame, never as open squares;
* a chip that lost its settings is down before any square it seems to have opened is reported;
* a chip is configured, IODIR first, before its switches are read;
* one scan waits for at most two time-outs: after the second the bus is taken to be stuck, and the
  other sections are down without being asked;
* sections do not depend on each other: the rest of the board plays on.
"""

from __future__ import annotations

import errno
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hardware.cells import ALL_CELLS, CellSet, Frame, Instant
from hardware.mcp23017 import RESET_TEXT
from hardware.scanner import Fault
from hardware.sections import MISREAD, Section, sections_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.bus import I2cBus
    from hardware.wiring import Wiring

CHECK_PERIOD_S: Final = 1.0
"""How often the settings of each section are read back."""

FIRST_RETRY_S: Final = 0.05
LONGEST_RETRY_S: Final = 1.0
RESET_PERIOD_S: Final = 5.0
"""How often the RESET line is tried while nothing answers."""

_AT_ONCE: Final = Instant(float("-inf"))
_STUCK_AFTER: Final = 2
"""After so many time-outs in one scan the bus itself is taken to be stuck."""

_MOST_MISREADS: Final = 4
"""With so many damaged readings in a row a section is down."""

_RATE_WINDOW_S: Final = 1.0
_NO_ANSWER: Final = frozenset({errno.EREMOTEIO, errno.ENXIO, errno.ENODEV})
"""What different controllers report when nobody acknowledges an address."""


@dataclass(slots=True)
class _Link:
    """A section and how it is doing.

    Attributes:
        up: whether its chips are set up and answer.
        fault: why it is down; None while it is up, and before the first scan.
        misreads: damaged readings in a row.
    """

    section: Section
    raw: list[int] = field(default_factory=list)
    closed: int = 0
    fault: Fault | None = None
    retry_at: Instant = _AT_ONCE
    delay_s: float = FIRST_RETRY_S
    timed_out: bool = False
    up: bool = False
    misreads: int = 0


class McpScanner:
    """The Scanner of the wooden board.

    Attributes:
        scan_hz: scans a second over the last second; 0 before that.
        retries, losses, errors: see `Scanner`; a chip is counted by its section's first address.
    """

    def __init__(
        self,
        bus: I2cBus,
        wiring: Wiring,
        *,
        device: str = "the bus",
        interrupts: bool = False,
        reset: Callable[[], None] | None = None,
    ) -> None:
        """Touch nothing yet: the first scan sets the chips up.

        Args:
            bus: the opened bus; closed with the scanner.
            wiring: which pin is which cell.
            device: what to call the bus in faults.
            interrupts: let the chips pull their INT line when a switch changes.
            reset: pulses the RESET line of all chips, where one is wired.
        """
        self._bus = bus
        self._device = device
        self._interrupts = interrupts
        self._links = [_Link(s) for s in sections_of(bus, wiring, interrupts=interrupts)]
        self._reset = reset
        self._reset_at = _AT_ONCE
        self._checks = 0
        self._check_at: Instant | None = None
        self._frame = Frame(CellSet(0), ALL_CELLS)
        self._faults: tuple[Fault, ...] = ()
        self._timeouts = 0
        self._window: tuple[Instant, int] | None = None
        self.scan_hz = 0.0
        self.retries = 0
        self.losses = 0
        self.errors: Counter[str] = Counter()

    @property
    def faults(self) -> Sequence[Fault]:
        """What is wrong now, oldest first."""
        return self._faults

    def close(self) -> None:
        """Release the bus."""
        self._bus.close()

    def rewired(self, wiring: Wiring) -> McpScanner:
        """Return a scanner that reads another wiring of the same chips over the same bus.

        The chips keep their settings, so the two may take turns; only this one is closed.
        """
        return McpScanner(self._bus, wiring, device=self._device, interrupts=self._interrupts)

    def scan(self, now: Instant) -> Frame:
        """Read every section once; the same Frame object again while nothing changes."""
        changed = False
        self._timeouts = 0
        for link in self._links:
            if not link.up and now < link.retry_at:
                continue
            if self._timeouts >= _STUCK_AFTER:
                changed |= self._lose(link, _time_out(), now)
            elif not link.up:
                changed |= self._revive(link, now)
            else:
                try:
                    raw = link.section.read()
                except OSError as error:
                    changed |= self._read_again(link, error, now)
                else:
                    if raw != link.raw:
                        changed |= self._take(link, raw, now)
        if not self._timeouts:
            changed |= self._check(now)
        self._count(now)
        if changed:
            self._summarise(now)
        return self._frame

    # --- one section -----------------------------------------------------------------------------

    def _read_again(self, link: _Link, error: OSError, now: Instant) -> bool:
        """Repeat a read once, unless it timed out: a glitch on the wire is no fault."""
        if error.errno != errno.ETIMEDOUT:
            try:
                raw = link.section.read()
            except OSError as again:
                error = again
            else:
                self.retries += 1
                return raw != link.raw and self._take(link, raw, now)
        return self._lose(link, error, now)

    def _take(self, link: _Link, raw: list[int], now: Instant) -> bool:
        """Believe a changed reading if its chips still have their settings."""
        try:
            intact = link.section.settings_intact()
        except OSError as error:
            return self._lose(link, error, now)
        if not intact:
            return self._lose(link, None, now)
        closed = link.section.closed(raw)
        if closed == MISREAD:
            return self._misread(link, now)
        link.raw, link.closed, link.misreads = raw, closed, 0
        return True

    def _misread(self, link: _Link, now: Instant) -> bool:
        """Pass over a damaged reading, but not over many in a row."""
        self.retries += 1
        link.misreads += 1
        return link.misreads >= _MOST_MISREADS and self._lose(link, _damaged(), now)

    def _revive(self, link: _Link, now: Instant) -> bool:
        """Try to bring a section up: from power-on or from a fault."""
        try:
            link.section.configure()
            raw = link.section.read()
        except OSError as error:
            return self._lose(link, error, now)
        closed = link.section.closed(raw)
        if closed == MISREAD:
            return self._lose(link, _damaged(), now)
        link.raw, link.closed, link.misreads = raw, closed, 0
        link.up, link.fault, link.timed_out = True, None, False
        return True

    def _lose(self, link: _Link, error: OSError | None, now: Instant) -> bool:
        """Take a section down, or note that it is still down; None: its settings were lost."""
        link.timed_out = error is not None and error.errno == errno.ETIMEDOUT
        self._timeouts += link.timed_out
        if link.fault is None:
            self.losses += 1
            link.delay_s = FIRST_RETRY_S
        else:
            link.delay_s = min(link.delay_s * 2, LONGEST_RETRY_S)
        link.up = False
        link.retry_at = Instant(now + link.delay_s)
        self.errors[f"{link.section.address:#04x}"] += 1
        source = f"chip {link.section.address:#04x}"
        reason = RESET_TEXT if error is None else _describe(error)
        since = link.fault.since if link.fault else now
        link.fault = Fault(source, f"{source} {reason}", link.section.cells, since)
        return True

    def _check(self, now: Instant) -> bool:
        """Read the settings of one section back, so that each has its turn once a second."""
        if self._check_at is None:
            self._check_at = now
        if now < self._check_at:
            return False
        self._check_at = Instant(now + CHECK_PERIOD_S / len(self._links))
        self._checks = (self._checks + 1) % len(self._links)
        link = self._links[self._checks]
        if not link.up:
            return False
        try:
            intact = link.section.settings_intact() or link.section.settings_intact()
        except OSError:
            # The next scan reads the same chip, and decides what that means.
            return False
        return not intact and self._lose(link, None, now)

    # --- the whole board -------------------------------------------------------------------------

    def _summarise(self, now: Instant) -> None:
        """Join the sections into the frame and the faults."""
        closed = unknown = 0
        for link in self._links:
            if link.up:
                closed |= link.closed
            else:
                unknown |= link.section.cells
        self._frame = Frame(CellSet(closed), CellSet(unknown))
        faults = [link.fault for link in self._links if link.fault is not None]
        if len(faults) == len(self._links):
            faults = self._all_down(faults, now)
        self._faults = tuple(sorted(faults, key=lambda fault: (fault.since, fault.source)))

    def _all_down(self, faults: list[Fault], now: Instant) -> list[Fault]:
        """Blame the bus when all chips time out, and pull the RESET line where there is one."""
        if self._reset is not None and now >= self._reset_at:
            self._reset_at = Instant(now + RESET_PERIOD_S)
            self._reset()
        if not all(link.timed_out for link in self._links):
            return faults
        cells = CellSet(sum(fault.cells for fault in faults))
        reason = (
            f"{self._device}: nothing moves; SDA or SCL is held low: look for a short circuit,"
            " unplug the chips one by one, or switch the board off and on"
        )
        return [Fault(self._device, reason, cells, min(fault.since for fault in faults))]

    def _count(self, now: Instant) -> None:
        """Measure the rate of scans over windows of a second."""
        if self._window is None:
            self._window = (now, 0)
            return
        start, scans = self._window
        scans += 1
        if now - start >= _RATE_WINDOW_S:
            self.scan_hz = scans / (now - start)
            start, scans = now, 0
        self._window = (start, scans)


def _time_out() -> OSError:
    return OSError(errno.ETIMEDOUT, "timed out")


def _damaged() -> OSError:
    return OSError(errno.EIO, "damaged bytes")


def _describe(error: OSError) -> str:
    """Return what was seen and what to check."""
    if error.errno in _NO_ANSWER:
        return "does not answer; check its power, its address pins, SDA and SCL"
    if error.errno == errno.ETIMEDOUT:
        return "blocks the bus; check SDA and SCL for a short circuit, and its supply"
    text = error.strerror or str(error)
    return f"cannot be read ({text}); check the length and the pull-ups of SDA and SCL"
