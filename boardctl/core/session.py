"""The game at the board as a state machine.

Theory of operation. Everything that happens at the table reaches `Session.handle` as an `Event`
with its time. The event's trigger and the session's state name one row of
`boardctl.core.transitions.TABLE`, which says whether it is followed, obeyed, noted, refused or
ignored, and which states it may lead to. The states themselves are small classes that hold what
only they need (`boardctl.core.mode`); what all share lies on the `Desk`.

    board, time ──► mode.step(desk, now) ──┐
    command     ──► obey(desk, mode, ...) ─┴─► Go(state, ...) ──► next mode, and so on
                                                                  └─► effects, snapshot

Invariants: `handle` never raises; the state changes only along the table; each `GameStarted` is
followed by one of `GameOver` and `GameAbandoned` before the next; the snapshot's version grows
exactly when the snapshot changes. Nothing here reads a clock: a session that wants to be woken
says so by `next_deadline`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from boardctl.core import events
from boardctl.core.attract import Attract
from boardctl.core.commands import ConfirmPosition, Hint, NewGame, Resume, Undo
from boardctl.core.desk import HINT_S, Desk, Go
from boardctl.core.effects import (
    Effect,
    GameOver,
    GameStarted,
    Play,
    PlyShown,
    Refused,
    ShutDown,
    Sound,
)
from boardctl.core.events import Button, ButtonPressed, CommandGiven
from boardctl.core.lessons import Teaching
from boardctl.core.menu import Menu
from boardctl.core.occupancy import Instant
from boardctl.core.orders import RefusalError, leave, obey
from boardctl.core.playing import Finished, Paused, Playing, Stopped
from boardctl.core.setup import Drawing, SetUp
from boardctl.core.snapshot import Fault, Sign
from boardctl.core.transitions import TABLE, Answer, State, Trigger
from boardctl.core.triggers import trigger_of
from boardctl.core.view import help_at, view
from engine.notation import format_position
from engine.pieces import Side
from engine.rules import Call, load_variant, with_options

if TYPE_CHECKING:
    import random

    from boardctl.core.commands import Command
    from boardctl.core.events import Event
    from boardctl.core.following import Following
    from boardctl.core.mode import Mode
    from boardctl.core.settings import SessionSettings
    from boardctl.core.snapshot import Snapshot
    from engine.game import Game

READY_S: Final = 1.0
"""How long the sign stands that the table is ready."""

WAKE_S: Final = 0.1
"""A state that was entered is looked at again so soon: its own time may have come already."""

HELD_S: Final = 1.0
"""A held button that is not heard of for so long has been let go."""

_BUTTONS: Final[dict[Button, Command]] = {
    Button.NEW_GAME: NewGame(),
    Button.TAKE_BACK: Undo(),
    Button.HINT: Hint(),
}
_CALLS: Final = {Call.RAICKI: Sound.RAICKI, Call.TUICKU: Sound.TUICKU}


class Session:
    """The game at one board.

    Args:
        settings: the table's settings.
        now: the time it begins.
        rng: draws lots, breaks ties between hints.
        game: a game to follow at once (a resumed or recorded one); None: set-up.
        final: how many of its plies cannot be revised any more; None: all of them.

    Raises:
        RulesetError: the settings name no playable game.
    """

    def __init__(
        self,
        settings: SessionSettings,
        now: Instant,
        rng: random.Random,
        *,
        game: Game | None = None,
        final: int | None = None,
    ) -> None:
        if game is None:
            ruleset = with_options(load_variant(settings.variant), settings.options)
        else:
            ruleset = game.ruleset
        self._desk = Desk(settings, ruleset, rng, changed_at=now)
        self._now = now
        self._ready_at: Instant | None = now
        self._woken_at = Instant(now + WAKE_S)
        self._mode: Mode
        self._shown: Snapshot | None = None
        self._stale = True
        if game is None:
            self._mode = SetUp(self._desk, now)
        else:
            self._desk.number = 1
            self._desk.committed = game.ply_count if final is None else final
            self._mode = Playing(self._desk, Go(State.PLAYING, game=game, final=final), now)

    @property
    def state(self) -> State:
        """What the session is doing."""
        return self._mode.state

    @property
    def snapshot(self) -> Snapshot:
        """What the table shows now."""
        if self._stale or self._shown is None:
            self._stale = False
            version = 0 if self._shown is None else self._shown.version
            fresh = replace(view(self._desk, self._mode, self._now), version=version)
            if self._ready_at is not None and fresh.sign is None:
                fresh = replace(fresh, sign=Sign.READY, sign_at=self._ready_at)
            if fresh != self._shown:
                self._shown = replace(fresh, version=version + 1)
        shown = self._shown
        assert shown is not None  # noqa: S101 - set above whenever it was None
        return shown

    @property
    def next_deadline(self) -> Instant | None:
        """When the session wants a `Tick`, should nothing happen before."""
        desk = self._desk
        times = [
            *self._mode.deadlines(desk),
            self._woken_at,
            help_at(desk, self._mode),
            None if desk.hint is None else Instant(desk.hint.since + HINT_S),
            None if self._ready_at is None else Instant(self._ready_at + READY_S),
            None if desk.shutdown_at is None else Instant(desk.shutdown_at + HELD_S),
        ]
        return min((time for time in times if time is not None and time > self._now), default=None)

    def handle(self, event: Event, now: Instant) -> list[Effect]:
        """Take one event in; return what the shell is to do, in order. Never raises.

        A deadline that has passed is met first; a state that follows the event sees the time, too.
        """
        due, row = self.next_deadline, TABLE[self._mode.state, trigger_of(event)]
        late = due is not None and now >= due and row.answer is not Answer.FOLLOW
        before = self._take(events.Tick(), now) if late else []
        return before + self._take(event, now)

    def _take(self, event: Event, now: Instant) -> list[Effect]:
        self._now = now
        self._stale = True
        self._notice(event, now)
        trigger = trigger_of(event)
        row = TABLE[self._mode.state, trigger]
        match row.answer:
            case Answer.FOLLOW:
                self._go(self._follow(event, now), now)
            case Answer.OBEY:
                self._obey(trigger, event, now)
            case Answer.REFUSE:
                self._desk.emit(Refused(row.why))
            case _:
                pass
        effects, self._desk.effects = self._desk.effects, []
        return self._with_sounds(effects)

    # -- events ----------------------------------------------------------------------------

    def _notice(self, event: Event, now: Instant) -> None:
        """Remember what holds in every state."""
        desk = self._desk
        match event:
            case events.BoardSeen(occupancy) if occupancy != desk.occupancy:
                if desk.occupancy is not None:
                    self._ready_at = None
                    desk.hint = None
                desk.occupancy, desk.changed_at = occupancy, now
            case events.FaultSeen(reason, squares):
                desk.fault = Fault(reason, squares)
                desk.fault_at = now if desk.fault_at is None else desk.fault_at
            case events.FaultCleared():
                desk.fault = desk.fault_at = None
            case events.Committed(game_number, ply) if game_number == desk.number:
                desk.committed = max(desk.committed, ply)
            case events.ButtonHeld(Button.SHUT_DOWN, fraction):
                held = fraction > 0.0
                desk.shutdown = min(fraction, 1.0) if held else None
                desk.shutdown_at = now if held else None
            case _:
                pass
        self._forget(now)

    def _forget(self, now: Instant) -> None:
        """Drop what was shown for its time."""
        desk = self._desk
        if desk.hint is not None and now >= desk.hint.since + HINT_S:
            desk.hint = None
        if self._ready_at is not None and now >= self._ready_at + READY_S:
            self._ready_at = None
        if desk.shutdown_at is not None and now >= desk.shutdown_at + HELD_S:
            desk.shutdown = desk.shutdown_at = None

    def _follow(self, event: Event, now: Instant) -> Go | None:
        """Let the mode look at the board, or let it see that time has passed."""
        desk, mode = self._desk, self._mode
        seen = isinstance(event, events.BoardSeen)
        if isinstance(mode, Playing | Teaching):
            return mode.step(desk, now, desk.occupancy if seen else None)
        if isinstance(mode, Attract) and seen:
            return mode.touched()
        if isinstance(mode, Menu):
            return self._menu(mode, mode.touched(desk, now) if seen else mode.step(desk, now), now)
        return mode.step(desk, now)

    def _menu(self, mode: Menu, go: Go | None, now: Instant) -> Go | None:
        """Carry out what was chosen; wishes about the game are those of the state it covers."""
        command, mode.chosen = mode.chosen, None
        if command is None:
            return go
        try:
            return obey(self._desk, mode.back, command, now)
        except RefusalError as refusal:
            self._desk.emit(Refused(str(refusal)))
            return None

    def _obey(self, trigger: Trigger, event: Event, now: Instant) -> None:
        desk = self._desk
        try:
            match event:
                case CommandGiven(command):
                    self._go(obey(desk, self._mode, command, now), now)
                case ButtonPressed(Button.CONFIRM):
                    self._go(self._confirm(now), now)
                case ButtonPressed(Button.SHUT_DOWN):
                    desk.emit(ShutDown())
                    self._go(Go(State.STOPPED), now)
                case ButtonPressed(button):
                    self._go(obey(desk, self._mode, _BUTTONS[button], now), now)
                case _:
                    self._go(Go(State.STOPPED) if trigger is Trigger.STOPPING else None, now)
        except RefusalError as refusal:
            desk.emit(Refused(str(refusal)))

    def _confirm(self, now: Instant) -> Go | None:
        """What the one button that means yes says in each state."""
        match self._mode:
            case Playing() as play if play.follow.trouble is not None:
                return obey(self._desk, play, ConfirmPosition(), now)
            case Finished() | Attract():
                return Go(State.SETUP)
            case Menu() as menu:
                return self._menu(menu, menu.choose(self._desk), now)
            case Teaching() as lesson:
                return lesson.skip()
            case Paused() as paused:
                return obey(self._desk, paused, Resume(), now)
            case _:
                return None

    # -- states ----------------------------------------------------------------------------

    def _go(self, go: Go | None, now: Instant) -> None:
        """Enter states until one wants to stay."""
        while go is not None:
            self._mode = self._enter(go, now)
            self._woken_at = Instant(now + WAKE_S)
            mode = self._mode
            go = mode.arrive(self._desk, now) if isinstance(mode, Playing | SetUp) else None

    def _enter(self, go: Go, now: Instant) -> Mode:  # noqa: C901, PLR0911 - one branch a state
        desk = self._desk
        if go.back:
            return self._back(now)
        if go.to is not State.MENU:
            desk.hint = None
        match go.to:
            case State.SETUP:
                self._change_seats()
                return SetUp(desk, now)
            case State.LOT:
                self._change_seats()
                return Drawing(desk, now)
            case State.PLAYING:
                return self._play(go, now)
            case State.FINISHED:
                return self._finish(go, now)
            case State.ATTRACT:
                return Attract(now)
            case State.MENU if isinstance(self._mode, SetUp | Playing | Finished):
                return Menu(self._mode, now)
            case State.LESSON:
                leave(desk, self._mode)
                return Teaching(desk, go.number, now)
            case State.PAUSED if isinstance(self._mode, Playing):
                return Paused(self._mode, now)
            case State.STOPPED:
                return Stopped(self._mode, now)
            case _:
                return self._mode

    def _back(self, now: Instant) -> Mode:
        """Return to the state that the menu, the pause or the end covered."""
        match self._mode:
            case Menu(back=covered):
                mode: Mode = covered
            case Paused(play=play) | Finished(play=play):
                mode = play
            case _:
                return self._mode
        self._desk.swap_next = False
        if isinstance(mode, Playing) and self._desk.occupancy is not None:
            mode.look(self._desk, self._desk.occupancy, now)
        return mode

    def _play(self, go: Go, now: Instant) -> Mode:
        desk = self._desk
        if not go.corrected:
            self._change_seats()
            desk.number += 1
            desk.committed = 0
            position = go.game.position if go.game is not None else desk.ruleset.start
            desk.emit(
                GameStarted(
                    desk.number,
                    desk.settings.variant,
                    desk.ruleset.options,
                    format_position(position),
                    position.side,
                )
            )
        return Playing(desk, go, now)

    def _finish(self, go: Go, now: Instant) -> Mode:
        desk = self._desk
        covered = self._mode
        if isinstance(covered, Menu):
            covered = covered.back
        play = covered.play if isinstance(covered, Paused) else covered
        if not isinstance(play, Playing) or go.outcome is None:
            return self._mode
        play.finalise(desk)
        desk.emit(GameOver(desk.number, go.outcome))
        takes = play.game.ruleset.winner_takes_defenders
        desk.swap_next = takes and go.outcome.winner is Side.ATTACKER
        return Finished(desk, play, go.outcome, now)

    def _change_seats(self) -> None:
        desk = self._desk
        if desk.swap_next:
            desk.south = desk.south.other
            desk.swap_next = False

    # -- sounds ----------------------------------------------------------------------------

    def _with_sounds(self, effects: list[Effect]) -> list[Effect]:
        """Return the effects with the buzzer's part; without any sound where it is switched off."""
        follow = self._mode.follow if isinstance(self._mode, Playing) else None
        found: list[Effect] = []
        for effect in effects:
            if not isinstance(effect, Play):
                found.append(effect)
            sound = effect.sound if isinstance(effect, Play) else _sound(effect, follow)
            if sound is not None and self._desk.settings.sound:
                found.append(Play(sound))
        return found


def _sound(effect: Effect, follow: Following | None) -> Sound | None:
    match effect:
        case PlyShown(_, ply):
            call = None if follow is None or follow.game.last is not ply else follow.game.call
            if call is not None and follow is not None and follow.game.side is Side.ATTACKER:
                return _CALLS[call]
            return Sound.CAPTURE if ply.captures else Sound.ACCEPTED
        case GameOver(_, outcome) if outcome.winner is not None:
            return Sound.WIN
        case _:
            return None
