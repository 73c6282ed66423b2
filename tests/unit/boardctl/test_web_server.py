from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from boardctl import demo
from boardctl.config import Config
from boardctl.link.server import LinkServer
from boardctl.web.app import create_app, new_hub
from boardctl.web.protocol import TableProtocol
from boardctl.web.server import TableServer, parser, serve
from boardctl.web.settings import WebSettings
from tests.support.fake_link import SNAPSHOT, FakeLink

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

GET = b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Hasty(TableProtocol):
    """Times so short that a test need not wait."""

    head_timeout_s = 0.1
    write_timeout_s = 0.1
    max_per_address = 3
    exempt = frozenset()


@contextlib.asynccontextmanager
async def serving(link: FakeLink, protocol: type[TableProtocol] = Hasty) -> AsyncIterator[int]:
    """Serve *link* on a free port of loopback and yield it."""
    config = uvicorn.Config(
        create_app(link, WebSettings(demo=True)), http=protocol, ws="none", log_config=None
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    task = asyncio.ensure_future(server.serve(sockets=[listener]))
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110  uvicorn offers nothing to await
            await asyncio.sleep(0.005)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        server.force_exit = True
        await task
        listener.close()


async def ends(reader: asyncio.StreamReader) -> bytes:
    """Read until the server cuts the connection."""
    async with asyncio.timeout(10):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


def test_a_request_head_that_never_ends_is_cut_off() -> None:
    async def run() -> None:
        async with serving(FakeLink()) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            assert await ends(reader) == b""
            writer.close()

    asyncio.run(run())


def test_an_answered_connection_may_stay() -> None:
    async def run() -> None:
        async with serving(FakeLink()) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for pause_s in (0.0, 0.25):
                await asyncio.sleep(pause_s)
                writer.write(GET)
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                await reader.readexactly(length)
            writer.close()

    asyncio.run(run())


def test_one_address_gets_its_share_of_connections_and_no_more() -> None:
    async def run() -> None:
        async with serving(FakeLink(), AfterRequest) as port:
            opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            for reader, writer in opened:
                writer.write(GET)
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await ends(reader) == b""
            for _, each in (*opened, (reader, writer)):
                each.close()
            await asyncio.sleep(0.05)
            again, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(GET)
            assert (await again.readline()).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(run())


class AfterRequest(Hasty):
    """Only the number of connections is limited."""

    head_timeout_s = 10.0


def test_a_spectator_who_does_not_read_is_cut_off_and_the_others_are_served() -> None:
    big = {**SNAPSHOT, "moves": ["e3-c3"] * 4000}

    async def run() -> None:
        link = FakeLink()
        async with serving(link) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(GET.replace(b"/api/state", b"/api/events"))
            await reader.readline()
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            for version in range(400):
                await link.tell(snapshot={**big, "version": version})
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.3)
            other, second = await asyncio.open_connection("127.0.0.1", port)
            second.write(GET.replace(b"/api/state", b"/metrics"))
            text = (await other.readuntil(b"boardctl_web_streams 0.0")).decode()
            assert text.startswith("HTTP/1.1 200")
            for each in (writer, second):
                each.close()

    asyncio.run(run())


def test_the_process_serves_the_board_behind_the_socket(tmp_path: Path) -> None:
    board = LinkServer(tmp_path / "link")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]

    async def run() -> bytes:
        serving_task = asyncio.ensure_future(serve(tmp_path / "link", listener, WebSettings()))
        board.publish("snapshot", SNAPSHOT)
        answer = b""
        async with asyncio.timeout(10):
            while b"200 OK" not in answer:
                board.poll()
                await asyncio.sleep(0.01)
                with contextlib.suppress(OSError):
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.write(GET)
                    answer = await reader.readline()
                    writer.close()
        serving_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving_task
        return answer

    assert asyncio.run(run()).startswith(b"HTTP/1.1 200")
    board.close()
    listener.close()


def test_a_stopping_server_ends_the_streams_in_order(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> bytes:
        hub = new_hub(WebSettings())
        app = create_app(FakeLink(), WebSettings(), hub=hub)
        server = TableServer(uvicorn.Config(app, ws="none", log_config=None), hub)
        listener = socket.create_server(("127.0.0.1", 0))
        task = asyncio.ensure_future(server.serve(sockets=[listener]))
        async with asyncio.timeout(10):
            while not server.started:  # noqa: ASYNC110  uvicorn offers nothing to await
                await asyncio.sleep(0.005)
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(GET.replace(b"/api/state", b"/api/events"))
        await reader.readuntil(b"data: ")
        server.should_exit = True
        received = await ends(reader)
        await task
        writer.close()
        listener.close()
        return received

    assert asyncio.run(run()).endswith(b"0\r\n\r\n")
    assert [it for it in caplog.records if it.levelname in {"WARNING", "ERROR"}] == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--socket", "/s"], {"host": "127.0.0.1", "port": 8080, "demo": False, "fd": None}),
        (["--socket", "/s", "--fd", "5", "--demo"], {"fd": 5, "demo": True}),
        (["--socket", "/s", "--allow-host", "a", "--allow-host", "b"], {"allow_host": ["a", "b"]}),
    ],
)
def test_arguments(arguments: list[str], expected: dict[str, Any]) -> None:
    given = vars(parser().parse_args(arguments))
    assert {name: given[name] for name in expected} == expected


def test_only_this_machine_is_served_unless_somebody_says_otherwise() -> None:
    hosts = {
        parser().parse_args(["--socket", "/s"]).host,
        WebSettings().host,
        Config().web.host,
        demo.HOST,
    }
    assert all(ipaddress.ip_address(host).is_loopback for host in hosts)


def test_the_socket_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args([])
    assert "--socket" in capsys.readouterr().err
