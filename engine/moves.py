"""Moves and their text."""

from __future__ import annotations

from dataclasses import dataclass

from engine.squares import NO_SQUARES, Square, SquareSet, square_name, square_names


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A piece goes from one square to another; the text is `e3-d3`.

    `victim` is the mover's choice under the single-capture rule of Imperial Contest (§5.5, R8)
    and None everywhere else; all other captures follow from the position and are in `Ply`.
    """

    from_square: Square
    to_square: Square
    victim: Square | None = None

    def __str__(self) -> str:
        text = f"{square_name(self.from_square)}-{square_name(self.to_square)}"
        return text if self.victim is None else f"{text}x{square_name(self.victim)}"


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of one side in one position, with everything it takes.

    The text is `e3-d3`, `e8-a8xa7`, or `a5-d5xd6/e5` with the taken squares in alphabetical order.
    A taken king is among the captures like any victim.
    """

    move: Move
    captures: SquareSet = NO_SQUARES

    @property
    def from_square(self) -> Square:
        """Where the piece stood."""
        return self.move.from_square

    @property
    def to_square(self) -> Square:
        """Where it stands now."""
        return self.move.to_square

    def __str__(self) -> str:
        text = f"{square_name(self.move.from_square)}-{square_name(self.move.to_square)}"
        if not self.captures:
            return text
        return f"{text}x{'/'.join(square_names(self.captures))}"
