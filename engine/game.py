"""A game: a ruleset, and the plies played under it.

`Game` is a persistent value: `push` returns a new game that shares its past with the old one,
so that a program may keep many hypotheses about the same game side by side.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine import core
from engine.errors import IllegalMoveError, IllegalReason
from engine.moves import Move, Ply
from engine.notation import parse_move
from engine.pieces import Side
from engine.position import Position
from engine.rules import THRONE, Call, Outcome, Reason, Result
from engine.squares import (
    EDGE,
    NO_SQUARES,
    SIZE,
    SQUARES,
    Square,
    SquareSet,
    members,
    square_name,
    square_names,
    square_set,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.rules import Ruleset

_ENCLOSURE: Final = {"none": 0, "king": 1, "all": 2}
_WHEN: Final = {"never": (0, 0), "empty": (1, 0), "always": (1, 1)}
_ESCAPED: Final = Outcome(Side.DEFENDER, Result.WIN, Reason.KING_ESCAPED)
_CAPTURED: Final = Outcome(Side.ATTACKER, Result.WIN, Reason.KING_CAPTURED)
_SURROUNDED: Final = Outcome(Side.ATTACKER, Result.WIN, Reason.SURROUNDED)
_BY_CORE: Final = {
    core.KING_ESCAPED: _ESCAPED,
    core.KING_TAKEN: _CAPTURED,
    core.SURROUNDED: _SURROUNDED,
}
_BEYOND: Final = core.PLAIN
_UNKNOWN: Final = object()


@lru_cache(maxsize=None)
def _line_table(reach: int, enter: bool, through: bool) -> list[list[int]]:
    return core.line_table(reach, enter, through)


@lru_cache(maxsize=64)
def core_rules(ruleset: Ruleset) -> core.Rules:
    """Return the tables by which the core plays a ruleset."""
    reach = ruleset.king_range
    man = _line_table(8, enter=True, through=True)
    king = _line_table(reach, enter=True, through=True)
    lines = [man, man, king, king]
    if ruleset.throne:
        lines[1] = _line_table(8, ruleset.throne_stop, ruleset.throne_pass)
        lines[3] = _line_table(reach, ruleset.king_may_return, through=True)
    against_attackers = _WHEN[ruleset.throne_against_attackers]
    against_defenders = _WHEN[ruleset.throne_against_defenders]
    return core.Rules(
        lines,
        THRONE if ruleset.throne else -1,
        int(ruleset.king_armed),
        [_king_need(ruleset, square) for square in SQUARES],
        [
            *(pair[0] for pair in (against_attackers, against_defenders)),
            against_attackers[1],
            against_defenders[1],
        ],
        int(ruleset.throne and ruleset.throne_ring),
        int(ruleset.single_capture),
        _ENCLOSURE[ruleset.enclosure],
    )


def _king_need(ruleset: Ruleset, square: Square) -> int:
    if ruleset.throne and square == THRONE:
        return ruleset.king_sides_on_throne
    if ruleset.throne and square in {THRONE - SIZE, THRONE - 1, THRONE + 1, THRONE + SIZE}:
        return ruleset.king_sides_beside_throne
    return ruleset.king_sides


def core_state(ruleset: Ruleset, position: Position) -> core.State:
    """Return the core's state of a position."""
    pieces = [0] * len(SQUARES)
    for squares, piece in (
        (position.attackers, core.ATTACKER),
        (position.defenders, core.DEFENDER),
        (position.king_set, core.KING),
    ):
        for square in members(squares):
            pieces[square] = piece
    return core.State(core_rules(ruleset), pieces, int(position.side is Side.DEFENDER))


