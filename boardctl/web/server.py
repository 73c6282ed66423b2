"""The web process: `python -m boardctl.web`, and the same as a function."""

from __future__ import annotations

import argparse
import asyncio
import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from boardctl.link.client import LinkClient
from boardctl.web.app import create_app, new_hub
from boardctl.web.protocol import TableProtocol
from boardctl.web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boardctl.web.events import Hub

_MAX_HEAD = 16 * 1024
_KEEP_ALIVE_S = 30
_STOP_WITHIN_S = 1


def parser() -> argparse.ArgumentParser:
    """Return the reader of the process's arguments."""
    arguments = argparse.ArgumentParser(prog="boardctl.web", description=__doc__)
    arguments.add_argument("--socket", type=Path, required=True, help="the board process's socket")
    arguments.add_argument("--host", default="127.0.0.1", help="address to listen on")
    arguments.add_argument("--port", type=int, default=8080, help="0 takes any free one")
    arguments.add_argument("--fd", type=int, help="a listening socket to use instead")
    arguments.add_argument("--token-file", type=Path, help="file with the operator's token")
    arguments.add_argument("--public-url", help="address for visitors, in the QR code")
    arguments.add_argument("--allow-host", action="append", default=[], metavar="NAME")
    arguments.add_argument("--demo", action="store_true", help="the board is a simulated one")
    return arguments


def main(argv: Sequence[str] | None = None) -> None:
    """Serve the page until the process is told to stop."""
    given = parser().parse_args(argv)
    listener = (
        _listen(given.host, given.port) if given.fd is None else socket.socket(fileno=given.fd)
    )
    settings = WebSettings(
        token_file=given.token_file,
        demo=given.demo,
        host=given.host,
        port=given.port,
        hosts=frozenset(given.allow_host),
        public_url=given.public_url,
    )
    asyncio.run(serve(given.socket, listener, settings))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=256)


async def serve(board: Path, listener: socket.socket, settings: WebSettings) -> None:
    """Serve on *listener* what the board process at the socket *board* tells.

    The port in *settings* is replaced by the one *listener* has.
    """
    settings = replace(settings, port=listener.getsockname()[1])
    hub = new_hub(settings)
    async with LinkClient(board) as link:
        config = uvicorn.Config(
            create_app(link, settings, hub=hub),
            http=TableProtocol,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=_MAX_HEAD,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=_STOP_WITHIN_S,
            limit_concurrency=settings.max_streams + 200,
        )
        await TableServer(config, hub).serve(sockets=[listener])


class TableServer(uvicorn.Server):
    """uvicorn that ends the event streams before it stops, so that no request must be cancelled."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        self._hub.close()
        await super().shutdown(sockets)
