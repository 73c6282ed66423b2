"""A headless Chromium at the page of a demonstration that runs as its own process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.support.tools import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

ROOT: Final = Path(__file__).resolve().parents[2]
TOKEN: Final = "0123456789abcdef"
ARGUMENTS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
FRAME: Final = 54
CELL: Final = 108
BOARD: Final = 1080
DASH: Final = "\N{EN DASH}"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
PATIENCE_MS: Final = 15_000


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield Debian's Chromium; skip the test where it is not installed."""
    path = need("chromium", "chromium-browser", "google-chrome")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True)
class Demo:
    """A running demonstration; `done` is what was last asked of it, and when."""

    url: str
    process: subprocess.Popen[str]
    done: deque[str] = field(default_factory=lambda: deque(maxlen=60))

    def get(self, path: str) -> Any:
        """Return the JSON at *path*."""
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def post(self, path: str, body: dict[str, Any], *, token: str | None = None) -> Any:
        """Post JSON and return the answer's."""
        request = urllib.request.Request(self.url + path, data=json.dumps(body).encode())
        if token is not None:
            request.add_header("authorization", f"Bearer {token}")
        asked = time.monotonic()
        with urllib.request.urlopen(request, timeout=10) as answer:
            said = json.load(answer)
        took_ms = 1000 * (time.monotonic() - asked)
        moves, now = said.get("moves") or (), {key: said.get(key) for key in ("reading", "lifted")}
        self.done.append(f"{asked:.3f} +{took_ms:.0f} ms {body} -> {now}, {len(moves)} moves")
        return said

    def told(self) -> str:
        """Say what was asked of the table, and all that it says now: for a test that fails."""
        lines = [*self.done, f"{time.monotonic():.3f} now"]
        for path in ("api/state", "api/leds", "api/health", "api/sim"):
            try:
                lines.append(f"{path}: {json.dumps(self.get(path))}")
            except OSError as error:
                lines.append(f"{path}: {error}")
        return "\n".join(lines)

    @property
    def state(self) -> Any:
        """The snapshot."""
        return self.get("api/state")

    def command(self, name: str, **fields: Any) -> Any:
        """Give a command as the operator."""
        return self.post("api/commands", {"command": name, **fields}, token=TOKEN)

    def fresh(self, variant: str, **options: str) -> None:
        """Begin a game of *variant* with all pieces in their places, whatever went on before."""
        while self.state["work"] is not None:
            self.command("end-work")
        self.command("set-variant", variant=variant, options=options)
        self.post("api/sim", {"setup": True})
        until(lambda: self.state["reading"] == "in-sync" and self.state["moves"] == [])

    def web_process(self) -> int:
        """Return the process id of the page's server."""
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for child in task.read_text(encoding="ascii").split():
            if b"boardctl.web" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        raise AssertionError("the demonstration has no page")


def _scanning(demo: Demo) -> bool:
    """Whether the board is read; a page that has not heard of its board yet answers 503."""
    try:
        return bool(demo.get("api/health")["scanning"])
    except urllib.error.HTTPError as error:
        if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        return False


def until(condition: Callable[[], bool], *, within_s: float = 15.0) -> None:
    """Wait until *condition* holds."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "it did not come to pass in time"
        time.sleep(0.05)  # noqa: TID251  a process of its own is waited for


@contextmanager
def visit(browser: Browser, *, size: tuple[int, int], **options: Any) -> Iterator[Page]:
    """Yield a page of its own; whatever it complains about fails the test."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="reduce",
        locale="en-GB",
        **options,
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda it: complaints.append(it.text) if it.type == "error" else None)
    yield page
    context.close()
    assert complaints == []


@contextmanager
def demonstration(*arguments: str) -> Iterator[Demo]:
    """Run `boardctl demo` on a free port."""
    command = [sys.executable, "-m", "boardctl", "demo", "--port", "0", "--token", TOKEN]
    process = subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        demo = Demo(process.stdout.readline().strip(), process)
        assert demo.url.startswith("http://"), demo.url
        until(lambda: _scanning(demo))
        yield demo
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


class Hand:
    """The mouse over the board of a page."""

    def __init__(self, page: Page, *, king: str = "Ke5", board: str = "#board") -> None:
        self.page = page
        self.board = page.locator(board)
        page.wait_for_selector(f"{board} [data-id={king}]", timeout=PATIENCE_MS)

    def at(self, square: str) -> tuple[float, float]:
        """Return the middle of *square* on the screen."""
        box = self.board.bounding_box()
        assert box is not None
        unit = box["width"] / BOARD
        file, rank = "abcdefghi".index(square[0]), int(square[1])
        x = box["x"] + unit * (FRAME + CELL * (file + 0.5))
        y = box["y"] + unit * (FRAME + CELL * (9.5 - rank))
        return x, y

    def grasp(self, square: str) -> None:
        """Press on the piece on *square*."""
        self.carry(square, steps=1)
        self.page.mouse.down()

    def drag(self, path: str, *, steps: int = 3) -> None:
        """Drag along `e3-c3`."""
        start, end = path.split("-")
        self.grasp(start)
        self.carry(end, steps=steps)
        self.page.mouse.up()

    def carry(self, square: str, *, steps: int = 3) -> None:
        """Move to *square*, and after it when the page shifts its board: parts of it come late."""
        goal = None
        while goal != (goal := self.at(square)):
            self.page.mouse.move(*goal, steps=steps)

    def take_off(self, square: str) -> None:
        """Drag the piece on *square* off the board."""
        self.grasp(square)
        self.page.mouse.move(2, 2, steps=2)
        self.page.mouse.up()

    def play(self, path: str, number: int) -> None:
        """Drag a move and wait until it is the last in the list."""
        self.drag(path)
        shown = f"#moves [data-ply='{number}'][aria-current]"
        self.page.wait_for_selector(shown, timeout=PATIENCE_MS)

    def light(self, square: str) -> str:
        """Return the colour under *square*."""
        return self.page.get_attribute(f"[data-light={square}]", "data-colour") or ""
