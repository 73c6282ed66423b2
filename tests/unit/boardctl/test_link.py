from __future__ import annotations

import asyncio
import json
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.link import MAX_ANSWER, MAX_LINE, LinkError
from boardctl.link.client import LinkClient
from boardctl.link.question import ask
from boardctl.link.server import MAX_REPLIES, LinkServer, Request

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def path() -> Iterator[Path]:
    # pytest's own folders may be longer than the 107 bytes that a Unix socket's name may have
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "link"


@pytest.fixture
def server(path: Path) -> Iterator[LinkServer]:
    with_server = LinkServer(path)
    yield with_server
    with_server.close()


def connect(path: Path) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.connect(str(path))
    sock.settimeout(5)
    return sock


def lines(sock: socket.socket) -> list[dict[str, Any]]:
    """All whole lines that can be read now."""
    sock.setblocking(False)
    data = b""
    try:
        while chunk := sock.recv(1 << 20):
            data += chunk
    except BlockingIOError:
        pass
    return [json.loads(line) for line in data.splitlines()]


def test_a_new_observer_gets_the_newest_state(server: LinkServer, path: Path) -> None:
    server.publish("snapshot", {"version": 1})
    server.publish("snapshot", {"version": 2})
    with connect(path) as sock:
        server.poll()
        assert lines(sock) == [{"kind": "snapshot", "snapshot": {"version": 2}}]


def test_an_observer_gets_each_change_that_it_reads_in_time(server: LinkServer, path: Path) -> None:
    with connect(path) as sock:
        server.poll()
        for version in (1, 2, 3):
            server.publish("snapshot", {"version": version})
            server.poll()
        assert [line["snapshot"]["version"] for line in lines(sock)] == [1, 2, 3]


def test_a_slow_observer_skips_to_the_newest(server: LinkServer, path: Path) -> None:
    with connect(path) as sock:
        server.poll()
        for version in range(2000):
            server.publish("snapshot", {"version": version, "padding": "x" * 1000})
            server.poll()
        received: list[int] = []
        while not received or received[-1] != 1999:
            received += [line["snapshot"]["version"] for line in _drain(sock, server)]
        assert received == sorted(received)
        assert len(received) < 2000


class Counted(dict[str, Any]):
    """A body that counts how often it is made into JSON."""

    written = 0

    def items(self) -> Any:
        type(self).written += 1
        return super().items()


def test_state_that_nobody_can_take_is_not_even_written(server: LinkServer, path: Path) -> None:
    Counted.written = 0
    server.publish("health", Counted(scan_hz=200))
    assert Counted.written == 0
    with connect(path) as one, connect(path) as other:
        server.poll()
        server.poll()
        assert lines(one) == lines(other) == [{"kind": "health", "health": {"scan_hz": 200}}]
        assert Counted.written == 1
        for version in range(2000):
            server.publish("snapshot", Counted(version=version, padding="x" * 1000))
            server.poll()
        assert Counted.written < 1000
        # What the slow ones could not take yet is sent when they read on, without further news.
        assert lines(one)[-1]["snapshot"]["version"] < 1999
        server.poll()
        assert lines(one)[-1]["snapshot"]["version"] == 1999


def _drain(sock: socket.socket, server: LinkServer) -> list[dict[str, Any]]:
    sock.settimeout(5)
    data = sock.recv(1 << 16)
    while not data.endswith(b"\n"):
        server.poll()
        data += sock.recv(1 << 16)
    server.poll()
    return [json.loads(line) for line in data.splitlines()]


def test_requests_arrive_and_are_answered(server: LinkServer, path: Path) -> None:
    with connect(path) as sock:
        server.poll()
        sock.sendall(b'{"kind":"command","id":7,"body":{"command":"undo"}}\n{"kind":"si')
        assert server.poll() == [Request(0, 7, "command", {"command": "undo"})]
        sock.sendall(b'm","id":8,"body":{"lift":"e3"}}\n')
        (request,) = server.poll()
        server.reply(request, 409, {"error": "no piece there"})
        server.flush()
        assert lines(sock) == [
            {"kind": "reply", "id": 8, "status": 409, "body": {"error": "no piece there"}}
        ]


@pytest.mark.parametrize(
    "rubbish",
    [
        b"hello\n",
        b"[1]\n",
        b'{"kind":"command","id":true,"body":{}}\n',
        b'{"kind":"command","id":1}\n',
        b'{"kind":3,"id":1,"body":{}}\n',
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b"x" * (MAX_LINE + 1),
    ],
)
def test_rubbish_cuts_only_its_sender_off(server: LinkServer, path: Path, rubbish: bytes) -> None:
    with connect(path) as good, connect(path) as bad:
        server.poll()
        server.poll()
        bad.setblocking(False)
        rest = memoryview(rubbish)
        while rest and server.clients == 2:
            try:
                rest = rest[bad.send(rest) :]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                break
            assert server.poll() == []
        while server.clients == 2:
            assert server.poll() == []
        good.sendall(b'{"kind":"command","id":1,"body":{}}\n')
        assert len(server.poll()) == 1


