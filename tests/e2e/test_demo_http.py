"""The demonstration as scripts see it: a whole game of each variant, through HTTP alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.core.palette import Meaning, colour
from engine import Game, Ply, Side, load_variant
from engine.squares import parse_square, square_name, square_names
from tests.support.chromium import Demo, demonstration, until

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

GAMES = {
    # Short games found by random play: each ends with a different kind of win or capture.
    "sea-battle": "e8-b8 e7-c7 h5-h1 e5-e8 d9-a9 e8-i8",
    "market": "e4-d4 i4-e4xe3 f5-f4xe4 e8-a8 e6-f6 a6-e6 f4-g4 e2-e4xe5",
    "imperial": "i4-i3 e6-g6 a6-e6xe7 d5-d6 d1-d5xc5 f5-f3 d9-d7xd6 e4-d4 f9-f5xg5 e3-d3 e2-e4xe5",
    "linnaeus": "i6-g6 f5-f8 f1-f7xf8 e5-f5 d9-d7xe7 f5-f1",
}
KINDS = {"quiet": Meaning.TARGET, "capture": Meaning.CAPTURE, "win": Meaning.WIN}


def see(demo: Demo, wanted: Mapping[str, Collection[Meaning]]) -> None:
    """Wait until each square has shown the colour of one of its meanings; lights may pulse."""
    seen: dict[str, set[str]] = {name: set() for name in wanted}

    def all_shown() -> bool:
        leds = demo.get("api/leds")["leds"]
        for name, colours in seen.items():
            colours.add(leds[parse_square(name)])
        return all(any(shows(seen[name], each) for each in wanted[name]) for name in wanted)

    until(all_shown)


def when(
    demo: Demo, state: dict[str, Any], holds: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Return the state for which *holds*, now or later: a busy machine answers before it reads."""

    def look() -> bool:
        nonlocal state
        state = demo.state
        return holds(state)

    if not holds(state):
        until(look)
    return state


def shows(colours: set[str], meaning: Meaning) -> bool:
    """Whether one of the colours is that of *meaning*, at any brightness that has a hue."""
    base = colour("default", meaning, 1.0)
    for text in colours:
        led = [int(text[at : at + 2], 16) for at in (1, 3, 5)]
        size = sum(a * a for a in led) ** 0.5 * sum(b * b for b in base) ** 0.5
        dot = sum(a * b for a, b in zip(led, base, strict=True))
        if max(led) > 40 and size and dot / size > 0.985:
            return True
    return False


def lift_and_look(demo: Demo, game: Game, ply: Ply) -> None:
    """Lift the piece; every legal target must be lit in the colour of what it would do."""
    origin = square_name(ply.from_square)
    state = demo.post("api/sim", {"lift": origin})
    legal = [other for other in game.legal_plies if other.from_square == ply.from_square]
    kinds = {square_name(other.to_square): kind_of(game, other) for other in legal}
    state = when(demo, state, lambda told: told["lifted"] == [origin])
    assert state["targets"] == sorted(kinds)
    see(demo, {origin: {Meaning.OWN}} | {name: {KINDS[kind]} for name, kind in kinds.items()})


def kind_of(game: Game, ply: Ply) -> str:
    after = game.push(ply).outcome
    if after is not None and after.winner is game.side:
        return "win"
    return "capture" if ply.captures else "quiet"


def play(demo: Demo, game: Game, ply: Ply, *, look: bool) -> dict[str, Any]:
    """Make a ply by hand: lift, put, take the victims away."""
    if look:
        lift_and_look(demo, game, ply)
    else:
        demo.post("api/sim", {"lift": square_name(ply.from_square)})
    made, captured = len(game.plies) + 1, square_names(ply.captures)
    state = demo.post("api/sim", {"put": square_name(ply.to_square)})
    choosing = "choose-victim"
    state = when(demo, state, lambda it: it["reading"] == choosing or len(it["moves"]) == made)
    if state["reading"] == choosing:
        assert set(captured) <= set(state["choices"])
    elif game.push(ply).outcome is None:
        assert state["victims"] == captured
    if look:
        see(demo, {victim: {Meaning.VICTIM, Meaning.CHOICE} for victim in captured})
    for victim in captured:
        state = demo.post("api/sim", {"lift": victim})
    return when(demo, state, lambda it: len(it["moves"]) == made)


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    with demonstration("--seed", "1") as running:
        yield running


