"""The Unix socket between the board process and its observers: state out, commands in.

One JSON object a line, UTF-8; at most `MAX_LINE` bytes to the board, `MAX_ANSWER` from it.

    board -> observer   {"kind": "snapshot", "snapshot": {...}}    on connect and at each change
                        {"kind": "leds", "leds": ["#rrggbb" x 81]} at most 30 a second
                        {"kind": "health", "health": {...}}        once a second
                        {"kind": "reply", "id": 7, "status": 200, "body": {...}}
    observer -> board   {"kind": "command", "id": 7, "body": {"command": "undo"}}
                        {"kind": "sim", "id": 8, "body": {"lift": "e3"}}
                        {"kind": "query", "id": 9, "body": {"query": "games"}}
                        {"kind": "import", "id": 10, "body": {"game": {...}}}

The server never blocks and never grows: of each kind of state a client that reads slowly gets
the newest only, and a client that leaves its replies unread is cut off.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from boardctl.errors import BoardctlError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LINE: Final = 256 * 1024
"""Bytes of the longest line that the board accepts."""

MAX_ANSWER: Final = 4 * 1024 * 1024
"""Bytes of the longest line that an observer accepts: a game of some 25,000 plies."""

Body = dict[str, Any]
"""A JSON object."""


class LinkError(BoardctlError):
    """The socket cannot be used; the text says which and what to do."""


# Made once: `json.dumps` makes an encoder anew for each message that is not written its usual way.
_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def encode(message: Mapping[str, Any]) -> bytes:
    """Return *message* as one line."""
    return _json(message).encode() + b"\n"
