"""Take the pictures of docs/images: `python docs/make_screenshots.py` (needs Chromium).

With names of what is shown (`operator work`) only those are taken; a quiet machine makes the health
figures on them true.

Each is a real page of a running demonstration, played through the simulated board's switches.
"""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402

from engine import Call, Game, Side, load_variant, parse_position  # noqa: E402
from engine.squares import square_name, square_names  # noqa: E402
from tests.support.chromium import TOKEN, Demo, Hand, chromium, demonstration, until  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    from engine.moves import Ply

IMAGES: Final = ROOT / "docs" / "images"
DESK: Final = (1600, 900)
PHONE: Final = (390, 844)
DARK: Final = "#000000"


def moment(page: Page, good: Callable[[], bool]) -> bytes:
    """Return a picture of *page* taken while *good* held: lights wink."""
    while True:
        until(good)
        page.wait_for_timeout(80)
        picture = page.screenshot()
        if good():
            return picture


def save(page: Page, name: str, picture: bytes | None = None) -> None:
    """Save a picture of *page* with 256 colours: a third of the bytes for hardly a difference."""
    image = Image.open(io.BytesIO(picture or page.screenshot())).convert("RGB")
    path = IMAGES / name
    palette = image.quantize(256, method=Image.Quantize.MAXCOVERAGE)
    image.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KiB")  # noqa: T201


def random_game(variant: str, plies: int, wanted: Callable[[Game], bool], *, seed: int) -> Game:
    """Return a game that captures where it can, of at least *plies* plies, for which *wanted*."""
    rng = random.Random(seed)  # noqa: S311
    ruleset = load_variant(variant)
    while True:
        game = Game.start(ruleset, side=ruleset.first or Side.ATTACKER)
        while game.outcome is None and game.ply_count < plies + 12:
            if game.ply_count >= plies and wanted(game):
                return game
            captures = [ply for ply in game.legal_plies if ply.captures]
            eager = captures and rng.choice([True, False])
            game = game.push(rng.choice(captures if eager else list(game.legal_plies)))


def play(demo: Demo, plies: tuple[Ply, ...]) -> None:
    """Make the moves with simulated hands: lift, take the victims off, put."""
    for number, ply in enumerate(plies, 1):
        demo.post("api/sim", {"lift": square_name(ply.from_square)})
        demo.post("api/sim", {"put": square_name(ply.to_square)})
        for victim in square_names(ply.captures):
            demo.post("api/sim", {"lift": victim})
        until(lambda number=number: len(demo.state["moves"]) == number)  # type: ignore[misc]


def open_page(browser: Browser, url: str, size: tuple[int, int], theme: str = "dark") -> Page:
    """Open a page of its own."""
    page = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light" if theme == "light" else "dark",
        device_scale_factor=2 if size == PHONE else 1,
        locale="en-GB",
    ).new_page()
    page.goto(url)
    page.wait_for_selector(".piece", state="attached")
    page.wait_for_timeout(900)
    return page


def showpiece(game: Game) -> str | None:
    """Return a piece inside the board that has many ways to go and something to take."""
    ways: dict[str, int] = {}
    for ply in game.legal_plies:
        name = square_name(ply.from_square)
        ways[name] = ways.get(name, 0) + 1
    takers = {square_name(ply.from_square) for ply in game.legal_plies if ply.captures}
    good = [it for it in takers if it[0] in "bcdefgh" and it[1] in "2345678" and ways[it] > 6]  # noqa: PLR2004
    return max(good, key=lambda it: ways[it], default=None)


def well_under_way(game: Game) -> bool:
    """Tell whether some pieces have been taken and the next capture would look good."""
    taken = sum(bool(ply.captures) for ply in game.plies)
    return taken > 2 and showpiece(game) is not None  # noqa: PLR2004