def test_unread_replies_cut_the_observer_off(server: LinkServer, path: Path) -> None:
    with connect(path) as sock:
        server.poll()
        sock.sendall(b'{"kind":"query","id":1,"body":{}}\n')
        (request,) = server.poll()
        for _ in range(MAX_REPLIES + 1):
            server.reply(request, 200, {})
        assert server.clients == 0
        server.reply(request, 200, {})  # its client has gone: nothing happens


def test_an_observer_that_goes_is_forgotten(server: LinkServer, path: Path) -> None:
    with connect(path):
        server.poll()
        assert server.clients == 1
    server.poll()
    assert server.clients == 0


def test_the_socket_of_a_killed_daemon_is_taken_over(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    server = LinkServer(path)
    server.close()
    server.close()
    assert not path.exists()


def test_two_daemons_do_not_share_a_socket(server: LinkServer, path: Path) -> None:
    with pytest.raises(LinkError, match="another boardctl is running"):
        LinkServer(path)
    assert server.clients == 0


def test_a_path_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="choose a shorter path"):
        LinkServer(tmp_path / ("x" * 200))
    with pytest.raises(LinkError, match=r"nowhere.*cannot listen"):
        LinkServer(tmp_path.parent / "nowhere" / "link")


async def _serve(server: LinkServer) -> None:
    while True:
        for request in server.poll():
            if request.kind != "silence":
                server.reply(request, 200, {"asked": request.body})
        await asyncio.sleep(0.002)


def test_the_client_follows_the_board_and_asks(server: LinkServer, path: Path) -> None:
    async def scenario() -> None:
        serving = asyncio.create_task(_serve(server))
        server.publish("snapshot", {"version": 1})
        server.publish("leds", ["#000000"])
        server.publish("health", {"scan_hz": 200.0})
        async with LinkClient(path, timeout_s=0.05) as client:
            async with client.changed:
                await client.changed.wait_for(lambda: client.health is not None)
            assert (client.snapshot, client.leds) == ({"version": 1}, ["#000000"])
            assert client.health_age_s is not None
            assert await client.request("sim", {"lift": "e3"}) == (200, {"asked": {"lift": "e3"}})
            status, body = await client.request("silence", {})
            assert (status, body["error"]) == (504, "no answer from the board process in 0.05 s")
        serving.cancel()

    asyncio.run(scenario())


def test_a_client_that_is_entered_has_the_snapshot_where_there_is_one(
    server: LinkServer, path: Path
) -> None:
    async def scenario() -> None:
        serving = asyncio.create_task(_serve(server))
        server.publish("snapshot", {"version": 1})
        async with LinkClient(path) as client:
            assert client.snapshot == {"version": 1}
        serving.cancel()

    asyncio.run(scenario())


def test_the_client_comes_back_after_a_restart(path: Path) -> None:
    async def scenario() -> None:
        async with LinkClient(path, retry_s=0.01, patience_s=0.0) as client:
            assert (await client.request("sim", {}))[0] == 503
            for version in (1, 2):
                server = LinkServer(path)
                server.publish("snapshot", {"version": version})
                serving = asyncio.create_task(_serve(server))
                async with client.changed:
                    await client.changed.wait_for(
                        lambda now=version: client.snapshot == {"version": now}  # type: ignore[misc]
                    )
                waiting = asyncio.create_task(client.request("silence", {}))
                await asyncio.sleep(0.01)
                serving.cancel()
                server.close()
                assert (await waiting)[0] == 503
                async with client.changed:
                    await client.changed.wait_for(lambda: not client.connected)

    asyncio.run(scenario())


def test_ask_reports_a_table_that_does_not_run(path: Path) -> None:
    with pytest.raises(LinkError, match=r"no such file or directory; is the table running\?"):
        ask(path, "query", {"query": "health"}, timeout_s=0.1)


def test_ask_reports_a_table_that_does_not_answer(server: LinkServer, path: Path) -> None:
    with pytest.raises(LinkError, match="timed out"):
        ask(path, "query", {"query": "health"}, timeout_s=0.05)
    assert server.clients == 0


def test_an_answer_too_long_for_any_observer_is_an_error(server: LinkServer, path: Path) -> None:
    with connect(path) as sock:
        sock.sendall(b'{"kind": "query", "id": 7, "body": {}}\n')
        server.poll()
        (request,) = server.poll()
        server.reply(request, 200, {"text": "x" * MAX_ANSWER})
        server.poll()
        (reply,) = lines(sock)
        assert (reply["id"], reply["status"]) == (7, 500)
        assert "longer than" in reply["body"]["error"]


async def _asked(server: LinkServer, path: Path, body: dict[str, Any]) -> tuple[int, Any]:
    async with LinkClient(path, patience_s=0.0) as client, asyncio.timeout(5):
        while not client.connected:
            server.poll()
            await asyncio.sleep(0)
        task = asyncio.create_task(client.request("query", {}))
        while not task.done():
            for request in server.poll():
                server.reply(request, 200, body)
            await asyncio.sleep(0)
        return task.result()


def test_an_answer_longer_than_any_request_reaches_the_page(server: LinkServer, path: Path) -> None:
    body = {"text": "x" * (8 * MAX_LINE)}
    assert asyncio.run(_asked(server, path, body)) == (200, body)
