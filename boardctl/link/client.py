"""An observer's end of the link, for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any, Self

from boardctl.link import MAX_ANSWER, Body, encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class LinkClient:
    """An observer's end, for asyncio: the newest state, and requests with their answers.

    `snapshot`, `leds` and `health` are None until the board has sent them; after a break they
    keep their last value and `connected` is false. `changed` is notified at every message and
    whenever the connection comes or goes.
    """

    def __init__(
        self, path: Path, *, retry_s: float = 0.2, timeout_s: float = 5.0, patience_s: float = 1.0
    ) -> None:
        self.snapshot: Body | None = None
        self.leds: list[str] | None = None
        self.health: Body | None = None
        self.connected = False
        self.changed = asyncio.Condition()
        self._path = path
        self._retry_s = retry_s
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        self._writer: asyncio.StreamWriter | None = None
        self._waiting: dict[int, asyncio.Future[tuple[int, Body]]] = {}
        self._last_number = 0
        self._health_at: float | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Start, and wait a moment for the first snapshot: who serves it has it from the start."""
        self.start()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience_s), self.changed:
                await self.changed.wait_for(lambda: self.snapshot is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def health_age_s(self) -> float | None:
        """Seconds since the last health report; None before the first."""
        if self._health_at is None:
            return None
        return asyncio.get_running_loop().time() - self._health_at

    def start(self) -> None:
        """Connect in the background, and again whenever the board comes back."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def request(self, kind: str, body: Mapping[str, Any]) -> tuple[int, Body]:
        """Send a request and return the status and body of the answer.

        503 when the board process is not there, 504 when it does not answer in time.
        """
        if self._writer is None:
            return 503, {"error": "the board process is not running"}
        self._last_number += 1
        number = self._last_number
        answer: asyncio.Future[tuple[int, Body]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._writer.write(encode({"kind": kind, "id": number, "body": body}))
            async with asyncio.timeout(self._timeout_s):
                return await answer
        except TimeoutError:
            return 504, {"error": f"no answer from the board process in {self._timeout_s:g} s"}
        finally:
            del self._waiting[number]

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(OSError, ValueError):
                await self._connection()
            await asyncio.sleep(self._retry_s)

    async def _connection(self) -> None:
        """Follow one connection until it ends."""
        reader, writer = await asyncio.open_unix_connection(str(self._path), limit=MAX_ANSWER + 1)
        self._writer = writer
        try:
            await self._set_connected(connected=True)
            while line := await reader.readline():
                await self._take(json.loads(line))
        finally:
            self._writer = None
            writer.close()
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_result((503, {"error": "the board process has gone"}))
            await self._set_connected(connected=False)

    async def _set_connected(self, *, connected: bool) -> None:
        async with self.changed:
            self.connected = connected
            self.changed.notify_all()

    async def _take(self, message: Body) -> None:
        """Keep one message of the board."""
        kind = message.get("kind")
        if kind == "reply":
            answer = self._waiting.get(message["id"])
            if answer is not None and not answer.done():
                answer.set_result((message["status"], message["body"]))
            return
        async with self.changed:
            if kind == "snapshot":
                self.snapshot = message["snapshot"]
            elif kind == "leds":
                self.leds = message["leds"]
            elif kind == "health":
                self.health = message["health"]
                self._health_at = asyncio.get_running_loop().time()
            self.changed.notify_all()
