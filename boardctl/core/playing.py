"""A game at the board, from the first move to its announced end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from boardctl.core.desk import CELEBRATION_S, REST_S, Desk, Go
from boardctl.core.effects import (
    Effect,
    GameAbandoned,
    Play,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
    Sound,
)
from boardctl.core.following import Following
from boardctl.core.occupancy import Instant
from boardctl.core.reading import Situation
from boardctl.core.setup import begin
from boardctl.core.transitions import State
from engine.squares import NO_SQUARES, SquareSet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boardctl.core.mode import Mode
    from boardctl.core.occupancy import Occupancy
    from engine.game import Game
    from engine.moves import Ply
    from engine.rules import Outcome

WIN_REST_S: Final = 1.5
"""How long the last move must rest before the game's end is announced."""


class Playing:
    """Follows the board by the recogniser.

    After a correction by the operator the recogniser's game begins at the position he set;
    `earlier` holds the plies before it, and all numbers count on from there.
    """

    state = State.PLAYING

    def __init__(self, desk: Desk, go: Go, now: Instant) -> None:
        if go.game is None:
            raise ValueError("no game to play")
        self.since = now
        self.earlier: tuple[Ply, ...] = go.earlier
        self.corrected = go.corrected
        self.follow = Following(go.game, now, final=go.final)
        self.trouble_at: Instant | None = None
        if desk.occupancy is not None:
            self.look(desk, desk.occupancy, now)

    @property
    def game(self) -> Game:
        """The game as it now stands."""
        return self.follow.game

    @property
    def plies(self) -> tuple[Ply, ...]:
        """All plies, those before a correction included."""
        return self.earlier + self.game.plies

    @property
    def final(self) -> int:
        """How many of them cannot be revised by hand any more."""
        return len(self.earlier) + self.follow.reading.final

    def step(self, desk: Desk, now: Instant, occupancy: Occupancy | None = None) -> Go | None:
        """Look at the board (None: time has passed); return the state that follows."""
        self.look(desk, occupancy, now)
        return (
            self.arrive(desk, now)
            or self._set_up_anew(desk, now)
            or self._menu(desk, now)
            or self._abandoned(desk, now)
        )

    def look(self, desk: Desk, occupancy: Occupancy | None, now: Instant) -> None:
        """Look at the board, without leaving the state."""
        wrong = _wrong(self.follow)
        self.record(desk, self.follow.step(occupancy, now))
        if _wrong(self.follow) and not wrong:
            desk.emit(Play(Sound.ILLEGAL))
        if self.follow.trouble is None:
            self.trouble_at = None
        elif self.trouble_at is None:
            self.trouble_at = now

    def record(self, desk: Desk, effects: list[Effect]) -> None:
        """Emit what has changed, numbered from the first ply of the whole game."""
        before = len(self.earlier)
        for effect in effects:
            if isinstance(effect, PlyShown | PlyRevised | PlyRetracted | PlyFinal):
                desk.emit(replace(effect, number=effect.number + before))
            else:
                desk.emit(effect)

    def revise(self, desk: Desk, game: Game, now: Instant) -> None:
        """Follow this game from now on; the lights lead the pieces where it has them."""
        self.record(desk, self.follow.revise(game, now))

    def _end_at(self, desk: Desk) -> Instant | None:
        """Return when the end is announced, if nothing moves until then."""
        game, reading = self.game, self.follow.reading
        if game.outcome is None or reading.situation in {
            Situation.IN_HAND,
            Situation.CHOOSE_VICTIM,
        }:
            return None
        if game.last is None:
            return self.since
        there = desk.standing | desk.unread
        if not there >> game.last.to_square & 1:
            return None
        return Instant((self.follow.shown_at or self.since) + WIN_REST_S)

    def arrive(self, desk: Desk, now: Instant) -> Go | None:
        """End the game if its last move has rested."""
        at = self._end_at(desk)
        if at is None or now < at:
            return None
        return Go(State.FINISHED, outcome=self.game.outcome)

    def finalise(self, desk: Desk) -> None:
        """Make every ply final: the game is over, hands do not revise it any more."""
        for number in range(self.final + 1, len(self.plies) + 1):
            desk.emit(PlyFinal(number, self.plies[number - 1]))

    def _anew_at(self, desk: Desk) -> Instant | None:
        """Return when the start position, set up on a board that follows no game, begins one."""
        mismatch = self.follow.reading.situation is Situation.MISMATCH
        start = desk.ruleset.start.occupied
        if mismatch and start != self.game.position.occupied and desk.shows(start):
            return desk.rested(REST_S)
        return None

    def _set_up_anew(self, desk: Desk, now: Instant) -> Go | None:
        at = self._anew_at(desk)
        if at is None or now < at:
            return None
        desk.emit(GameAbandoned(desk.number))
        return begin(desk, now, sweep=True)

    def _menu(self, desk: Desk, now: Instant) -> Go | None:
        if desk.menu_at is None or now < desk.menu_at:
            return None
        return None if self.game.position.occupied == desk.standing else Go(State.MENU)

    def _abandoned_at(self, desk: Desk) -> Instant | None:
        trouble = self.follow.trouble
        pieces = self.game.position.occupied.bit_count()
        if trouble is None or 2 * trouble.missing.bit_count() <= pieces:
            return None
        return desk.rested(desk.settings.abandon_after_s)

    def _abandoned(self, desk: Desk, now: Instant) -> Go | None:
        at = self._abandoned_at(desk)
        if at is None or now < at:
            return None
        desk.emit(GameAbandoned(desk.number))
        return Go(State.SETUP)

    def deadlines(self, desk: Desk) -> Iterable[Instant | None]:
        """Return when time alone may change something."""
        return (
            self.follow.next_deadline,
            self._end_at(desk),
            self._anew_at(desk),
            desk.menu_at,
            self._abandoned_at(desk),
        )


