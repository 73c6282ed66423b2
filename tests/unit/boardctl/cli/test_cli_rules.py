"""`boardctl moves`, `apply`, `perft` and `variants`, as a shell sees them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.__main__ import run
from boardctl.errors import ExitCode
from engine import VARIANTS, Side
from tests.support.shared import SHARED, needs_shared

if TYPE_CHECKING:
    from pathlib import Path

CROSS = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
PUBLIC = SHARED / "spec" / "cases.json"


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Run a command that must succeed; return its lines."""
    code = run(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (ExitCode.DONE, "")
    return out.splitlines()


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must be refused in one line; return it."""
    code = run(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (ExitCode.BAD_REQUEST, "")
    assert len(err.splitlines()) == 1
    return err


def applied(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("\n".join(call(capsys, "apply", *arguments, "--json")))
    return found


def test_moves_are_sorted_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = call(capsys, "moves", "market")
    assert len(lines) == 56
    assert lines == sorted(lines)
    assert lines[0] == "c5-c1"


def test_moves_name_what_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    record = "/9/9/9/3T5/1Tt6/9/9/2K6/8t/"
    assert "d4-d5xc5" in call(capsys, "moves", "market", "--position", record)
    shown = json.loads(call(capsys, "moves", "market", "--position", record, "--json")[0])
    assert {"move": "d4-d5xc5", "captures": ["c5"]} in shown


def test_moves_of_a_game_that_is_over_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "moves", "market", "--position", "/K8/9/9/9/9/9/9/9/t8/") == []


def test_apply_describes_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert applied(capsys, "market") == {
        "position": CROSS,
        "side": "defenders",
        "moves": [],
        "outcome": None,
        "call": None,
        "open_paths": [],
    }


def test_apply_plays_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    found = applied(
        capsys, "linnaeus", "a9-a8", "e2-e1", "--position", "/3t1t3/4K4/9/9/9/9/9/9/t8/"
    )
    assert found == {
        "position": "/3tKt3/9/9/9/9/9/9/t8/9/",
        "side": None,
        "moves": [{"move": "a9-a8", "captures": []}, {"move": "e2-e1", "captures": []}],
        "outcome": {"winner": "defenders", "result": "win", "reason": "king-escaped"},
        "call": None,
        "open_paths": [],
    }


def test_apply_shows_calls_and_captures(capsys: pytest.CaptureFixture[str]) -> None:
    record = "/2t6/9/9/9/1TK6/9/2T6/9/t8/"
    found = applied(capsys, "linnaeus", "--position", record, "--side", "attackers")
    assert (found["call"], found["open_paths"]) == ("raicki", ["i5"])
    found = applied(capsys, "imperial", "--position", record, "--side", "attackers")
    assert (found["call"], found["open_paths"]) == (None, [])


def test_apply_without_json_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    lines = call(capsys, "apply", "market", "e7-a7")
    assert lines[2] == "7 d . . . . . . . ."
    assert lines[-1] == "to move   attackers"
    lines = call(
        capsys, "apply", "market", "--position", "/9/9/9/9/4K4/9/9/9/9/", "--side", "attackers"
    )
    assert "outcome   no result: no legal move, source silent" in lines
    lines = call(capsys, "apply", "sea-battle", "--position", "/9/9/9/9/4K4/9/9/9/9/")
    assert "outcome   defenders win: no moves" in lines


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["apply", "market", "e5-e9"], "illegal move 'e5-e9': blocked: the target is occupied"),
        (["apply", "market", "a4-a3"], "illegal move 'a4-a3': not your piece"),
        (["apply", "market", "b2-b3"], "illegal move 'b2-b3': no piece stands there"),
        (["apply", "market", "e7-e9"], "illegal move 'e7-e9': blocked: the target is occupied"),
        (["apply", "market", "c5-e5"], "illegal move 'c5-e5': blocked: the target is occupied"),
        (["apply", "market", "c5-f5"], "blocked: the target is occupied"),
        (["apply", "market", "e7-x7"], "not a square: 'x7'"),
        (["apply", "market", "e7"], "not a move: 'e7'; write it as 'e3-d3'"),
        (
            ["apply", "market", "e1-e2", "--position", "/4K4/9/9/9/9/9/9/9/t8/"],
            "illegal move 'e1-e2': game over",
        ),
        (["moves", "market", "--position", "nonsense"], "not a position: 'nonsense'"),
        (["moves", "chess"], "no game named 'chess'; the games: sea-battle, market"),
        (["moves", "none.toml"], "cannot read the ruleset 'none.toml': No such file"),
        (["moves", "market", "--side", "white"], "--side 'white': not a side; allowed: attackers"),
        (["moves", "market", "--option", "first"], "--option 'first': write it as KEY=VALUE"),
        (["moves", "market", "--option", "first="], "write it as KEY=VALUE"),
        (["moves", "market", "--option", "throne_pass=no"], "has no option 'throne_pass'"),
        (["moves", "market", "--option", "first=us"], "allowed: attackers | defenders | lot"),
        (["moves", "imperial"], "drawn by lot; give --side, or --seed N"),
        (["apply", "imperial"], "drawn by lot"),
        (["perft", "imperial", "1"], "drawn by lot"),
        (["moves", "market", "--option", "first=lot"], "drawn by lot"),
        (["perft", "market", "--", "-1"], "DEPTH -1: allowed are 0 to 20 plies"),
        (
            ["perft", "market", "-1"],
            "DEPTH -1: no number below zero is allowed here; see 'boardctl",
        ),
        (["perft", "--side", "attackers", "market", "-12"], "DEPTH -12: no number"),
        (["perft", "market", "-x"], "no such option: -x"),
        (["perft", "market", "99"], "DEPTH 99: allowed are 0 to 20 plies"),
        (["variants", "chess"], "no game named 'chess'"),
        (["variants", "--language", "fr"], "no rules in 'fr'; languages: en, de"),
    ],
)
def test_wrong_requests(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert problem in refusal(capsys, *arguments)


def test_an_option_given_twice_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    twice = ("--option", "first=lot", "--option", "first=attackers")
    assert "--option first is given twice" in refusal(capsys, "moves", "market", *twice)


def test_a_choice_must_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    at = ("--position", "/3T5/9/9/9/1Tt1tT3/9/9/7K1/8t/", "--side", "defenders")
    assert "must choose a victim: one of xc5, xe5" in refusal(
        capsys, "apply", "imperial", "d1-d5", *at
    )
    found = applied(capsys, "imperial", "d1-d5xe5", *at)
    assert found["moves"] == [{"move": "d1-d5xe5", "captures": ["e5"]}]


def test_the_lot_is_drawn_by_seed(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = [applied(capsys, "imperial", "--seed", str(seed))["side"] for seed in range(12)]
    assert set(drawn) == {side.value for side in Side}
    assert applied(capsys, "imperial", "--seed", "3")["side"] == drawn[3]
    assert applied(capsys, "imperial", "--seed", "3", "--side", "attackers")["side"] == "attackers"


def test_options_and_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert applied(capsys, "sea-battle", "--option", "layout=cross")["position"] == CROSS
    assert applied(capsys, "sea-battle", "--option", "first=defenders")["side"] == "defenders"
    assert applied(capsys, "sea-battle", "--side", "defenders")["side"] == "defenders"
    passing = ("--position", "/9/9/9/9/1T7/9/9/2K6/t8/", "--side", "defenders")
    assert "b5-h5" in call(capsys, "moves", "linnaeus", *passing)
    closed = call(capsys, "moves", "linnaeus", *passing, "--option", "throne_pass=no")
    assert "b5-h5" not in closed
    assert "b5-d5" in closed


def test_perft_has_its_count_alone_on_the_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "perft", "market", "3") == ["251856"]
    assert call(capsys, "perft", "market", "0") == ["1"]
    assert call(capsys, "perft", "imperial", "1", "--side", "attackers") == ["80"]


def test_perft_divided(capsys: pytest.CaptureFixture[str]) -> None:
    lines = call(capsys, "perft", "linnaeus", "2", "--divide")
    assert len(lines) == 81
    assert lines[-1] == "4400"
    assert sum(int(line.split(": ")[1]) for line in lines[:-1]) == 4400


def test_variants_lists_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(call(capsys, "variants"))
    assert all(name in text for name in VARIANTS)
    assert "rules core: pure Python" in text or "rules core: compiled" in text
    found = json.loads(call(capsys, "variants", "--json")[0])
    assert [game["name"] for game in found] == list(VARIANTS)
    assert found[3]["options"]["enclosure"] == {"default": "king", "allowed": "king | all | none"}


def test_variants_tells_the_rules_in_two_languages(capsys: pytest.CaptureFixture[str]) -> None:
    english = "\n".join(call(capsys, "variants", "sea-battle"))
    german = "\n".join(call(capsys, "variants", "sea-battle", "--language", "de"))
    assert "[SEA §5.6, R7]" in english
    assert "[SEA §5.6, R7]" in german
    assert "The king takes no part in captures." in english
    assert "Der König schlägt nicht mit." in german
    rules = json.loads(call(capsys, "variants", "linnaeus", "--json")[0])["rules"]
    assert all(rule["source"] for rule in rules)


def test_a_ruleset_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    rows = ["....a....", *["........."] * 3, "a...k...a", *["........."] * 3, "....a...."]
    file.write_text(
        "name = 'own'\nlayouts.small = '''\n" + "\n".join(rows) + "\n'''\nrules.king_range = 1\n"
        "rules.first = 'defenders'\n",
        "utf-8",
    )
    assert call(capsys, "moves", str(file)) == ["e5-d5", "e5-e4", "e5-e6", "e5-f5"]
    file.write_text("name = 'own'\nrules.king_rnge = 1\n", "utf-8")
    assert run(["moves", str(file)]) == ExitCode.BAD_REQUEST
    assert "did you mean 'king_range'?" in capsys.readouterr().err


@needs_shared
def test_the_public_cases(capsys: pytest.CaptureFixture[str]) -> None:
    for case in json.loads(PUBLIC.read_text("utf-8"))["cases"]:
        move = case["move"] + (f"x{case['choice']}" if "choice" in case else "")
        at = ("--position", case["position"], "--side", case["side"])
        if not case["legal"]:
            refusal(capsys, "apply", case["variant"], move, *at, "--json")
            continue
        found = applied(capsys, case["variant"], move, *at)
        assert found["moves"][0]["captures"] == sorted(case["captures"]), case["id"]
        outcome = found["outcome"]
        winner = None if outcome is None else outcome["winner"] or outcome["result"]
        assert winner == case["outcome"], case["id"]


@needs_shared
@pytest.mark.parametrize("side", [side.value for side in Side])
def test_the_public_paths(capsys: pytest.CaptureFixture[str], side: str) -> None:
    for case in json.loads(PUBLIC.read_text("utf-8"))["paths"]:
        found = applied(capsys, case["variant"], "--position", case["position"], "--side", side)
        assert found["open_paths"] == case["open_edge_squares"], case["id"]
