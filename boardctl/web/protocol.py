"""HTTP connections that cannot be used to hold the table's page hostage.

uvicorn serves; this adds what it leaves to a proxy in front of it, and a table has none:

* a connection that sends no complete request head within `HEAD_TIMEOUT_S` is cut (slow loris);
* a client that takes nothing for `WRITE_TIMEOUT_S` is cut: its buffer is bounded by the
  transport's high-water mark, and it connects again;
* one address may hold `MAX_PER_ADDRESS` connections; loopback is free of that limit.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

HEAD_TIMEOUT_S: Final = 10.0
WRITE_TIMEOUT_S: Final = 10.0
MAX_PER_ADDRESS: Final = 64
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})


class TableProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with time limits and a share for everybody."""

    head_timeout_s = HEAD_TIMEOUT_S
    write_timeout_s = WRITE_TIMEOUT_S
    max_per_address = MAX_PER_ADDRESS
    exempt = _LOOPBACK
    _per_address: ClassVar[Counter[str]] = Counter()

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the base
        """Begin a connection, or cut it where its address has enough of them."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._per_address[self._address] += 1
        if (
            self._address not in self.exempt
            and self._per_address[self._address] > self.max_per_address
        ):
            transport.abort()
            return
        self._head_timer = self.loop.call_later(self.head_timeout_s, self._head_overdue)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        for timer in (self._head_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        self._per_address[self._address] -= 1
        if self._per_address[self._address] <= 0:
            del self._per_address[self._address]
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the client's time to take what it has asked for."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.write_timeout_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that time: the client has taken enough."""
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
        super().resume_writing()

    def _head_overdue(self) -> None:
        if not self._answered():
            self.transport.abort()

    def _answered(self) -> bool:
        return self.cycle is not None
