"""What commands do: each a function of (desk, mode, command, now) that returns the next state.

A command that cannot be obeyed now raises `RefusalError` with one line for the person.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from boardctl.core.commands import (
    AgreeDraw,
    ChangeSetting,
    Command,
    ConfirmPosition,
    DeclareResult,
    DeclareUndecidable,
    Hint,
    NewGame,
    Pause,
    Resign,
    Resume,
    SetVariant,
    StartLesson,
    Undo,
)
from boardctl.core.desk import Desk, Go
from boardctl.core.effects import Corrected, GameAbandoned, GameReopened, SettingChanged
from boardctl.core.geometry import steps
from boardctl.core.hints import suggest
from boardctl.core.menu import Menu
from boardctl.core.playing import Finished, Paused, Playing
from boardctl.core.settings import changed, value_text
from boardctl.core.snapshot import HintView
from boardctl.core.transitions import State
from engine.errors import EngineError
from engine.game import Game
from engine.notation import format_position, parse_position
from engine.pieces import Side
from engine.position import Position
from engine.rules import Outcome, Reason, Result, load_variant, with_options
from engine.squares import EDGE, NO_SQUARES, Square, SquareSet, members

if TYPE_CHECKING:
    from boardctl.core.mode import Mode
    from boardctl.core.occupancy import Instant


AT_START: Final = "nothing to take back: the game is at its start"
SET_BY_OPERATOR: Final = "nothing to take back: the operator set this position"
JUST_WON: Final = "the game has just been won on the board"
NO_HINTS: Final = "hints are switched off (setting hints)"
NO_MOVE: Final = "there is no move to propose"
GAME_RUNS: Final = "a game is being played; end it or begin a new one first"
NO_KING: Final = "a position to play on needs a king inside the board"
TOO_MANY: Final = "more pieces stand there than the game has; give the position"
WHO_IS_WHO: Final = "give the position: without a game the board does not tell who is who"
NO_GAME: Final = "no game is being played"
NOT_NOW: Final = "not possible now"
NO_SUCH_RULE: Final = "this game has no rule for one that cannot be decided; agree on a draw"
PAUSE_FIRST: Final = "a game is being played; pause it first"
WORK_RUNS: Final = "the hardware is being tested or calibrated; end that first"
NO_WORK: Final = "nothing is being tested or calibrated"
REFUSALS: Final = (
    AT_START,
    SET_BY_OPERATOR,
    JUST_WON,
    NO_HINTS,
    NO_MOVE,
    GAME_RUNS,
    NO_KING,
    TOO_MANY,
    WHO_IS_WHO,
    NO_GAME,
    NOT_NOW,
    NO_SUCH_RULE,
    PAUSE_FIRST,
    WORK_RUNS,
    NO_WORK,
)
"""Why a wish is refused, besides what names a wrong value; translated in `boardctl.texts`."""


class RefusalError(Exception):
    """A wish that cannot be fulfilled now; the text is for the person who had it."""


def obey(desk: Desk, mode: Mode, command: Command, now: Instant) -> Go | None:  # noqa: C901, PLR0911, PLR0912
    """Carry out a command; return the state to enter, None to stay.

    One branch a command: a table of functions would only hide which command is which.

    Raises:
        RefusalError: it cannot be obeyed now.
    """
    match command:
        case NewGame():
            return new_game(desk, mode, swap_sides=command.swap_sides)
        case SetVariant():
            return set_variant(desk, mode, command)
        case Undo():
            return undo(desk, mode, now)
        case Resign():
            return _end(mode, Outcome(command.side.other, Result.WIN, Reason.RESIGNED))
        case AgreeDraw():
            return _end(mode, Outcome(None, Result.DRAW, Reason.AGREED))
        case DeclareUndecidable():
            return _undecidable(desk, mode)
        case DeclareResult(winner):
            result = Result.DRAW if winner is None else Result.WIN
            return _end(mode, Outcome(winner, result, Reason.OPERATOR))
        case ConfirmPosition():
            return confirm_position(desk, mode, command)
        case Pause() if isinstance(mode, Playing):
            return Go(State.PAUSED)
        case Resume() if isinstance(mode, Paused):
            return Go(State.PLAYING, back=True)
        case Hint():
            hint(desk, mode, now)
            return None
        case StartLesson():
            return start_lesson(mode, command.number)
        case ChangeSetting():
            change_setting(desk, command)
            return None
        case _:
            raise RefusalError(NOT_NOW)


def _playing(mode: Mode) -> Playing:
    """Return the game in play, paused or not.

    Raises:
        RefusalError: there is none.
    """
    if isinstance(mode, Paused):
        return mode.play
    if isinstance(mode, Playing):
        return mode
    raise RefusalError(NO_GAME)


def _under_menu(mode: Mode) -> Mode:
    """Return the state that the menu covers, or the state itself."""
    return mode.back if isinstance(mode, Menu) else mode


def leave(desk: Desk, mode: Mode) -> None:
    """Record that a game in play is given up, if there is one."""
    if isinstance(_under_menu(mode), Playing | Paused):
        desk.emit(GameAbandoned(desk.number))


def new_game(desk: Desk, mode: Mode, *, swap_sides: bool = False) -> Go:
    """Leave what is going on and set up the same game anew."""
    leave(desk, mode)
    if swap_sides:
        desk.south = desk.south.other
    return Go(State.SETUP)


def set_variant(desk: Desk, mode: Mode, command: SetVariant) -> Go:
    """Play another game, or the same with other options."""
    try:
        desk.ruleset = with_options(load_variant(command.variant), command.options)
    except EngineError as error:
        raise RefusalError(str(error).replace("\n", "; ")) from error
    desk.settings = replace(desk.settings, variant=command.variant, options=dict(command.options))
    leave(desk, mode)
    return Go(State.SETUP)


def undo(desk: Desk, mode: Mode, now: Instant) -> Go | None:
    """Take the last ply back; after the end, open the game again."""
    if isinstance(mode, Finished):
        return _reopen(desk, mode, now)
    play = _playing(mode)
    if play.game.parent is None:
        raise RefusalError(SET_BY_OPERATOR if play.corrected else AT_START)
    play.revise(desk, play.game.undo(), now)
    return None


def _reopen(desk: Desk, mode: Finished, now: Instant) -> Go:
    """A result that people agreed on is only withdrawn; one on the board needs its ply back."""
    play = mode.play
    by_rules = play.game.outcome is not None
    if by_rules and play.game.parent is None:
        raise RefusalError(AT_START)
    desk.emit(GameReopened(desk.number))
    if by_rules:
        play.revise(desk, play.game.undo(), now)
    return Go(State.PLAYING, back=True)


def _end(mode: Mode, outcome: Outcome) -> Go:
    play = _playing(mode)
    if play.game.outcome is not None:
        raise RefusalError(JUST_WON)
    return Go(State.FINISHED, outcome=outcome)


def _undecidable(desk: Desk, mode: Mode) -> Go:
    if not desk.ruleset.undecidable:
        raise RefusalError(NO_SUCH_RULE)
    return _end(mode, Outcome(None, Result.DRAW, Reason.UNDECIDABLE))


def hint(desk: Desk, mode: Mode, now: Instant) -> None:
    """Propose a move for some seconds."""
    if not desk.settings.hints:
        raise RefusalError(NO_HINTS)
    game = _playing(mode).game
    ply = suggest(game, desk.rng)
    if ply is None:
        raise RefusalError(NO_MOVE)
    desk.hint = HintView(ply.move, now)


def start_lesson(mode: Mode, number: int) -> Go:
    """Begin the tutorial, unless a game would be lost by it."""
    covered = _under_menu(mode)
    if isinstance(covered, Playing) and covered.plies:
        raise RefusalError(GAME_RUNS)
    return Go(State.LESSON, number=number)


def change_setting(desk: Desk, command: ChangeSetting) -> None:
    """Change one setting and have it stored."""
    try:
        desk.settings = changed(desk.settings, command.setting, command.value)
    except ValueError as error:
        raise RefusalError(str(error)) from error
    value = value_text(desk.settings, command.setting)
    desk.emit(SettingChanged(command.setting.value, value))


def confirm_position(desk: Desk, mode: Mode, command: ConfirmPosition) -> Go:
    """Take a position as the truth: the one given, or the one that stands on the board."""
    play = mode if isinstance(mode, Playing) else None
    position = _given(command, play) if command.position else _standing(desk, play, command.side)
    if position.king is None or EDGE >> position.king & 1:
        raise RefusalError(NO_KING)
    game = Game.start(desk.ruleset, side=position.side, position=position)
    if play is None:
        return Go(State.PLAYING, game=game)
    plies = play.plies
    desk.emit(Corrected(desk.number, format_position(position), position.side, len(plies)))
    corrected = (*play.corrected, len(plies))
    return Go(State.PLAYING, game=game, earlier=plies, corrected=corrected)


def _given(command: ConfirmPosition, play: Playing | None) -> Position:
    side = command.side or (Side.ATTACKER if play is None else play.game.position.side)
    try:
        return parse_position(command.position or "", side)
    except EngineError as error:
        raise RefusalError(str(error)) from error


def _standing(desk: Desk, play: Playing | None, side: Side | None) -> Position:
    """Return the game's position moved to where the pieces stand.

    Reeds do not tell kinds apart: each extra piece is taken for the nearest missing one, the
    king first; pieces that are left missing have been taken off the board.
    """
    if play is None:
        raise RefusalError(WHO_IS_WHO)
    position = play.game.position
    missing, extra = desk.differences(position.occupied)
    if extra.bit_count() > missing.bit_count():
        raise RefusalError(TOO_MANY)
    moved = _pair(position, missing, extra)
    kinds = {
        kind: _moved(squares, missing, moved)
        for kind, squares in (
            ("attackers", position.attackers),
            ("defenders", position.defenders),
            ("king", position.king_set),
        )
    }
    king = next(members(kinds["king"]), None)
    to_move = side or position.side
    return Position(kinds["attackers"], kinds["defenders"], king, to_move)


def _pair(position: Position, missing: SquareSet, extra: SquareSet) -> dict[Square, Square]:
    """Return which missing piece stands on which extra square."""
    moved: dict[Square, Square] = {}
    free = set(members(missing))
    king = position.king
    order = sorted(members(extra), key=lambda at: min(steps(at, gone) for gone in free))
    if king is not None and king in free and order:
        at = min(order, key=lambda square: steps(square, king))
        moved[king] = at
        free.discard(king)
        order.remove(at)
    for at in order:
        gone = min(free, key=lambda square: (steps(square, at), square))
        moved[gone] = at
        free.discard(gone)
    return moved


def _moved(squares: SquareSet, missing: SquareSet, moved: dict[Square, Square]) -> SquareSet:
    found = squares & ~missing
    for square in members(SquareSet(squares & missing)):
        if square in moved:
            found |= 1 << moved[square]
    return SquareSet(found | NO_SQUARES)
