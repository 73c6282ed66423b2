from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.__main__ import run
from boardctl.cli.table import _status_lines, operator_url

if TYPE_CHECKING:
    from pathlib import Path

HEALTH: dict[str, Any] = {
    "scan_hz": 199.9,
    "scan_lateness_p50_ms": 0.1,
    "scan_lateness_p99_ms": 1.2,
    "scans_skipped": 0,
    "uptime_s": 93784.0,
    "observers": 2,
    "memory_mb": 40.5,
    "fault_reasons": [],
    "archive": {"ok": True, "boot": 7, "fault": None, "notice": None},
}
STATE: dict[str, Any] = {
    "variant": "market",
    "reading": "in-sync",
    "moves": ["e7-a7"],
    "side": "attackers",
    "outcome": None,
}


def test_a_healthy_table_is_four_lines_and_no_fault() -> None:
    assert _status_lines(HEALTH, STATE) == [
        "game     market, in-sync, 1 plies, last e7-a7; attackers to move",
        "scans    199.9 Hz, late by 0.1 ms (median), 1.2 ms (99 %), 0 skipped",
        "running  1 d 02:03:04, boot 7, 40.5 MB, 2 observers",
        "archive  ok",
        "faults   none",
    ]


def test_everything_that_is_wrong_is_told() -> None:
    health = {
        **HEALTH,
        "temperature_c": 81.4,
        "undervoltage": True,
        "fault_reasons": ["chip 0x21 does not answer"],
        "archive": {"ok": False, "boot": None, "fault": "disk full", "notice": "set aside"},
    }
    outcome = {"winner": None, "result": "draw", "reason": "agreed"}
    lines = _status_lines(health, {**STATE, "side": None, "outcome": outcome, "moves": []})
    assert "; draw: nobody (agreed)" in lines[0]
    assert "boot not counted" in lines[2]
    assert lines[3:] == [
        "archive  disk full",
        "machine  81 C, under-voltage now",
        "fault    chip 0x21 does not answer",
        "notice   set aside",
    ]


def test_a_table_that_does_not_run_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["status", "--socket", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.endswith("is the table running?\n")


def test_the_operators_link_holds_the_token_and_a_new_one_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text(
        f'[run]\nstate_dir = "{tmp_path}/state"\n[web]\npublic_url = "http://table.example/"\n'
    )
    assert run(["operator-link", "--config", str(file)]) == 1
    assert "there is no operator's token" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()
    found = []
    for arguments in (["--new"], [], ["--new"]):
        assert run(["operator-link", "--json", "--config", str(file), *arguments]) == 0
        found.append(json.loads(capsys.readouterr().out))
    first, again, new = found
    assert first == again
    assert first["token"] != new["token"]
    assert new["url"] == f"http://table.example/operator?token={new['token']}"
    assert (tmp_path / "state" / "token").read_text() == new["token"] + "\n"
    assert run(["operator-link", "--config", str(file)]) == 0
    text = capsys.readouterr().out
    assert text.startswith(new["url"] + "\n")
    assert len(text.splitlines()) > 10  # the QR code


def test_a_token_is_quoted_in_the_address() -> None:
    assert operator_url("http://t", "a/b&c") == "http://t/operator?token=a%2Fb%26c"


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["demo", "--variant", "chess"], 2, "no game named 'chess'"),
        (["demo", "--port", "65536"], 2, "a port is a number from 0 to 65535"),
        (["demo", "--port", "-1"], 2, "a port is a number"),
        (["demo", "--port", "many"], 2, "many"),
        (["demo", "--port", "0", "--token", "short"], 2, "--token needs at least 8"),
        (["demo", "--seed", "x"], 2, "'demo --seed x'"),
        (["run", "--config", "/nowhere.toml"], 78, "/nowhere.toml: no such file"),
        (["run", "extra"], 2, "extra"),
        (["engine"], 2, "no such command 'engine'"),
        (["wall"], 2, "no such command 'wall'"),
        (["--bogus"], 2, "no such option: --bogus"),
    ],
)
def test_a_wrong_request_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, complaint: str
) -> None:
    assert run(arguments) == code
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.err.startswith("boardctl: ")
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""
