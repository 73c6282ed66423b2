"""The web application: routes in, the link to the board process behind them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from starlette.applications import Starlette

from boardctl.web.api import Api
from boardctl.web.auth import Guesses, Operator, TokenFile
from boardctl.web.events import Hub
from boardctl.web.pages import load_pages
from boardctl.web.security import Guard, own_names
from boardctl.web.views import Views

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.types import ASGIApp

    from boardctl.web.ports import Link
    from boardctl.web.settings import WebSettings


def create_app(
    link: Link,
    settings: WebSettings,
    *,
    hub: Hub | None = None,
    clock: Callable[[], float] | None = None,
) -> ASGIApp:
    """Return the application that shows *link* to the world.

    *hub* holds the event streams; None: one of its own, which nobody can close early.
    *clock* gives monotonic seconds for the limit of wrong tokens; None: the event loop's.
    """
    guesses = Guesses(
        limit=settings.guesses,
        window_s=settings.guess_window_s,
        clock=clock or (lambda: asyncio.get_running_loop().time()),
    )
    operator = Operator(TokenFile(settings.token_file), guesses)
    streams = new_hub(settings) if hub is None else hub  # an empty hub is false
    api = Api(link, settings, operator, streams)
    views = Views(load_pages(), settings, operator)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        following = asyncio.get_running_loop().create_task(follow(link, streams))
        try:
            yield
        finally:
            following.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await following

    app = Starlette(routes=[*api.routes(), *views.routes()], lifespan=lifespan)
    return Guard(app, names=own_names() | settings.names)


def new_hub(settings: WebSettings) -> Hub:
    """Return an empty hub with the bounds of *settings*."""
    return Hub(queue_limit=settings.stream_queue, led_sends_per_s=settings.led_sends_per_s)


async def follow(link: Link, hub: Hub) -> None:
    """Publish every change of *link* to *hub* until cancelled."""
    loop = asyncio.get_running_loop()
    flush: asyncio.TimerHandle | None = None

    def flush_leds() -> None:
        nonlocal flush
        wait_s = hub.flush_leds(loop.time())
        flush = loop.call_later(wait_s, flush_leds) if hub.leds_waiting else None

    connected, snapshot, leds = link.connected, link.snapshot, link.leds
    try:
        while True:
            async with link.changed:
                await link.changed.wait()
            if link.connected is not connected:
                connected = link.connected
                hub.publish_board(online=connected)
            if link.snapshot is not snapshot and link.snapshot is not None:
                snapshot = link.snapshot
                hub.publish(snapshot)
            if link.leds is not leds and link.leds is not None:
                leds = link.leds
                hub.publish_leds(leds)
                if flush is None:
                    flush_leds()
    finally:
        if flush is not None:
            flush.cancel()
