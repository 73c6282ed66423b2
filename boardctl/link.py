"""The Unix socket between the board process and its observers: state out, commands in.

One JSON object a line, UTF-8, at most `MAX_LINE` bytes.

    board -> observer   {"kind": "snapshot", "snapshot": {...}}    on connect and at each change
                        {"kind": "leds", "leds": ["#rrggbb" x 81]} at most 30 a second
                        {"kind": "health", "health": {...}}        once a second
                        {"kind": "reply", "id": 7, "status": 200, "body": {...}}
    observer -> board   {"kind": "command", "id": 7, "body": {"command": "undo"}}
                        {"kind": "sim", "id": 8, "body": {"lift": "e3"}}
                        {"kind": "query", "id": 9, "body": {"query": "games"}}

The server never blocks and never grows: of each kind of state a client that reads slowly gets
the newest only, and a client that leaves its replies unread is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import selectors
import socket
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from boardctl.errors import BoardctlError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

log = logging.getLogger(__name__)

MAX_LINE: Final = 256 * 1024
"""Bytes of the longest line either end accepts."""

MAX_REPLIES: Final = 64
"""Replies that may wait for a client before it is cut off."""

MAX_CLIENTS: Final = 16
"""Observers at one time: a web process, a publisher, and a few `boardctl status`."""

_CHUNK: Final = 64 * 1024
_STATE_KINDS: Final = ("snapshot", "leds", "health")

Body = dict[str, Any]


class LinkError(BoardctlError):
    """The socket cannot be used; the text says which and what to do."""


@dataclass(frozen=True, slots=True)
class Request:
    """What an observer asks; answer it with `LinkServer.reply`."""

    client: int
    number: int
    kind: str
    body: Body


@dataclass(slots=True)
class _Client:
    """One connection: bytes on their way in and out."""

    sock: socket.socket
    received: bytearray = field(default_factory=bytearray)
    sending: memoryview = field(default_factory=lambda: memoryview(b""))
    replies: deque[bytes] = field(default_factory=deque)
    newest: dict[str, bytes] = field(default_factory=dict)

    def next_chunk(self) -> memoryview:
        """Return the bytes to send now; empty when there are none."""
        if not self.sending:
            if self.replies:
                self.sending = memoryview(self.replies.popleft())
            elif self.newest:
                self.sending = memoryview(self.newest.pop(next(iter(self.newest))))
        return self.sending


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


class LinkServer:
    """The board's end. One thread owns it and calls `poll` in every turn of its loop.

    Raises:
        LinkError: the socket cannot be made, or another process serves it.
    """

    def __init__(self, path: Path, *, mode: int = 0o660) -> None:
        self._path = path
        self._clients: dict[int, _Client] = {}
        self._next_client = 0
        self._state: dict[str, bytes] = {}
        self._selector = selectors.DefaultSelector()
        self._listener = _listen(path, mode)
        self._selector.register(self._listener, selectors.EVENT_READ, None)

    @property
    def clients(self) -> int:
        """How many observers are connected."""
        return len(self._clients)

    def publish(self, kind: str, body: object) -> None:
        """Make *body* the newest state of *kind* and offer it to every observer."""
        data = _line({"kind": kind, kind: body})
        self._state[kind] = data
        for client in self._clients.values():
            client.newest[kind] = data

    def reply(self, request: Request, status: int, body: Mapping[str, Any]) -> None:
        """Answer *request*; nothing happens when its client has gone."""
        client = self._clients.get(request.client)
        if client is None:
            return
        if len(client.replies) >= MAX_REPLIES:
            self._drop(request.client, "it leaves its replies unread")
            return
        message = {"kind": "reply", "id": request.number, "status": status, "body": body}
        client.replies.append(_line(message))

    def poll(self) -> list[Request]:
        """Take what observers have sent and send what they can take, without waiting."""
        requests: list[Request] = []
        for key, _ in self._selector.select(0):
            if key.data is None:
                self._accept()
            else:
                requests += self._receive(key.data)
        self.flush()
        return requests

    def flush(self) -> None:
        """Send what the observers can take now, without waiting."""
        for number, client in list(self._clients.items()):
            self._send(number, client)

    def close(self) -> None:
        """Cut all connections and remove the socket. Closing twice is allowed."""
        for number in list(self._clients):
            self._drop(number, None)
        if self._listener.fileno() >= 0:
            self._selector.close()
            self._listener.close()
            with contextlib.suppress(OSError):
                self._path.unlink()

    def _accept(self) -> None:
        with contextlib.suppress(BlockingIOError):
            sock, _ = self._listener.accept()
            if len(self._clients) >= MAX_CLIENTS:
                sock.close()
                return
            sock.setblocking(False)
            number = self._next_client
            self._next_client += 1
            client = _Client(sock)
            client.newest.update(
                {kind: self._state[kind] for kind in _STATE_KINDS if kind in self._state}
            )
            self._clients[number] = client
            self._selector.register(sock, selectors.EVENT_READ, number)

    def _receive(self, number: int) -> list[Request]:
        client = self._clients[number]
        try:
            data = client.sock.recv(_CHUNK)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            data = b""
        if not data:
            self._drop(number, None)
            return []
        client.received += data
        *lines, rest = client.received.split(b"\n")
        client.received = rest
        try:
            if len(rest) > MAX_LINE:
                raise ValueError(f"a line of more than {MAX_LINE} bytes")  # noqa: TRY301  as below
            return [_request(number, line) for line in lines]
        except (ValueError, TypeError, RecursionError) as error:
            self._drop(number, str(error))
            return []

    def _send(self, number: int, client: _Client) -> None:
        try:
            while chunk := client.next_chunk():
                client.sending = chunk[client.sock.send(chunk) :]
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._drop(number, None)

    def _drop(self, number: int, reason: str | None) -> None:
        client = self._clients.pop(number)
        if reason is not None:
            log.warning("observer %d cut off: %s", number, reason)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(client.sock)
        client.sock.close()


def _listen(path: Path, mode: int) -> socket.socket:
    """Return a listening socket at *path*, taking the place of one left by a killed daemon."""
    if path.exists():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(str(path))
            except OSError:
                with contextlib.suppress(OSError):
                    path.unlink()
            else:
                raise LinkError(f"{path}: another boardctl is running; stop it first")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        path.chmod(mode)
        listener.listen(MAX_CLIENTS)
    except OSError as error:
        listener.close()
        too_long = error.errno == errno.ENAMETOOLONG or "too long" in str(error)
        remedy = "choose a shorter path" if too_long else "check run.socket and its directory"
        raise LinkError(f"{path}: cannot listen: {error.strerror or error}; {remedy}") from error
    listener.setblocking(False)
    return listener


def _request(client: int, line: bytes | bytearray) -> Request:
    """Read one line of an observer; ValueError or TypeError when it is no request."""
    message = json.loads(line)
    if not isinstance(message, dict):
        raise TypeError("a line that is no object")
    number, kind, body = message.get("id"), message.get("kind"), message.get("body")
    if type(number) is not int or not isinstance(kind, str) or not isinstance(body, dict):
        raise TypeError("a request needs a whole 'id', a 'kind' and an object 'body'")
    return Request(client=client, number=number, kind=kind, body=body)


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
            self._writer.write(_line({"kind": kind, "id": number, "body": body}))
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
        reader, writer = await asyncio.open_unix_connection(str(self._path), limit=MAX_LINE + 1)
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


def ask(path: Path, kind: str, body: Mapping[str, Any], *, timeout_s: float) -> tuple[int, Body]:
    """Send one request and wait for its answer: for commands that run once and end.

    Raises:
        LinkError: nobody listens at *path*, or no answer comes in time.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(timeout_s)
        try:
            sock.connect(str(path))
            sock.sendall(_line({"kind": kind, "id": 1, "body": body}))
            with sock.makefile("rb") as lines:
                for line in lines:
                    message = json.loads(line)
                    if message.get("kind") == "reply":
                        return message["status"], message["body"]
        except OSError as error:
            reason = error.strerror or str(error)
            raise LinkError(f"{path}: {reason.lower()}; is the table running?") from error
    raise LinkError(f"{path}: the table ended the connection without an answer")
