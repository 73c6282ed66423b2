"""How the table is doing: scan rate and lateness, counts of what happened, the Pi's own state."""

from __future__ import annotations

import resource
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from boardctl.core.effects import Effect
    from boardctl.core.occupancy import Instant

_STEP_S: Final = 0.000_1
_STEPS: Final = 1000
"""Latenesses are counted in steps of 0.1 ms up to 100 ms; what is later counts as 100 ms."""

_WINDOW_S: Final = 30.0
"""Percentiles cover the last 30 to 60 s."""


class Lateness:
    """Percentiles of a delay over the last half minute or more, in constant memory and time."""

    def __init__(self) -> None:
        self._now = [0] * (_STEPS + 1)
        self._before = [0] * (_STEPS + 1)
        self._turned_at: float | None = None

    def add(self, late_s: float, now: Instant) -> None:
        """Count one delay."""
        if self._turned_at is None or now - self._turned_at >= _WINDOW_S:
            self._before, self._now = self._now, [0] * (_STEPS + 1)
            self._turned_at = now
        self._now[min(int(late_s / _STEP_S), _STEPS)] += 1

    def percentile(self, share: float) -> float:
        """Return the delay in seconds that *share* (0..1) of the counted ones do not exceed."""
        total = sum(self._now) + sum(self._before)
        seen = 0
        for step, (now, before) in enumerate(zip(self._now, self._before, strict=True)):
            seen += now + before
            if total and seen >= share * total:
                return (step + 1) * _STEP_S
        return 0.0


@dataclass(slots=True)
class Scans:
    """The pace of the scans.

    Attributes:
        count: scans since the start.
        skipped: scans left out because the loop was too late for them.
        hz: scans a second, measured over the last full second.
        lateness: how long after its time each scan began.
    """

    count: int = 0
    skipped: int = 0
    hz: float = 0.0
    lateness: Lateness = field(default_factory=Lateness)
    _since: float | None = None
    _counted: int = 0

    def measure(self, now: Instant) -> None:
        """Take the rate; call it about once a second."""
        if self._since is not None and now > self._since:
            self.hz = (self.count - self._counted) / (now - self._since)
        self._since, self._counted = now, self.count


class Tally:
    """Counts of what the session did, by the name of the effect: `ply_shown`, `ply_revised`..."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def note(self, effects: list[Effect]) -> None:
        """Count *effects*."""
        for effect in effects:
            self.counts[_snake(type(effect).__name__)] += 1


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


@dataclass(frozen=True, slots=True)
class MachineFiles:
    """Where the kernel of a Pi tells how it is; absent files mean: not known."""

    temperature: Path = Path("/sys/class/thermal/thermal_zone0/temp")
    throttled: Path = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
    memory: Path = Path("/proc/self/statm")


def machine(files: MachineFiles) -> dict[str, Any]:
    """Return temperature, under-voltage (now and since boot) and this process's memory and time."""
    found: dict[str, Any] = {"cpu_s": round(_cpu_s(), 2)}
    temperature = _number(files.temperature, 10)
    if temperature is not None:
        found["temperature_c"] = temperature / 1000
    throttled = _number(files.throttled, 16)
    if throttled is not None:
        # Bits 0 and 16 of the firmware's word: under-voltage now, and at any time since boot.
        found["undervoltage"] = bool(throttled & 1)
        found["undervoltage_since_boot"] = bool(throttled & 1 << 16)
    resident = _resident_mb(files.memory)
    if resident is not None:
        found["memory_mb"] = resident
    return found


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _number(file: Path, base: int) -> int | None:
    try:
        return int(file.read_text(encoding="ascii").strip(), base)
    except (OSError, ValueError):
        return None


def _resident_mb(file: Path) -> float | None:
    try:
        pages = int(file.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return round(pages * resource.getpagesize() / 2**20, 1)
