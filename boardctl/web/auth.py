"""The operator's token: who may give commands.

The token is a secret of at least 128 bits in a file. It reaches the page once, in the link that
`boardctl operator-link` prints; from then on the browser holds a cookie derived from it, so that
a stolen cookie does not reveal the token and a rotated token ends every session.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COOKIE: Final = "boardctl_operator"
_MAX_ADDRESSES: Final = 1024
_MIN_TOKEN: Final = 8


class Verdict(enum.Enum):
    """Whether a request may give commands; the value is its HTTP status."""

    ALLOWED = 200
    REFUSED = 401
    TOO_MANY_GUESSES = 429


class TokenFile:
    """The token as the file holds it now."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._token: str | None = None

    def read(self) -> str | None:
        """Return the token, or None where the file is missing, empty or too short to be one."""
        if self._path is None:
            return None
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            if stamp != self._stamp:
                self._token = self._path.read_text(encoding="utf-8").strip()
                self._stamp = stamp
        except (OSError, UnicodeDecodeError):
            self._stamp = self._token = None
        if self._token is None or len(self._token) < _MIN_TOKEN:
            return None
        return self._token


def cookie_value(token: str) -> str:
    """Return what the operator's cookie holds for *token*."""
    return hmac.new(token.encode(), b"boardctl operator cookie", hashlib.sha256).hexdigest()


class Guesses:
    """Wrong tokens per address within a sliding window.

    An address over the limit is refused whatever it sends, otherwise the limit would not slow a
    guesser down. The table of addresses is bounded; the oldest is forgotten first.
    """

    def __init__(self, *, limit: int, window_s: float, clock: Callable[[], float]) -> None:
        self._limit = limit
        self._window_s = window_s
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}

    def blocked(self, address: str) -> bool:
        """Return whether *address* has used up its guesses."""
        times = self._wrong.get(address)
        if times is None:
            return False
        while times and times[0] <= self._clock() - self._window_s:
            times.popleft()
        return len(times) >= self._limit

    def note(self, address: str) -> None:
        """Remember one wrong token from *address*."""
        times = self._wrong.pop(address, deque(maxlen=self._limit))
        times.append(self._clock())
        self._wrong[address] = times
        while len(self._wrong) > _MAX_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]


class Operator:
    """Decides about one request; comparisons take the same time for every wrong secret."""

    def __init__(self, token: TokenFile, guesses: Guesses) -> None:
        self._token = token
        self._guesses = guesses

    def cookie(self, token: str, address: str) -> tuple[Verdict, str]:
        """Return the cookie that the right *token* buys."""
        verdict = self._judge(address, token, self._token.read())
        return verdict, cookie_value(token) if verdict is Verdict.ALLOWED else ""

    def judge(self, address: str, authorization: str | None, cookie: str | None) -> Verdict:
        """Judge a request by its `Authorization` header or its cookie."""
        token = self._token.read()
        if authorization is not None:
            scheme, _, given = authorization.partition(" ")
            if scheme.lower() != "bearer":
                return Verdict.REFUSED
            return self._judge(address, given.strip(), token)
        if cookie is not None:
            return self._judge(address, cookie, None if token is None else cookie_value(token))
        return Verdict.REFUSED

    def _judge(self, address: str, given: str, expected: str | None) -> Verdict:
        if self._guesses.blocked(address):
            return Verdict.TOO_MANY_GUESSES
        if expected is not None and hmac.compare_digest(given.encode(), expected.encode()):
            return Verdict.ALLOWED
        self._guesses.note(address)
        return Verdict.REFUSED
