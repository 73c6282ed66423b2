"""The session's states, what can happen in each, and what the session then does: a table.

`Session.handle` looks every event up here; a pair that is missing could not be handled, so a
test proves the table complete, and another that no transition happens that it does not allow.
docs/session.md's diagram is written from it (`mermaid`).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(enum.Enum):
    """What the session is doing; the value is the name in the diagram."""

    SETUP = "SettingUp"
    LOT = "DrawingLots"
    PLAYING = "Playing"
    FINISHED = "Finished"
    ATTRACT = "Attracting"
    MENU = "Menu"
    LESSON = "Lesson"
    PAUSED = "Paused"
    STOPPED = "Stopped"


class Trigger(enum.Enum):
    """What can happen, seen by the session. Buttons are wishes like any other."""

    BOARD = "board"
    TIME = "time"
    FAULT = "fault"
    REPAIRED = "fault cleared"
    COMMITTED = "stored"
    HELD = "button held"
    CONFIRM = "confirm"
    NEW_GAME = "new game"
    SET_VARIANT = "set variant"
    UNDO = "undo"
    RESIGN = "resign"
    AGREE_DRAW = "agree draw"
    UNDECIDABLE = "undecidable"
    CONFIRM_POSITION = "confirm position"
    DECLARE_RESULT = "declare result"
    PAUSE = "pause"
    RESUME = "resume"
    HINT = "hint"
    START_LESSON = "start lesson"
    CHANGE_SETTING = "change setting"
    SHUT_DOWN = "shut down"
    STOPPING = "stopping"


class Answer(enum.Enum):
    """What the session does with an event."""

    FOLLOW = "follow"
    NOTE = "note"
    OBEY = "obey"
    REFUSE = "refuse"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Row:
    """The answer to one trigger in one state.

    Attributes:
        answer: what is done.
        to: the states this may lead to; the state itself is always among them.
        why: for a refusal, one line for the person who asked.
    """

    answer: Answer
    to: frozenset[State] = frozenset()
    why: str = ""


_S = State
_T = Trigger


def _follow(*to: State) -> Row:
    return Row(Answer.FOLLOW, frozenset(to))


def _obey(*to: State) -> Row:
    return Row(Answer.OBEY, frozenset(to))


def _refuse(why: str) -> Row:
    return Row(Answer.REFUSE, why=why)


_ANEW: Final = _obey(_S.SETUP, _S.LOT, _S.PLAYING)
"""A set-up that finds the start position standing passes on at once."""

_NOTE: Final = Row(Answer.NOTE)
_IGNORE: Final = Row(Answer.IGNORE)
_NO_GAME: Final = _refuse("no game is being played; set the pieces up to begin one")
_NOT_PAUSED: Final = _refuse("the game is not paused")
_DRAWING: Final = _refuse("the first move is being drawn by lot; ask again in some seconds")
_IN_MENU: Final = _refuse("the menu is open; add a second piece to close it")
_IN_LESSON: Final = _refuse("a lesson is running; begin a new game to end it")
_OVER: Final = _refuse("the game is over; set the pieces up to begin another")
_ENDING: Final = _refuse("the table is being switched off")
_IS_PAUSED: Final = _refuse("the game is paused; resume it first")

_EVERYWHERE: Final[Mapping[Trigger, Row]] = {
    _T.FAULT: _NOTE,
    _T.REPAIRED: _NOTE,
    _T.COMMITTED: _NOTE,
    _T.HELD: _NOTE,
    _T.CHANGE_SETTING: _obey(),
    _T.SHUT_DOWN: _obey(_S.STOPPED),
    _T.STOPPING: _obey(_S.STOPPED),
    _T.NEW_GAME: _ANEW,
    _T.SET_VARIANT: _ANEW,
    _T.CONFIRM: _IGNORE,
    _T.START_LESSON: _obey(_S.LESSON),
}
"""What is answered alike in every state that does not say otherwise below."""

_SEEN: Final = (_T.BOARD, _T.TIME)
"""A look at an unchanged board is the passing of time."""

_GAME_WISHES: Final = (
    _T.UNDO,
    _T.RESIGN,
    _T.AGREE_DRAW,
    _T.UNDECIDABLE,
    _T.CONFIRM_POSITION,
    _T.DECLARE_RESULT,
    _T.HINT,
)


def _all(triggers: tuple[Trigger, ...], row: Row) -> dict[Trigger, Row]:
    return dict.fromkeys(triggers, row)


_SPECIAL: Final[Mapping[State, Mapping[Trigger, Row]]] = {
    _S.SETUP: {
        **_all(_SEEN, _follow(_S.LOT, _S.PLAYING, _S.ATTRACT, _S.MENU)),
        **_all(_GAME_WISHES, _NO_GAME),
        _T.CONFIRM_POSITION: _obey(_S.PLAYING, _S.FINISHED),
        _T.PAUSE: _NO_GAME,
        _T.RESUME: _NOT_PAUSED,
    },
    _S.LOT: {
        _T.BOARD: _NOTE,
        _T.TIME: _follow(_S.PLAYING),
        **_all(_GAME_WISHES, _DRAWING),
        _T.PAUSE: _DRAWING,
        _T.RESUME: _NOT_PAUSED,
        _T.START_LESSON: _DRAWING,
    },
    _S.PLAYING: {
        **_all(_SEEN, _follow(_S.FINISHED, _S.SETUP, _S.LOT, _S.PLAYING, _S.MENU)),
        _T.CONFIRM: _obey(_S.FINISHED),
        _T.UNDO: _obey(),
        _T.RESIGN: _obey(_S.FINISHED),
        _T.AGREE_DRAW: _obey(_S.FINISHED),
        _T.UNDECIDABLE: _obey(_S.FINISHED),
        _T.CONFIRM_POSITION: _obey(_S.FINISHED),
        _T.DECLARE_RESULT: _obey(_S.FINISHED),
        _T.HINT: _obey(),
        _T.PAUSE: _obey(_S.PAUSED),
        _T.RESUME: _NOT_PAUSED,
    },
    _S.FINISHED: {
        **_all(_SEEN, _follow(_S.SETUP, _S.LOT, _S.PLAYING, _S.ATTRACT, _S.MENU)),
        **_all(_GAME_WISHES, _OVER),
        _T.CONFIRM: _ANEW,
        _T.UNDO: _obey(_S.PLAYING),
        _T.PAUSE: _OVER,
        _T.RESUME: _NOT_PAUSED,
    },
    _S.ATTRACT: {
        _T.BOARD: _follow(_S.SETUP),
        _T.TIME: _follow(),
        **_all(_GAME_WISHES, _NO_GAME),
        _T.CONFIRM: _ANEW,
        _T.PAUSE: _NO_GAME,
        _T.RESUME: _NOT_PAUSED,
    },
    _S.MENU: {
        **_all(_SEEN, _follow(_S.SETUP, _S.PLAYING, _S.FINISHED, _S.LESSON)),
        **_all(_GAME_WISHES, _IN_MENU),
        _T.CONFIRM: _obey(_S.SETUP, _S.PLAYING, _S.FINISHED, _S.LESSON),
        _T.PAUSE: _IN_MENU,
        _T.RESUME: _NOT_PAUSED,
        _T.START_LESSON: _IN_MENU,
        _T.NEW_GAME: _obey(_S.SETUP),
        _T.SET_VARIANT: _obey(_S.SETUP),
    },
    _S.LESSON: {
        **_all(_SEEN, _follow(_S.SETUP, _S.LOT, _S.PLAYING)),
        **_all(_GAME_WISHES, _IN_LESSON),
        _T.CONFIRM: _ANEW,
        _T.PAUSE: _IN_LESSON,
        _T.RESUME: _NOT_PAUSED,
    },
    _S.PAUSED: {
        _T.BOARD: _NOTE,
        _T.TIME: _NOTE,
        **_all(_GAME_WISHES, _IS_PAUSED),
        _T.CONFIRM: _obey(_S.PLAYING, _S.FINISHED),
        _T.DECLARE_RESULT: _obey(_S.FINISHED),
        _T.PAUSE: _refuse("the game is paused already"),
        _T.RESUME: _obey(_S.PLAYING, _S.FINISHED),
        _T.START_LESSON: _IS_PAUSED,
    },
    _S.STOPPED: {
        _T.BOARD: _NOTE,
        _T.TIME: _NOTE,
        **_all(_GAME_WISHES, _ENDING),
        _T.NEW_GAME: _ENDING,
        _T.SET_VARIANT: _ENDING,
        _T.PAUSE: _ENDING,
        _T.RESUME: _ENDING,
        _T.START_LESSON: _ENDING,
        _T.CHANGE_SETTING: _ENDING,
        _T.SHUT_DOWN: _IGNORE,
        _T.STOPPING: _IGNORE,
    },
}

TABLE: Final[Mapping[tuple[State, Trigger], Row]] = {
    (state, trigger): row
    for state, special in _SPECIAL.items()
    for trigger, row in {**_EVERYWHERE, **special}.items()
}
"""The answer to every trigger in every state."""


def mermaid() -> str:
    """Return the table's transitions as a Mermaid state diagram, one arrow a pair of states."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.SETUP.value}", "    [*] --> Playing: resumed"]
    for origin in State:
        for target in State:
            labels = [
                trigger.value
                for trigger in Trigger
                if target is not origin and target in TABLE[origin, trigger].to
            ]
            if labels:
                lines.append(f"    {origin.value} --> {target.value}: {', '.join(labels)}")
    return "\n".join([*lines, f"    {State.STOPPED.value} --> [*]"])


def answers() -> str:
    """Return the whole table as Markdown: a row a trigger, a column a state."""
    head = "| what happens | " + " | ".join(state.value for state in State) + " |"
    rule = "|---" * (len(State) + 1) + "|"
    rows = [
        f"| {trigger.value} | "
        + " | ".join(TABLE[state, trigger].answer.value for state in State)
        + " |"
        for trigger in Trigger
    ]
    return "\n".join([head, rule, *rows])