@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_game_is_played_through_http_with_its_lights(demo: Demo, variant: str) -> None:
    moves = GAMES[variant].split()
    first = load_variant(variant).first or Side.ATTACKER
    demo.fresh(variant, first=first.value)
    game = Game.start(load_variant(variant), side=first)
    for number, text in enumerate(moves):
        ply = game.parse(text)
        state = play(demo, game, ply, look=number in {2, len(moves) - 1})
        game = game.push(ply)
        assert state["moves"] == [str(each) for each in game.plies]
    assert game.outcome is not None
    until(lambda: demo.state["reading"] == "finished")
    outcome = demo.state["outcome"]
    assert outcome == {
        "winner": game.outcome.winner and game.outcome.winner.value,
        "result": game.outcome.result.value,
        "reason": game.outcome.reason.value,
    }
    _see_pictures(demo, 6)
    kept = demo.get("api/games")["games"][0]["id"]
    until(lambda: demo.get(f"api/games/{kept}")["moves"] == [str(ply) for ply in game.plies])
    assert demo.get(f"api/games/{kept}")["outcome"] == outcome


def _see_pictures(demo: Demo, count: int) -> None:
    """Wait until the lights have shown so many different pictures."""
    seen: set[tuple[str, ...]] = set()

    def enough() -> bool:
        seen.add(tuple(demo.get("api/leds")["leds"]))
        return len(seen) >= count

    until(enough)


def test_the_first_two_lines_are_the_page_and_the_operators_page() -> None:
    process = _demo("--port", "0", "--token", "0123456789abcdef")
    assert process.stdout is not None
    page, operator = process.stdout.readline().strip(), process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", page)
    assert operator == f"{page}operator?token=0123456789abcdef"
    with urllib.request.urlopen(f"{page}api/state", timeout=10) as answer:
        assert json.load(answer)["variant"] == "market"
    assert _ended(process, signal.SIGTERM) == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(page, timeout=2)


def test_a_page_that_dies_comes_back_and_finds_the_game() -> None:
    with demonstration() as demo:
        demo.post("api/sim", {"lift": "e3"})
        demo.post("api/sim", {"put": "c3"})
        os.kill(_children(demo.process.pid)[0], signal.SIGKILL)
        until(lambda: _moves(demo) == ["e3-c3"])


def test_the_page_ends_with_a_board_that_is_killed() -> None:
    process = _demo("--port", "0")
    assert process.stdout is not None
    process.stdout.readline()
    until(lambda: _children(process.pid) != [])
    (page,) = _children(process.pid)
    _ended(process, signal.SIGKILL)
    until(lambda: _is_gone(page))


def _demo(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "boardctl", "demo", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _ended(process: subprocess.Popen[str], number: signal.Signals) -> int:
    process.send_signal(number)
    code = process.wait(10)
    if process.stdout is not None:
        process.stdout.close()
    return code


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_gone(pid: int) -> bool:
    """Whether a process has ended, be its parent still to hear of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def _moves(demo: Demo) -> list[str] | None:
    try:
        moves: list[str] = demo.state["moves"]
    except (urllib.error.URLError, ConnectionError):
        return None
    return moves


def test_a_game_of_ones_own_is_demonstrated_from_its_file(tmp_path: Path) -> None:
    ours = files("engine") / "rulesets" / "imperial.toml"
    text = ours.read_text(encoding="utf-8").replace('name = "imperial"', 'name = "grandpa"')
    own = tmp_path / "own.toml"
    own.write_text(text.replace("king_range]\nvalue = 4", "king_range]\nvalue = 2"))
    lots = []
    for seed in ("2", "2", "9"):
        with demonstration("--variant", str(own), "--seed", seed) as demo:
            until(lambda: demo.state["side"] is not None)
            state = demo.state
            lots.append(state["side"])
            assert state["variant"] == "grandpa"
            demo.command("confirm-position", position="/9/9/4t4/9/4K4/9/9/9/4t4/", side="defenders")
            until(lambda: demo.state["reading"] == "in-sync")
            # Three squares are too far for this king, who goes two.
            assert demo.post("api/sim", {"lift": "e5"})["targets"] == sorted(
                ["e4", "e6", "e7", "d5", "c5", "f5", "g5"]
            )
    assert lots[0] == lots[1]