@lru_cache(maxsize=None)
def _quiet_ply(number: int) -> Ply:
    """Return the ply of a move that takes nothing; there are 1296 of them, made once each."""
    return Ply(Move(SQUARES[number // 81], SQUARES[number % 81]))


class Game:
    """A game in progress or over; never changed, compared by identity.

    Start one with `Game.start`; `push`, `undo` and `end` return other games.

    Attributes:
        ruleset: the rules it is played by.
        position: where the pieces stand, and whose move it would be if the game went on.
        parent: the game before the last ply; None at the start.
        last: the last ply; None at the start.
        ply_count: how many plies have been played.
    """

    __slots__ = (
        "_ended",
        "_legal",
        "_outcome",
        "_state",
        "last",
        "parent",
        "ply_count",
        "position",
        "ruleset",
    )

    ruleset: Ruleset
    position: Position
    parent: Game | None
    last: Ply | None
    ply_count: int
    _state: core.State
    _ended: bool
    _legal: tuple[Ply, ...] | None
    _outcome: object

    @classmethod
    def start(
        cls, ruleset: Ruleset, *, side: Side | None = None, position: Position | None = None
    ) -> Game:
        """Return a game at its start.

        Args:
            ruleset: the rules.
            side: who moves first; needed where the ruleset leaves it to the lot, else the
                ruleset's (or the given position's) side when None.
            position: where the pieces stand, when not as in the ruleset's layout.

        Raises:
            ValueError: the first mover is by lot and no side was drawn.
        """
        chosen = side or (position.side if position else ruleset.first)
        if chosen is None:
            raise ValueError(f"{ruleset.name}: the first move is drawn by lot; give the side drawn")
        base = position or ruleset.start
        at = Position(base.attackers, base.defenders, base.king, chosen)
        return cls._make(ruleset, at, core_state(ruleset, at), None, None)

    @classmethod
    def _make(
        cls,
        ruleset: Ruleset,
        position: Position,
        state: core.State,
        parent: Game | None,
        last: Ply | None,
    ) -> Game:
        game = cls.__new__(cls)
        game.ruleset = ruleset
        game.position = position
        game.parent = parent
        game.last = last
        game.ply_count = 0 if parent is None else parent.ply_count + (last is not None)
        game._state = state
        game._ended = False
        game._legal = None
        game._outcome = _UNKNOWN
        return game

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name} after {self.ply_count} plies>"

    # -- where it stands -------------------------------------------------------------------

    @property
    def side(self) -> Side | None:
        """The side to move; None when the game is over."""
        return self.position.side if self.outcome is None else None

    @property
    def plies(self) -> tuple[Ply, ...]:
        """All plies from the start."""
        found: list[Ply] = []
        game: Game | None = self
        while game is not None:
            if game.last is not None and not game._ended:
                found.append(game.last)
            game = game.parent
        return tuple(reversed(found))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self._outcome is _UNKNOWN:
            self._outcome = self._find_outcome()
        return self._outcome  # type: ignore[return-value]  # _UNKNOWN is gone by now

    def _find_outcome(self) -> Outcome | None:
        state = self._state
        ended = state.ended()
        if ended:
            return _BY_CORE[ended]
        if self.parent is None and self._start_is_enclosed():
            return _SURROUNDED
        if self.ruleset.repetition != "none" and self._is_repeated():
            return _repetition(self.ruleset)
        return None if state.can_move() else _no_move(self.ruleset, self.position.side)

    def _start_is_enclosed(self) -> bool:
        """Say whether a position set up by hand is an enclosure already, whoever is to move."""
        return self.ruleset.enclosure != "none" and bool(self._state.enclosed())

    def _is_repeated(self) -> bool:
        """Say whether this position stood here as often as the ruleset allows.

        A capture ends the search: no position before it can come back.
        """
        seen, wanted = 1, self.ruleset.repetition_count
        here, game = self.position, self
        while seen < wanted and game.parent is not None:
            if game.last is not None and game.last.captures:
                return False
            game = game.parent
            seen += game.position == here
        return seen >= wanted

    @property
    def open_paths(self) -> SquareSet:
        """The edge squares that the king could reach in one move, whoever is to move.

        Source: LINNAEUS R3-R6. Empty when he is taken, or stands on the edge already.
        """
        king = self.position.king
        if king is None or EDGE >> king & 1:
            return NO_SQUARES
        rank, file = divmod(king, SIZE)
        ends = (file, 72 + file, rank * SIZE, rank * SIZE + SIZE - 1)
        return square_set(SQUARES[end] for end in ends if self._state.reaches(king, end))

    @property
    def call(self) -> Call | None:
        """What the defenders may call now; None in games without calls and when it is over."""
        if not self.ruleset.calls or self.outcome is not None:
            return None
        paths = self.open_paths.bit_count()
        if paths == 0:
            return None
        return Call.RAICKI if paths == 1 else Call.TUICKU

    # -- moves -----------------------------------------------------------------------------

    @property
    def legal_plies(self) -> tuple[Ply, ...]:
        """All legal plies; none when the game is over.

        Under the single-capture rule each choice of a victim is a ply of its own.
        """
        if self._legal is None:
            self._legal = () if self.outcome is not None else tuple(self._generate())
        return self._legal

    def _generate(self) -> Iterable[Ply]:
        state = self._state
        return [self._ply(number) if trap else _quiet_ply(number) for number, trap in state.legal()]

    def _ply(self, number: int) -> Ply:
        captures = square_set(self._state.victims(number))
        victim = next(members(captures)) if number >= _BEYOND else None
        move = Move(SQUARES[number // 81 % 81], SQUARES[number % 81], victim)
        return Ply(move, captures)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, without what they take (a choice of victims apart)."""
        return tuple(ply.move for ply in self.legal_plies)

    def occupied_after(self, ply: Ply) -> SquareSet:
        """Return the squares that hold a piece after a legal ply, its victims gone."""
        move = ply.move
        moved = self.position.occupied ^ (1 << move.from_square) ^ (1 << move.to_square)
        return SquareSet(moved & ~ply.captures)

    def push(self, move: Move | Ply) -> Game:
        """Return the game with one more ply.

        Args:
            move: a legal move. A move that takes needs no victim unless there is a choice; a
                `Ply` with captures must name exactly what the move takes.

        Raises:
            IllegalMoveError: with the reason.
        """
        if isinstance(move, Ply):
            wanted: SquareSet | None = move.captures or None
            move = move.move
        else:
            wanted = None
        if wanted is None and move.victim is not None:
            wanted = SquareSet(1 << move.victim)
        number, ply = self._match(move.from_square, move.to_square, wanted, str(move))
        return self._play(number, ply)

    def _play(self, number: int, ply: Ply) -> Game:
        state = self._state.copy()
        state.play(number)
        return Game._make(self.ruleset, _moved(self.position, ply), state, self, ply)

    def _match(
        self, origin: Square, target: Square, wanted: SquareSet | None, text: str
    ) -> tuple[int, Ply]:
        """Return the legal move that goes this way and takes this (None: whatever it takes)."""
        reason = self._refusal(origin, target)
        if reason is not None:
            raise IllegalMoveError(text, reason)
        number = origin * 81 + target
        found = self._state.trapped(number)
        if not found:
            if wanted:
                raise IllegalMoveError(text, IllegalReason.NOT_A_VICTIM)
            return number, _quiet_ply(number)
        choices = self._state.named(target, found)
        if not self.ruleset.single_capture or len(choices) == 1:
            ply = Ply(Move(origin, target), square_set(choices))
            if wanted is not None and wanted != ply.captures:
                raise IllegalMoveError(text, _wrong_captures(wanted, ply.captures))
            return number, ply
        return self._chosen(number, square_set(choices), wanted, text)

    def _chosen(
        self, number: int, choices: SquareSet, wanted: SquareSet | None, text: str
    ) -> tuple[int, Ply]:
        if wanted is not None and wanted & ~choices:
            raise IllegalMoveError(text, IllegalReason.NOT_A_VICTIM)
        if wanted is None or wanted.bit_count() != 1:
            names = tuple(square_names(choices))
            raise IllegalMoveError(text, IllegalReason.MUST_CHOOSE, names)
        origin, target, victim = number // 81, number % 81, next(members(wanted))
        direction = next(k for k in range(4) if core.VICTIM[target][k] == victim)
        ply = Ply(Move(SQUARES[origin], SQUARES[target], victim), wanted)
        return number + _BEYOND * (direction + 1), ply

    def _refusal(self, origin: Square, target: Square) -> IllegalReason | None:
        """Return why a piece may not go this way; None when it may."""
        if self.outcome is not None:
            return IllegalReason.GAME_OVER
        position = self.position
        if not position.occupied >> origin & 1:
            return IllegalReason.NO_PIECE
        if not position.pieces(position.side) >> origin & 1:
            return IllegalReason.NOT_YOUR_PIECE
        if self._state.reaches(origin, target):
            return None
        return self._obstacle(origin, target)

    def _obstacle(self, origin: Square, target: Square) -> IllegalReason:
        """Return what is in the way of a piece that may not go from one square to another."""
        if origin == target or not _aligned(origin, target):
            return IllegalReason.NOT_STRAIGHT
        occupied = self.position.occupied
        if occupied >> target & 1:
            return IllegalReason.OCCUPIED
        between = _between(origin, target)
        if occupied & between:
            return IllegalReason.BLOCKED
        if origin == self.position.king and _distance(origin, target) > self.ruleset.king_range:
            return IllegalReason.TOO_FAR
        if target == THRONE:
            king = origin == self.position.king
            return IllegalReason.NO_RETURN if king else IllegalReason.THRONE
        return IllegalReason.THRONE_PASS

    def perft(self, depth: int) -> int:
        """Count the sequences of legal moves of `depth` plies from here, 0..23.

        A position that has ended has no continuation; repetition is looked at here alone, not
        within the sequences. Every choice of a victim counts as a move.
        """
        if depth and self.outcome is not None:
            return 0
        return core.perft(self._state.copy(), depth, 1)

    def undo(self) -> Game:
        """Return the game without its last ply (an agreed end is taken back first).

        Raises:
            ValueError: nothing has been played.
        """
        if self.parent is None:
            raise ValueError("nothing to take back: the game is at its start")
        return self.parent

    def parse(self, text: str) -> Ply:
        """Read a move in this position: `e3-d3`, `e8-a8xa7`; what it takes may be left out.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is illegal here, or leaves open which piece it takes.
        """
        origin, target, wanted = parse_move(text)
        return self._match(origin, target, wanted, text.strip())[1]

    def end(self, outcome: Outcome) -> Game:
        """Return the game ended by the people: agreed, undecidable, resigned, operator.

        Raises:
            ValueError: it is over already.
        """
        if self.outcome is not None:
            raise ValueError(f"the game is over already: {self.outcome.reason.value}")
        ended = Game._make(self.ruleset, self.position, self._state, self, None)
        ended.last = self.last
        ended.ply_count = self.ply_count
        ended._ended = True
        ended._outcome = outcome
        return ended


def _repetition(ruleset: Ruleset) -> Outcome:
    if ruleset.repetition == "draw":
        return Outcome(None, Result.DRAW, Reason.REPETITION)
    return Outcome(Side.ATTACKER, Result.WIN, Reason.REPETITION)


def _no_move(ruleset: Ruleset, side: Side) -> Outcome:
    if ruleset.no_move == "loss":
        return Outcome(side.other, Result.WIN, Reason.NO_MOVES)
    result = Result.DRAW if ruleset.no_move == "draw" else Result.NO_RESULT
    return Outcome(None, result, Reason.NO_MOVES)


def _moved(position: Position, ply: Ply) -> Position:
    """Return the position after a legal ply."""
    move, captures = ply.move, ply.captures
    step = 1 << move.from_square | 1 << move.to_square
    attackers, defenders, king = position.attackers, position.defenders, position.king
    if position.side is Side.ATTACKER:
        attackers = SquareSet(attackers ^ step)
        defenders = SquareSet(defenders & ~captures)
        if king is not None and captures >> king & 1:
            king = None
        return Position(attackers, defenders, king, Side.DEFENDER)
    attackers = SquareSet(attackers & ~captures)
    if move.from_square == king:
        king = move.to_square
    else:
        defenders = SquareSet(defenders ^ step)
    return Position(attackers, defenders, king, Side.ATTACKER)


def _wrong_captures(wanted: SquareSet, taken: SquareSet) -> IllegalReason:
    return IllegalReason.NOT_A_VICTIM if wanted & ~taken else IllegalReason.MORE_VICTIMS


def _aligned(origin: Square, target: Square) -> bool:
    return origin // SIZE == target // SIZE or origin % SIZE == target % SIZE


def _distance(origin: Square, target: Square) -> int:
    """Return how many squares a straight move goes."""
    gap = abs(origin - target)
    return gap if gap < SIZE else gap // SIZE


def _between(origin: Square, target: Square) -> int:
    """Return the squares between two on one line, as bits."""
    low, high = sorted((origin, target))
    step = SIZE if low % SIZE == high % SIZE else 1
    return sum(1 << square for square in range(low + step, high, step))
