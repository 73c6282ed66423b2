"""A game as the recogniser follows it, with the times that the lights need."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from boardctl.core.occupancy import Instant
from boardctl.core.reading import Reading, Situation
from boardctl.core.recogniser import Recogniser
from boardctl.core.snapshot import Hand, Target, Trouble
from boardctl.core.story import changes
from engine.game import Game
from engine.pieces import Piece, Side
from engine.squares import EDGE, NO_SQUARES, Square, SquareSet, members, square_set

if TYPE_CHECKING:
    from boardctl.core.effects import Effect
    from boardctl.core.occupancy import Occupancy


HELD_S: Final = 60.0
"""How long a piece may be held before the table asks where it is."""

_HANDS: Final = 2
"""With no more squares wrong than two hands can do, a board is being played on again."""


class Following:
    """The recogniser and its newest reading.

    Args:
        game: the game to follow.
        now: the time of the first look.
        final: how many of its plies cannot be revised any more; None: all of them.

    Attributes:
        reading: what the board says now.
        shown_at: when the last ply of the reading's game was shown; None at the start.
        hand: what is in a hand, for the lights.
        trouble: where board and game disagree.
        reveal_at: when a mismatch of pieces of different kinds was last solved.
    """

    def __init__(self, game: Game, now: Instant, *, final: int | None = None) -> None:
        self.recogniser = Recogniser(game, now, final=final)
        firm = game.ply_count if final is None else final
        self.reading = Reading(game=game, final=firm, situation=Situation.IN_SYNC)
        self.shown_at: Instant | None = None
        self.hand: Hand | None = None
        self.trouble: Trouble | None = None
        self.reveal_at: Instant | None = None
        self._kinds_off: set[Piece] = set()
        self._looked = False
        self._apart = False

    @property
    def game(self) -> Game:
        """The game as it now stands."""
        return self.reading.game

    def step(self, occupancy: Occupancy | None, now: Instant) -> list[Effect]:
        """Take a look at the board (None: only time has passed); return what has changed."""
        before = self.reading
        if occupancy is not None:
            self._apart = self._is_apart(occupancy)
        if not self._apart:
            self._looked = True
            self.reading = _held(self.recogniser.step(occupancy, now), self.hand, now)
        elif occupancy is not None:
            self.reading = self._apart_reading(occupancy)
        self._note(before, now)
        return changes(before, self.reading)

    @property
    def next_deadline(self) -> Instant | None:
        """When the reading may change although no switch does."""
        if self._apart:
            return None
        held = None if self.hand is None else Instant(self.hand.since + HELD_S)
        times = (self.recogniser.next_deadline, held)
        return min((time for time in times if time is not None), default=None)

    def _is_apart(self, occupancy: Occupancy) -> bool:
        """Say whether hands are clearing the board or setting it up: nobody plays on it then.

        The recogniser is not asked about such a board: it would look for a story in it.
        """
        pieces, known = self.game.position.occupied, ~occupancy.unknown
        closed = occupancy.closed & known
        missing = (pieces & known & ~closed).bit_count()
        start = self.game.ruleset.start.occupied
        if closed == start & known and closed != pieces & known and self.game.ply_count > 1:
            return self._apart or not self._looked
        if self._apart:
            return missing > _HANDS or (closed & ~pieces).bit_count() > _HANDS
        return missing > 2 * _HANDS and 2 * missing > (pieces & known).bit_count()

    def _apart_reading(self, occupancy: Occupancy) -> Reading:
        pieces, known = self.game.position.occupied, ~occupancy.unknown
        return Reading(
            game=self.game,
            final=self.reading.final,
            situation=Situation.MISMATCH,
            missing=SquareSet(pieces & known & ~occupancy.closed),
            extra=SquareSet(occupancy.closed & known & ~pieces),
            unknown=occupancy.unknown,
        )

    def revise(self, game: Game, now: Instant) -> list[Effect]:
        """Follow another game from now on; return what has changed in the record."""
        self.recogniser.revise(game, now)
        return self.step(None, now)

    def restart(self, game: Game, now: Instant) -> None:
        """Follow a game with another past: nothing of it is a change in the record."""
        self.recogniser.revise(game, now)
        self.reading = self.recogniser.step(None, now)
        self.shown_at = None
        self._note(self.reading, now)

    def _note(self, before: Reading, now: Instant) -> None:
        after = self.reading
        if after.game is not before.game:
            self.shown_at = now if after.game.last is not None else None
        self.hand = _hand(after, self.hand, now)
        self.trouble = _trouble(after, self.trouble, now)
        self._note_kinds(now)

    def _note_kinds(self, now: Instant) -> None:
        """Remember which kinds were off at once: reeds cannot tell whether they were swapped."""
        if self.trouble is not None:
            position = self.game.position
            pieces = (position.piece_at(square) for square in members(self.trouble.missing))
            self._kinds_off |= {piece for piece in pieces if piece is not None}
            return
        if len(self._kinds_off) > 1:
            self.reveal_at = now
        self._kinds_off = set()


def _held(reading: Reading, hand: Hand | None, now: Instant) -> Reading:
    """Return the reading with a single missing piece still in the hand that thinks.

    A player may hold his piece for long. It is gone astray only when something else is wrong,
    or when it has been away for `HELD_S`.
    """
    alone = reading.missing.bit_count() == 1 and not reading.extra and not reading.lifted
    since = now if hand is None else hand.since
    if not alone or now - since >= HELD_S:
        return reading
    return replace(reading, situation=Situation.IN_HAND, lifted=reading.missing, missing=NO_SQUARES)


def _hand(reading: Reading, before: Hand | None, now: Instant) -> Hand | None:
    lifted = SquareSet(reading.lifted | (reading.home if _is_one_move(reading) else NO_SQUARES))
    if not lifted:
        return None
    hand = _hand_of(reading.game, lifted, reading.game.side)
    since = before.since if before is not None and before.squares == hand.squares else now
    return replace(hand, since=since)


# Few: each game that is kept keeps its whole past.
@lru_cache(maxsize=8)
def _hand_of(game: Game, lifted: SquareSet, side: Side | None) -> Hand:
    """Return the hand's contents; the caller sets `since`, so that the rest can be kept."""
    none = NO_SQUARES
    mine = none if side is None else SquareSet(lifted & game.position.pieces(side))
    others = SquareSet(lifted & ~mine)
    movable = square_set({ply.from_square for ply in game.legal_plies})
    own = SquareSet(mine & movable)
    targets: dict[Square, Target] = {}
    threatened = none
    for square in members(own):
        targets |= targets_of(game, square)
        for ply in game.legal_plies:
            if ply.from_square == square:
                threatened = SquareSet(threatened | ply.captures)
    suggestions = none
    if others and not own:
        takers = (ply.to_square for ply in game.legal_plies if ply.captures & others)
        suggestions = square_set(takers)
    last = game.last
    moved_again = last is not None and others == 1 << last.to_square and not mine
    return Hand(
        since=Instant(0.0),
        own=own,
        stuck=SquareSet(mine & ~movable),
        opponent=others,
        targets=tuple(sorted(targets.items())),
        threatened=threatened,
        suggestions=suggestions,
        back=last.from_square if moved_again and last is not None else None,
    )


