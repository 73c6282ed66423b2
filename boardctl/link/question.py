"""One question to a running table, for commands that ask and end."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any

from boardctl.link import Body, LinkError, encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def ask(path: Path, kind: str, body: Mapping[str, Any], *, timeout_s: float) -> tuple[int, Body]:
    """Send one request and wait for its answer: and return its status and body.

    Raises:
        LinkError: nobody listens at *path*, or no answer comes within *timeout_s*, whatever else
            the table tells meanwhile.
    """
    end = time.monotonic() + timeout_s
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(timeout_s)
        try:
            sock.connect(str(path))
            sock.sendall(encode({"kind": kind, "id": 1, "body": body}))
            for line in _lines(sock, end):
                message = json.loads(line)
                if message.get("kind") == "reply":
                    return message["status"], message["body"]
        except OSError as error:
            reason = error.strerror or str(error)
            raise LinkError(f"{path}: {reason.lower()}; is the table running?") from error
    raise LinkError(f"{path}: the table ended the connection without an answer")


def _lines(sock: socket.socket, end: float) -> Iterator[bytes]:
    """Yield whole lines until the other side ends; TimeoutError at *end*, a monotonic time."""
    received = b""
    while True:
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        sock.settimeout(left_s)
        chunk = sock.recv(1 << 16)
        if not chunk:
            return
        *lines, rest = (received + chunk).split(b"\n")
        yield from lines
        received = rest
