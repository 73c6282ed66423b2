"""The page on every screen: size, speed, fingers, no barrier, and how it comes back by itself."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.chromium import ROOT, TOKEN, Demo, Hand, until, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

AXE = ROOT / ".ci" / "node" / "node_modules" / "axe-core" / "axe.min.js"
TRANSFER_BUDGET = 150 * 1024


def test_the_page_comes_back_by_itself(demo: Demo, browser: Browser) -> None:
    demo.fresh("market")
    context = browser.new_context(viewport={"width": 900, "height": 620}, locale="en-GB")
    page = context.new_page()
    page.goto(demo.url)
    Hand(page)
    os.kill(demo.web_process(), signal.SIGKILL)
    page.wait_for_selector("#connection:visible:has-text('No connection')")
    page.wait_for_selector("#connection", state="hidden")
    demo.post("api/sim", {"lift": "e3"})
    page.wait_for_selector("#turn[data-reading=in-hand]")
    demo.post("api/sim", {"put": "e3"})
    context.close()


@pytest.mark.parametrize(
    "size",
    [
        (390, 844),
        (1920, 1080),
        pytest.param((1280, 720), marks=pytest.mark.slow),
        pytest.param((820, 1180), marks=pytest.mark.slow),
    ],
)
def test_every_screen_shows_the_whole_board(
    demo: Demo, browser: Browser, size: tuple[int, int]
) -> None:
    demo.fresh("market")
    with visit(browser, size=size) as page:
        kiosk = size == (1920, 1080)
        page.goto(demo.url + ("?kiosk" if kiosk else ""))
        Hand(page)
        assert page.locator(".tools").is_visible() is not kiosk
        assert page.locator("#demo").is_visible() is not kiosk
        box = page.locator("#board").bounding_box()
        turn = page.locator("#turn").bounding_box()
        assert box is not None
        assert turn is not None
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        assert turn["y"] + turn["height"] <= size[1]
        assert min(box["width"], box["height"]) > 0.5 * min(size)


def test_two_fingers_lift_two_pieces(demo: Demo, browser: Browser) -> None:
    demo.fresh("market")
    with visit(browser, size=(390, 844), has_touch=True) as page:
        page.goto(demo.url)
        hand = Hand(page)
        touch = page.context.new_cdp_session(page)
        points = [
            {"x": x, "y": y, "id": number}
            for number, (x, y) in enumerate((hand.at("e3"), hand.at("d9")))
        ]
        before = page.locator("#board").bounding_box()
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        until(lambda: not {"e3", "d9"} & occupied(demo))
        page.wait_for_selector("#turn .what:not(:empty)")
        assert page.locator("#board").bounding_box() == before, "the board jumps under the hand"
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        until(lambda: {"e3", "d9"} <= occupied(demo))


def occupied(demo: Demo) -> set[str]:
    """Return the squares whose switch is closed."""
    cells = int(demo.state["cells"], 16)
    return {"abcdefghi"[n % 9] + str(n // 9 + 1) for n in range(81) if cells >> n & 1}


def test_the_page_is_small_and_needs_nobody_else(demo: Demo, browser: Browser) -> None:
    with visit(browser, size=(900, 620)) as page:
        sizes: dict[str, float] = {}
        urls: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on(
            "Network.responseReceived",
            lambda it: urls.update({it["requestId"]: it["response"]["url"]}),
        )
        session.on(
            "Network.loadingFinished",
            lambda it: sizes.update({it["requestId"]: it["encodedDataLength"]}),
        )
        page.goto(demo.url)
        Hand(page)
        page.wait_for_selector("#tray", state="attached")
        assert all(url.startswith(demo.url) for url in urls.values())
        assert 0 < sum(sizes.values()) < TRANSFER_BUDGET


@pytest.mark.slow
def test_the_first_board_is_there_within_a_second(demo: Demo, browser: Browser) -> None:
    taken_ms = []
    for _ in range(3):  # the best of three: this machine may be busy with other tests
        with visit(browser, size=(1280, 800)) as page:
            page.add_init_script(
                "new MutationObserver((_, it) => { if (document.querySelector('.piece')) {"
                " window.firstBoard = performance.now(); it.disconnect(); } })"
                ".observe(document, { subtree: true, childList: true })"
            )
            page.goto(demo.url)
            Hand(page)
            taken_ms.append(page.evaluate("window.firstBoard"))
    assert min(taken_ms) < 1000


@pytest.mark.parametrize(
    "path",
    [
        "",
        "operator",
        pytest.param("?theme=light", marks=pytest.mark.slow),
        pytest.param("cards?game=imperial", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_no_barrier(demo: Demo, browser: Browser, path: str) -> None:
    if not AXE.is_file():
        pytest.skip("needs axe-core (npm install --prefix .ci/node axe-core)")
    demo.fresh("market")
    with visit(browser, size=(1280, 800), bypass_csp=True) as page:
        page.goto(f"{demo.url}operator?token={TOKEN}")
        page.goto(demo.url + path)
        page.wait_for_selector(".piece", state="attached")
        if path == "operator":
            page.click("#configuration summary")
            page.wait_for_selector(".keys")
            page.click("#work [data-deed=self-test]")
            page.click("#work [data-deed=pause-and-begin]")
            page.wait_for_selector("#work .task")
        elif not path.startswith("cards"):
            page.click(".noise summary")
            page.wait_for_selector("[data-knob]")
        page.wait_for_timeout(500)
        page.add_script_tag(content=Path(AXE).read_text(encoding="utf-8"))
        found: Any = page.evaluate("axe.run().then(result => result.violations)")
        if path == "operator":
            demo.command("end-work")
            demo.command("end-work")
        told = [(it["id"], [node["html"][:120] for node in it["nodes"][:3]]) for it in found]
        assert told == []