def targets_of(game: Game, square: Square) -> dict[Square, Target]:
    """Return where the piece on a square may go, and what each of these moves would do."""
    found: dict[Square, Target] = {}
    for ply in game.legal_plies:
        if ply.from_square != square:
            continue
        target = Target.CAPTURE if ply.captures else Target.QUIET
        outcome = game.push(ply).outcome
        if outcome is not None and outcome.winner is game.side:
            target = Target.WIN
        if found.get(ply.to_square) is not Target.WIN:
            found[ply.to_square] = target
    return found


def _trouble(reading: Reading, before: Trouble | None, now: Instant) -> Trouble | None:
    missing = SquareSet(reading.missing)
    if not missing and not reading.extra and not reading.misplaced:
        return None
    trouble = Trouble(now if before is None else before.since, missing, reading.extra)
    if not _is_one_move(reading):
        return replace(trouble, missing=SquareSet(missing | reading.lifted))
    side = reading.game.side
    mine = NO_SQUARES if side is None else reading.game.position.pieces(side)
    ours = bool(reading.home & mine)
    return replace(
        trouble,
        illegal=reading.misplaced if ours else NO_SQUARES,
        wrong_side=NO_SQUARES if ours else reading.misplaced,
        home=reading.home,
    )


def _is_one_move(reading: Reading) -> bool:
    """Say whether all that is wrong is one piece that was put where it may not stand.

    More than that is a board in disorder, and is put right square by square.
    """
    return (
        reading.misplaced.bit_count() == 1
        and reading.home.bit_count() == 1
        and reading.extra == reading.misplaced
        and not reading.missing & ~reading.home
    )


@lru_cache(maxsize=8)
def king_in_danger(game: Game) -> bool:
    """Say whether the attackers' next move could take the king, if it were theirs to make."""
    king = game.position.king
    if king is None or game.outcome is not None or EDGE >> king & 1:
        return False
    threat = game
    if game.side is Side.DEFENDER:
        threat = Game.start(game.ruleset, side=Side.ATTACKER, position=game.position)
    return any(ply.captures >> king & 1 for ply in threat.legal_plies)
