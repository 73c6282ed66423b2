from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from boardctl.web.api import EventStream
from boardctl.web.app import follow
from boardctl.web.events import Hub, Subscriber, leds_event
from boardctl.web.settings import WebSettings
from tests.support.fake_link import SNAPSHOT, FakeLink

DARK = ["#000000"] * 81


def parse(data: bytes) -> list[tuple[str, Any]]:
    """Return the events of a stream as (type, data); comments as (':', text)."""
    found: list[tuple[str, Any]] = []
    for block in data.decode().split("\n\n"):
        kind, payload = "message", None
        for line in block.split("\n"):
            if line.startswith(":"):
                found.append((":", line[1:].strip()))
            elif line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: "):
                payload = json.loads(line[6:])
        if payload is not None:
            found.append((kind, payload))
    return found


class Client:
    """Reads an event stream as a browser would."""

    def __init__(self, stream: EventStream) -> None:
        self.received = b""
        self.status = 0
        self.headers: dict[str, str] = {}
        self.done = False
        self._gone = asyncio.Event()
        self._news = asyncio.Event()
        self.task = asyncio.ensure_future(stream({"type": "http"}, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode(): v.decode() for k, v in message["headers"]}
        else:
            self.received += message["body"]
            self.done = not message["more_body"]
        self._news.set()

    async def until(self, count: int) -> list[tuple[str, Any]]:
        async with asyncio.timeout(5):
            while len(parse(self.received)) < count:
                self._news.clear()
                await self._news.wait()
        return parse(self.received)

    async def leave(self) -> None:
        self._gone.set()
        await self.task


def stream_of(link: FakeLink, hub: Hub, *, extras: bool = False, **options: Any) -> Client:
    return Client(EventStream(link, hub, WebSettings(**options), extras=extras))


def hub() -> Hub:
    return Hub(queue_limit=4, led_sends_per_s=1000.0)


def test_a_stream_begins_with_a_full_snapshot_and_goes_on_with_each_change() -> None:
    async def run() -> None:
        link, watchers = FakeLink(), hub()
        following = asyncio.ensure_future(follow(link, watchers))
        client = stream_of(link, watchers)
        assert await client.until(1) == [("message", SNAPSHOT)]
        assert client.headers["content-type"].startswith("text/event-stream")
        assert "content-length" not in client.headers
        changed = {**SNAPSHOT, "version": 18}
        await link.tell(snapshot=changed)
        assert (await client.until(2))[1] == ("message", changed)
        await client.leave()
        assert len(watchers) == 0
        following.cancel()

    asyncio.run(run())


def test_plain_streams_carry_snapshots_alone() -> None:
    async def run() -> None:
        link, watchers = FakeLink(), hub()
        following = asyncio.ensure_future(follow(link, watchers))
        plain, full = stream_of(link, watchers), stream_of(link, watchers, extras=True)
        assert [kind for kind, _ in await full.until(3)] == ["message", "board", "leds"]
        await link.tell(leds=[*DARK[:80], "#00ff00"])
        await full.until(4)
        await link.tell(connected=False)
        assert (await full.until(5))[3:] == [
            ("leds", {"i9": "#00ff00"}),
            ("board", {"online": False}),
        ]
        await link.tell(snapshot={**SNAPSHOT, "version": 18})
        assert {kind for kind, _ in await plain.until(2)} == {"message"}
        for client in (plain, full):
            await client.leave()
        following.cancel()

    asyncio.run(run())


def test_a_quiet_stream_says_that_it_is_alive() -> None:
    async def run() -> None:
        link, watchers = FakeLink(), hub()
        plain = stream_of(link, watchers, keep_alive_s=0.01)
        full = stream_of(link, watchers, extras=True, keep_alive_s=0.01)
        assert (await plain.until(2))[1] == (":", "still here")
        assert ("ping", 1) in await full.until(6)
        for client in (plain, full):
            await client.leave()

    asyncio.run(run())


def test_without_a_snapshot_the_stream_opens_and_waits() -> None:
    async def run() -> None:
        link, watchers = FakeLink(), hub()
        link.snapshot = link.leds = None
        following = asyncio.ensure_future(follow(link, watchers))
        client = stream_of(link, watchers, extras=True)
        assert await client.until(1) == [("board", {"online": True})]
        await link.tell(snapshot=SNAPSHOT)
        assert (await client.until(2))[1] == ("message", SNAPSHOT)
        await client.leave()
        following.cancel()

    asyncio.run(run())


def test_a_client_that_falls_behind_is_dropped_and_nobody_waits_for_it() -> None:
    async def run() -> None:
        slow = Subscriber(limit=2, extras=False)
        for _ in range(3):
            slow.put(b"x")
        assert slow.dropped
        assert await slow.next(1.0) is None

    asyncio.run(run())


def test_a_dropped_stream_ends_in_order() -> None:
    async def run() -> None:
        link, watchers = FakeLink(), hub()
        client = stream_of(link, watchers)
        await client.until(1)
        for _ in range(6):
            watchers.publish(SNAPSHOT)
        async with asyncio.timeout(5):
            await client.task
        assert client.done
        assert len(watchers) == 0

    asyncio.run(run())


def test_only_the_newest_lights_wait() -> None:
    async def run() -> None:
        subscriber = Subscriber(limit=2, extras=True)
        for _ in range(100):
            subscriber.put_leds(b"old")
        subscriber.put(b"snapshot,")
        subscriber.put_leds(b"new")
        assert not subscriber.dropped
        assert await subscriber.next(1.0) == b"snapshot,new"

    asyncio.run(run())


@pytest.mark.parametrize(("watching", "interval_s"), [(1, 1 / 30), (500, 1 / 3)])
def test_lights_come_30_times_a_second_and_less_often_to_a_crowd(
    watching: int, interval_s: float
) -> None:
    async def run() -> None:
        watchers = Hub(queue_limit=1, led_sends_per_s=1500)
        for _ in range(watching):
            watchers.join(extras=True)
        waiting = []
        for at in (10.0, 10.0 + 0.9 * interval_s, 10.0 + 1.01 * interval_s):
            watchers.publish_leds(DARK)
            watchers.flush_leds(at)
            waiting.append(watchers.leds_waiting)
        assert waiting == [False, True, False]

    asyncio.run(run())


def test_the_last_of_many_lights_arrives() -> None:
    async def run() -> None:
        link, watchers = FakeLink(), hub()
        following = asyncio.ensure_future(follow(link, watchers))
        client = stream_of(link, watchers, extras=True)
        await client.until(3)
        for level in range(1, 60):
            await link.tell(leds=[f"#{level:02x}0000", *DARK[1:]])
            await asyncio.sleep(0)
        events = await client.until(5)
        assert events[-1] == ("leds", {"a1": "#3b0000"})
        await client.leave()
        following.cancel()

    asyncio.run(run())


def test_dark_squares_are_left_out() -> None:
    assert leds_event(DARK) == b"event: leds\ndata: {}\n\n"
    assert b'{"a2":"#010203"}' in leds_event([*DARK[:9], "#010203", *DARK[10:]])
