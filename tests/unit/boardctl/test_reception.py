from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.shell import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def bench() -> Iterator[Bench]:
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder))
        made.run(2.0)
        yield made
        made.close()


def test_hands_are_answered_when_what_they_did_has_been_read(bench: Bench) -> None:
    status, state = bench.answer("sim", {"lift": "e7"})
    assert (status, state["reading"], state["lifted"]) == (200, "in-hand", ["e7"])
    assert "a7" in state["targets"]
    status, state = bench.answer("sim", {"put": "a7"})
    assert (status, state["moves"], state["side"]) == (200, ["e7-a7"], "attackers")


def test_a_slide_is_answered_at_its_end(bench: Bench) -> None:
    path = ["e7", "d7", "c7", "b7", "a7"]
    status, state = bench.answer("sim", {"slide": path})
    assert (status, state["moves"]) == (200, ["e7-a7"])


def test_noise_is_told_and_turned(bench: Bench) -> None:
    status, told = bench.answer("query", {"query": "noise"})
    assert status == 200
    assert told["noise"]["reach_mm"] == {
        "value": 25.0, "least": 15.0, "most": 60.0, "usual": 25.0, "unit": "mm"
    }  # fmt: skip
    assert bench.answer("sim", {"noise": {"chatter": 1, "read_error": 0.05}})[0] == 200
    told = bench.answer("query", {"query": "noise"})[1]["noise"]
    assert (told["chatter"]["value"], told["read_error"]["value"]) == (1, 0.05)
    assert told["missed"]["value"] == 0.0
    assert bench.simulation.board.bus.loss == 0.05


def test_moves_are_read_through_the_noise(bench: Bench) -> None:
    bench.answer("sim", {"noise": {"bounce_ms": 8, "chatter": 1, "missed": 0.5, "reach_mm": 50}})
    lines = (["e7", "d7", "c7"], ["i4", "i3"], ["e6", "d6"], ["d9", "c9"])
    for number, path in enumerate(lines, 1):
        status, _ = bench.answer("sim", {"slide": path}, within_s=3.0)
        assert status == 200
        bench.run(2.0)
        assert len(bench.loop.state()["moves"]) == number
    assert bench.loop.state()["moves"][0] == "e7-c7"
    assert min(bench.loop.health(bench.now)["reliability"]) < 1.0


def test_a_nudge_changes_nothing(bench: Bench) -> None:
    status, state = bench.answer("sim", {"nudge": "e7"})
    assert (status, state["moves"], state["reading"]) == (200, [], "in-sync")


def test_a_board_in_disorder_can_be_set_up_again(bench: Bench) -> None:
    bench.answer("sim", {"lift": "e7"})
    bench.answer("sim", {"lift": "a5"})
    status, _ = bench.answer("sim", {"setup": True})
    bench.run(2.0)
    state = bench.loop.state()
    assert (status, state["reading"], state["missing"]) == (200, "in-sync", [])


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"lift": "e3", "by": "me"}, 200, None),
        ({"lift": "d4"}, 409, "no piece stands on d4"),
        ({"put": "e7"}, 409, "a piece stands on e7 already"),
        ({"slide": ["d4", "d5"]}, 409, "no piece stands on d4"),
        ({"slide": ["e7", "e8"]}, 409, "a piece stands on e8 already"),
        ({"nudge": "d4"}, 409, "no piece stands on d4"),
        ({"lift": "k9"}, 400, "'lift': not a square: 'k9'"),
        ({"lift": 7}, 400, "'lift' is a square such as 'e3', a text; got 7"),
        ({"lift": None}, 400, "'lift' is a square such as 'e3', a text; got None"),
        ({"lift": True}, 400, "'lift' is a square such as 'e3', a text; got True"),
        ({"lift": ["e7"]}, 400, "'lift' is a square such as 'e3', a text; got ['e7']"),
        ({"put": {"at": "e6"}}, 400, "'put' is a square such as 'e3', a text; got {'at': 'e6'}"),
        ({"put": "E6"}, 400, "'put': not a square: 'E6'"),
        ({"slide": "e7"}, 400, "'slide' is a list of 2 to 9 squares; got 'e7'"),
        ({"slide": ["e7"]}, 400, "'slide' is a list of 2 to 9 squares; got ['e7']"),
        ({"slide": ["e7"] * 10}, 400, "'slide' is a list of 2 to 9 squares"),
        ({"slide": {"e7": "d7"}}, 400, "'slide' is a list of 2 to 9 squares"),
        ({"slide": ["e7", 4]}, 400, "'slide' is a square such as 'e3', a text; got 4"),
        ({"nudge": 1.5}, 400, "'nudge' is a square such as 'e3', a text; got 1.5"),
        ({"setup": "yes"}, 400, "'setup' is true; got 'yes'"),
        ({"setup": 1}, 400, "'setup' is true; got 1"),
        ({"stick": 3, "to": "open"}, 400, "'stick' is a square such as 'e3', a text; got 3"),
        ({"stick": "e7", "to": "ajar"}, 400, "'to' is one of closed, open, free; got 'ajar'"),
        ({"stick": "e7", "to": ["open"]}, 400, "'to' is one of closed, open, free; got ['open']"),
        ({"stick": "e7"}, 400, "'to' is one of closed, open, free; got None"),
        ({"chip": "0x2f", "does": "silent"}, 400, "'chip' is one of 0x20, 0x21"),
        ({"chip": 32, "does": "silent"}, 400, "'chip' is one of 0x20, 0x21"),
        ({"chip": None}, 400, "got None"),
        ({"chip": "0x20", "does": "dance"}, 400, "'does' is one of silent, answer, reset"),
        ({"chip": "0x20", "does": 1}, 400, "'does' is one of silent, answer, reset; got 1"),
        ({"noise": 0.5}, 400, "'noise' is an object of numbers; got 0.5"),
        ({"noise": ["chatter"]}, 400, "'noise' is an object of numbers; got ['chatter']"),
        ({"noise": {"chatter": "0.5"}}, 400, "'noise': 'chatter' is a number; got '0.5'"),
        ({"noise": {"chatter": True}}, 400, "'noise': 'chatter' is a number; got True"),
        ({"noise": {"chatter": 1.5}}, 400, "'noise': 'chatter' is 0 to 1; got 1.5"),
        ({"noise": {"chatter": float("nan")}}, 400, "'noise': 'chatter' is 0 to 1; got nan"),
        ({"noise": {"reach_mm": 14}}, 400, "'noise': 'reach_mm' is 15 to 60; got 14"),
        ({"noise": {"din": 1}}, 400, "'noise': no knob 'din'; one of bounce_ms, chatter"),
        ({}, 400, "unknown request; one of lift, put"),
        ({"jump": "e7"}, 400, "unknown request"),
        ({"lift": "e7", "put": "e6"}, 400, "one thing at a time; got lift and put"),
    ],
)
def test_what_hands_cannot_do_is_refused_with_the_reason(
    bench: Bench, body: dict[str, Any], status: int, reason: str | None
) -> None:
    board = bench.simulation.board.closed
    answered, told = bench.answer("sim", body)
    assert answered == status
    if reason is not None:
        assert reason in told["error"]
        assert bench.simulation.board.closed == board


