"""Rule cards on paper, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from engine import VARIANTS
from tests.support.chromium import Demo, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

A4_MM = (297, 210)
"""Across."""

MM_PER_POINT = 25.4 / 72


def pages(pdf: bytes) -> list[tuple[int, int]]:
    """Return the size of each page of a PDF, in whole millimetres."""
    boxes = re.findall(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]", pdf)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == len(boxes)
    return [(round(float(x) * MM_PER_POINT), round(float(y) * MM_PER_POINT)) for x, y in boxes]


CUT_OFF = """() => {
  const box = (node) => node.getBoundingClientRect();
  const [sheet, lights] = ["#card", ".lights"].map((name) => box(document.querySelector(name)));
  const nodes = [...document.querySelectorAll("#card :is(h1, p, li, #start), .lights div")];
  const bad = nodes.filter((node) => {
    const { width, right, bottom } = box(node);
    const below = node.closest(".lights, .card-title") ? sheet.bottom : lights.top;
    return width === 0 || right > sheet.right || bottom > below + 1;
  });
  return bad.map((node) => node.textContent.slice(0, 60));
}"""
"""What of the card lies outside the sheet, or over another part of it."""


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(it, marks=pytest.mark.slow) for it in ("en", "da"))]
)
def test_every_card_is_one_sheet_with_all_its_rules_and_signs(
    demo: Demo, browser: Browser, language: str
) -> None:
    with visit(browser, size=(1200, 900)) as page:
        page.emulate_media(media="print")
        for variant in VARIANTS:
            page.goto(f"{demo.url}cards?game={variant}&lang={language}")
            page.wait_for_selector("#start .piece", state="attached")
            assert page.locator(".texts section").count() == 3
            assert page.locator(".texts section").first.get_attribute("lang") == language
            assert page.locator(".lights div").count() == 10
            assert page.evaluate(CUT_OFF) == [], variant
            # The grain of the wood takes two seconds a sheet, and no room.
            page.evaluate("document.querySelector('#start .wood').style.background = 'none'")
            assert pages(page.pdf(prefer_css_page_size=True)) == [A4_MM], variant
