"""Two players without a thought, for drills: a random legal game, motion by motion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.squares import Square, members, square_name

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from engine import Game, Ply


@dataclass(slots=True)
class Hands:
    """Two players who make random legal plies; the board is a mask of their pieces."""

    game: Game
    rng: random.Random
    pieces: int = 0
    motions: list[Square] = field(default_factory=list)
    making: Ply | None = None

    def next_motion(self) -> Square | None:
        """Return the square whose piece is lifted or put next; None: the game is over."""
        if not self.motions:
            self._finish()
            if self.game.outcome is not None:
                return None
            self._begin(self.rng.choice(self._plies()))
        return self.motions.pop(0)

    def _plies(self) -> Sequence[Ply]:
        """Prefer captures now and then, so that games end."""
        captures = [ply for ply in self.game.legal_plies if ply.captures]
        return captures if captures and self.rng.random() < 0.5 else self.game.legal_plies

    def _begin(self, ply: Ply) -> None:
        self.making = ply
        self.motions = [ply.from_square, ply.to_square, *members(ply.captures)]

    def _finish(self) -> None:
        if self.making is not None:
            self.game = self.game.push(self.making)
            self.making = None

    def move(self, square: Square) -> dict[str, str]:
        """Make one motion; return what to tell the simulated board."""
        self.pieces ^= 1 << square
        return {"put" if self.pieces >> square & 1 else "lift": square_name(square)}

    @property
    def is_resting(self) -> bool:
        """Whether no ply is half made."""
        if not self.motions:
            self._finish()
        return not self.motions

    @property
    def plies(self) -> list[str]:
        """The plies made, the one that has landed included; a choice is made by taking a victim."""
        made = [str(ply) for ply in self.game.plies]
        has_landed = self.making is not None and len(self.motions) <= _may_stand(self.making)
        return [*made, str(self.making)] if has_landed else made


def _may_stand(ply: Ply) -> int:
    """Return how many victims may still stand when a ply is known."""
    return 0 if ply.move.victim is not None else int(ply.captures).bit_count()
