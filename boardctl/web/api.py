"""The HTTP interface of the table: state out, commands in."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from boardctl.web.auth import COOKIE, Operator, Verdict
from boardctl.web.events import RETRY, board_event, leds_event, snapshot_event
from boardctl.web.metrics import metrics_text
from boardctl.web.pages import public_url
from boardctl.web.security import BodyError, read_body
from boardctl.web.variants import variants
from boardctl.web.views import address_of, refuse

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from boardctl.web.events import Hub
    from boardctl.web.ports import Link
    from boardctl.web.settings import WebSettings

_GOOD: Final = 200
_REFUSED: Final = 409
_STALE_S: Final = 3.0
"""A board process that has reported nothing for so long does not scan."""

_NOT_RUNNING: Final = "the board process is not running"


class Api:
    """Routes below `/api`, and those for machines that watch the table."""

    def __init__(self, link: Link, settings: WebSettings, operator: Operator, hub: Hub) -> None:
        self._link = link
        self._settings = settings
        self._operator = operator
        self._hub = hub

    def routes(self) -> list[Route]:
        """Return the routes; `/api/sim` is among them in the demo alone."""
        routes = [
            Route("/api/state", self._state, methods=["GET"]),
            Route("/api/events", self._events, methods=["GET"]),
            Route("/api/leds", self._leds, methods=["GET"]),
            Route("/api/health", self._health, methods=["GET"]),
            Route("/api/variants", self._variants, methods=["GET"]),
            Route("/api/page", self._about_page, methods=["GET"]),
            Route("/api/games", self._games, methods=["GET"]),
            Route("/api/games/{game}", self._game, methods=["GET"]),
            Route("/api/work", self._work, methods=["GET"]),
            Route("/api/configuration", self._configuration, methods=["GET"]),
            Route("/api/commands", self._command, methods=["POST"]),
            Route("/healthz", self._healthz, methods=["GET"]),
            Route("/metrics", self._metrics, methods=["GET"]),
        ]
        if self._settings.demo:
            routes.append(Route("/api/sim", self._noise, methods=["GET"]))
            routes.append(Route("/api/sim", self._sim, methods=["POST"]))
        return routes

    async def _state(self, _: Request) -> Response:
        if self._link.snapshot is None or not self._link.connected:
            return _error(503, _NOT_RUNNING)
        return JSONResponse(self._link.snapshot)

    async def _leds(self, _: Request) -> Response:
        if self._link.leds is None or not self._link.connected:
            return _error(503, _NOT_RUNNING)
        return JSONResponse({"leds": self._link.leds})

    async def _events(self, request: Request) -> Response:
        if len(self._hub) >= self._settings.max_streams:
            return _error(503, "too many spectators; try again later", {"retry-after": "10"})
        extras = request.query_params.get("leds") == "1"
        return EventStream(self._link, self._hub, self._settings, extras=extras)

    async def _health(self, _: Request) -> Response:
        if self._link.health is None or not self._link.connected:
            return _error(503, _NOT_RUNNING)
        return JSONResponse(self._link.health)

    async def _about_page(self, request: Request) -> Response:
        """Tell the page what it may offer: the simulated board, commands, a QR code."""
        known = COOKIE in request.cookies or "authorization" in request.headers
        operator = known and self._judge(request) is Verdict.ALLOWED
        visitors = public_url(self._settings) is not None
        return JSONResponse(
            {"demo": self._settings.demo, "operator": operator, "visitors": visitors}
        )

    async def _variants(self, _: Request) -> Response:
        return JSONResponse({"variants": variants()})

    async def _games(self, _: Request) -> Response:
        return _answer(await self._link.request("query", {"query": "games"}))

    async def _game(self, request: Request) -> Response:
        game = request.path_params["game"]
        if not (game.isascii() and game.isdigit() and len(game) <= 9):  # noqa: PLR2004  (fits int32)
            return _error(404, f"no game {game[:40]!r}")
        return _answer(await self._link.request("query", {"query": "game", "game": int(game)}))

    async def _work(self, request: Request) -> Response:
        """Tell how a self test or a calibration is doing, in the visitor's language."""
        status, answer = await self._link.request("query", {"query": "work"})
        if status == _GOOD and answer.get("work") is not None:
            answer = {"work": _said(answer["work"], _language(request))}
        return _answer((status, answer))

    async def _configuration(self, request: Request) -> Response:
        """Tell the operator what holds: paths and addresses are nobody else's business."""
        verdict = self._judge(request)
        if verdict is not Verdict.ALLOWED:
            return refuse(verdict)
        return _answer(await self._link.request("query", {"query": "configuration"}))

    async def _command(self, request: Request) -> Response:
        verdict = self._judge(request)
        if verdict is not Verdict.ALLOWED:
            return refuse(verdict)
        body = await _json_object(request, self._settings.max_body)
        if isinstance(body, Response):
            return body
        if not isinstance(body.get("command"), str):
            return _error(400, 'the body needs a \'command\', such as {"command": "undo"}')
        status, answer = await self._link.request("command", body)
        if status == _REFUSED:
            answer = _in_words_of(request, answer)
        return _answer((status, answer))

    async def _noise(self, _: Request) -> Response:
        return _answer(await self._link.request("query", {"query": "noise"}))

    async def _sim(self, request: Request) -> Response:
        body = await _json_object(request, self._settings.max_body)
        if isinstance(body, Response):
            return body
        return _answer(await self._link.request("sim", body))

    async def _healthz(self, _: Request) -> Response:
        age_s = self._link.health_age_s
        fresh = self._link.connected and age_s is not None and age_s < _STALE_S
        health = self._link.health if fresh else None
        if health is None:
            return PlainTextResponse(_NOT_RUNNING + "\n", status_code=503)
        if not health.get("scanning", True):
            return PlainTextResponse("the scans do not advance\n", status_code=503)
        return PlainTextResponse("ok\n")

    async def _metrics(self, _: Request) -> Response:
        text = metrics_text(self._link.health, up=self._link.connected, streams=len(self._hub))
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    def _judge(self, request: Request) -> Verdict:
        return self._operator.judge(
            address_of(request),
            request.headers.get("authorization"),
            request.cookies.get(COOKIE),
        )


