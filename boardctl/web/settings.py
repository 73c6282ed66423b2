"""What the web process is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Bounds and permissions of the page.

    Attributes:
        token_file: holds the operator's token on one line; read again when it changes, so that a
            rotated token takes effect at once. None: no command is accepted.
        demo: whether the simulated board's `/api/sim` exists.
        host: the address that is listened on; named in the QR code when visitors can reach it.
        port: likewise.
        hosts: further names the page is reached by (`Host` header), beside loopback, IP
            addresses and this machine's own name.
        public_url: what the QR code holds; None: found from `host` and `port`.
        max_streams: event streams served at once.
        max_body: bytes of a request's body.
        stream_queue: snapshots a slow client may lag behind before it is dropped.
        keep_alive_s: seconds between comment lines on a quiet stream.
        led_sends_per_s: light events sent in all; many spectators share them.
        guesses: wrong tokens accepted from one address within `guess_window_s`.
        guess_window_s: seconds.
    """

    token_file: Path | None = None
    demo: bool = False
    host: str = "127.0.0.1"
    port: int = 8080
    hosts: frozenset[str] = field(default_factory=frozenset)
    public_url: str | None = None
    max_streams: int = 1000
    max_body: int = 16 * 1024
    stream_queue: int = 32
    keep_alive_s: float = 15.0
    led_sends_per_s: float = 1500.0
    guesses: int = 10
    guess_window_s: float = 60.0

    @property
    def names(self) -> frozenset[str]:
        """The names that requests may use for this table, in lower case."""
        names = {name.lower() for name in self.hosts}
        if self.public_url is not None and (host := urlsplit(self.public_url).hostname):
            names.add(host)
        return frozenset(names)
