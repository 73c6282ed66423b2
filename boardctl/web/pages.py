"""The page's files, kept in memory: no path from a request ever reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import io
import socket
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

    from boardctl.web.settings import WebSettings

TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class Page:
    """One file, ready to be sent."""

    body: bytes
    packed: bytes
    media_type: str
    etag: str

    def response(self, request: Request) -> Response:
        """Answer *request* with this file, or with 304 where the browser has it already."""
        headers = {"etag": self.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.etag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, media_type=self.media_type, headers=headers)
        return Response(self.body, media_type=self.media_type, headers=headers)


def load_pages() -> Mapping[str, Page]:
    """Return every file of the page by its path below `static/`."""
    root = resources.files("boardctl.web") / "static"
    return {path: _load(file) for path, file in _walk(root, "")}


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in TYPES:
            yield prefix + entry.name, entry


def _load(file: Traversable) -> Page:
    body = file.read_bytes()
    return Page(
        body=body,
        packed=gzip.compress(body, mtime=0),
        media_type=TYPES[file.name.rpartition(".")[2]],
        etag=f'"{hashlib.sha256(body).hexdigest()[:20]}"',
    )


def public_url(settings: WebSettings) -> str | None:
    """Return the address at which visitors reach the page; None where only this machine can."""
    if settings.public_url is not None:
        return settings.public_url
    host = settings.host
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104  (compared, not bound)
        host = _outward_address() or "127.0.0.1"
    if host == "localhost" or host.startswith("127.") or host == "::1":
        return None
    return f"http://[{host}]:{settings.port}/" if ":" in host else f"http://{host}:{settings.port}/"


def _outward_address() -> str | None:
    """Return this machine's address towards its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def qr_svg(text: str) -> bytes:
    """Return a QR code as SVG, black on white so that every phone reads it."""
    import segno  # noqa: PLC0415  (only a page with a public address needs it)

    out = io.BytesIO()
    segno.make(text, error="m").save(
        out, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False
    )
    return out.getvalue()