def board(demo: Demo, browser: Browser) -> None:
    """A piece in the air, its squares lit."""
    demo.fresh("market")
    game = random_game("market", 18, well_under_way, seed=5)
    play(demo, game.plies)
    page = open_page(browser, demo.url, DESK)
    hand = Hand(page)
    taken = showpiece(game)
    assert taken is not None
    hand.grasp(taken)
    x, y = hand.at(taken)
    page.mouse.move(x + 30, y - 30, steps=6)
    until(lambda: demo.state["targets"] != [])
    kinds = demo.state["target_kinds"]
    prize = next(square for square, kind in kinds.items() if kind == "capture")
    page.wait_for_timeout(900)
    lit = moment(page, lambda: hand.light(prize) != DARK and hand.light(taken) > "#8")
    save(page, "board.png", lit)
    page.mouse.move(x, y, steps=4)
    page.mouse.up()


def call(demo: Demo, browser: Browser) -> None:
    """Two ways to the edge are open; the page in daylight."""
    demo.fresh("linnaeus")
    game = random_game(
        "linnaeus", 16, lambda it: it.call is Call.TUICKU and it.side is Side.ATTACKER, seed=3
    )
    play(demo, game.plies)
    page = open_page(browser, demo.url, DESK, "light")
    Hand(page, king="Ke5")
    page.wait_for_selector("#call:visible")
    save(page, "call.png")


def allies(demo: Demo, browser: Browser) -> None:
    """The four allies of Imperial Contest on a phone."""
    demo.fresh("imperial")
    page = open_page(browser, demo.url, PHONE)
    Hand(page)
    save(page, "phone.png")


def operator(demo: Demo, browser: Browser) -> None:
    """The operator's page while the position is corrected."""
    page = open_page(browser, f"{demo.url}operator?token={TOKEN}", (1500, 1120))
    page.click("#edit")
    page.wait_for_selector("#editor .piece", state="attached")
    page.wait_for_selector("#health .heat")
    save(page, "operator.png")


def work(demo: Demo, browser: Browser) -> None:
    """A self test on its way, one square in three without an answer."""
    page = open_page(browser, f"{demo.url}operator?token={TOKEN}", (1500, 1120))
    demo.command("pause")
    for square in square_names(parse_position(demo.state["position"], Side.ATTACKER).occupied):
        demo.post("api/sim", {"lift": square})
    demo.command("self-test")
    shown = ""
    while demo.state["work"]["square"] != "f2":
        task = demo.state["work"]["task"]
        square = demo.state["work"]["square"]
        if task == shown:
            page.wait_for_timeout(30)
        elif square is None:
            demo.command("skip-step")
        elif task.startswith("put") and square == "d1":
            demo.command("skip-step")
        elif task.startswith("put"):
            demo.post("api/sim", {"put": square})
            until(lambda square=square: square in demo.state["work"]["squares"])  # type: ignore[misc]
            demo.post("api/sim", {"lift": square})
        shown = task
    page.wait_for_selector("#work .asked:has-text('f2')", state="attached")
    page.wait_for_timeout(300)
    save(page, "work.png", page.locator("#work").screenshot())
    demo.command("end-work")
    demo.command("end-work")


def noise(demo: Demo, browser: Browser) -> None:
    """The sliders of the simulated board."""
    demo.fresh("market")
    knobs = {"chatter": 0.6, "reach_mm": 48, "missed": 0.3}
    demo.post("api/sim", {"noise": knobs})
    play(demo, random_game("market", 6, lambda _: True, seed=2).plies[:6])
    page = open_page(browser, demo.url, (1500, 1400))
    page.click(".noise summary")
    page.wait_for_selector(".counts:has-text('Read so far')")
    page.wait_for_timeout(300)
    save(page, "noise.png", page.locator("#demo").screenshot())


def card(demo: Demo, browser: Browser) -> None:
    """A rule card."""
    page = open_page(browser, f"{demo.url}cards?game=linnaeus", (1180, 900), "light")
    page.wait_for_selector("#start .piece", state="attached")
    save(page, "card.png")


def main(*names: str) -> None:
    """Take all pictures, or those named."""
    IMAGES.mkdir(exist_ok=True)
    takes = (board, call, allies, operator, work, noise, card)
    with demonstration("--seed", "1") as demo, chromium() as browser:
        for take in takes:
            if not names or take.__name__ in names:
                take(demo, browser)


if __name__ == "__main__":
    main(*sys.argv[1:])
