from __future__ import annotations

import itertools
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.core.commands import ChangeSetting, Setting
from boardctl.core.effects import (
    GameStarted,
    Play,
    PlyFinal,
    PlyShown,
    SettingChanged,
    ShutDown,
)
from boardctl.core.events import Button, ButtonHeld, ButtonPressed, CommandGiven, Committed
from boardctl.core.occupancy import Instant
from boardctl.core.snapshot import Sign
from boardctl.loop import occupancy_of
from boardctl.pace import STOP_PICTURES, run, wait_for
from engine.squares import SQUARES, parse_square, square_set
from hardware.cells import CELLS, Cell, Cells, CellSet
from hardware.mock.strip import DARK
from tests.support.shell import Bench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boardctl.core.effects import Effect


@pytest.fixture
def bench() -> Iterator[Bench]:
    # pytest's own folders may be longer than the name of a Unix socket may be
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder))
        yield made
        made.close()


def cell(name: str) -> Cell:
    return Cell(parse_square(name))


def kinds(bench: Bench, kind: type[Effect]) -> list[Effect]:
    return [effect for effect in bench.recorder.effects if isinstance(effect, kind)]


def test_cells_and_squares_share_their_numbers() -> None:
    assert len(SQUARES) == CELLS
    for square in SQUARES:
        seen = occupancy_of(Cells(CellSet(1 << square), CellSet(1 << (80 - square))))
        assert seen.closed == square_set([square])
        assert seen.unknown == square_set([SQUARES[80 - square]])


def test_a_board_that_is_set_up_starts_a_game_with_the_first_scan(bench: Bench) -> None:
    bench.run(0.01)
    assert len(kinds(bench, GameStarted)) == 1
    assert bench.loop.state()["reading"] == "in-sync"
    assert bench.loop.state()["side"] == "defenders"


def test_a_hand_at_the_switches_becomes_a_ply(bench: Bench) -> None:
    bench.run(2.0)
    bench.simulation.board.lift(cell("e7"))
    bench.run(0.5)
    assert bench.loop.state()["lifted"] == ["e7"]
    bench.simulation.board.put(cell("a7"))
    bench.run(0.5)
    assert bench.loop.state()["moves"] == ["e7-a7"]
    assert [str(effect.ply) for effect in kinds(bench, PlyShown)] == ["e7-a7"]  # type: ignore[union-attr]


def test_a_lifted_piece_is_lit_within_50_ms(bench: Bench) -> None:
    bench.run(2.0)
    before = bench.simulation.strip.last
    bench.simulation.board.lift(cell("e7"))
    bench.run(0.05)
    after = bench.simulation.strip.last
    assert after[cell("e7")] != before[cell("e7")]
    assert after[cell("a7")] != (0, 0, 0)


def test_scans_keep_their_rate_and_count_what_is_left_out(bench: Bench) -> None:
    bench.run(10.0)
    assert bench.loop.scans.count == pytest.approx(2001, abs=1)
    assert bench.loop.scans.hz == pytest.approx(200, abs=1)
    assert bench.loop.scans.skipped == 0
    late = Instant(bench.now + 0.1)
    due = bench.loop.turn(late)
    assert due == pytest.approx(late + 0.005)
    assert bench.loop.scans.skipped in {19, 20}
    bench.now = late
    bench.run(1.0)
    assert bench.loop.health(bench.now)["scan_lateness_p99_ms"] < 1


def test_no_picture_is_sent_twice_in_a_row(bench: Bench) -> None:
    bench.run(6.0)
    frames = list(bench.simulation.strip.frames)
    assert 30 < len(frames) <= 181
    assert all(one != other for one, other in itertools.pairwise(frames))


def test_observers_get_each_snapshot_and_at_most_30_pictures_a_second(bench: Bench) -> None:
    bench.run(2.0)
    bench.told()
    bench.simulation.board.lift(cell("e7"))
    bench.run(1.0)
    told = bench.told()
    versions = [message["snapshot"]["version"] for message in told if message["kind"] == "snapshot"]
    assert versions == sorted(set(versions))
    assert told[-1] or versions
    pictures = [message for message in told if message["kind"] == "leds"]
    assert 5 < len(pictures) <= 31
    assert all(len(message["leds"]) == 81 for message in pictures)
    assert [message for message in told if message["kind"] == "health"]


