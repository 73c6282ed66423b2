"""What stands between a festival's network and the table.

Three guards, each an ASGI layer or a function without state:

* `Host` must be an address or a name of this machine: a page of some other name that resolves to
  us (DNS rebinding) gets 421.
* `Origin`, where a browser sends it with a request that changes something, must be our own, and
  `Sec-Fetch-Site` must not say otherwise: cross-site posts get 403.
* Bodies are bounded; every answer carries a Content-Security-Policy that allows nothing but our
  own files, and the other protective headers.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.%a-z]+\]|[^:\[\]/@\s]+)(?::\d{1,5})?")
_BODY_TIMEOUT_S: Final = 10.0


class BodyError(Exception):
    """A request's body is refused with `status`."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def own_names() -> frozenset[str]:
    """Return the names this machine goes by."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name.partition('.')[0]}.local"})


def host_allowed(host: str, names: Iterable[str]) -> bool:
    """Return whether a `Host` header names this machine.

    Any IP address will do: an attacker's page always comes under a name.
    """
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = match[1].strip("[]").rstrip(".").lower()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names or name.endswith(".localhost")
    return True


def same_origin(headers: Headers) -> bool:
    """Return whether a request that changes something comes from our own page or from no page."""
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    host = headers.get("host", "").lower()
    return origin.lower() in {f"http://{host}", f"https://{host}"}


async def read_body(request: Request, *, limit: int) -> bytes:
    """Return the body of *request*.

    Raises:
        BodyError: it is longer than *limit* bytes or takes too long to arrive.
    """
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > limit:
        raise BodyError(413, f"the body is longer than {limit} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_TIMEOUT_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise BodyError(413, f"the body is longer than {limit} bytes")
    except TimeoutError:
        raise BodyError(408, f"the body did not arrive within {_BODY_TIMEOUT_S:.0f} s") from None
    return bytes(body)


class Guard:
    """ASGI layer: refuses foreign hosts and origins, adds the protective headers."""

    def __init__(self, app: ASGIApp, *, names: frozenset[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        app = self._app if refusal is None else refusal
        await app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not host_allowed(host, self._names):
            return JSONResponse(
                {
                    "error": f"this table is not called {host[:100]!r}; use its address, "
                    "or allow the name in the configuration"
                },
                status_code=421,
            )
        if scope["method"] not in _SAFE_METHODS and not same_origin(headers):
            return JSONResponse({"error": "posts from other sites are refused"}, status_code=403)
        return None
