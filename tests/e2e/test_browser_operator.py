"""The operator's page in a real browser."""

from __future__ import annotations

import urllib.error
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.requests import _READERS as COMMANDS
from engine import Side, parse_position
from engine.squares import square_names
from tests.support.chromium import TOKEN, Demo, Hand, until, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with visit(browser, size=(1000, 700)) as opened:
        yield opened


def enter(demo: Demo, page: Page) -> None:
    """Open the operator's page with the token."""
    page.goto(f"{demo.url}operator?token={TOKEN}")
    page.wait_for_selector("#desk #undo")


def steady(demo: Demo) -> dict[str, Any]:
    """Return what only commands and moves change."""
    keys = ("game", "moves", "position", "side", "variant", "options", "settings", "reading")
    return {key: value for key, value in demo.state.items() if key in keys}


def press_twice(page: Page, selector: str) -> None:
    """Press a button that asks whether one is sure."""
    page.click(selector)
    page.wait_for_selector(f"{selector}.sure")
    page.click(selector)


def test_without_the_token_the_desk_stays_closed(demo: Demo, page: Page) -> None:
    page.goto(f"{demo.url}operator")
    page.wait_for_selector("#login:visible")
    assert page.locator("#desk").is_hidden()
    before = steady(demo)
    for name in COMMANDS:
        with pytest.raises(urllib.error.HTTPError, match="401"):
            demo.post("api/commands", {"command": name})
    with pytest.raises(urllib.error.HTTPError, match="401"):
        demo.get("api/configuration")
    assert steady(demo) == before
    page.fill("input[name=token]", "not-the-token")
    page.click("#login button")
    page.wait_for_selector("#login-wrong:has-text('not the token')")
    page.fill("input[name=token]", TOKEN)
    page.click("#login button")
    page.wait_for_selector("#desk:visible")


def test_the_token_leaves_the_address_bar(demo: Demo, page: Page) -> None:
    enter(demo, page)
    assert TOKEN not in page.url
    assert page.evaluate("document.cookie") == ""


