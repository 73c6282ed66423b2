"""A game: a ruleset, and the plies played under it.

`Game` is a persistent value: `push` returns a new game that shares its past with the old one,
so that a program may keep many hypotheses about the same game side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import core, tables
from engine.errors import IllegalMoveError, IllegalReason
from engine.lookup import choice, chosen_square, core_state, quiet_ply, trapped_squares
from engine.moves import Move, Ply
from engine.notation import parse_move
from engine.pieces import Side
from engine.position import Position
from engine.refusal import obstacle, wrong_captures
from engine.ruleset import Call, Outcome, Reason, Result
from engine.squares import (
    EDGE,
    NO_SQUARES,
    SIZE,
    SQUARES,
    Square,
    SquareSet,
    members,
    square_names,
    square_set,
)

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

_BY_CORE: Final = {
    tables.KING_ESCAPED: Outcome(Side.DEFENDER, Result.WIN, Reason.KING_ESCAPED),
    tables.KING_TAKEN: Outcome(Side.ATTACKER, Result.WIN, Reason.KING_CAPTURED),
    tables.SURROUNDED: Outcome(Side.ATTACKER, Result.WIN, Reason.SURROUNDED),
}
_FILES_ON_TOP: Final = SIZE * (SIZE - 1)


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
        "_decided",
        "_legal",
        "_outcome",
        "_state",
        "last",
        "parent",
        "ply_count",
        "position",
        "ruleset",
    )

    def __init__(
        self,
        ruleset: Ruleset,
        position: Position,
        state: core.State,
        parent: Game | None = None,
        last: Ply | None = None,
    ) -> None:
        """Not for callers: use `Game.start` and `push`. The state is the position's."""
        self.ruleset = ruleset
        self.position = position
        self.parent = parent
        self.last = last
        self.ply_count: int = 0 if parent is None else parent.ply_count + 1
        self._state = state
        self._legal: tuple[Ply, ...] | None = None
        self._outcome: Outcome | None = None
        self._decided = False  # whether `_outcome` has been looked for

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
        return cls(ruleset, at, core_state(ruleset, at))

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
        while game is not None and game.last is not None:
            found.append(game.last)
            game = game.parent
        return tuple(reversed(found))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if not self._decided:
            self._outcome = self._find_outcome()
            self._decided = True
        return self._outcome

    def _find_outcome(self) -> Outcome | None:
        ended = self._state.over if self.parent is None else self._state.ended()
        if ended:
            return _BY_CORE[ended]
        if self.ruleset.repetition != "none" and self._is_repeated():
            return _repetition(self.ruleset)
        return None if self._state.can_move() else _no_move(self.ruleset, self.position.side)

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
        ends = (file, _FILES_ON_TOP + file, rank * SIZE, rank * SIZE + SIZE - 1)
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
            over = self.outcome is not None
            self._legal = () if over else tuple(self._ply(*pair) for pair in self._state.legal())
        return self._legal

    def _ply(self, number: int, found: int) -> Ply:
        """Return the ply of a core move that traps in the directions `found`."""
        if not found:
            return quiet_ply(number)
        way = quiet_ply(number % tables.PLAIN).move
        if number < tables.PLAIN:
            return Ply(way, self._choices(way.to_square, found))
        victim = chosen_square(number)
        return Ply(Move(way.from_square, way.to_square, victim), SquareSet(1 << victim))

    def _choices(self, target: Square, found: int) -> SquareSet:
        """Return what is taken, or may be chosen: under single capture a trapped king alone."""
        trapped = trapped_squares(target, found)
        king = self.position.king_set
        return king if self.ruleset.single_capture and king & trapped else trapped

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
            wanted, way = move.captures or None, move.move
        else:
            wanted, way = None, move
        if wanted is None and way.victim is not None:
            wanted = SquareSet(1 << way.victim)
        number, ply = self._match(way.from_square, way.to_square, wanted, str(move))
        state = self._state.copy()
        state.play(number)
        return Game(self.ruleset, self.position.after(ply), state, self, ply)

    def _match(
        self, origin: Square, target: Square, wanted: SquareSet | None, text: str
    ) -> tuple[int, Ply]:
        """Return the legal move that goes this way and takes `wanted` (None: whatever it takes).

        Returns:
            the core's number of the move, and the ply.
        """
        reason = self._refusal(origin, target)
        if reason is not None:
            raise IllegalMoveError(text, reason)
        number = origin * len(SQUARES) + target
        found = self._state.trapped(number)
        taken = self._choices(target, found) if found else NO_SQUARES
        if self.ruleset.single_capture and taken.bit_count() > 1:
            taken = _only(wanted, taken, text)
            number = choice(number, next(members(taken)))
        if wanted is not None and wanted != taken:
            raise IllegalMoveError(text, wrong_captures(wanted, taken))
        return number, self._ply(number, found)

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
        return obstacle(self.ruleset, position, origin, target)

    def perft(self, depth: int) -> int:
        """Count the sequences of legal moves of `depth` plies from here, 0..23.

        A position that has ended has no continuation; repetition is looked at here alone, not
        within the sequences. Every choice of a victim counts as a move.
        """
        if depth and self.outcome is not None:
            return 0
        return core.perft(self._state.copy(), depth, 1)

    def undo(self) -> Game:
        """Return the game without its last ply, and without an end declared after it.

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
        ended = Game(self.ruleset, self.position, self._state, self.parent, self.last)
        ended._outcome = outcome
        ended._decided = True
        return ended


def _only(wanted: SquareSet | None, choices: SquareSet, text: str) -> SquareSet:
    """Return the one victim that a move names among those it may choose from."""
    if wanted is None or wanted.bit_count() != 1:
        stray = wanted is not None and wanted & ~choices
        reason = IllegalReason.NOT_A_VICTIM if stray else IllegalReason.MUST_CHOOSE
        raise IllegalMoveError(text, reason, () if stray else tuple(square_names(choices)))
    if not wanted & choices:
        raise IllegalMoveError(text, IllegalReason.NOT_A_VICTIM)
    return wanted


def _repetition(ruleset: Ruleset) -> Outcome:
    if ruleset.repetition == "draw":
        return Outcome(None, Result.DRAW, Reason.REPETITION)
    return Outcome(Side.ATTACKER, Result.WIN, Reason.REPETITION)


def _no_move(ruleset: Ruleset, side: Side) -> Outcome:
    if ruleset.no_move == "loss":
        return Outcome(side.other, Result.WIN, Reason.NO_MOVES)
    result = Result.DRAW if ruleset.no_move == "draw" else Result.NO_RESULT
    return Outcome(None, result, Reason.NO_MOVES)
