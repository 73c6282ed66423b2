"""A board process made of plain values, for tests of the page."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from starlette.types import ASGIApp

SNAPSHOT: dict[str, Any] = {
    "version": 17,
    "variant": "market",
    "options": {"first": "defenders"},
    "position": "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    "side": "defenders",
    "moves": [],
    "reading": "in-sync",
    "lifted": [],
    "targets": [],
    "victims": [],
    "missing": [],
    "extra": [],
    "unknown": [],
    "outcome": None,
    "call": None,
    "open_paths": [],
    "fault": None,
}


class FakeLink:
    """`boardctl.web.ports.Link` whose answers a test sets."""

    def __init__(self) -> None:
        self.changed = asyncio.Condition()
        self.connected = True
        self.snapshot: dict[str, Any] | None = dict(SNAPSHOT)
        self.leds: list[str] | None = ["#000000"] * 80 + ["#ff8000"]
        self.health: dict[str, Any] | None = {"scanning": True, "scan_hz": 200.0}
        self.health_age_s: float | None = 0.5
        self.answer: tuple[int, dict[str, Any]] = (200, dict(SNAPSHOT))
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def request(self, kind: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Note the request and give the answer set."""
        self.asked.append((kind, dict(body)))
        return self.answer

    async def tell(self, **values: Any) -> None:
        """Change attributes and wake whoever waits."""
        async with self.changed:
            for name, value in values.items():
                setattr(self, name, value)
            self.changed.notify_all()


@asynccontextmanager
async def browser(
    app: ASGIApp, *, base_url: str = "http://127.0.0.1:8080", client: str = "192.0.2.7"
) -> AsyncIterator[httpx.AsyncClient]:
    """Yield an HTTP client of *app*; *client* is the address it comes from."""
    transport = httpx.ASGITransport(app=app, client=(client, 4711))
    async with httpx.AsyncClient(transport=transport, base_url=base_url) as session:
        yield session