def test_a_move_is_taken_back(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    demo.post("api/sim", {"lift": "e3"})
    demo.post("api/sim", {"put": "c3"})
    until(lambda: demo.state["moves"] == ["e3-c3"])
    enter(demo, page)
    page.wait_for_selector("#status:has-text('e3-c3')")
    page.click("#undo")
    until(lambda: demo.state["moves"] == [])
    page.wait_for_selector("#toast.shown:has-text('Done')")


def test_a_game_with_options_is_chosen(demo: Demo, page: Page) -> None:
    enter(demo, page)
    page.select_option("#game", "sea-battle")
    page.select_option("[data-option=layout]", "cross")
    page.select_option("[data-option=first]", "defenders")
    press_twice(page, "#start-game")
    until(lambda: demo.state["variant"] == "sea-battle")
    options = demo.state["options"]
    assert (options["layout"], options["first"]) == ("cross", "defenders")


def test_the_choice_begins_with_what_the_table_plays_and_keeps_what_is_chosen(
    demo: Demo, page: Page
) -> None:
    demo.fresh("sea-battle", layout="cross")
    enter(demo, page)
    until(lambda: page.input_value("#game") == "sea-battle")
    assert page.input_value("[data-option=layout]") == "cross"
    demo.fresh("linnaeus")
    until(lambda: page.input_value("#game") == "linnaeus")
    page.select_option("#game", "imperial")
    demo.fresh("market")
    page.wait_for_selector("#origin:has-text('Market')")
    assert page.input_value("#game") == "imperial"


def test_every_button_does_what_it_says(demo: Demo, page: Page) -> None:
    demo.fresh("sea-battle")
    enter(demo, page)
    page.click("#hint")
    until(lambda: demo.state["hint"] is not None)
    page.wait_for_selector("#toast.shown:has-text('Done')")
    page.click("#pause")
    page.wait_for_selector("#status:has-text('Paused')")
    page.click("#resume")
    page.wait_for_selector("#pause:visible")
    assert demo.state["reading"] == "in-sync"
    for button, winner, reason in (
        ("#agree", None, "agreed"),
        ("#undecidable", None, "undecidable"),
        ("#resign-attackers", "defenders", "resigned"),
        ("#resign-defenders", "attackers", "resigned"),
        ("#win-defenders", "defenders", "operator"),
    ):
        press_twice(page, button)
        until(lambda: demo.state["outcome"] is not None)
        assert (demo.state["outcome"]["winner"], demo.state["outcome"]["reason"]) == (
            winner,
            reason,
        )
        page.wait_for_selector("#status:has-text('Game over')")
        page.click("#undo")
        until(lambda: demo.state["outcome"] is None)
    south = demo.state["south"]
    press_twice(page, "#swap")
    until(lambda: demo.state["south"] != south)
    game = demo.state["game"]
    press_twice(page, "#new-game")
    until(lambda: demo.state["game"] != game)
    demo.post("api/sim", {"lift": "e3"})
    press_twice(page, "#as-board")
    until(lambda: "e3" not in demo.state["missing"] + demo.state["lifted"])
    press_twice(page, "#new-game")
    press_twice(page, "#lesson-2")
    page.wait_for_selector("#status:has-text('Lesson')")
    assert demo.state["lesson"]["number"] == 2


def test_a_result_is_declared_only_by_the_second_press(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    enter(demo, page)
    page.click("#win-attackers")
    page.wait_for_selector("#win-attackers.sure")
    assert demo.state["outcome"] is None
    page.click("#win-attackers")
    until(lambda: (demo.state["outcome"] or {}).get("winner") == "attackers")


def test_the_position_is_corrected_by_dragging(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    demo.post("api/sim", {"lift": "e3"})
    enter(demo, page)
    page.click("#edit")
    page.wait_for_selector("#editor [data-square=e3]", state="attached")
    page.locator("#editor").scroll_into_view_if_needed()
    hand = Hand(page, king="Ke5", board="#editor")
    hand.drag("e3-b2")
    page.check("input[name=side][value=attackers]")
    page.click("#use-position")
    until(lambda: demo.state["side"] == "attackers")
    assert demo.state["position"] == "/3ttt3/1T2t4/9/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
    demo.post("api/sim", {"put": "b2"})
    until(lambda: demo.state["reading"] == "in-sync")


def test_settings_reach_the_table(demo: Demo, page: Page) -> None:
    enter(demo, page)
    page.locator("[data-setting=brightness]").fill("0.8")
    until(lambda: demo.state["settings"]["brightness"] == 0.8)
    page.select_option("[data-setting=palette]", "high-contrast")
    until(lambda: demo.state["settings"]["palette"] == "high-contrast")
    page.check("[data-setting=danger]")
    until(lambda: demo.state["settings"]["danger"] is True)
    page.click("#configuration summary")
    page.wait_for_selector(".from-table:has-text('danger'):has-text('changed at the table')")
    page.wait_for_selector(".from-environment:has-text('BOARDCTL_SWITCHES__DRIVER')")
    page.wait_for_selector(".from-default:has-text('scan_hz'):has-text('200.0')")


def test_a_self_test_waits_for_the_game_leads_and_leaves_it_as_it_was(
    demo: Demo, page: Page
) -> None:
    demo.fresh("market")
    before = steady(demo)
    enter(demo, page)
    page.click("#work [data-deed=self-test]")
    page.wait_for_selector("#work [role=alert]:has-text('A game is being played')")
    assert demo.state["work"] is None
    page.click("#work [data-deed=pause-and-begin]")
    page.wait_for_selector("#work .task")
    while "take all pieces" not in (shown := task(demo)):
        demo.command("skip-step")
        until(lambda shown=shown: task(demo) != shown)  # type: ignore[misc]
    for square in pieces(before["position"]):
        demo.post("api/sim", {"lift": square})
    page.wait_for_selector("#work .asked:has-text('a1')", state="attached")
    until(lambda: demo.get("api/leds")["leds"] == ["#8c8c8c"] + ["#000000"] * 80)
    demo.post("api/sim", {"put": "a1"})
    page.wait_for_selector("#work .good:has-text('a1')", state="attached")
    page.wait_for_selector("#work .asked:has-text('b1')", state="attached")
    page.click("#work [data-deed=skip-step]")
    page.wait_for_selector("#work .asked:has-text('c1')", state="attached")
    page.select_option("#language", "de")
    page.wait_for_selector("#work .task:has-text('Die Figur auf c1 stellen')")
    page.click("#work [data-deed=end-work]")
    page.wait_for_selector("#work h3:has-text('1 von 81 gut')")
    page.click("#work [data-deed=end-work]")
    page.wait_for_selector("#work p.soft")
    demo.post("api/sim", {"setup": True})
    page.click("#resume")
    until(lambda: demo.state["reading"] == "in-sync")
    assert steady(demo) == before


def task(demo: Demo) -> str:
    """Return what the person at the table is to do."""
    told: str = demo.state["work"]["task"]
    return told


def pieces(position: str) -> list[str]:
    """Return the squares that hold a piece in a position record."""
    found = parse_position(position, Side.ATTACKER)
    return square_names(found.occupied)


def test_past_games_are_replayed(demo: Demo, page: Page) -> None:
    demo.fresh("market")
    demo.post("api/sim", {"lift": "e3"})
    demo.post("api/sim", {"put": "c3"})
    until(lambda: demo.state["moves"] == ["e3-c3"])
    demo.command("resign", side="defenders")
    until(lambda: newest_ended(demo).get("plies") == 1)
    enter(demo, page)
    page.click("#archive .links a >> nth=0")
    Hand(page)
    page.click("#next")
    assert page.get_attribute("[data-id=Te3]", "data-square") == "c3"


def newest_ended(demo: Demo) -> dict[str, Any]:
    """Return the newest finished game of the archive's list; empty where there is none."""
    return next((game for game in demo.get("api/games")["games"] if game["outcome"]), {})
