from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from starlette.datastructures import Headers

from boardctl.web.app import create_app
from boardctl.web.security import host_allowed, own_names, same_origin
from boardctl.web.settings import WebSettings
from tests.support.fake_link import FakeLink, browser

if TYPE_CHECKING:
    import httpx

NAMES = frozenset({"localhost", "tablebox", "tablebox.local"})


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "192.168.4.1", "localhost:80", "TableBox:8080",
     "tablebox.local", "tablebox.local.:8080", "demo.localhost:3000"],
)  # fmt: skip
def test_own_hosts_are_allowed(host: str) -> None:
    assert host_allowed(host, NAMES)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.nip.io",
     "tablebox.local@evil.example", "[::1", "tablebox:8080:1", "a b", "127.0.0.1:999999"],
)  # fmt: skip
def test_other_hosts_are_refused(host: str) -> None:
    assert not host_allowed(host, NAMES)


def test_this_machine_knows_its_names() -> None:
    assert "localhost" in own_names()
    assert any(name.endswith(".local") for name in own_names())


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"host": "a:8080"}, True),
        ({"host": "a:8080", "origin": "http://a:8080"}, True),
        ({"host": "a:8080", "origin": "HTTPS://A:8080"}, True),
        ({"host": "a:8080", "origin": "http://a:8081"}, False),
        ({"host": "a:8080", "origin": "http://evil.example"}, False),
        ({"host": "a:8080", "origin": "null"}, False),
        ({"host": "a:8080", "sec-fetch-site": "cross-site"}, False),
        ({"host": "a:8080", "sec-fetch-site": "same-site"}, False),
        ({"host": "a:8080", "sec-fetch-site": "same-origin"}, True),
        ({"host": "a:8080", "sec-fetch-site": "none"}, True),
    ],
)
def test_only_our_own_page_may_change_things(headers: dict[str, str], allowed: bool) -> None:
    assert same_origin(Headers(headers)) is allowed


def get(path: str, *, base_url: str = "http://127.0.0.1:8080", **headers: str) -> httpx.Response:
    async def run() -> httpx.Response:
        async with browser(create_app(FakeLink(), WebSettings()), base_url=base_url) as client:
            return await client.get(path, headers=headers)

    return asyncio.run(run())


def post(path: str, content: bytes, link: FakeLink, **headers: str) -> httpx.Response:
    async def run() -> httpx.Response:
        async with browser(create_app(link, WebSettings(demo=True))) as client:
            return await client.post(path, content=content, headers=headers)

    return asyncio.run(run())


def test_a_rebound_name_sees_nothing() -> None:
    answer = get("/api/state", base_url="http://evil.example")
    assert answer.status_code == 421
    assert "market" not in answer.text


def test_a_post_from_another_site_changes_nothing() -> None:
    link = FakeLink()
    answer = post("/api/sim", b'{"lift": "e3"}', link, origin="http://evil.example")
    assert answer.status_code == 403
    assert link.asked == []


def test_every_answer_forbids_foreign_scripts_and_frames() -> None:
    for path in ("/", "/operator", "/cards", "/api/state", "/static/style.css", "/nothing"):
        headers = get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_answers_about_the_game_are_not_stored() -> None:
    assert get("/api/state").headers["cache-control"] == "no-store"


def test_a_long_body_is_refused_before_it_is_read() -> None:
    link = FakeLink()
    answer = post("/api/sim", b'{"lift": "' + b"x" * 20_000 + b'"}', link)
    assert answer.status_code == 413
    assert link.asked == []


def test_a_body_without_a_length_is_bounded_as_well() -> None:
    async def endless() -> Any:
        for _ in range(100):
            yield b" " * 1024

    async def run() -> httpx.Response:
        async with browser(create_app(FakeLink(), WebSettings(demo=True))) as client:
            return await client.post("/api/sim", content=endless())

    assert asyncio.run(run()).status_code == 413


def test_a_public_name_is_our_name() -> None:
    async def run() -> int:
        settings = WebSettings(public_url="http://tafl.example:81/")
        async with browser(create_app(FakeLink(), settings), base_url="http://tafl.example") as it:
            return (await it.get("/api/state")).status_code

    assert asyncio.run(run()) == 200
