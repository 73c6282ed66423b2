"""Self test and calibration at a running table: a person follows the lights, the game waits."""

from __future__ import annotations

import logging
import random
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.core.commands import Setting
from boardctl.core.effects import SettingChanged
from boardctl.core.events import Button, ButtonHeld, ButtonPressed
from boardctl.core.orders import NO_WORK, NOT_NOW, PAUSE_FIRST, WORK_RUNS
from boardctl.core.snapshot import Phase
from boardctl.errors import NotNowError
from boardctl.loop import Loop
from boardctl.requests import StartWork, Work
from boardctl.texts import fill
from boardctl.workshop import Tools, Workshop
from engine.squares import SQUARES, parse_square, square_name
from hardware.backends import open_simulation
from hardware.cells import Cell, CellSet
from hardware.guide import WHITE
from hardware.wiring import DirectWiring, all_inputs, led_order
from tests.support.shell import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.core.events import Event

ORDER = led_order("serpentine")
SCAN_HZ = 50.0
"""Slow scans: what is tested here takes a minute of the table's time."""


@pytest.fixture
def bench() -> Iterator[Bench]:
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder), scan_hz=SCAN_HZ)
        made.run(2.0)
        yield made
        made.close()


def command(bench: Bench, name: str, **fields: Any) -> Any:
    return bench.answer("command", {"command": name, **fields})


def work(bench: Bench) -> Any:
    return bench.loop.state()["work"]


def report(bench: Bench) -> Any:
    status, body = bench.answer("query", {"query": "work"})
    assert status == 200
    return body["work"]


def begin(bench: Bench, name: str = "self-test") -> None:
    command(bench, "pause")
    assert command(bench, name)[0] == 200
    bench.simulation.board.set(CellSet(0))


def follow(bench: Bench, *, place_of_light: dict[int, int] | None = None) -> None:
    """Put the piece where the task or the one light says, until the work is over."""
    board = bench.simulation.board
    while (now := work(bench))["working"]:
        task = now["task"]
        if task.startswith("put the piece"):
            board.set(CellSet(0))
            bench.run(0.1)
            square = now["square"] or place(bench, place_of_light or {})
            if square is not None:
                board.put(Cell(parse_square(square)))
        while work(bench)["task"] == task and work(bench)["working"]:
            bench.run(0.1)


def place(bench: Bench, place_of_light: dict[int, int]) -> str | None:
    """Return where the one light glows that the strip shows now."""
    lit = [cell for cell, colour in enumerate(bench.simulation.strip.last) if colour == WHITE]
    if len(lit) != 1:
        return None
    where = next(square for square in SQUARES if square == place_of_light.get(lit[0], lit[0]))
    return square_name(where)


def test_a_good_board_passes_and_the_game_is_as_it_was(bench: Bench) -> None:
    bench.answer("sim", {"lift": "e7"})
    bench.answer("sim", {"put": "a7"})
    command(bench, "pause")
    before = bench.loop.state()
    begin(bench)
    follow(bench)
    told = report(bench)
    assert (told["working"], told["problems"], told["task"]) == (False, [], None)
    assert set(told["squares"].values()) == {"good"}
    assert len(told["squares"]) == 81
    after = bench.loop.state()
    same = ("moves", "position", "side", "reading", "game", "variant", "paused")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    command(bench, "resume")
    assert bench.loop.state()["reading"] == "mismatch"
    start = parse_cells(before["cells"])
    bench.simulation.board.set(start)
    bench.run(6.0)
    assert (bench.loop.state()["reading"], bench.loop.state()["moves"]) == ("in-sync", ["e7-a7"])


def parse_cells(cells: str) -> CellSet:
    return CellSet(int(cells, 16))


def test_the_scans_keep_their_pace_while_the_work_goes_on(bench: Bench) -> None:
    begin(bench)
    scans, since = bench.loop.scans.count, bench.now
    bench.run(5.0)
    assert bench.loop.scans.count - scans == pytest.approx((bench.now - since) * SCAN_HZ, abs=2)
    assert bench.loop.scans.skipped == 0
    assert bench.loop.health(bench.now)["scanning"] is True


