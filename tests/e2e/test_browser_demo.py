"""The demonstration as a newcomer sees it, in a real browser."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import VARIANTS, Game, Side, format_position, load_variant
from tests.support.chromium import DASH, TIMES, Demo, Hand, until, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

DARK = "#000000"
CROSS = ("e4-b4", "e5-e4", "e4-g4", "g4-g1")
DIAMOND = ("f4-f2", "e5-e4", "e4-h4", "h4-h1")
"""The defenders' way to a win while the attackers only shuffle."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with visit(browser, size=(900, 620)) as opened:
        yield opened


def test_a_dragged_piece_lights_its_squares_and_makes_a_move(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    hand.grasp("e3")
    page.wait_for_selector(f"[data-light=c3]:not([data-colour='{DARK}'])", state="attached")
    until(lambda: demo.state["lifted"] == ["e3"])
    lit = {square for square in demo.state["targets"] if hand.light(square) != DARK}
    assert lit == {"a3", "b3", "c3", "d3", "f3", "g3", "h3", "i3"}
    leds = demo.get("api/leds")["leds"]
    assert hand.light("c3") == leds[2 * 9 + 2]
    page.mouse.move(*hand.at("c3"), steps=4)
    page.mouse.up()
    page.wait_for_selector("#moves [data-ply='1'][aria-current]")
    assert demo.state["moves"] == ["e3-c3"]
    assert page.get_attribute("[data-id=Te3]", "data-square") == "c3"
    page.wait_for_selector("#turn[data-side=attackers]")
    assert "Attackers" in page.inner_text("#turn")


@pytest.mark.parametrize(
    "variant",
    [
        "imperial",
        *(pytest.param(it, marks=pytest.mark.slow) for it in ("sea-battle", "market", "linnaeus")),
    ],
)
def test_a_whole_game_is_played_by_dragging(demo: Demo, page: Page, variant: str) -> None:
    demo.fresh(variant, first="attackers")  # a lot would take its time
    page.goto(demo.url)
    hand = Hand(page)
    winning = list(DIAMOND if variant == "sea-battle" else CROSS)
    shuffling = ["d9-c9", "c9-d9"] * 3
    for number in range(1, 9):
        mover = demo.state["side"]
        if mover is None:
            break
        hand.play((winning if mover == "defenders" else shuffling).pop(0), number)
    page.wait_for_selector("#turn .small:has-text('Winner')")
    outcome = demo.state["outcome"]
    assert (outcome["winner"], outcome["reason"]) == ("defenders", "king-escaped")
    page.click("#set-up")
    until(lambda: demo.state["moves"] == [])


def test_a_pushed_piece_closes_each_switch_on_its_way(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    page.click(".modes label:has-text('Slide')")
    sent: list[str] = []
    page.on("request", lambda it: sent.append(it.post_data or "") if "/sim" in it.url else None)
    hand.drag("e3-a3", steps=16)
    page.wait_for_selector(f"#moves [data-ply='1']:has-text('e3{DASH}a3')")
    assert demo.state["moves"] == ["e3-a3"]
    told = "".join(sent)
    assert all(square in told for square in ("e3", "d3", "c3", "b3", "a3"))


def test_noise_is_turned_up_and_the_game_is_read_all_the_same(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    page.click(".noise summary")
    page.wait_for_selector("[data-knob=bounce_ms]")
    try:
        for name, value in (("chatter", "1"), ("bounce_ms", "9"), ("reach_mm", "57")):
            page.locator(f"[data-knob={name}]").fill(value)
        until(lambda: knobs(demo) >= {("chatter", 1), ("bounce_ms", 9), ("reach_mm", 57)})
        assert page.inner_text(".knob:has([data-knob=chatter]) output") == "100 %"
        page.click(".modes label:has-text('Slide')")
        hand.drag("e3-a3", steps=16)
        page.wait_for_selector(f"#moves [data-ply='1']:has-text('e3{DASH}a3')")
        page.wait_for_selector(".counts:has-text('Changes of switches believed')")
    finally:
        page.click("[data-quiet]")
    until(lambda: knobs(demo) >= {("chatter", 0), ("bounce_ms", 0), ("reach_mm", 25)})
    until(lambda: demo.state["moves"] == ["e3-a3"])


def knobs(demo: Demo) -> set[tuple[str, float]]:
    """Return where the knobs of the simulated hands stand."""
    return {(name, knob["value"]) for name, knob in demo.get("api/sim")["noise"].items()}


def test_a_captured_piece_is_marked_until_it_is_taken_off(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    for number, move in enumerate(("e3-c3", "d1-d4", "c5-c4"), 1):
        hand.play(move, number)
    page.wait_for_selector("[data-square=d4][data-state=victim]", state="attached")
    assert demo.state["victims"] == ["d4"]
    hand.take_off("d4")
    until(lambda: demo.state["victims"] == [])
    page.wait_for_selector("#tray .spare")
    assert page.locator("#taken-attackers .count").inner_text() == "1"


def test_the_mover_chooses_the_victim(demo: Demo, page: Page) -> None:
    demo.fresh("imperial", first="attackers")
    demo.post("api/sim", {"lift": "d9"})
    demo.command("confirm-position", position="/9/4t4/9/9/2tT1Tt2/9/9/4K2T1/9/", side="attackers")
    page.goto(demo.url)
    page.wait_for_selector("#set-up:visible")
    page.click("#set-up")
    until(lambda: demo.state["reading"] == "in-sync")
    page.wait_for_selector("#demo[aria-busy=false]")
    hand = Hand(page, king="Ke8")
    hand.drag("e2-e5")
    page.wait_for_selector("#turn[data-reading=choose-victim]")
    assert demo.state["choices"] == ["d5", "f5"]
    hand.take_off("f5")
    page.wait_for_selector(f"#moves [data-ply='1']:has-text('{TIMES}f5')")
    assert demo.state["moves"] == ["e2-e5xf5"]
    assert page.get_attribute("[data-id=Td5]", "data-square") == "d5"


def test_a_wiped_board_is_repaired_by_the_lights(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    for square in ("e7", "a5", "i5"):
        hand.take_off(square)
    page.wait_for_selector("#set-up:visible")
    until(lambda: {*demo.state["missing"]} == {"e7", "a5", "i5"})
    lit = f"[data-light={{}}]:not([data-colour='{DARK}'])"
    for square in ("e7", "a5", "i5"):
        page.wait_for_selector(lit.format(square), state="attached")
    for square in ("e7", "a5", "i5"):
        page.locator(".spare >> nth=0").hover()
        page.mouse.down()
        page.mouse.move(*hand.at(square), steps=3)
        page.mouse.up()
        page.wait_for_selector(f"[data-light={square}][data-colour='{DARK}']", state="attached")
    until(lambda: demo.state["reading"] == "in-sync")
    assert page.locator(".spare").count() == 0


def test_a_silent_chip_is_told_and_play_goes_on_elsewhere(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    page.click(".faults summary")
    page.select_option("[data-fault-chip]", "0x20")
    try:
        page.click("[data-chip=silent]")
        page.wait_for_selector("#notice:has-text('0x20')")
        assert page.get_attribute("[data-id=te1]", "data-state") == "on"
        hand.play("e7-g7", 1)
    finally:
        page.click("[data-chip=answer]")
    page.wait_for_selector("#notice:empty", state="attached")


def test_earlier_positions_are_shown_on_request(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    hand = Hand(page)
    hand.play("e3-c3", 1)
    hand.play("d9-c9", 2)
    page.click("#previous")
    assert page.get_attribute("[data-id=td9]", "data-square") == "d9"
    assert "1" in page.inner_text("#looking-text")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute("[data-id=Te3]", "data-square") == "e3"
    page.click("#back-to-live")
    assert page.get_attribute("[data-id=td9]", "data-square") == "c9"


def test_the_board_is_played_by_keys_alone(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    page.goto(demo.url)
    Hand(page)
    page.focus("#board")
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(f"#moves [data-ply='1']:has-text('e3{DASH}c3')")
    assert page.inner_text("#news") != ""


def test_the_page_speaks_three_languages(demo: Demo, page: Page) -> None:
    demo.fresh("linnaeus")
    page.goto(demo.url + "?lang=da")
    Hand(page)
    assert "Moskovitter" in page.inner_text("#turn")
    page.select_option("#language", "de")
    page.wait_for_selector("#turn:has-text('Moskowiter')")
    assert page.get_attribute("html", "lang") == "de"
    page.click("#open-rules")
    assert "Raicki" in page.inner_text("#rules-body")


def test_the_visitor_chooses_light_or_dark_and_is_remembered(demo: Demo, page: Page) -> None:
    def is_dark() -> bool:
        script = "getComputedStyle(document.documentElement).getPropertyValue('--dark').trim()"
        return bool(page.evaluate(script) == "1")

    page.emulate_media(color_scheme="dark")
    page.goto(demo.url)
    assert is_dark()
    page.emulate_media(color_scheme="light")
    assert not is_dark()
    page.click("#theme")
    assert is_dark()
    page.reload()
    page.wait_for_selector("#board .piece", state="attached")
    assert is_dark()
    page.goto(f"{demo.url}?theme=light")
    page.wait_for_selector("#board .piece", state="attached")
    assert not is_dark()


def test_the_page_plays_every_record_backwards(demo: Demo, page: Page) -> None:
    games = [random_game(variant, seed) for variant in VARIANTS for seed in range(4)]
    assert any(game.position.king is None for game in games), "no game in which the king is taken"
    page.goto(f"{demo.url}cards")
    for game in games:
        snapshot = {
            "position": format_position(game.position), "moves": [str(ply) for ply in game.plies]
        }  # fmt: skip
        told = page.evaluate(
            "snapshot => import('/static/js/record.js').then(({ framesOf, formatPosition }) =>"
            " framesOf(snapshot).map(({ squares }) => formatPosition("
            "new Map([...squares].map(([square, id]) => [square, id[0]])))))",
            snapshot,
        )
        assert told == positions(game)


def random_game(variant: str, seed: int) -> Game:
    """Return a game of eager captures."""
    rng = random.Random(seed)
    ruleset = load_variant(variant)
    game = Game.start(ruleset, side=ruleset.first or Side.ATTACKER)
    while game.outcome is None and game.ply_count < 60:
        eager = [ply for ply in game.legal_plies if ply.captures]
        game = game.push(rng.choice(eager or list(game.legal_plies)))
    return game


def positions(game: Game) -> list[str]:
    """Return every position of a game, the start first."""
    found: list[str] = []
    at: Game | None = game
    while at is not None:
        found.append(format_position(at.position))
        at = at.parent
    return found[::-1]
