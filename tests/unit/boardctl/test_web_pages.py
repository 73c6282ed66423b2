from __future__ import annotations

import asyncio
import gzip
import re
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.core.palette import Meaning, colour
from boardctl.web.app import create_app
from boardctl.web.pages import load_pages, public_url, qr_svg
from boardctl.web.settings import WebSettings
from engine import VARIANTS, format_position, load_variant
from tests.support.fake_link import FakeLink, browser

if TYPE_CHECKING:
    import httpx

PAGES = load_pages()
BUDGET = 150 * 1024
LOCAL = WebSettings()
OPERATORS_OWN = r"(operator|cards|openapi|js/(operator|desk|choose|editor|health|archive|cards))"


def get(
    path: str, headers: dict[str, str] | None = None, settings: WebSettings = LOCAL
) -> httpx.Response:
    async def run() -> httpx.Response:
        async with browser(create_app(FakeLink(), settings)) as client:
            return await client.get(path, headers=headers)

    return asyncio.run(run())


@pytest.mark.parametrize("path", ["/", "/operator", "/cards"])
def test_pages_are_served(path: str) -> None:
    answer = get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text.startswith("<!doctype html>")


def test_files_come_packed_and_are_sent_once() -> None:
    first = get("/static/style.css", {"accept-encoding": "gzip"})
    assert first.headers["content-encoding"] == "gzip"
    assert first.text == PAGES["style.css"].body.decode()
    plain = get("/static/style.css", {"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    again = get("/static/style.css", {"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["/static/nothing.js", "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py",
     "/static//etc/passwd", "/static/js/", "/static/"],
)  # fmt: skip
def test_nothing_else_can_be_read(path: str) -> None:
    assert get(path).status_code == 404


def test_no_page_needs_anything_from_elsewhere() -> None:
    for name, page in PAGES.items():
        text = page.body.decode()
        text = text.replace("http://www.w3.org/2000/svg", "")
        assert not re.search(
            r"""(?:src|href|url|from|import)\s*[=(]?\s*["']?(?:https?:)?//""", text
        ), name


def test_no_page_has_inline_script_or_style() -> None:
    for name, page in PAGES.items():
        if name.endswith(".html"):
            text = page.body.decode()
            assert not re.search(r"<script(?![^>]*\ssrc=)", text), name
            assert not re.search(r"<style|\sstyle=|\son\w+=", text), name


def test_the_spectators_page_stays_small() -> None:
    ours = [page for name, page in PAGES.items() if not re.match(OPERATORS_OWN, name)]
    assert sum(len(page.packed) for page in ours) < BUDGET


def test_packed_files_are_what_they_were() -> None:
    for page in PAGES.values():
        assert gzip.decompress(page.packed) == page.body


def test_every_module_named_exists() -> None:
    for name, page in PAGES.items():
        if name.endswith(".js"):
            folder = name.rpartition("/")[0]
            for target in re.findall(r'(?:from|import\()\s*"\./([^"]+)"', page.body.decode()):
                assert f"{folder}/{target}" in PAGES, (name, target)


def test_the_pages_start_positions_are_the_engines() -> None:
    text = PAGES["js/rules.js"].body.decode()
    starts = dict(re.findall(r'"?([\w-]+)"?: "(/[^"]+/)"', text))
    assert starts == {name: format_position(load_variant(name).start) for name in VARIANTS}


def test_the_rule_cards_show_the_colours_of_the_lights() -> None:
    signs = dict(re.findall(r'\["(\w+)", "(#[0-9a-f]{6})"\]', PAGES["js/cards.js"].body.decode()))
    meanings = {
        "corners": Meaning.TURN_ATTACKERS, "lifted": Meaning.OWN, "target": Meaning.TARGET,
        "takes": Meaning.CAPTURE, "wins": Meaning.WIN, "victim": Meaning.VICTIM,
        "choose": Meaning.CHOICE, "illegal": Meaning.WRONG, "wrong": Meaning.NOT_YOURS,
        "place": Meaning.DEFENDERS,
    }  # fmt: skip
    palette = {key: "#" + bytes(colour("default", it, 1.0)).hex() for key, it in meanings.items()}
    assert signs == palette


def keys(text: str) -> list[str]:
    return re.findall(r'^\s*"?([\w-]+)"?: ', re.sub(r"([{,]) *", r"\1\n", text), flags=re.MULTILINE)


def test_all_languages_have_the_same_words() -> None:
    english, *others = (PAGES[f"lang/{code}.js"].body.decode() for code in ("en", "de", "da"))
    gaps = {
        key: sorted(re.findall(r"\{\w+\}", value))
        for key, value in re.findall(r'(\w+): "([^"]*\{\w+\}[^"]*)"', english)
    }
    assert gaps
    for other in others:
        assert keys(other) == keys(english)
        for key, expected in gaps.items():
            found = re.search(rf'\b{key}: "([^"]*)"', other)
            assert found is not None, key
            assert set(re.findall(r"\{\w+\}", found[1])) <= {
                *expected,
                "{theKing}",
                "{attackers}",
            }, key


@pytest.mark.parametrize(
    ("options", "url"),
    [
        ({"host": "127.0.0.1"}, None),
        ({"host": "localhost"}, None),
        ({"host": "::1"}, None),
        ({"host": "192.0.2.9", "port": 80}, "http://192.0.2.9:80/"),
        ({"host": "2001:db8::1", "port": 81}, "http://[2001:db8::1]:81/"),
        ({"public_url": "http://tafl.example/"}, "http://tafl.example/"),
    ],
)
def test_visitors_are_sent_where_they_can_get(options: dict[str, Any], url: str | None) -> None:
    assert public_url(WebSettings(**options)) == url


def test_the_qr_code_is_there_when_visitors_can_come() -> None:
    assert get("/qr.svg").status_code == 404
    answer = get("/qr.svg", settings=WebSettings(host="192.0.2.9"))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content == qr_svg("http://192.0.2.9:8080/")
    assert b"<svg" in answer.content


def test_the_icon_is_an_svg() -> None:
    assert get("/favicon.ico").headers["content-type"] == "image/svg+xml"
