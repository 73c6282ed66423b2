"""What systemd is told: ready, alive, what is going on, stopping.

The protocol is one datagram a message (`man sd_notify`). Without `NOTIFY_SOCKET` in the
environment nothing is sent, so the daemon runs the same by hand.
"""

from __future__ import annotations

import contextlib
import socket
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.core.occupancy import Instant

_SLOWEST_S: Final = 5.0
"""The status line is refreshed this often even without a watchdog."""


class Notifier:
    """The service manager's ear.

    `alive` is called after every scan and sends `WATCHDOG=1` at a third of the time that the unit
    allows: twice may be lost before the daemon is restarted. A loop that hangs calls nothing.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        allowed_s = int(environ.get("WATCHDOG_USEC") or 0) / 1e6
        self._period_s = allowed_s / 3 if allowed_s else _SLOWEST_S
        self._fed_at: float | None = None
        self._status = ""

    def ready(self) -> None:
        """Start-up is over: the first scan has been made."""
        self._send("READY=1")

    def alive(self, now: Instant) -> None:
        """Scans advance; tell it when the time has come."""
        if self._fed_at is None or now - self._fed_at >= self._period_s:
            self._fed_at = now
            self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Show *text* in `systemctl status`; sent when it differs from the last."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={text}")

    def stopping(self) -> None:
        """The end has begun."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # A manager that does not listen is no reason to stop a game.
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock,
        ):
            sock.setblocking(False)
            sock.sendto(message.encode(), self._address)