def test_a_dead_and_a_stuck_square_are_named_with_their_remedy(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    board = bench.simulation.board
    board.stick(Cell(parse_square("c3")), closed=False)
    board.stick(Cell(parse_square("d4")), closed=True)
    begin(bench)
    with caplog.at_level(logging.INFO):
        follow(bench)
    told = report(bench)
    assert told["squares"]["c3"] == "dead"
    assert told["squares"]["d4"] == "stuck"
    assert told["squares"]["e5"] == "good"
    lines = [fill(line["text"], line["values"], "de") for line in told["problems"]]
    assert lines[0].startswith("geschlossen ohne Figur: d4; nach einem Kurzschluss")
    assert lines[1].startswith("schließt nicht: c3; Schalter, Lötstellen")
    assert "self-test ends: 79 of 81 squares are good" in caplog.text
    assert "closed without a piece: d4" in caplog.text


def test_the_lights_are_the_works_and_then_the_games_again(bench: Bench) -> None:
    command(bench, "pause")
    bench.run(0.1)
    game = lit(bench)
    command(bench, "self-test")
    bench.run(0.2)
    assert set(bench.simulation.strip.last) == {(160, 0, 0)}
    assert command(bench, "end-work")[0] == 200
    bench.run(0.2)
    assert lit(bench) == game


def lit(bench: Bench) -> list[int]:
    return [cell for cell, colour in enumerate(bench.simulation.strip.last) if any(colour)]


def test_pieces_put_during_the_work_are_no_game_before_its_end(bench: Bench) -> None:
    start = bench.simulation.board.closed
    begin(bench)
    command(bench, "end-work")
    bench.run(0.1)
    command(bench, "new-game")
    bench.run(1.0)
    assert bench.loop.state()["reading"] == "setup"
    command(bench, "self-test")
    bench.simulation.board.set(start)
    bench.run(3.0)
    assert bench.loop.state()["reading"] == "setup"
    assert bench.loop.state()["cells"] == f"{int(start):x}"
    command(bench, "end-work")
    bench.run(3.0)
    assert bench.loop.state()["reading"] == "in-sync"


def test_a_game_in_play_is_not_disturbed(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert command(bench, "self-test") == (409, {"error": PAUSE_FIRST})
    assert command(bench, "calibrate") == (409, {"error": PAUSE_FIRST})
    assert work(bench) is None
    assert command(bench, "skip-step") == (409, {"error": NO_WORK})
    assert command(bench, "end-work") == (409, {"error": NO_WORK})
    assert f"refused: {PAUSE_FIRST}" in caplog.text
    assert bench.loop.state()["reading"] == "in-sync"
    command(bench, "start-lesson")
    assert command(bench, "self-test") == (409, {"error": NOT_NOW})


def test_what_would_change_the_game_waits_until_the_work_is_over(bench: Bench) -> None:
    begin(bench)
    for name in ("resume", "new-game", "undo", "self-test", "calibrate"):
        assert command(bench, name) == (409, {"error": WORK_RUNS})
    assert command(bench, "change-setting", setting="brightness", value=0.5)[0] == 200
    assert bench.recorder.effects[-1] == SettingChanged(Setting.BRIGHTNESS.value, "0.5")
    command(bench, "end-work")
    assert command(bench, "resume")[0] == 200


def test_the_work_can_be_ended_and_its_report_put_away(bench: Bench) -> None:
    begin(bench)
    bench.run(1.0)
    assert command(bench, "end-work")[0] == 200
    assert work(bench)["working"] is False
    assert command(bench, "end-work")[0] == 200
    assert work(bench) is None
    assert report(bench) is None
    assert command(bench, "self-test")[0] == 200


def test_steps_are_skipped_from_the_page_and_by_the_confirm_button(bench: Bench) -> None:
    pressed: list[Event] = []

    def buttons(_: object) -> list[Event]:
        found, pressed[:] = list(pressed), []
        return found

    bench.parts.buttons = buttons
    begin(bench)
    while work(bench)["square"] is None:
        bench.run(0.1)
    assert work(bench)["square"] == "a1"
    command(bench, "skip-step")
    bench.run(0.5)
    assert work(bench)["square"] == "b1"
    pressed += [ButtonPressed(Button.CONFIRM), ButtonPressed(Button.NEW_GAME)]
    bench.run(0.5)
    assert work(bench)["square"] == "c1"
    assert bench.loop.state()["reading"] == "paused"
    pressed += [ButtonHeld(Button.SHUT_DOWN, 0.5)]
    bench.run(0.1)
    assert bench.loop.snapshot.shutdown == 0.5
    pressed += [ButtonPressed(Button.SHUT_DOWN)]
    bench.run(0.1)
    assert bench.loop.shut_down


def test_the_show_of_the_lights_is_cut_short(bench: Bench) -> None:
    begin(bench)
    for _ in range(5):
        command(bench, "skip-step")
        bench.run(0.1)
    assert work(bench)["square"] == "a1"


def test_a_press_is_seen_on_its_square(bench: Bench) -> None:
    begin(bench)
    while work(bench)["square"] is None:
        bench.run(0.1)
    bench.simulation.board.put(Cell(parse_square("a1")))
    bench.run(0.1)
    assert work(bench)["closed"] == ["a1"]
    bench.run(0.5)
    assert work(bench)["squares"] == {"a1": "good"}


def shuffled_bench(folder: str, seed: int) -> tuple[Bench, DirectWiring, list[int]]:
    """Return a table whose switches and lights are wired in any order, unknown to its driver."""
    rng = random.Random(seed)
    pins = list(all_inputs(range(0x20, 0x26)).pins)
    rng.shuffle(pins)
    lights = list(range(81))
    rng.shuffle(lights)
    wired = DirectWiring(tuple(pins[:81]))
    bench = Bench(Path(folder), scan_hz=SCAN_HZ)
    bench.simulation = open_simulation(seed=1, real_wiring=wired)
    bench.parts.scanner = bench.simulation.scanner
    bench.parts.lights._strip = bench.simulation.strip
    bench.parts.hands = None
    bench.parts.tools = Tools(led_of_cell=ORDER, rewired=bench.simulation.scanner.rewired)
    bench.loop = Loop(bench.parts, bench.now)
    return bench, wired, lights


def test_any_wiring_is_learned_without_stopping_the_table() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench, wired, lights = shuffled_bench(folder, 7)
        bench.run(2.0)
        assert bench.loop.state()["reading"] == "setup"
        assert command(bench, "calibrate")[0] == 200
        assert report(bench)["maps"] == ""
        follow(bench, place_of_light={cell: lights[led] for cell, led in enumerate(ORDER)})
        told = report(bench)
        assert told["problems"] == []
        assert set(told["squares"].values()) == {"good"}
        maps = tomllib.loads(told["maps"])
        assert maps["switches"]["map"] == [*wired.inputs]
        assert maps["leds"]["map"] == [lights.index(cell) for cell in range(81)]
        notes = [fill(line["text"], line["values"], "da") for line in told["notes"]]
        assert any(note.startswith("kontakter: anderledes end planlagt") for note in notes)
        bench.simulation.board.set(CellSet(0))
        bench.run(1.0)
        assert bench.loop.state()["fault"] is None
        assert bench.loop.state()["reading"] == "setup"
        bench.close()


def test_the_table_follows_the_board_again_after_a_calibration(bench: Bench) -> None:
    start = bench.simulation.board.closed
    begin(bench, "calibrate")
    bench.run(3.0)
    assert work(bench)["square"] == "a1"
    command(bench, "end-work")
    bench.simulation.board.set(start)
    bench.run(0.1)
    command(bench, "resume")
    bench.answer("sim", {"lift": "e7"})
    assert bench.answer("sim", {"put": "a7"})[1]["moves"] == ["e7-a7"]


def test_a_scanner_that_cannot_be_rewired_is_not_calibrated() -> None:
    workshop = Workshop(Tools())
    with pytest.raises(NotNowError, match=NOT_NOW):
        workshop.order(StartWork(Work.CALIBRATION), Phase.PAUSED)
    assert workshop.view() is None
    assert workshop.scanner is None
