"""Server-sent events: one encoded message for all, one small queue for each.

The board process publishes; every spectator has a `Subscriber` with a bounded queue of snapshots
and room for the newest lights. Publishing never waits. A spectator that falls behind by more than
its queue is dropped: its browser connects again and gets the full picture, so nothing is lost.

Lights change up to 30 times a second. With many spectators they are sent less often, so that the
work stays bounded (`led_sends_per_s` in all); the page blends between frames.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SQUARES: Final = tuple(f"{file}{rank}" for rank in range(1, 10) for file in "abcdefghi")
"""Names in the order of the lights: a1 first, then b1."""

KEEP_ALIVE: Final = b": still here\n\n"
PING: Final = b": still here\nevent: ping\ndata: 1\n\n"
"""Comments are invisible to a page, which wants to know that its line is alive."""

RETRY: Final = b"retry: 2000\n"
"""Milliseconds until a browser connects again; a line of the first event."""

_DARK: Final = "#000000"
_LED_RATE: Final = 30.0


def encode(value: Any) -> str:
    """Return compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def snapshot_event(snapshot: Mapping[str, Any]) -> bytes:
    """Return the `message` event of a snapshot."""
    return f"data: {encode(snapshot)}\n\n".encode()


def leds_event(leds: Sequence[str]) -> bytes:
    """Return the `leds` event: the squares that are lit with their colours; all others are dark."""
    lit = {square: colour for square, colour in zip(SQUARES, leds, strict=True) if colour != _DARK}
    return f"event: leds\ndata: {encode(lit)}\n\n".encode()


def board_event(*, online: bool) -> bytes:
    """Return the `board` event: whether the board process answers."""
    return f"event: board\ndata: {encode({'online': online})}\n\n".encode()


class Subscriber:
    """One spectator's queue."""

    def __init__(self, *, limit: int, extras: bool) -> None:
        """Take at most *limit* waiting messages; *extras*: lights and board events, too."""
        self.extras = extras
        self.dropped = False
        self._limit = limit
        self._queue: deque[bytes] = deque()
        self._leds: bytes | None = None
        self._wake = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Queue a message that must not be skipped; too many of them drop the client."""
        if len(self._queue) >= self._limit:
            self.dropped = True
        else:
            self._queue.append(message)
        self._wake.set()

    def put_leds(self, message: bytes) -> None:
        """Replace the lights that wait to be sent."""
        self._leds = message
        self._wake.set()

    def end(self) -> None:
        """Have the stream end in order."""
        self.dropped = True
        self._wake.set()

    async def next(self, keep_alive_s: float) -> bytes | None:
        """Return what is to be sent next, all of it at once; None: the client is dropped."""
        try:
            async with asyncio.timeout(keep_alive_s):
                await self._wake.wait()
        except TimeoutError:
            return PING if self.extras else KEEP_ALIVE
        self._wake.clear()
        if self.dropped:
            return None
        messages = [*self._queue]
        self._queue.clear()
        if self._leds is not None:
            messages.append(self._leds)
            self._leds = None
        return b"".join(messages)


class Hub:
    """Everybody who watches."""

    def __init__(self, *, queue_limit: int, led_sends_per_s: float) -> None:
        self._queue_limit = queue_limit
        self._led_sends_per_s = led_sends_per_s
        self._subscribers: set[Subscriber] = set()
        self._leds: bytes | None = None
        self._leds_sent_at = float("-inf")

    def __len__(self) -> int:
        return len(self._subscribers)

    def join(self, *, extras: bool) -> Subscriber:
        """Add a spectator."""
        subscriber = Subscriber(limit=self._queue_limit, extras=extras)
        self._subscribers.add(subscriber)
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a spectator."""
        self._subscribers.discard(subscriber)

    def close(self) -> None:
        """End every stream: the server stops."""
        for subscriber in self._subscribers:
            subscriber.end()

    def publish(self, snapshot: Mapping[str, Any]) -> None:
        """Send a snapshot to everybody."""
        self._send(snapshot_event(snapshot), extras=False)

    def publish_board(self, *, online: bool) -> None:
        """Tell the pages whether the board process answers."""
        self._send(board_event(online=online), extras=True)

    def publish_leds(self, leds: Sequence[str]) -> None:
        """Keep these lights as the next to be sent by `flush_leds`."""
        self._leds = leds_event(leds)

    def flush_leds(self, now: float) -> float:
        """Send the kept lights if it is time; return the seconds until to look again."""
        watching = sum(subscriber.extras for subscriber in self._subscribers)
        interval = max(1 / _LED_RATE, watching / self._led_sends_per_s)
        due_in = self._leds_sent_at + interval - now
        if due_in > 0:
            return due_in
        if self._leds is not None:
            for subscriber in self._subscribers:
                if subscriber.extras:
                    subscriber.put_leds(self._leds)
            self._leds = None
            self._leds_sent_at = now
        return interval

    @property
    def leds_waiting(self) -> bool:
        """Whether lights wait for `flush_leds`."""
        return self._leds is not None

    def _send(self, message: bytes, *, extras: bool) -> None:
        for subscriber in self._subscribers:
            if subscriber.extras or not extras:
                subscriber.put(message)