class EventStream(Response):
    """A full snapshot, then every change, until the client goes or falls behind."""

    media_type = "text/event-stream"

    def __init__(self, link: Link, hub: Hub, settings: WebSettings, *, extras: bool) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._link = link
        self._hub = hub
        self._keep_alive_s = settings.keep_alive_s
        self._extras = extras

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        del scope
        sending = asyncio.ensure_future(self._send_all(send))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError):
                    await task

    async def _send_all(self, send: Send) -> None:
        subscriber = self._hub.join(extras=self._extras)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            chunk: bytes | None = self._greeting()
            while chunk is not None:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                chunk = await subscriber.next(self._keep_alive_s)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._hub.leave(subscriber)

    def _greeting(self) -> bytes:
        parts = [RETRY]
        if self._link.snapshot is not None:
            parts.append(snapshot_event(self._link.snapshot))
        if self._extras:
            parts.append(board_event(online=self._link.connected))
            if self._link.leds is not None:
                parts.append(leds_event(self._link.leds))
        return b"".join(parts)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _json_object(request: Request, limit: int) -> dict[str, Any] | Response:
    try:
        body = await read_body(request, limit=limit)
    except BodyError as error:
        return _error(error.status, str(error))
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return _error(400, "the body is not JSON")
    if not isinstance(value, dict):
        return _error(400, "the body is not a JSON object")
    return value


def _language(request: Request) -> str:
    """Return the language that the address or else the browser asks for, where we have it."""
    from boardctl.texts import choose  # noqa: PLC0415 - few requests have texts to translate

    wish = request.query_params.get("lang", "")
    return choose(wish, default=choose(request.headers.get("accept-language", "")))


def _in_words_of(request: Request, answer: Any) -> Any:
    """Return a refusal in the visitor's language."""
    from boardctl.texts import translate  # noqa: PLC0415 - as above

    return {**answer, "error": translate(str(answer.get("error", "")), _language(request))}


def _said(work: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the report of a self test or a calibration with its sentences in a language."""
    from boardctl.texts import fill  # noqa: PLC0415 - as above

    def said(parts: dict[str, Any]) -> str:
        return fill(parts["text"], parts["values"], language)

    return {
        **work,
        "task": said(work["task"]) if work["task"] else "",
        "problems": [said(parts) for parts in work["problems"]],
        "notes": [said(parts) for parts in work["notes"]],
    }


def _answer(reply: tuple[int, Any]) -> JSONResponse:
    status, body = reply
    return JSONResponse(body, status_code=status)


def _error(status: int, reason: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": reason}, status_code=status, headers=headers)
