from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.archive.exchange import FORMAT, from_json, to_json
from boardctl.archive.records import GameRecord, full
from boardctl.archive.schema import open_database, transaction
from boardctl.archive.store import Store
from boardctl.errors import BadRequestError
from tests.support.archives import all_games
from tests.support.records import played

if TYPE_CHECKING:
    from pathlib import Path

GAME = played(6)
START = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"


def document(**changes: Any) -> dict[str, Any]:
    return {
        "variant": "market",
        "position": START,
        "side": "defenders",
        "moves": [str(ply) for ply in GAME.plies],
        **changes,
    }


def text(*games: Any, form: str = FORMAT) -> str:
    return json.dumps({"format": form, "games": list(games)})


def test_a_game_needs_four_keys_only() -> None:
    (game,) = from_json(text(document()), "f.json")
    assert game.moves == [str(ply) for ply in GAME.plies]
    assert (game.source, game.result, game.reason) == ("import", None, "abandoned")
    assert game.finished is not None
    assert from_json(text(document()), "f.json")[0].uid == game.uid


def test_what_an_archive_exports_another_one_imports_unchanged(tmp_path: Path) -> None:
    outcome = {"winner": "attackers", "result": "win", "reason": "resigned"}
    given = from_json(text(document(outcome=outcome, table="a", options={"no_move": "draw"})), "f")
    store = Store(open_database(tmp_path / "games.db"))
    with transaction(store.database):
        store.add_game(given[0])
    exported = to_json([full(game) for game in all_games(store)])
    store.database.close()
    (again,) = from_json(exported, "g")
    assert _comparable(again) == _comparable(given[0])
    assert again.outcome == outcome


def _comparable(game: GameRecord) -> dict[str, Any]:
    return {**full(replace(game, id=0)), "record": [ply.move for ply in game.plies]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "f.json: not JSON"),
        ("[" * 100_000, "f.json: not JSON"),
        ("[]", "f.json: no games of boardctl"),
        (text(form="other"), "'format' must be 'boardctl-games/1'"),
        (json.dumps({"format": FORMAT, "games": {}}), "'games' must be a list; got dict"),
        (text(document(), 3), "f.json: game 2: an object is needed; got 3"),
        (text({"variant": "market"}), "f.json: game 1: no 'moves'"),
        (text(document(variant="chess")), "f.json: game 1: no game named 'chess'"),
        (text(document(variant=3)), "'variant' is a text; got 3"),
        (text(document(moves=["e7-e6"])), "f.json: game 1: illegal move 'e7-e6'"),
        (text(document(moves=[7])), "'move' is a text; got 7"),
        (text(document(position="x")), "f.json: game 1:"),
        (text(document(side="white")), "'white'"),
        (text(document(options={"colour": "red"})), "colour"),
        (text(document(outcome={"result": "lost", "reason": "resigned"})), "'lost'"),
        (text(document(outcome={"result": "draw", "reason": "cheating"})), "'cheating'"),
        (text(document(record=[{"move": "e7-a7"}])), "no 'number'"),
        (text(document(options=[1])), "f.json: game 1:"),
    ],
)
def test_a_wrong_document_is_refused_with_its_place(content: str, complaint: str) -> None:
    with pytest.raises(BadRequestError) as caught:
        from_json(content, "f.json")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_correction_keeps_its_time() -> None:
    given = document()
    correction = {key: given[key] for key in ("position", "side")}
    given["corrections"] = [{"ply": 0, **correction, "wall": "2026-11-30T12:00:00"}]
    (game,) = from_json(text(given), "f")
    assert full(game)["corrections"] == given["corrections"]