def test_reeds_and_chips_can_be_broken_and_mended(bench: Bench) -> None:
    assert bench.answer("sim", {"stick": "e7", "to": "open"})[0] == 200
    bench.run(1.0)
    assert bench.loop.state()["reading"] != "in-sync"
    assert bench.answer("sim", {"stick": "e7", "to": "free"})[0] == 200
    for does in ("silent", "answer", "reset"):
        assert bench.answer("sim", {"chip": "0x22", "does": does})[0] == 200
        bench.run(2.0)
    state = bench.loop.state()
    assert (state["reading"], state["fault"]) == ("in-sync", None)


def test_a_hand_on_a_dead_chip_is_answered_all_the_same(bench: Bench) -> None:
    bench.answer("sim", {"chip": "0x20", "does": "silent"})
    status, _ = bench.answer("sim", {"lift": "d1"})
    assert status == 200


def test_a_table_of_wood_has_no_simulated_hands() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        bench.parts.hands = None
        bench.loop = type(bench.loop)(bench.parts, bench.now)
        bench.run(0.1)
        assert bench.answer("sim", {"lift": "e7"}) == (404, {"error": "no 'sim' at this table"})
        assert bench.answer("dance", {})[0] == 404
        bench.close()


def test_commands_are_obeyed_refused_or_malformed(bench: Bench) -> None:
    status, state = bench.answer("command", {"command": "pause"})
    assert (status, state["reading"]) == (200, "paused")
    assert bench.answer("command", {"command": "resume"})[0] == 200
    status, told = bench.answer("command", {"command": "undo"})
    assert status == 409
    assert told["error"]
    status, told = bench.answer("command", {"command": "explode"})
    assert status == 400
    assert "unknown command: 'explode'" in told["error"]


def test_another_game_is_chosen_with_its_options(bench: Bench) -> None:
    body = {"command": "set-variant", "variant": "linnaeus", "options": {"first": "defenders"}}
    status, state = bench.answer("command", body)
    assert status == 200
    assert (state["variant"], state["options"]["first"]) == ("linnaeus", "defenders")


def test_the_state_of_the_table_is_told(bench: Bench) -> None:
    status, health = bench.answer("query", {"query": "health"})
    assert status == 200
    assert health["scanning"] is True
    assert health["scan_hz"] == pytest.approx(200, abs=2)
    status, state = bench.answer("query", {"query": "state"})
    assert (status, state["variant"]) == (200, "market")


def test_the_configuration_in_force_is_told(bench: Bench) -> None:
    told = [{"section": "table", "keys": []}]
    bench.parts.configuration = lambda snapshot: told if snapshot.variant == "market" else []
    assert bench.answer("query", {"query": "configuration"}) == (200, {"sections": told})


@pytest.mark.parametrize(
    ("kind", "body"), [("query", {"query": "games"}), ("import", {"game": {}})]
)
def test_past_games_are_the_archives_business(
    bench: Bench, kind: str, body: dict[str, Any]
) -> None:
    number = bench.ask(kind, body)
    bench.run(0.02)
    (request,) = bench.recorder.asked
    bench.recorder.ready.append((request, 200, {"games": []}))
    bench.run(0.02)
    replies = [message for message in bench.told() if message["kind"] == "reply"]
    assert replies == [{"kind": "reply", "id": number, "status": 200, "body": {"games": []}}]
