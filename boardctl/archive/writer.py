"""The archive's thread: everything that waits for a disk happens here, never in the loop.

    loop     take(effects) ─► queue ─► one transaction ─► fsync ─► committed() ─► loop
             ask(request)  ─► queue ─► read, or a game that is brought ─► answers() ─► loop

What waits is written in one transaction, so that a slow card costs one commit for many effects.
When the disk refuses, the same effects are tried again, at most `LONGEST_RETRY_S` apart, `fault`
says why, and play goes on.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final, TypeVar

from boardctl.archive.jobs import Take
from boardctl.archive.keeper import Keeper, utc_now
from boardctl.archive.scribe import WRITTEN, Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boardctl.core.effects import Effect
    from boardctl.core.events import Committed
    from boardctl.core.occupancy import Instant
    from boardctl.link.server import Request

log = logging.getLogger(__name__)

FIRST_RETRY_S: Final = 0.5
LONGEST_RETRY_S: Final = 30.0
MOST_WAITING: Final = 10_000
"""Effects kept in memory while the disk refuses: some hundred games."""

IDLE_S: Final = 5.0
"""After so long without work the archive tidies up."""

TIDY_AFTER: Final = 500
"""Commits after which it tidies up even without a quiet moment."""


class Archive:
    """What the loop knows of the archive. `start` once the keeper is open, `close` at the end."""

    def __init__(self, keeper: Keeper, *, wall: Callable[[], str] = utc_now) -> None:
        self._keeper = keeper
        self._wall = wall
        self._jobs: queue.SimpleQueue[Take | Request | None] = queue.SimpleQueue()
        self._waiting: deque[Take] = deque(maxlen=MOST_WAITING)
        self._acknowledged: deque[Committed] = deque()
        self._answers: deque[tuple[Request, int, Mapping[str, Any]]] = deque()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="archive", daemon=True)
        self._retry_s = FIRST_RETRY_S

    def start(self) -> None:
        """Start the thread; from now on it owns the keeper."""
        self._thread.start()

    @property
    def fault(self) -> str | None:
        """Why games are not being kept; None while they are."""
        has_run = self._thread.ident is not None and not self._stopping.is_set()
        if has_run and not self._thread.is_alive():
            return "games are not being kept: the archive's thread has ended; see the log"
        return self._keeper.fault

    def take(self, effects: Sequence[Effect], now: Instant) -> None:
        """Keep *effects* in their time."""
        kept = tuple(effect for effect in effects if isinstance(effect, WRITTEN))
        if kept:
            self._jobs.put(Take(kept, Stamp(float(now), self._wall())))

    def committed(self) -> Sequence[Committed]:
        """Return what has reached the disk since the last call."""
        return _drained(self._acknowledged)

    def ask(self, request: Request) -> None:
        """Have a query answered, or a game kept that is brought."""
        self._jobs.put(request)

    def answers(self) -> Sequence[tuple[Request, int, Mapping[str, Any]]]:
        """Return the answers that have become ready since the last call."""
        return _drained(self._answers)

    def report(self) -> dict[str, Any]:
        """Return the archive's part of the health report."""
        return {
            "ok": self.fault is None,
            "boot": self._keeper.boot,
            "waiting": len(self._waiting),
            "commits": self._keeper.commits,
            "fault": self.fault,
            "notice": self._keeper.notice,
        }

    def close(self, *, timeout_s: float = 5.0) -> None:
        """Write what waits, as far as the disk allows within *timeout_s*, and end the thread."""
        self._stopping.set()
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while not (self._stopping.is_set() and self._jobs.empty()):
            asked = self._next_jobs()
            if self._waiting:
                self._write()
            for request in asked:
                self._answers.append((request, *self._answer(request)))
        self._keeper.close()

    def _answer(self, request: Request) -> tuple[int, Mapping[str, Any]]:
        try:
            if request.kind == "import":
                return self._keeper.bring(request.body)
            return self._keeper.answer(request.body)
        except Exception:
            # Whatever is wrong with a question of others, the games at this table are kept.
            log.exception("archive: no answer to a request of kind %s", request.kind)
            return 500, {"error": "the archive finds no answer; see the table's log"}

    def _next_jobs(self) -> list[Request]:
        """Wait for something to do; effects join those that wait, requests are returned."""
        asked: list[Request] = []
        try:
            job = self._jobs.get(timeout=self._retry_s if self._waiting else IDLE_S)
            while True:
                if isinstance(job, Take):
                    self._waiting.append(job)
                elif job is not None:
                    asked.append(job)
                job = self._jobs.get_nowait()
        except queue.Empty:
            if not asked and not self._waiting:
                self._keeper.tidy()
        return asked

    def _write(self) -> None:
        acknowledgements = self._keeper.write(tuple(self._waiting))
        if acknowledgements is None:
            self._retry_s = min(self._retry_s * 2, LONGEST_RETRY_S)
            return
        self._retry_s = FIRST_RETRY_S
        self._waiting.clear()
        self._acknowledged.extend(acknowledgements)
        if self._keeper.commits % TIDY_AFTER == 0:
            self._keeper.tidy()


_Item = TypeVar("_Item")


def _drained(items: deque[_Item]) -> list[_Item]:
    """Take all *items* out; another thread may be adding some."""
    found = []
    while items:
        found.append(items.popleft())
    return found
