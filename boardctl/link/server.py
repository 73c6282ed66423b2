"""The board's end of the link: never waits, never grows."""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import select
import socket
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from boardctl.link import MAX_ANSWER, MAX_LINE, Body, LinkError, encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

log = logging.getLogger(__name__)

MAX_REPLIES: Final = 64
"""Replies that may wait for a client before it is cut off."""

MAX_CLIENTS: Final = 16
"""Observers at one time: a web process, a publisher, and a few `boardctl status`."""

_CHUNK: Final = 64 * 1024
_STATE_KINDS: Final = ("snapshot", "leds", "health")


@dataclass(frozen=True, slots=True)
class Request:
    """What an observer asks; answer it with `LinkServer.reply`."""

    client: int
    number: int
    kind: str
    body: Body


class _News:
    """The state of one kind: made into a line when the first observer can take it, once for all."""

    __slots__ = ("_line", "_message")

    def __init__(self, message: Mapping[str, Any]) -> None:
        self._message = message
        self._line: bytes | None = None

    @property
    def line(self) -> bytes:
        """The message as a line."""
        if self._line is None:
            self._line = encode(self._message)
        return self._line


@dataclass(slots=True)
class _Client:
    """One connection: bytes on their way in and out."""

    sock: socket.socket
    received: bytearray = field(default_factory=bytearray)
    sending: memoryview = field(default_factory=lambda: memoryview(b""))
    replies: deque[bytes] = field(default_factory=deque)
    newest: dict[str, _News] = field(default_factory=dict)

    def next_chunk(self) -> memoryview:
        """Return the bytes to send now; empty when there are none."""
        if not self.sending:
            if self.replies:
                self.sending = memoryview(self.replies.popleft())
            elif self.newest:
                self.sending = memoryview(self.newest.pop(next(iter(self.newest))).line)
        return self.sending


class LinkServer:
    """The board's end. One thread owns it and calls `poll` in every turn of its loop.

    Raises:
        LinkError: the socket cannot be made, or another process serves it.
    """

    def __init__(self, path: Path, *, mode: int = 0o660) -> None:
        self._path = path
        self._clients: dict[int, _Client] = {}
        self._next_client = 0
        self._state: dict[str, _News] = {}
        self._unsent = False
        self._listener = _listen(path, mode)
        # Asked two hundred times a second: `selectors` would cost more than the system call.
        self._poller = select.poll()
        self._poller.register(self._listener, select.POLLIN)
        self._numbers: dict[int, int | None] = {self._listener.fileno(): None}

    @property
    def clients(self) -> int:
        """How many observers are connected."""
        return len(self._clients)

    def publish(self, kind: str, body: object) -> None:
        """Make *body* the newest state of *kind* and offer it to every observer.

        It is the caller's no more: it becomes a line only when somebody can take it.
        """
        news = _News({"kind": kind, kind: body})
        self._state[kind] = news
        for client in self._clients.values():
            client.newest[kind] = news
            self._unsent = True

    def reply(self, request: Request, status: int, body: Mapping[str, Any]) -> None:
        """Answer *request*; nothing happens when its client has gone."""
        client = self._clients.get(request.client)
        if client is None:
            return
        if len(client.replies) >= MAX_REPLIES:
            self._drop(request.client, "it leaves its replies unread")
            return
        line = _reply(request, status, body)
        if len(line) > MAX_ANSWER:
            error = {"error": f"the answer is longer than {MAX_ANSWER} bytes"}
            line = _reply(request, 500, error)
        client.replies.append(line)
        self._unsent = True

    def poll(self) -> list[Request]:
        """Take what observers have sent and send what they can take, without waiting."""
        requests: list[Request] = []
        for descriptor, _ in self._poller.poll(0):
            number = self._numbers[descriptor]
            if number is None:
                self._accept()
            else:
                requests += self._receive(number)
        self.flush()
        return requests

    def flush(self) -> None:
        """Send what the observers can take now, without waiting."""
        if self._unsent:
            sent = [self._send(number, client) for number, client in list(self._clients.items())]
            self._unsent = not all(sent)

    def close(self) -> None:
        """Cut all connections and remove the socket. Closing twice is allowed."""
        for number in list(self._clients):
            self._drop(number, None)
        if self._listener.fileno() >= 0:
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
            self._numbers[sock.fileno()] = number
            self._poller.register(sock, select.POLLIN)
            self._unsent = True

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

    def _send(self, number: int, client: _Client) -> bool:
        """Send what a client can take; return whether nothing is left."""
        try:
            while chunk := client.next_chunk():
                client.sending = chunk[client.sock.send(chunk) :]
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            self._drop(number, None)
        return True

    def _drop(self, number: int, reason: str | None) -> None:
        client = self._clients.pop(number)
        if reason is not None:
            log.warning("observer %d cut off: %s", number, reason)
        descriptor = client.sock.fileno()
        self._poller.unregister(descriptor)
        del self._numbers[descriptor]
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


def _reply(request: Request, status: int, body: Mapping[str, Any]) -> bytes:
    return encode({"kind": "reply", "id": request.number, "status": status, "body": body})


def _request(client: int, line: bytes | bytearray) -> Request:
    """Read one line of an observer; ValueError or TypeError when it is no request."""
    message = json.loads(line)
    if not isinstance(message, dict):
        raise TypeError("a line that is no object")
    number, kind, body = message.get("id"), message.get("kind"), message.get("body")
    if type(number) is not int or not isinstance(kind, str) or not isinstance(body, dict):
        raise TypeError("a request needs a whole 'id', a 'kind' and an object 'body'")
    return Request(client=client, number=number, kind=kind, body=body)