def test_a_chip_that_falls_silent_is_a_fault_until_it_answers(bench: Bench) -> None:
    bench.run(2.0)
    bench.simulation.board.chip_silent(0x21)
    bench.run(2.0)
    state = bench.loop.state()
    assert "0x21" in state["fault"]["reason"]
    assert len(state["fault"]["squares"]) == 14
    assert bench.loop.health(bench.now)["faults"] == 1
    bench.simulation.board.chip_silent(0x21, silent=False)
    bench.run(3.0)
    assert bench.loop.state()["fault"] is None
    assert bench.loop.health(bench.now)["fault_reasons"] == []


def test_a_disorder_is_logged_once(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.run(2.0)
    with caplog.at_level(logging.INFO):
        for _ in range(2):
            for name in ("a5", "e1", "i5", "e9"):
                bench.simulation.board.lift(cell(name))
                bench.run(3.0)
            for name in ("a5", "e1", "i5", "e9"):
                bench.simulation.board.put(cell(name))
            bench.run(3.0)
    told = [record.getMessage() for record in caplog.records]
    assert sum("disagree" in line for line in told) == 2
    assert told.count("board and game agree again") == 2


def test_an_archive_that_refuses_is_shown_as_a_fault(bench: Bench) -> None:
    bench.run(1.0)
    bench.recorder.fault = "games are not being kept: disk full"
    bench.run(0.1)
    assert bench.loop.state()["fault"]["reason"] == "games are not being kept: disk full"
    bench.recorder.fault = None
    bench.run(0.1)
    assert bench.loop.state()["fault"] is None


def test_lights_that_refuse_are_tried_again_and_play_goes_on(bench: Bench) -> None:
    bench.run(2.0)
    bench.simulation.strip.failing = True
    bench.simulation.board.lift(cell("e7"))
    bench.run(0.5)
    assert bench.loop.state()["lifted"] == ["e7"]
    assert "lights" in bench.loop.state()["fault"]["reason"]
    bench.simulation.strip.failing = False
    bench.run(1.5)
    assert bench.loop.state()["fault"] is None
    assert bench.simulation.strip.last[cell("e7")] != (0, 0, 0)


def test_acknowledgements_make_plies_final_to_observers(bench: Bench) -> None:
    bench.parts.session_for = _with_archive(bench)
    bench.run(2.0)
    for lift, put in (("e7", "a7"), ("e8", "b8"), ("e6", "e8")):
        bench.simulation.board.lift(cell(lift))
        bench.run(0.4)
        bench.simulation.board.put(cell(put))
        bench.run(3.0)
    assert kinds(bench, PlyFinal)
    assert bench.loop.state()["final"] == 0
    bench.recorder.acknowledged.append(Committed(1, 1))
    bench.run(0.01)
    assert bench.loop.state()["final"] == 1


def _with_archive(bench: Bench) -> Any:
    import random
    from dataclasses import replace

    from boardctl.core.session import Session
    from boardctl.core.settings import SessionSettings

    del bench
    settings = replace(SessionSettings(variant="market"), archive=True)
    return lambda _, now: Session(settings, now, random.Random(1))


def _acknowledge(bench: Bench, number: int) -> None:
    bench.recorder.acknowledged.append(Committed(number, 1))


def _refuse(bench: Bench, number: int) -> None:
    bench.recorder.fault = f"games are not being kept: refused {number} times"


def _hold(bench: Bench, number: int) -> None:
    bench.parts.buttons = lambda _: [ButtonHeld(Button.SHUT_DOWN, number / 100)]


@pytest.mark.parametrize("happen", [_acknowledge, _refuse, _hold])
def test_a_ply_is_read_in_time_whatever_happens_in_late_turns(
    bench: Bench, happen: Callable[[Bench, int], None]
) -> None:
    """A turn that comes too late hears of something else before it lets the session see time."""
    bench.run(2.0)
    bench.simulation.board.lift(cell("e7"))
    bench.run(0.5)
    bench.simulation.board.put(cell("a7"))
    for number in range(10):
        happen(bench, number)
        bench.now = Instant(bench.now + 0.1)
        bench.loop.turn(bench.now)
    assert bench.loop.state()["moves"] == ["e7-a7"]


def test_a_lot_is_drawn_in_time_whatever_moves_in_late_turns(bench: Bench) -> None:
    given = {"command": "set-variant", "variant": "market", "options": {"first": "lot"}}
    bench.run(2.0)
    assert bench.answer("command", given)[0] == 200
    bench.run(0.5)
    assert bench.loop.state()["reading"] == "lot"
    board = bench.simulation.board
    touches = itertools.cycle(itertools.product((board.lift, board.put), ("e7", "e8")))
    for touch, square in itertools.islice(touches, 80):
        touch(cell(square))  # it settles in the next turn, so each of them has a change to tell
        bench.now = Instant(bench.now + 0.1)
        bench.loop.turn(bench.now)
    assert bench.loop.state()["reading"] != "lot"


def test_a_changed_brightness_reaches_the_lights(bench: Bench) -> None:
    bench.run(2.0)
    before = bench.simulation.strip.last
    body = {"command": "change-setting", "setting": "brightness", "value": 0.5}
    assert bench.answer("command", body)[0] == 200
    assert bench.dimmed == [1.0, 0.5]
    assert SettingChanged("brightness", "0.5") in bench.recorder.effects
    bench.run(0.1)
    after = bench.simulation.strip.last
    assert sum(map(sum, after)) == pytest.approx(sum(map(sum, before)) / 2, rel=0.05)


def test_buttons_sounds_and_the_shutdown_button(bench: Bench) -> None:
    pressed = [ButtonPressed(Button.SHUT_DOWN)]
    sounds: list[Play] = []
    bench.parts.sound = sounds.append
    bench.run(1.0)
    bench.simulation.board.lift(cell("e7"))
    bench.run(0.4)
    bench.simulation.board.put(cell("a7"))
    bench.run(0.5)
    assert sounds
    bench.parts.buttons = lambda _: [pressed.pop()] if pressed else []
    bench.run(0.1)
    assert bench.loop.shut_down
    assert ShutDown() in bench.recorder.effects


def test_what_a_reload_wants_is_obeyed(bench: Bench) -> None:
    wishes = [CommandGiven(ChangeSetting(Setting.PALETTE, "high-contrast"), by="configuration")]
    bench.parts.between_games = lambda _: [wishes.pop()] if wishes else []
    bench.run(1.5)
    assert bench.loop.state()["settings"]["palette"] == "high-contrast"


def test_stopping_shows_the_sign_and_saves_nothing_twice(bench: Bench) -> None:
    bench.run(2.0)
    bench.loop.stop(bench.now)
    assert bench.loop.snapshot.sign is Sign.STOPPING
    assert bench.simulation.strip.last != DARK


def test_stopping_before_the_first_scan_is_allowed(bench: Bench) -> None:
    bench.loop.stop(bench.now)
    assert bench.loop.health(bench.now)["scanning"] is False


def test_run_waits_for_each_deadline_and_stops_when_asked(bench: Bench) -> None:
    time = [0.0]
    waits: list[float] = []

    def clock() -> Instant:
        return Instant(1000.0 + time[0])

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        time[0] += seconds

    run(bench.loop, lambda: time[0] >= 1.0, clock=clock, sleep=sleep)
    turns, sign = waits[:-STOP_PICTURES], waits[-STOP_PICTURES:]
    assert len(turns) == pytest.approx(200, abs=1)
    assert max(turns) <= 0.005 + 1e-9
    assert bench.loop.snapshot.sign is Sign.STOPPING
    assert 0.5 < sum(sign) < 1.5, "the sign of stopping is seen, and nobody waits long"
    assert bench.simulation.strip.frames[-1] != bench.simulation.strip.frames[-3], "it moves"


def test_run_ends_when_the_machine_is_to_be_shut_down(bench: Bench) -> None:
    bench.loop.shut_down = True
    run(bench.loop, lambda: False, clock=lambda: bench.now, sleep=lambda _: None)


@pytest.mark.parametrize(
    ("succeeds_at", "stop_at", "found", "tries"),
    [(0, 99, "yes", 1), (3, 99, "yes", 4), (99, 99, None, 5), (99, 2, None, 2), (99, 0, None, 0)],
)
def test_waiting_tries_until_success_patience_or_stop(
    succeeds_at: int, stop_at: int, found: str | None, tries: int
) -> None:
    time = [0.0]
    attempts: list[float] = []
    pictures: list[Instant] = []

    def attempt() -> str | None:
        attempts.append(time[0])
        return "yes" if len(attempts) > succeeds_at else None

    def sleep(seconds: float) -> None:
        time[0] += seconds

    result = wait_for(
        attempt,
        lambda: len(attempts) >= stop_at,
        patience_s=2.0,
        picture=pictures.append,
        clock=lambda: Instant(time[0]),
        sleep=sleep,
    )
    assert (result, len(attempts)) == (found, tries)
    gaps = [later - earlier for earlier, later in itertools.pairwise(pictures)]
    assert all(gap < 0.05 for gap in gaps), "a sign moves while something is waited for"
    assert len(pictures) >= 14 * (len(attempts) - 1)
