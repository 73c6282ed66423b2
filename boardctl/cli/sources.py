"""Where past games are to be had: at the running table, or in the archive's file.

A table has its archive alone while it runs (boardctl/archive/schema.py), and answers for it over
the link. Both are asked the same questions.
"""

from __future__ import annotations

import abc
import contextlib
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardctl.archive.queries import PAGE, answer
from boardctl.archive.records import full
from boardctl.archive.schema import ArchiveError, explained, open_database, transaction
from boardctl.archive.store import Store
from boardctl.errors import BadRequestError
from boardctl.link import MAX_LINE, LinkError, encode
from boardctl.link.question import ask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boardctl.archive.records import GameRecord

_ASK_S: Final = 10.0
"""A table answers when its card lets it; then it is taken for stuck."""


class Source(abc.ABC):
    """Past games as JSON objects: lines of a list (`summary`) or all that is kept (`full`).

    Every method raises ArchiveError when the archive cannot be used, LinkError when the table
    ends meanwhile or does not answer in time.
    """

    def games(self, limit: int | None, variant: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the lines of *limit* games, newest first; None: of all."""
        before, left = None, limit
        while left is None or left > 0:
            number = PAGE if left is None else min(left, PAGE)
            body = {"query": "games", "limit": number, "variant": variant, "before": before}
            games = self._asked(body)["games"]
            yield from games
            if len(games) < number:
                return
            before = games[-1]["id"]
            left = None if left is None else left - number

    def game(self, number: int) -> dict[str, Any]:
        """Return one game; BadRequestError when there is none of that number."""
        return self._asked({"query": "game", "game": number})

    def every(self) -> Iterator[dict[str, Any]]:
        """Yield every game, oldest first, but those that the archive drops meanwhile."""
        for number in sorted(game["id"] for game in self.games(None)):
            status, found = self._answer({"query": "game", "game": number})
            if status != HTTPStatus.NOT_FOUND:
                yield _checked(status, found)

    def statistics(self) -> dict[str, Any]:
        """Return how games ended, by variant."""
        found: dict[str, Any] = self._asked({"query": "stats"})["variants"]
        return found

    @abc.abstractmethod
    def bring(self, games: Sequence[GameRecord]) -> int:
        """Add *games* unless they are there; return how many are new."""

    @abc.abstractmethod
    def _answer(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the body of the answer."""

    def _asked(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return _checked(*self._answer(body))


def _checked(status: int, body: dict[str, Any]) -> dict[str, Any]:
    """Return *body*; raise what another *status* than OK means."""
    if status == HTTPStatus.OK:
        return body
    if status == HTTPStatus.NOT_FOUND:
        raise BadRequestError(f"{body['error']} in this archive; see 'boardctl games list'")
    if status == HTTPStatus.BAD_REQUEST:
        raise BadRequestError(body["error"])
    raise ArchiveError(body["error"])


class FileSource(Source):
    """The archive's file."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def bring(self, games: Sequence[GameRecord]) -> int:
        """Add *games*, all of them or none."""
        with transaction(self._store.database):
            return sum(self._store.bring(game) for game in games)

    def _answer(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return answer(self._store, body)


class TableSource(Source):
    """The table that listens at *socket*."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def bring(self, games: Sequence[GameRecord]) -> int:
        """Add *games* one after the other; should that break off, a second try adds the rest.

        Raises:
            BadRequestError: one is too long for the link.
        """
        bodies = [{"game": full(game)} for game in games]
        for number, body in enumerate(bodies, start=1):
            size = len(encode({"kind": "import", "id": 1, "body": body}))
            if size > MAX_LINE:
                raise BadRequestError(
                    f"game {number}: {size} bytes, more than the {MAX_LINE} that a running table "
                    "takes; stop it (systemctl stop boardctl), and try again"
                )
        added = 0
        for body in bodies:
            answered = ask(self._socket, "import", body, timeout_s=_ASK_S)
            added += _checked(*answered)["added"]
        return added

    def _answer(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return ask(self._socket, "query", body, timeout_s=_ASK_S)


@contextlib.contextmanager
def open_file(path: Path, *, writing: bool) -> Iterator[Source]:
    """Open the archive's file.

    Raises:
        ArchiveError, DamagedError: as `open_database`.
    """
    store = Store(open_database(path, read_only=not writing))
    with contextlib.closing(store.database), explained(path):
        yield FileSource(store)


def table_of(path: Path, socket: Path) -> Source | None:
    """Return the table that has the archive at *path*; None: no such table listens at *socket*.

    Raises:
        LinkError: somebody listens, but this user may not ask, or no answer comes in time.
    """
    try:
        status, body = ask(socket, "query", {"query": "archive"}, timeout_s=_ASK_S)
    except LinkError as error:
        if isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError):
            return None
        raise
    is_its_own = status == HTTPStatus.OK and Path(body["file"]).resolve() == path.resolve()
    return TableSource(socket) if is_its_own else None
