"""What people order, and what the archive confirms."""

from __future__ import annotations

import pytest

from boardctl.core import commands
from boardctl.core.commands import ChangeSetting, ConfirmPosition, Setting
from boardctl.core.effects import (
    Corrected,
    GameAbandoned,
    GameOver,
    GameReopened,
    PlyFinal,
    PlyRetracted,
    PlyShown,
    Refused,
    SettingChanged,
)
from boardctl.core.events import Button, Committed
from boardctl.core.snapshot import Phase, snapshot_json
from engine.pieces import Side
from engine.rules import Outcome, Reason, Result
from engine.squares import NO_SQUARES, SquareSet
from tests.support.table import Table, opened, refusal, squares, table_at

# -- orders ----------------------------------------------------------------------------------


def test_undo_takes_the_ply_back_and_the_lights_lead_the_piece_home() -> None:
    table = opened()
    table.command(commands.Undo())
    assert [str(ply) for ply in table.snapshot.plies] == ["d1-d3", "e3-f3"]
    assert table.effects(PlyRetracted)[-1].number == 3
    table.wait(3.0)
    assert [str(ply) for ply in table.snapshot.plies] == ["d1-d3", "e3-f3"]
    assert table.phase() is not Phase.IN_SYNC
    table.lift("d2")
    table.put("d3")
    table.wait(1.0)
    assert table.phase() is Phase.IN_SYNC
    for _ in range(2):
        table.command(commands.Undo())
    assert refusal_free(table)
    table.command(commands.Undo())
    assert "at its start" in refusal(table)


def refusal_free(table: Table) -> bool:
    return not table.effects(Refused)


@pytest.mark.parametrize(
    ("order", "outcome"),
    [
        (commands.Resign(Side.ATTACKER), Outcome(Side.DEFENDER, Result.WIN, Reason.RESIGNED)),
        (commands.AgreeDraw(), Outcome(None, Result.DRAW, Reason.AGREED)),
        (
            commands.DeclareResult(Side.ATTACKER),
            Outcome(Side.ATTACKER, Result.WIN, Reason.OPERATOR),
        ),
        (commands.DeclareResult(None), Outcome(None, Result.DRAW, Reason.OPERATOR)),
    ],
)
def test_people_end_a_game(order: commands.Command, outcome: Outcome) -> None:
    table = opened()
    table.command(order)
    assert table.effects(GameOver) == [GameOver(1, outcome)]
    assert [effect.number for effect in table.effects(PlyFinal)] == [1, 2, 3]
    assert table.phase() is Phase.FINISHED
    table.command(commands.Undo())
    assert table.effects(GameReopened) == [GameReopened(1)]
    assert len(table.snapshot.plies) == 3, "only the end is taken back"
    assert table.phase() is Phase.IN_SYNC


def test_undo_after_a_win_on_the_board_takes_the_winning_ply_back() -> None:
    table = table_at("linnaeus", "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/", Side.DEFENDER)
    table.wait(2.0)
    table.move("d4-d9")
    table.wait(2.0)
    assert table.phase() is Phase.FINISHED
    table.command(commands.Undo())
    assert table.effects(GameReopened) == [GameReopened(1)]
    assert table.effects(PlyRetracted) == [PlyRetracted(1)]
    assert table.snapshot.plies == ()
    assert table.snapshot.outcome is None


def test_nobody_resigns_a_game_that_has_just_been_won() -> None:
    table = table_at("linnaeus", "/3ttt3/9/9/3K4t/t3T2tt/t7t/2t6/9/4tt3/", Side.DEFENDER)
    table.wait(2.0)
    table.lift("d4")
    table.put("d9")
    table.wait(0.5)
    table.command(commands.Resign(Side.DEFENDER))
    assert "just been won" in refusal(table)
    table.wait(2.0)
    assert [over.outcome.reason for over in table.effects(GameOver)] == [Reason.KING_ESCAPED]


def test_undecidable_only_where_the_game_has_the_rule() -> None:
    table = opened()
    table.command(commands.DeclareUndecidable())
    assert "no rule" in refusal(table)
    sea = Table("sea-battle")
    sea.command(commands.DeclareUndecidable())
    assert sea.effects(GameOver)[0].outcome == Outcome(None, Result.DRAW, Reason.UNDECIDABLE)


def test_another_game_is_set_up_on_request_and_a_wrong_one_refused() -> None:
    table = opened()
    table.command(commands.SetVariant("market", {"first": "attackers"}))
    assert table.snapshot.variant == "market"
    assert table.phase() is Phase.SETUP
    assert table.snapshot.options["first"] == "attackers"
    assert table.effects(GameAbandoned) == [GameAbandoned(1)]
    for variant, options in (("chess", {}), ("market", {"throne_pass": "yes"})):
        table.command(commands.SetVariant(variant, options))
        assert variant in refusal(table)
        assert table.snapshot.variant == "market"


