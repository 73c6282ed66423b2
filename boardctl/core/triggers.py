"""Which trigger of the transition table an event is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core import commands, events
from boardctl.core.events import Button
from boardctl.core.transitions import Trigger

if TYPE_CHECKING:
    from collections.abc import Mapping

EVENT_TRIGGERS: Final[Mapping[type, Trigger]] = {
    events.BoardSeen: Trigger.BOARD,
    events.Tick: Trigger.TIME,
    events.FaultSeen: Trigger.FAULT,
    events.FaultCleared: Trigger.REPAIRED,
    events.Committed: Trigger.COMMITTED,
    events.ButtonHeld: Trigger.HELD,
    events.Stopping: Trigger.STOPPING,
}

BUTTON_TRIGGERS: Final[Mapping[Button, Trigger]] = {
    Button.CONFIRM: Trigger.CONFIRM,
    Button.NEW_GAME: Trigger.NEW_GAME,
    Button.TAKE_BACK: Trigger.UNDO,
    Button.HINT: Trigger.HINT,
    Button.SHUT_DOWN: Trigger.SHUT_DOWN,
}

COMMAND_TRIGGERS: Final[Mapping[type, Trigger]] = {
    commands.NewGame: Trigger.NEW_GAME,
    commands.SetVariant: Trigger.SET_VARIANT,
    commands.Undo: Trigger.UNDO,
    commands.Resign: Trigger.RESIGN,
    commands.AgreeDraw: Trigger.AGREE_DRAW,
    commands.DeclareUndecidable: Trigger.UNDECIDABLE,
    commands.ConfirmPosition: Trigger.CONFIRM_POSITION,
    commands.DeclareResult: Trigger.DECLARE_RESULT,
    commands.Pause: Trigger.PAUSE,
    commands.Resume: Trigger.RESUME,
    commands.Hint: Trigger.HINT,
    commands.StartLesson: Trigger.START_LESSON,
    commands.ChangeSetting: Trigger.CHANGE_SETTING,
}


def trigger_of(event: events.Event) -> Trigger:
    """Return an event's trigger: a command's or a button's own, or the event's kind."""
    match event:
        case events.CommandGiven(command):
            return COMMAND_TRIGGERS[type(command)]
        case events.ButtonPressed(button):
            return BUTTON_TRIGGERS[button]
        case _:
            return EVENT_TRIGGERS[type(event)]
