"""The transition table is complete, true, and what the documentation shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.core import commands, events
from boardctl.core.effects import Refused
from boardctl.core.occupancy import Occupancy
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import snapshot_json
from boardctl.core.transitions import TABLE, Answer, State, Trigger, answers, mermaid
from boardctl.core.triggers import trigger_of
from engine.pieces import Side
from engine.squares import CENTRE, NO_SQUARES, SquareSet
from tests.support.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

DOCUMENT = Path(__file__).parents[4] / "docs" / "session.md"

EVENTS: dict[Trigger, events.Event] = {
    Trigger.BOARD: events.BoardSeen(Occupancy(SquareSet(1 << 20))),
    Trigger.TIME: events.Tick(),
    Trigger.FAULT: events.FaultSeen("chip 0x20 does not answer", SquareSet(1)),
    Trigger.REPAIRED: events.FaultCleared(),
    Trigger.COMMITTED: events.Committed(1, 1),
    Trigger.HELD: events.ButtonHeld(events.Button.SHUT_DOWN, 0.5),
    Trigger.CONFIRM: events.ButtonPressed(events.Button.CONFIRM),
    Trigger.NEW_GAME: events.CommandGiven(commands.NewGame()),
    Trigger.SET_VARIANT: events.CommandGiven(commands.SetVariant("market", {})),
    Trigger.UNDO: events.CommandGiven(commands.Undo()),
    Trigger.RESIGN: events.CommandGiven(commands.Resign(Side.ATTACKER)),
    Trigger.AGREE_DRAW: events.CommandGiven(commands.AgreeDraw()),
    Trigger.UNDECIDABLE: events.CommandGiven(commands.DeclareUndecidable()),
    Trigger.CONFIRM_POSITION: events.CommandGiven(
        commands.ConfirmPosition("/9/9/9/t8/4K4/9/9/9/9/", Side.ATTACKER)
    ),
    Trigger.DECLARE_RESULT: events.CommandGiven(commands.DeclareResult(Side.DEFENDER)),
    Trigger.PAUSE: events.CommandGiven(commands.Pause()),
    Trigger.RESUME: events.CommandGiven(commands.Resume()),
    Trigger.HINT: events.CommandGiven(commands.Hint()),
    Trigger.START_LESSON: events.CommandGiven(commands.StartLesson(1)),
    Trigger.CHANGE_SETTING: events.CommandGiven(
        commands.ChangeSetting(commands.Setting.PALETTE, "high-contrast")
    ),
    Trigger.SHUT_DOWN: events.ButtonPressed(events.Button.SHUT_DOWN),
    Trigger.STOPPING: events.Stopping(),
}


def setting_up() -> Table:
    table = Table(set_up=False)
    table.board(NO_SQUARES)
    return table


def drawing() -> Table:
    return Table("imperial")


def playing() -> Table:
    table = Table()
    table.wait(2.0)
    table.move("e2-d2")
    table.wait(1.0)
    return table


def finished() -> Table:
    table = playing()
    table.command(commands.AgreeDraw())
    return table


def attracting() -> Table:
    table = Table(set_up=False, settings=SessionSettings(attract_after_s=5.0))
    table.board(NO_SQUARES)
    table.wait(6.0)
    return table


def menu() -> Table:
    table = playing()
    table.board(SquareSet(1 << CENTRE))
    table.wait(6.0)
    return table


def lesson() -> Table:
    table = setting_up()
    table.command(commands.StartLesson(2))
    return table


def paused() -> Table:
    table = playing()
    table.command(commands.Pause())
    return table


def stopped() -> Table:
    table = playing()
    table.send(events.Stopping())
    return table


STATES: dict[State, Callable[[], Table]] = {
    State.SETUP: setting_up,
    State.LOT: drawing,
    State.PLAYING: playing,
    State.FINISHED: finished,
    State.ATTRACT: attracting,
    State.MENU: menu,
    State.LESSON: lesson,
    State.PAUSED: paused,
    State.STOPPED: stopped,
}


def test_every_state_has_an_answer_to_everything() -> None:
    assert set(TABLE) == {(state, trigger) for state in State for trigger in Trigger}


def test_the_examples_are_of_their_triggers() -> None:
    assert {trigger_of(event) for event in EVENTS.values()} == set(Trigger)
    assert all(trigger_of(event) is trigger for trigger, event in EVENTS.items())


@pytest.mark.parametrize("state", State)
def test_the_examples_are_in_their_states(state: State) -> None:
    assert STATES[state]().state() is state


@pytest.mark.parametrize("trigger", Trigger)
@pytest.mark.parametrize("state", State)
def test_the_answer_is_the_tables(state: State, trigger: Trigger) -> None:
    table = STATES[state]()
    row = TABLE[state, trigger]
    before = snapshot_json(table.snapshot)
    effects = table.send(EVENTS[trigger])
    after = table.state()
    assert after is state or after in row.to
    match row.answer:
        case Answer.REFUSE:
            assert effects == [Refused(row.why)]
            assert row.why
            assert snapshot_json(table.snapshot) == before, "a refused wish changes nothing"
        case Answer.IGNORE:
            assert effects == []
            assert snapshot_json(table.snapshot) == before
        case Answer.NOTE:
            assert effects == []
            assert after is state
        case Answer.OBEY:
            answered = effects or after is not state or snapshot_json(table.snapshot) != before
            nothing = {
                (State.SETUP, Trigger.NEW_GAME),
                (State.PLAYING, Trigger.CONFIRM),
                (State.MENU, Trigger.CONFIRM),
            }
            assert answered or (state, trigger) in nothing, "an obeyed wish does something"
        case Answer.FOLLOW:
            pass
    table.wait(1.0)


def test_a_refusal_gives_its_reason_and_nothing_else_does() -> None:
    assert all(bool(row.why) == (row.answer is Answer.REFUSE) for row in TABLE.values())


def test_only_followed_and_obeyed_events_lead_anywhere() -> None:
    leading = {row.answer for row in TABLE.values() if row.to}
    assert leading == {Answer.FOLLOW, Answer.OBEY}


def test_the_documentation_shows_this_table() -> None:
    """Renew it by the two functions named in docs/session.md."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert mermaid() in text
    assert answers() in text
