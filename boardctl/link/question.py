"""One question to a running table, for commands that ask and end."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, Any

from boardctl.link import Body, LinkError, encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def ask(path: Path, kind: str, body: Mapping[str, Any], *, timeout_s: float) -> tuple[int, Body]:
    """Send one request and wait for its answer: and return its status and body.

    Raises:
        LinkError: nobody listens at *path*, or no answer comes in time.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(timeout_s)
        try:
            sock.connect(str(path))
            sock.sendall(encode({"kind": kind, "id": 1, "body": body}))
            with sock.makefile("rb") as lines:
                for line in lines:
                    message = json.loads(line)
                    if message.get("kind") == "reply":
                        return message["status"], message["body"]
        except OSError as error:
            reason = error.strerror or str(error)
            raise LinkError(f"{path}: {reason.lower()}; is the table running?") from error
    raise LinkError(f"{path}: the table ended the connection without an answer")
