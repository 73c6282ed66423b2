"""Commands that ask a table which misbehaves, or is about to end."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.link import LinkError
from boardctl.link.question import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEALTH = b'{"kind": "health", "health": {}}\n'


@contextlib.contextmanager
def table(behave: Callable[[socket.socket], None]) -> Iterator[Path]:
    """Yield the socket of a table that takes one connection and then behaves so."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = Path(folder) / "link"
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            sock, _ = listener.accept()
            with sock, contextlib.suppress(OSError):
                sock.recv(1 << 16)
                behave(sock)

        thread = threading.Thread(target=serve)
        thread.start()
        yield path
        thread.join()


def test_a_table_that_tells_everything_but_the_answer_is_given_up_in_time() -> None:
    pause = threading.Event()

    def chat(sock: socket.socket) -> None:
        while not pause.wait(0.005):
            sock.sendall(HEALTH)

    with table(chat) as path, pytest.raises(LinkError, match="timed out"):
        ask(path, "query", {"query": "games"}, timeout_s=0.05)


@pytest.mark.parametrize(
    "last", [b"", HEALTH, HEALTH[:9], HEALTH + b'{"kind": "reply", "id": 1, "sta']
)
def test_a_table_that_ends_in_the_middle_of_its_answer_is_told_as_such(last: bytes) -> None:
    with (
        table(lambda sock: sock.sendall(last)) as path,
        pytest.raises(LinkError, match="the table ended the connection without an answer"),
    ):
        ask(path, "query", {"query": "games"}, timeout_s=5)


def test_an_answer_in_pieces_is_put_together() -> None:
    answer = HEALTH + b'{"kind": "reply", "id": 1, "status": 200, "body": {"games": []}}\n'

    def slowly(sock: socket.socket) -> None:
        for start in range(0, len(answer), 7):
            sock.sendall(answer[start : start + 7])

    with table(slowly) as path:
        assert ask(path, "query", {}, timeout_s=5) == (200, {"games": []})