def test_a_correction_is_kept_in_the_record_and_numbers_go_on() -> None:
    table = opened()
    record = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/9/4t4/3ttt3/"
    table.command(ConfirmPosition(record, Side.ATTACKER))
    assert table.effects(Corrected) == [Corrected(1, record, Side.ATTACKER, 3)]
    assert table.snapshot.side is Side.ATTACKER
    assert table.snapshot.corrected == (3,)
    assert table.snapshot.game == 1, "the same game"
    table.board(table.snapshot.position.occupied)
    table.wait(1.0)
    table.move("e8-e7")
    assert table.effects(PlyShown)[-1].number == 4
    assert [str(ply) for ply in table.snapshot.plies] == ["d1-d3", "e3-f3", "d3-d2", "e8-e7"]
    assert table.effects(PlyRetracted) == []
    table.command(commands.Undo())
    assert table.effects(PlyRetracted)[-1].number == 4
    table.command(commands.Undo())
    assert "operator" in refusal(table)


def test_the_board_itself_is_taken_as_the_truth() -> None:
    table = opened()
    before = table.snapshot.position
    moved = SquareSet(table.closed & ~squares("e6", "a4") | squares("f7"))
    table.board(moved)
    table.wait(10.0)
    assert table.phase() is Phase.MISMATCH
    table.command(ConfirmPosition())
    after = table.snapshot.position
    assert after.occupied == moved
    assert after.defenders == before.defenders & ~squares("e6") | squares("f7")
    assert after.attackers == before.attackers & ~squares("a4")
    assert table.phase() is Phase.IN_SYNC


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("nonsense", "not a position"),
        ("/9/9/9/9/t8/9/9/9/9/", "king"),
        ("/K8/9/9/9/9/9/9/9/9/", "king"),
    ],
)
def test_a_position_that_cannot_be_played_is_refused(record: str, why: str) -> None:
    table = opened()
    table.command(ConfirmPosition(record))
    assert why in refusal(table)
    assert len(table.snapshot.plies) == 3


def test_more_pieces_than_the_game_has_are_no_truth() -> None:
    table = opened()
    table.board(SquareSet(table.closed | squares("c7")))
    table.wait(2.0)
    table.command(ConfirmPosition())
    assert "more pieces" in refusal(table)


def test_a_pause_does_not_follow_the_board() -> None:
    table = opened()
    table.command(commands.Pause())
    assert snapshot_json(table.snapshot)["paused"] is True
    table.board(NO_SQUARES)
    table.wait(100.0)
    assert table.phase() is Phase.PAUSED
    assert not table.snapshot.help
    table.board(table.snapshot.position.occupied)
    table.command(commands.Resume())
    table.wait(1.0)
    assert table.phase() is Phase.IN_SYNC
    table.move("f3-f2")
    assert table.effects(PlyShown)[-1].number == 4


def test_settings_change_and_are_stored() -> None:
    table = opened()
    table.command(ChangeSetting(Setting.PALETTE, "deuteranopia"))
    table.command(ChangeSetting(Setting.BRIGHTNESS, "0.25"))
    table.command(ChangeSetting(Setting.LANGUAGE, "da"))
    assert table.effects(SettingChanged) == [
        SettingChanged("palette", "deuteranopia"),
        SettingChanged("brightness", "0.25"),
        SettingChanged("language", "da"),
    ]
    assert table.snapshot.settings.palette == "deuteranopia"
    for setting, value in (
        (Setting.PALETTE, "pink"),
        (Setting.BRIGHTNESS, "2"),
        (Setting.BRIGHTNESS, "bright"),
        (Setting.HINTS, "perhaps"),
    ):
        table.command(ChangeSetting(setting, value))
        assert repr(value) in refusal(table)


def test_hints_may_be_switched_off() -> None:
    table = opened()
    table.command(ChangeSetting(Setting.HINTS, "off"))
    table.press(Button.HINT)
    assert "switched off" in refusal(table)


# -- the archive -----------------------------------------------------------------------------


def test_a_ply_is_shown_as_final_only_when_the_archive_holds_it() -> None:
    table = opened(archive=True)
    table.wait(30.0)
    assert [effect.number for effect in table.effects(PlyFinal)] == [1, 2, 3]
    assert table.snapshot.final == 0
    table.send(Committed(1, 2))
    assert table.snapshot.final == 2
    table.send(Committed(7, 3))
    assert table.snapshot.final == 2, "another game's plies"


def test_without_an_archive_final_is_final() -> None:
    table = opened()
    table.wait(30.0)
    assert table.snapshot.final == 3
