"""Two clumsy players: they choose legal moves and make them with every mistake of the table.

A ply in time (victims after the move, the usual order):

    think      lift          land      victim      think      lift
    ...........|____hold_____|__________|...........|___ ...
    mishaps                   second landing, innocent removed
    (N8 N9 N12                (N7)       (N11)
     N13 N14 N22)

In haste (N15) the next lift comes within 0.3 s of the landing, or before it; it then belongs to a
carried piece that lands after the first one. Nobody plays on while a mishap is being put right,
with one exception: a nudged piece (N14) that nobody has seen, as long as the next ply has nothing
to do with it.

What keeps the record decidable:
    a victim that is in the way of a later ply is removed before that ply;
    a choice of victim (Imperial Contest) is made before the opponent acts;
    nothing lands on or leaves from a bad switch (N16) once it is bad, because the table says so.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.simulate.mishaps import Mishaps, draw_setup
from boardctl.simulate.table import FORGOTTEN, Table, road
from engine.squares import EDGE, SQUARES, Square, SquareSet, members
from hardware.cells import Cell, Instant
from hardware.mock.sampling import BadSwitch, Defect

if TYPE_CHECKING:
    import random

    from engine.game import Game
    from engine.moves import Ply
    from hardware.mock.effects import Effects

_BEGINNING: Final = Instant(0.0)

_SHOWN_S: Final = 0.5
"""A ply that has landed so long ago has been seen and is kept."""

_LANDINGS_APART_S: Final = 0.12
"""Two hands never land closer together than this."""

_OPEN_BETWEEN_S: Final = 0.15
"""A square whose victim is in the way stays empty at least so long before the next piece."""


_GREED: Final = 0.5
"""How often a player takes a win that he could have, and a capture."""

_REMEMBERED: Final = 0.4
"""Chance per ply that a forgotten victim is noticed."""


class Pace(enum.Enum):
    """How the next ply follows the last one."""

    CALM = "after some thought"
    AT_ONCE = "within the blink of the landing"
    BEFORE = "lifted before the landing"


@dataclass(frozen=True, slots=True)
class TruePly:
    """One ply as it truly happened.

    Attributes:
        ply: the ply.
        lifted_at: when its piece left its square.
        landed_at: when its piece was felt on its last square for good.
        known_at: the same, or when the victim was chosen by lifting it, where there was a choice.
    """

    ply: Ply
    lifted_at: Instant
    landed_at: Instant
    known_at: Instant


@dataclass(frozen=True, slots=True)
class PowerCut:
    """The reader is off from `off` until `back`."""

    off: Instant
    back: Instant


class Players:
    """Plays one game on one table.

    Attributes:
        game: the true game so far.
        plies: its plies with their times.
        table: the board they play on.
        bad: the switches that have gone bad.
        cut: the power cut, if there was one.
        start: the squares that hold a piece when the reader first looks.
    """

    def __init__(
        self, game: Game, effects: Effects, rng: random.Random, now: Instant = _BEGINNING
    ) -> None:
        self.game = game
        self.plies: list[TruePly] = []
        setup = draw_setup(effects, rng, game.position.occupied)
        self.start = setup.standing
        self.table = Table(effects, rng, setup.standing, now)
        self.bad: list[BadSwitch] = []
        self.cut: PowerCut | None = None
        self._effects = effects
        self._rng = rng
        self._mishaps = Mishaps(self.table)
        self._mishaps.set_up(setup)
        self._pace = Pace.CALM
        self._cut_at = rng.randrange(2, 12) if rng.random() < effects.power_cut else None
        self._will_break = self._draw_bad_switches()

    def play_ply(self) -> bool:
        """Play one ply with all that goes wrong before and after it; False when it is over."""
        self._break_switches()
        ply = self._choose()
        if ply is None or self.game.ply_count >= self._effects.plies:
            self._finish()
            return False
        if self._pace is Pace.CALM:
            self.table.wait(self._effects.think_s)
            self._mishaps.before(self.game, ply, self._avoided())
        self._perform(ply)
        if self._mishaps.after(self.game):
            self._pace = Pace.CALM
        if self._cut_at is not None and self.game.ply_count >= self._cut_at:
            self._cut_at = None
            self._power_cut()
        return True

    def _choose(self) -> Ply | None:
        """Choose a win, then a capture, as often as not; else any ply without a bad switch."""
        bad = self._avoided()
        plies = [
            ply
            for ply in self.game.legal_plies
            if not (bad >> ply.from_square | bad >> ply.to_square) & 1
        ]
        king = self.game.position.king
        wins = [ply for ply in plies if ply.from_square == king and EDGE >> ply.to_square & 1]
        captures = [ply for ply in plies if ply.captures]
        for better in (wins, captures):
            if better and self._rng.random() < _GREED:
                return self._rng.choice(better)
        return self._rng.choice(plies) if plies else None

    def _perform(self, ply: Ply) -> None:
        """Make one ply: victims, lift, landing; then decide how the next one follows."""
        table = self.table
        pace, self._pace = self._pace, Pace.CALM
        last_landing = self.plies[-1].landed_at if self.plies else table.now
        early = self._lift_before(ply, last_landing) if pace is Pace.BEFORE else None
        if early is not None:
            table.now = early
        elif pace is not Pace.CALM:
            pace = Pace.AT_ONCE
            delay = max(_LANDINGS_APART_S, table.draw(self._effects.early_s))
            table.now = Instant(last_landing + delay)
        self._clear_way(ply, last_landing)
        in_hand, later = self._remove_early_victims(ply, pace)
        lifted_at = table.now
        landed_at = self._bring(ply, in_hand, pace, last_landing)
        self._owe(ply, later, landed_at)
        self.game = self.game.push(ply)
        chosen = [table.due[v] for v in later] if self._was_choice(ply) else []
        self.plies.append(TruePly(ply, lifted_at, landed_at, max([landed_at, *chosen])))
        self._set_pace(ply, landed_at)

    def _clear_way(self, ply: Ply, last_landing: Instant) -> None:
        """Remove victims whose time has come, and those where the piece is to go."""
        table = self.table
        table.remove_due(table.now)
        way = road(ply.from_square, ply.to_square) if table.due else ()
        blocking = [square for square in table.due if square in way]
        if blocking:
            table.now = max(table.now, Instant(last_landing + _OPEN_BETWEEN_S))
            table.remove_now(blocking)
            table.wait((_OPEN_BETWEEN_S, 0.6))

    def _remove_early_victims(self, ply: Ply, pace: Pace) -> tuple[list[Square], list[Square]]:
        """Remove the victims that go first; return those that go meanwhile, and the others."""
        before, in_hand, _, _ = self._effects.victim_order
        first: list[Square] = []
        meanwhile: list[Square] = []
        later: list[Square] = []
        for victim in members(ply.captures):
            luck = self._rng.random() if pace is Pace.CALM else 1.0
            group = first if luck < before else meanwhile if luck < before + in_hand else later
            group.append(victim)
        for victim in first:
            self.table.lift(victim)
            self.table.wait((0.3, 1.2))
        return meanwhile, later

    def _bring(self, ply: Ply, in_hand: list[Square], pace: Pace, last_landing: Instant) -> Instant:
        """Bring the piece to its square, by whatever way; return when it landed for good."""
        table, effects = self.table, self._effects
        pushed = (
            not in_hand
            and pace is not Pace.BEFORE
            and self._rng.random() < effects.slide
            and table.clear_line(ply.from_square, ply.to_square)
        )
        if pushed:
            landed_at = self._push(ply)
        else:
            table.lift(ply.from_square)
            self._hold(in_hand, pace, last_landing)
            landed_at = self._land(ply)
        if self._rng.random() < effects.relanding:
            table.wait(effects.relanding_s)
            landed_at = table.carry(ply.to_square, ply.to_square, (0.2, 0.8))
        return landed_at

    def _push(self, ply: Ply) -> Instant:
        """Push the piece, perhaps with a rest on the way."""
        table = self.table
        stops = road(ply.from_square, ply.to_square)[1:-1]
        if stops and self._rng.random() < self._effects.pause:
            stop = self._rng.choice(stops)
            table.push(ply.from_square, stop)
            table.wait(self._effects.pause_s)
            return table.push(stop, ply.to_square)
        return table.push(ply.from_square, ply.to_square)

    def _hold(self, in_hand: list[Square], pace: Pace, last_landing: Instant) -> None:
        """Hold the lifted piece; the other hand may take victims."""
        table = self.table
        for victim in in_hand:
            table.wait((0.2, 0.8))
            table.lift(victim)
        hold = self._effects.hold_s if pace is Pace.CALM else self._effects.fast_hold_s
        table.wait(hold)
        earliest = last_landing + _LANDINGS_APART_S
        if table.now < earliest:
            table.now = Instant(earliest + table.draw((0.0, 0.3)))

    def _land(self, ply: Ply) -> Instant:
        """Set the piece down, perhaps on another of its targets first (N7)."""
        table, effects = self.table, self._effects
        chance = effects.relanding * effects.relanding_elsewhere
        others = [
            other.to_square
            for other in self.game.legal_plies
            if other.from_square == ply.from_square
            and other.to_square != ply.to_square
            and not (table.standing | self._avoided()) >> other.to_square & 1
        ]
        if others and self._rng.random() < chance:
            elsewhere = self._rng.choice(others)
            table.put(elsewhere)
            table.wait(effects.relanding_s)
            return table.carry(elsewhere, ply.to_square, (0.3, 1.0))
        return table.put(ply.to_square)

    def _owe(self, ply: Ply, victims: list[Square], landed_at: Instant) -> None:
        """Decide when the victims still standing go; the forgotten ones go after a later ply."""
        table = self.table
        for square in table.due:
            if table.due[square] is FORGOTTEN and self._rng.random() < _REMEMBERED:
                table.due[square] = Instant(landed_at + table.draw(self._effects.victim_s))
        forgotten = self._effects.victim_order[3]
        after = forgotten + self._effects.victim_order[2]
        for victim in victims:
            forget = self._rng.random() * after < forgotten and not self._was_choice(ply)
            delay = table.draw(self._effects.victim_s)
            table.due[victim] = FORGOTTEN if forget else Instant(landed_at + delay)

    def _was_choice(self, ply: Ply) -> bool:
        """Return whether the mover had to choose a victim."""
        return ply.move.victim is not None

    def _set_pace(self, ply: Ply, landed_at: Instant) -> None:
        """Decide when the next ply begins: the clock goes there for a calm one."""
        table, effects = self.table, self._effects
        luck = self._rng.random()
        busy = table.now > landed_at + 0.05
        if self._was_choice(ply) or busy or luck >= effects.early + effects.earlier:
            owed = [at for at in table.due.values() if at is not FORGOTTEN]
            if owed and (self._was_choice(ply) or self._rng.random() < effects.victim_waits):
                table.now = max(table.now, *owed)
                table.remove_due(Instant(table.now + 0.001))
        elif luck < effects.earlier:
            self._pace = Pace.BEFORE
        else:
            self._pace = Pace.AT_ONCE

    def _lift_before(self, ply: Ply, last_landing: Instant) -> Instant | None:
        """Return when a hasty opponent lifts this piece; None when that could not be read."""
        last = self.plies[-1]
        second_last = self.plies[-2].landed_at if len(self.plies) > 1 else Instant(0.0)
        lift = Instant(last_landing - self.table.draw(self._effects.earlier_s))
        earliest = max(second_last + _OPEN_BETWEEN_S, self._settled(ply.from_square))
        crossing = road(last.ply.from_square, last.ply.to_square)
        in_the_way = any(square in self.table.due for square in (ply.to_square,))
        if lift < earliest or ply.from_square in crossing or in_the_way:
            return None
        return lift

    def _settled(self, square: Square) -> Instant:
        """Return since when the piece on a square has been there."""
        arrivals = [done.landed_at for done in self.plies if done.ply.to_square == square]
        return Instant(arrivals[-1] + 0.5) if arrivals else Instant(0.0)

    def _finish(self) -> None:
        """Remove what was forgotten."""
        table = self.table
        for square in list(table.due):
            if table.due[square] is FORGOTTEN:
                table.wait((1.0, 4.0))
                table.due[square] = table.now
        table.now = max([table.now, *table.due.values()])
        table.remove_due(FORGOTTEN)

    def _draw_bad_switches(self) -> list[tuple[int, Cell, Defect]]:
        """Draw the switches that will go bad: from which ply on, which, and how."""
        one, two = self._effects.faulty
        luck = self._rng.random()
        number = 2 if luck < two else 1 if luck < two + one else 0
        bad = []
        for square in self._rng.sample(SQUARES, number):
            solid = self._rng.choice((Defect.CLOSED, Defect.OPEN))
            flickers = self._rng.random() < self._effects.faulty_flicker
            onset = self._rng.choice((0, self._rng.randrange(20)))
            bad.append((onset, Cell(square), Defect.FLICKERS if flickers else solid))
        return bad

    def _break_switches(self) -> None:
        """Let the switches go bad whose time has come, between two plies."""
        for onset, cell, defect in list(self._will_break):
            if self.game.ply_count >= onset:
                self._will_break.remove((onset, cell, defect))
                self.bad.append(BadSwitch(cell, defect, self.table.now))

    def _avoided(self) -> SquareSet:
        """Return the squares that the table has shown to be bad."""
        return SquareSet(sum(1 << switch.cell for switch in self.bad))

    def _power_cut(self) -> None:
        """Cut the power at any moment of the last ply, come back later.

        The board is as it was left, or a piece stands wrong, or a ply or two have been played.
        """
        table, effects = self.table, self._effects
        self._pace = Pace.CALM
        last = self.plies[-1]
        off = Instant(self._rng.uniform(last.lifted_at - 1.0, last.landed_at + 2.0))
        unseen = int(off < last.landed_at + _SHOWN_S)
        luck = self._rng.random()
        if luck < effects.power_cut_ply:
            self._play_in_the_dark(off, unseen)
        table.now = Instant(max(table.now, off) + table.draw((1.0, 2.0)))
        back = Instant(table.now + table.draw(effects.power_cut_s))
        if effects.power_cut_ply <= luck < effects.power_cut_ply + effects.power_cut_moved:
            self._mishaps.displace(self.game, back)
        table.now = max(table.now, back)
        self.cut = PowerCut(off, back)

    def _play_in_the_dark(self, off: Instant, unseen: int) -> None:
        """Play a ply or two that nobody sees, while the record stays decidable.

        Were three unseen, two would be of one side, and nobody could say which came first; and
        the piece of the last ply that was seen must rest, or that ply would read as carried on.
        """
        seen = self.plies[-1 - unseen].ply.to_square if len(self.plies) > unseen else None
        for _ in range(min(self._rng.choice((1, 2)), 2 - unseen)):
            ply = self._choose()
            if ply is not None and ply.from_square != seen:
                self.table.now = Instant(max(self.table.now, off) + self.table.draw((1.0, 4.0)))
                self._perform(ply)
                self._pace = Pace.CALM
