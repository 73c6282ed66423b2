from __future__ import annotations

import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.core.occupancy import Instant
from boardctl.notify import Notifier

if TYPE_CHECKING:
    from collections.abc import Iterator


class Manager:
    """systemd's end."""

    def __init__(self, address: str) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(address)
        self.sock.setblocking(False)

    def heard(self) -> list[str]:
        found = []
        try:
            while True:
                found.append(self.sock.recv(4096).decode())
        except BlockingIOError:
            return found


@pytest.fixture
def path() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "notify")


def test_the_watchdog_is_fed_at_a_third_of_its_time(path: str) -> None:
    manager = Manager(path)
    notifier = Notifier({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "3000000"})
    for tick in range(601):
        notifier.alive(Instant(tick / 200))
    assert manager.heard() == ["WATCHDOG=1"] * 4
    manager.sock.close()


def test_a_loop_that_hangs_feeds_nothing(path: str) -> None:
    manager = Manager(path)
    notifier = Notifier({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "3000000"})
    notifier.alive(Instant(0.0))
    manager.heard()
    notifier.status("still here")
    assert manager.heard() == ["STATUS=still here"]
    manager.sock.close()


def test_ready_stopping_and_each_new_status_are_told(path: str) -> None:
    manager = Manager(path)
    notifier = Notifier({"NOTIFY_SOCKET": path})
    notifier.ready()
    notifier.status("a")
    notifier.status("a")
    notifier.status("b")
    notifier.stopping()
    assert manager.heard() == ["READY=1", "STATUS=a", "STATUS=b", "STOPPING=1"]
    manager.sock.close()


def test_an_abstract_address_is_understood() -> None:
    manager = Manager("\0boardctl-test-notify")
    Notifier({"NOTIFY_SOCKET": "@boardctl-test-notify"}).ready()
    assert manager.heard() == ["READY=1"]
    manager.sock.close()


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
def test_without_a_manager_nothing_happens(environ: dict[str, str]) -> None:
    notifier = Notifier(environ)
    notifier.ready()
    notifier.alive(Instant(0.0))
    notifier.stopping()
