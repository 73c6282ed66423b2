"""What the page needs from the board process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import asyncio

Json: TypeAlias = Mapping[str, Any]
"""A JSON object as it came over the link."""


class Link(Protocol):
    """The board process as the page sees it; `boardctl.link.client.LinkClient` is the real one."""

    changed: asyncio.Condition
    """Notified at every message and whenever the connection comes or goes."""

    @property
    def connected(self) -> bool:
        """Whether the board process answers now."""

    @property
    def snapshot(self) -> Json | None:
        """The newest snapshot, as `/api/state` shows it."""

    @property
    def leds(self) -> list[str] | None:
        """81 colours `#rrggbb` in square order, before brightness and gamma."""

    @property
    def health(self) -> Json | None:
        """The newest health message."""

    @property
    def health_age_s(self) -> float | None:
        """Seconds since the newest health message."""

    async def request(self, kind: str, body: Json) -> tuple[int, dict[str, Any]]:
        """Send a `command`, a `sim` or a `query`; return its HTTP status and body."""
