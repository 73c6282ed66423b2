"""`boardctl record`: the raw scans of each game, written as traces while the table plays."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from boardctl.core.effects import GameAbandoned, GameOver, GameReopened, GameStarted
from boardctl.trace import Header, TraceWriter
from engine import VARIANTS, format_position

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TextIO

    from boardctl.core.effects import Effect
    from boardctl.core.snapshot import Snapshot
    from hardware.cells import Frame, Instant

log = logging.getLogger(__name__)


class Tape:
    """Writes a trace a game: the first to *path*, further ones to `name-2.jsonl` and so on.

    A disk that refuses ends the recording, not the game.
    """

    def __init__(self, path: Path, *, scan_hz: float, variant: str) -> None:
        self._path = path
        self._scan_ms = 1000.0 / scan_hz
        self._variant = variant
        self._games = 0
        self._file: TextIO | None = None
        self._writer: TraceWriter | None = None
        self._last: Frame | None = None

    def frame(self, frame: Frame, now: Instant) -> None:
        """Take a raw scan."""
        if frame is self._last:
            return
        self._last = frame
        if self._writer is not None:
            try:
                self._writer.frame(frame, now)
            except OSError as error:
                self._give_up(error)

    def note(self, effects: Sequence[Effect], snapshot: Snapshot, now: Instant) -> None:
        """End the trace where a game ends, and begin a new one where a game begins."""
        for effect in effects:
            match effect:
                case GameOver() | GameAbandoned():
                    self.close(now)
                case GameStarted() | GameReopened():
                    self.begin(snapshot, now)

    def begin(self, snapshot: Snapshot, now: Instant) -> None:
        """Begin a trace of the game in *snapshot*, as it stands."""
        self.close(now)
        self._games += 1
        name = self._path
        if self._games > 1:
            name = name.with_name(f"{name.stem}-{self._games}{name.suffix}")
        known = snapshot.variant in VARIANTS
        header = Header(
            variant=snapshot.variant if known else self._variant,
            scan_ms=self._scan_ms,
            options=snapshot.options,
            position=format_position(snapshot.position),
            side=snapshot.side,
        )
        try:
            self._file = name.open("w", encoding="utf-8")
            self._writer = TraceWriter(self._file, header, now)
            if self._last is not None:
                self._writer.frame(self._last, now)
        except OSError as error:
            self._give_up(error)
        else:
            log.info("recording to %s", name)

    def close(self, now: Instant) -> None:
        """End the trace that is being written."""
        writer, self._writer = self._writer, None
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if writer is not None:
                writer.end(now)
            file.close()
        except OSError as error:
            log.error("the recording has no end line: %s", error)  # noqa: TRY400  a full disk

    def _give_up(self, error: OSError) -> None:
        log.error("nothing more is recorded: %s", error)
        self._writer = None
