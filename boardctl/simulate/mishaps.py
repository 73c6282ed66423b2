"""What goes wrong between two plies and is put right again before the game goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardctl.simulate.table import road
from engine.squares import ALL_SQUARES, SQUARES, Square, SquareSet, members, square_set
from hardware.cells import Cell, Instant
from hardware.mock.hands import neighbours

if TYPE_CHECKING:
    import random

    from boardctl.simulate.table import Table
    from engine.game import Game
    from engine.moves import Ply
    from hardware.mock.effects import Effects


@dataclass(frozen=True, slots=True)
class SetUp:
    """How the board is set up when the reader first sees it.

    Attributes:
        standing: the squares that hold a piece then.
        to_place: start squares that are filled before any error is noticed.
        errors: start squares whose piece is missing or elsewhere.
        wrong: where the latter are, by their start square.
    """

    standing: SquareSet
    to_place: tuple[Square, ...] = ()
    errors: tuple[Square, ...] = ()
    wrong: tuple[tuple[Square, Square], ...] = ()


def draw_setup(effects: Effects, rng: random.Random, start: SquareSet) -> SetUp:
    """Draw how the start position is first seen: mostly as it should be."""
    if rng.random() >= effects.bad_setup:
        return SetUp(start)
    homes = list(members(start))
    rng.shuffle(homes)
    errors = tuple(homes[: rng.randint(1, 3)])
    placed = tuple(homes[len(errors) :])
    free = [square for square in SQUARES if not start >> square & 1]
    wrong = tuple((home, rng.choice(free)) for home in errors[: rng.randrange(2)])
    astray = square_set(square for _, square in wrong)
    if rng.random() < effects.bad_setup_empty:
        return SetUp(astray, placed, errors, wrong)
    return SetUp(SquareSet(square_set(placed) | astray), (), errors, wrong)


class Mishaps:
    """The mishaps at one table. Each leaves the board as it was, sooner or later."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._effects = table.effects
        self._rng = table.rng
        self._nudged: tuple[Square, Square, Instant] | None = None

    def before(self, game: Game, ply: Ply, avoid: SquareSet) -> None:
        """Let happen what happens while the player of *ply* thinks. *avoid*: bad switches."""
        happens = self._happens
        if happens(self._effects.put_back):
            self._put_back(game, ply, avoid)
        if happens(self._effects.adjust):
            self._adjust(game, avoid)
        if happens(self._effects.swipe):
            self._swipe(game, avoid)
        if happens(self._effects.drop):
            self._drop(game, avoid)
        if happens(self._effects.out_of_turn):
            self._out_of_turn(game, avoid)
        if happens(self._effects.illegal):
            self._illegal(game, ply, avoid)
        if happens(self._effects.nudge):
            self._nudge(game, ply, avoid)

    def after(self, game: Game) -> bool:
        """Let happen what follows a ply that has just been pushed onto *game*; True if anything."""
        nudged = self._nudged is not None
        wrong = self._happens(self._effects.wrong_victim)
        if nudged:
            self._straighten()
        if wrong:
            self._wrong_victim(game)
        return nudged or wrong

    def set_up(self, setup: SetUp) -> None:
        """N20: complete the start position: place what is missing, then put the errors right."""
        table = self._table
        since = table.now
        wrong = dict(setup.wrong)
        for square in setup.to_place:
            table.wait((0.3, 1.5))
            table.put(square)
        for home in setup.errors:
            table.wait(self._effects.bad_setup_s)
            if home in wrong:
                table.carry(wrong[home], home, (0.4, 1.5))
            else:
                table.put(home)
        if setup.errors or setup.to_place:
            table.disturb("N20", since)

    def displace(self, game: Game, seen_at: Instant) -> None:
        """Put a piece on a wrong square now; it goes home some seconds after *seen_at*."""
        table = self._table
        home = self._any_piece(game, SquareSet(0))
        since = table.now
        wrong = self._rng.choice(table.free(ALL_SQUARES))
        table.carry(home, wrong, (0.4, 1.5))
        table.now = max(table.now, seen_at)
        table.wait(self._effects.undone_s)
        table.carry(wrong, home, (0.4, 1.5))
        table.disturb("N21", since)

    def _happens(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _any_piece(self, game: Game, avoid: SquareSet) -> Square:
        """Choose a piece of the game, none of the captured ones that still stand."""
        return self._rng.choice(list(members(SquareSet(game.position.occupied & ~avoid))))

    def _put_back(self, game: Game, ply: Ply, avoid: SquareSet) -> None:
        """N8: a piece is lifted and put back: the one that moves next, or another of its side."""
        own = SquareSet(game.position.pieces(game.position.side) & ~avoid)
        square = self._rng.choice([ply.from_square, *members(own)])
        self._table.carry(square, square, self._effects.put_back_s)
        self._table.wait((0.3, 2.0))

    def _adjust(self, game: Game, avoid: SquareSet) -> None:
        """N9: somebody sets a piece straight."""
        square = self._any_piece(game, avoid)
        self._table.carry(square, square, self._effects.adjust_s)
        self._table.wait((0.3, 1.5))

    def _swipe(self, game: Game, avoid: SquareSet) -> None:
        """N12: a sleeve sweeps some neighbouring pieces; they are set up again one by one."""
        table = self._table
        since = table.now
        swept = self._group(game, avoid)
        for square in swept:
            table.lift(square)
            table.wait((0.0, 0.3 / len(swept)))
        restored = Instant(since + table.draw(self._effects.swipe_s))
        pause = max(0.3, (restored - table.now) / len(swept))
        self._rng.shuffle(swept)
        for number, square in enumerate(swept):
            table.wait((pause * 0.5, pause))
            free = [s for s in table.free(ALL_SQUARES) if s not in swept and not avoid >> s & 1]
            if number == 0 and free and self._happens(self._effects.swipe_wrong):
                wrong = self._rng.choice(free)
                table.put(wrong)
                table.wait(self._effects.undone_s)
                table.carry(wrong, square, (0.4, 1.5))
            else:
                table.put(square)
        table.disturb("N12", since)
        table.wait((0.5, 2.0))

    def _group(self, game: Game, avoid: SquareSet) -> list[Square]:
        """Choose 1-4 pieces that stand within reach of one sleeve."""
        first = self._any_piece(game, avoid)
        pieces = SquareSet(game.position.occupied & ~avoid)
        near = [
            square
            for square in members(pieces)
            if square != first
            and abs(square % 9 - first % 9) <= 1
            and abs(square // 9 - first // 9) <= 1
        ]
        return [first, *self._rng.sample(near, min(len(near), self._rng.randrange(4)))]

    def _drop(self, game: Game, avoid: SquareSet) -> None:
        """N13: a piece falls off the board and is looked for under the table."""
        table = self._table
        since = table.now
        square = self._any_piece(game, avoid)
        table.carry(square, square, self._effects.drop_s)
        table.disturb("N13", since)
        table.wait((0.5, 2.0))

    def _out_of_turn(self, game: Game, avoid: SquareSet) -> None:
        """N22: the opponent moves although it is not his turn, and takes it back."""
        waiting = game.position.pieces(game.position.side.other)
        squares = list(members(SquareSet(waiting & ~avoid)))
        self._rng.shuffle(squares)
        for square in squares:
            reach = self._reach(square, avoid)
            if reach:
                self._there_and_back("N22", square, self._rng.choice(reach))
                return

    def _illegal(self, game: Game, ply: Ply, avoid: SquareSet) -> None:
        """N22: the player puts the piece on a square where it may not go, and takes it back."""
        legal = {
            other.to_square for other in game.legal_plies if other.from_square == ply.from_square
        }
        wrong = [
            square
            for square in self._table.free(SquareSet(ALL_SQUARES & ~avoid))
            if square not in legal
        ]
        if wrong:
            self._there_and_back("N22", ply.from_square, self._rng.choice(wrong))

    def _there_and_back(self, effect: str, home: Square, wrong: Square) -> None:
        table = self._table
        since = table.now
        table.carry(home, wrong, (0.4, 1.5))
        table.wait(self._effects.undone_s)
        table.carry(wrong, home, (0.4, 1.5))
        table.disturb(effect, since)
        table.wait((0.5, 2.0))

    def _reach(self, square: Square, avoid: SquareSet) -> list[Square]:
        """Return where a piece could slide to, as far as wood and pieces allow."""
        free = self._table.free(SquareSet(ALL_SQUARES & ~avoid))
        return [other for other in free if self._table.clear_line(square, other)]

    def _nudge(self, game: Game, ply: Ply, avoid: SquareSet) -> None:
        """N14: an elbow pushes a piece one square; it is seen at once, or after the next ply."""
        table = self._table
        choices = [
            (square, Square(beside))
            for square in members(SquareSet(game.position.occupied & ~avoid))
            for beside in neighbours(Cell(square))
            if not (table.standing | avoid) >> beside & 1
        ]
        if not choices:
            return
        home, wrong = self._rng.choice(choices)
        since = table.now
        table.push(home, wrong)
        if self._happens(self._effects.nudge_seen) or self._involved(game, ply, home, wrong):
            table.wait(self._effects.nudge_s)
            table.push(wrong, home)
            table.disturb("N14", since)
            table.wait((0.5, 2.0))
        else:
            self._nudged = (home, wrong, since)
            table.wait((0.5, 2.0))

    def _involved(self, game: Game, ply: Ply, home: Square, wrong: Square) -> bool:
        """Return whether the next ply cannot be made, or read, with this piece astray.

        The piece that has just moved would read as carried on, and then as taken for final.
        """
        touched = {*road(ply.from_square, ply.to_square), *members(ply.captures)}
        last = game.last
        moved = last is not None and home == last.to_square
        return moved or home in touched or wrong in touched or game.push(ply).outcome is not None

    def _straighten(self) -> None:
        """Push the nudged piece home, now that somebody has seen it."""
        table = self._table
        if self._nudged is None:
            return
        home, wrong, since = self._nudged
        self._nudged = None
        table.wait(self._effects.undone_s)
        table.carry(wrong, home, (0.3, 1.0))
        table.disturb("N14", since)
        table.wait((0.5, 2.0))

    def _wrong_victim(self, game: Game) -> None:
        """N11: an innocent piece is taken off and put back."""
        table = self._table
        square = self._any_piece(game, SquareSet(0))
        table.wait((0.3, 1.5))
        since = table.now
        table.carry(square, square, self._effects.wrong_victim_s)
        table.disturb("N11", since)
