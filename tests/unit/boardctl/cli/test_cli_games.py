from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.__main__ import run
from boardctl.archive import Keeper, Limits
from boardctl.archive.jobs import Take
from boardctl.archive.scribe import Stamp
from boardctl.core.effects import PlyRevised, PlyShown
from engine import Game, Outcome, Reason, Result, Side, load_variant
from tests.support.records import played, record_of

if TYPE_CHECKING:
    from pathlib import Path

WON = played(6).end(Outcome(Side.ATTACKER, Result.WIN, Reason.RESIGNED))
LONG = played(8, variant="linnaeus", seed=2)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    keeper = Keeper(tmp_path / "a.db", Limits(None, 1, 1e9), table_name="hall", version="1")
    keeper.open()
    stamp = Stamp(1.0, "2026-11-30T12:00:00+00:00")
    other = Game.start(load_variant("linnaeus")).legal_plies
    effects = record_of(LONG)
    effects[1:2] = [PlyShown(1, other[0]), PlyRevised(1, other[1])]
    keeper.write([Take(tuple(record_of(WON)), stamp), Take(tuple(effects), stamp)])
    keeper.close()
    return tmp_path / "a.db"


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Run a command; return what it printed (or, when it fails, complained)."""
    assert run(["games", *arguments]) == code
    captured = capsys.readouterr()
    assert (captured.err == "") is (code == 0)
    return captured.err if code else captured.out


def test_games_are_listed_newest_first(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "list", "--file", str(database)).splitlines()
    assert len(lines) == 2
    assert lines[0].split() == [
        "2",
        "2026-11-30T12:00:00+00:00",
        "linnaeus",
        "8",
        "plies",
        "in",
        "play",
    ]
    assert lines[1].endswith("win by the attackers: resigned")
    games = json.loads(
        told(capsys, "list", "--json", "--variant", "market", "--file", str(database))
    )
    assert [(game["id"], game["variant"], game["plies"]) for game in games] == [(1, "market", 6)]


def test_a_game_is_shown_with_its_revisions(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = told(capsys, "show", "2", "--file", str(database))
    assert text.startswith("game 2: linnaeus, 2026-11-30T12:00:00+00:00, in play\nstart ")
    assert "read as" in text
    values: dict[str, Any] = json.loads(
        told(capsys, "show", "1", "--json", "--file", str(database))
    )
    assert values["moves"] == [str(ply) for ply in WON.plies]


@pytest.mark.parametrize("form", ["json", "otg"])
def test_what_one_table_exports_another_imports_once(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    out = tmp_path / f"game.{form}"
    told(capsys, "export", "1", "--format", form, "--out", str(out), "--file", str(database))
    other = tmp_path / "other.db"
    keeper = Keeper(other, Limits(None, 1, 1e9), table_name="b", version="1")
    keeper.open()
    keeper.close()
    for added in (1, 0):
        answer = told(capsys, "import", str(out), "--file", str(other))
        assert answer == f"{added} games added, {1 - added} were there already\n"
    values = json.loads(told(capsys, "show", "1", "--json", "--file", str(other)))
    assert values["moves"] == [str(ply) for ply in WON.plies]
    assert values["outcome"]["reason"] == "resigned"
    assert values["source"] == "import"


def test_all_games_are_printed_when_none_is_named(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = told(capsys, "export", "--file", str(database))
    assert len(json.loads(text)["games"]) == 2
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert told(capsys, "import", "-", "--file", str(database)).startswith("0 games added, 2 were")


def test_endings_are_counted(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "stats", "--file", str(database))
    assert text.splitlines()[0] == "market: 1 games, 6.0 plies on average"
    assert "attackers" in text.splitlines()[1]
    found = json.loads(told(capsys, "stats", "--json", "--file", str(database)))
    assert found["market"]["endings"]["attackers"]["interval_95"] == pytest.approx([0.2065, 1.0])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("show", "99"), "no game 99 in this archive; see 'boardctl games list'"),
        (("export", "99"), "no game 99"),
        (("export", "--format", "pgn"), "--format 'pgn': json or otg"),
        (("export", "--format", "otg"), "one game a file; name one"),
        (("import", "/nowhere/f.json"), "/nowhere/f.json: no such file or directory"),
        (("list", "--limit", "0"), "limit"),
        (("show", "x"), "got 'games show x"),
        ((), "Usage"),
    ],
)
def test_a_wrong_request_is_refused_in_one_line(
    database: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    file = ("--file", str(database)) if arguments else ()
    text = told(capsys, *arguments, *file, code=2)
    assert complaint in text
    assert "Traceback" not in text
    assert not arguments or len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("", "not JSON"), ("{}", "no games of boardctl"), ("1. e2-g2 x", "f:"), ("\x00", "f:")],
)
def test_a_file_that_holds_no_game_changes_nothing(
    database: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    complaint: str,
) -> None:
    (tmp_path / "f").write_text(content)
    text = told(capsys, "import", str(tmp_path / "f"), "--file", str(database), code=2)
    assert complaint in text
    assert len(json.loads(told(capsys, "list", "--json", "--file", str(database)))) == 2


def test_a_missing_archive_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "list", "--file", str(tmp_path / "none.db"), code=2)
    assert "none.db: no such archive; begin it with 'boardctl games import'" in text


def test_a_damaged_archive_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.db").write_bytes(b"rubbish" * 1000)
    text = told(capsys, "list", "--file", str(tmp_path / "bad.db"), code=1)
    assert "bad.db: damaged: file is not a database" in text


def test_an_import_begins_the_archive_that_is_named(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, fresh = tmp_path / "all.json", tmp_path / "fresh.db"
    assert told(capsys, "export", "--file", str(database), "--out", str(out)) == (
        f"wrote 2 games to {out}\n"
    )
    out.write_bytes(b"\xef\xbb\xbf" + out.read_bytes())  # as some editors save it
    assert told(capsys, "import", str(out), "--file", str(fresh)) == (
        "2 games added, 0 were there already\n"
    )
    for number in (1, 2):
        first, second = (
            json.loads(told(capsys, "show", str(number), "--json", "--file", str(file)))
            for file in (database, fresh)
        )
        kept = [{**ply, "boot": None} for ply in first["record"]]  # a start of another table
        assert second["record"] == kept
        assert first["moves"] == second["moves"]
        assert first["position"] == second["position"]


def test_places_that_cannot_be_are_named(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "a directory, no archive" in told(capsys, "list", "--file", str(tmp_path), code=2)
    for out in (tmp_path, tmp_path / "no" / "where.json"):
        text = told(capsys, "export", "--file", str(database), "--out", str(out), code=2)
        assert text == f"boardctl: {out}: name a file in a directory that exists\n"
