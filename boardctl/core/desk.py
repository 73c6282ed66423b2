"""What all states of a session share: the board as last seen, the game's number, the effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from boardctl.core.occupancy import Instant, Occupancy
from engine.pieces import Side
from engine.squares import CENTRE, NO_SQUARES, SquareSet

if TYPE_CHECKING:
    import random

    from boardctl.core.effects import Effect
    from boardctl.core.settings import SessionSettings
    from boardctl.core.snapshot import Fault, HintView
    from boardctl.core.transitions import State
    from engine.game import Game
    from engine.moves import Ply
    from engine.rules import Outcome, Ruleset

REST_S: Final = 1.0
"""How long the start position must rest before a game begins."""

MENU_S: Final = 5.0
"""How long one piece must stand alone on e5 before the menu opens."""

HINT_S: Final = 8.0
"""How long a hint is shown."""

CELEBRATION_S: Final = 6.0
"""How long the end of a game is celebrated: then the winner's side only glows, and a board that is
cleared leads to the next set-up."""

_MAX_UNREAD: Final = 14
"""As many squares as one chip reads: with more unread, an empty board proves nothing."""


@dataclass(frozen=True, slots=True)
class Go:
    """A state to enter, with what it needs.

    Attributes:
        to: the state.
        game: the game to play.
        final: how many of its plies cannot be revised any more; None: all of them.
        outcome: how it ended.
        number: of the lesson to begin.
        earlier: the plies before the operator set the position.
        corrected: after how many plies he did, each time.
        back: return from the menu to the state that it covered.
    """

    to: State
    game: Game | None = None
    final: int | None = None
    outcome: Outcome | None = None
    number: int = 1
    earlier: tuple[Ply, ...] = ()
    corrected: tuple[int, ...] = ()
    back: bool = False


@dataclass(slots=True)
class Desk:
    """The shared part of a session.

    Attributes:
        settings: as they hold now.
        ruleset: the game that the next set-up begins, or the one being played.
        rng: for lots and hints.
        occupancy: the board as last seen; None before the first look.
        changed_at: when the board last changed.
        number: of the game, 1 the first.
        committed: how many plies of the game the archive holds.
        south: the side of the player at rank 1.
        swap_next: whether the players change sides for the next game (`winner_takes_defenders`).
        fault: what is wrong with the hardware, and `fault_at` since when something is.
        hint: the move that is being proposed.
        swept_at: when a set-up was completed.
        menu_left: the last change of the board when the menu closed because nobody was there: it
            opens again only after another change.
        shutdown: which part of its time, 0..1, the button for it has been held; None: it is not.
        shutdown_at: when that was last heard of.
        effects: what is to be done, in order.
    """

    settings: SessionSettings
    ruleset: Ruleset
    rng: random.Random
    changed_at: Instant
    occupancy: Occupancy | None = None
    number: int = 0
    committed: int = 0
    south: Side = Side.ATTACKER
    swap_next: bool = False
    fault: Fault | None = None
    fault_at: Instant | None = None
    hint: HintView | None = None
    swept_at: Instant | None = None
    menu_left: Instant | None = None
    shutdown: float | None = None
    shutdown_at: Instant | None = None
    effects: list[Effect] = field(default_factory=list)

    def emit(self, *effects: Effect) -> None:
        """Remember something for the shell to do."""
        self.effects.extend(effects)

    @property
    def unread(self) -> SquareSet:
        """The squares that cannot be read now."""
        return NO_SQUARES if self.occupancy is None else self.occupancy.unknown

    @property
    def standing(self) -> SquareSet:
        """The squares where a piece is felt."""
        if self.occupancy is None:
            return NO_SQUARES
        return SquareSet(self.occupancy.closed & ~self.occupancy.unknown)

    def differences(self, wanted: SquareSet) -> tuple[SquareSet, SquareSet]:
        """Return the squares where a piece of *wanted* is missing, and where one is too many."""
        if self.occupancy is None:
            return wanted, NO_SQUARES
        known = ~self.occupancy.unknown
        missing = wanted & ~self.occupancy.closed & known
        return SquareSet(missing), SquareSet(self.standing & ~wanted)

    def shows(self, wanted: SquareSet) -> bool:
        """Say whether the board shows exactly these pieces, as far as it can be read."""
        if self.occupancy is None or self.unread.bit_count() > _MAX_UNREAD:
            return False
        return self.differences(wanted) == (NO_SQUARES, NO_SQUARES)

    @property
    def menu_at(self) -> Instant | None:
        """When the menu opens if nothing changes: one piece stands alone on e5."""
        alone = self.standing == 1 << CENTRE and self.unread.bit_count() <= _MAX_UNREAD
        if not alone or self.menu_left == self.changed_at:
            return None
        return Instant(self.changed_at + MENU_S)

    def rested(self, seconds: float) -> Instant:
        """Return when the board will have been untouched for so long."""
        return Instant(self.changed_at + seconds)