def _wrong(follow: Following) -> SquareSet:
    """Return the squares where a piece was put against the rules."""
    trouble = follow.trouble
    return NO_SQUARES if trouble is None else SquareSet(trouble.illegal | trouble.wrong_side)


class Finished:
    """The end of a game: celebrated, then the winner's side glows until a new game is set up."""

    state = State.FINISHED

    def __init__(self, desk: Desk, play: Playing, outcome: Outcome, now: Instant) -> None:
        self.since = now
        self.play = play
        self.outcome = outcome
        self._shown = desk.standing

    @property
    def victims(self) -> SquareSet:
        """The victims of the last move that may still stand."""
        return self.play.follow.reading.victims

    def step(self, desk: Desk, now: Instant) -> Go | None:
        """Watch for the next set-up, the menu, or nobody at all."""
        if desk.shows(desk.ruleset.start.occupied) and self._anew(desk):
            return begin(desk, now, sweep=True) if now >= desk.rested(REST_S) else None
        if desk.menu_at is not None and now >= desk.menu_at:
            return Go(State.MENU)
        if now >= self.since + CELEBRATION_S and self._cleared(desk):
            return Go(State.SETUP)
        return Go(State.ATTRACT) if now >= self._attract_at(desk) else None

    def _anew(self, desk: Desk) -> bool:
        """Say whether the board has been touched: a game may end in its start position."""
        return desk.standing != self._shown or bool(self.play.plies)

    def _cleared(self, desk: Desk) -> bool:
        """Say whether hands are clearing the board: more is changed than the victims' squares."""
        changed = (desk.standing ^ self._shown) & ~self.victims & ~desk.unread
        return changed.bit_count() > 1

    def _attract_at(self, desk: Desk) -> Instant:
        return Instant(max(desk.changed_at, self.since) + desk.settings.attract_after_s)

    def deadlines(self, desk: Desk) -> Iterable[Instant | None]:
        """Return when time alone may change something."""
        celebrated = Instant(self.since + CELEBRATION_S)
        return (desk.rested(REST_S), desk.menu_at, celebrated, self._attract_at(desk))


class Paused:
    """The board is not followed; the game stays as it is."""

    state = State.PAUSED

    def __init__(self, play: Playing, now: Instant) -> None:
        self.since = now
        self.play = play

    def step(self, _desk: Desk, _now: Instant) -> Go | None:
        """Wait for the order to go on."""
        return None

    def deadlines(self, _desk: Desk) -> Iterable[Instant | None]:
        """Nothing happens by itself."""
        return ()


class Stopped:
    """The daemon is about to stop; the lights say so. `back` is what it was doing."""

    state = State.STOPPED

    def __init__(self, back: Mode, now: Instant) -> None:
        self.since = now
        self.back = back

    def step(self, _desk: Desk, _now: Instant) -> Go | None:
        """Stay."""
        return None

    def deadlines(self, _desk: Desk) -> Iterable[Instant | None]:
        """Nothing happens any more."""
        return ()
