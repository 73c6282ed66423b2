"""The games that the board may be showing, as a tree whose plies can be looked up by square.

A node is a `Game` with what the recogniser asks of it again and again: which squares are
occupied, whose pieces they are, which plies lead from here to there. Everything costly is
computed when first asked for and kept, because most nodes (a piece passing over a square) live
for some hundredths of a second and are never asked for their own plies.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from engine.squares import ALL_SQUARES, NO_SQUARES, SIZE, Square, SquareSet, members

if TYPE_CHECKING:
    from engine.game import Game
    from engine.moves import Ply
    from engine.position import Position


class Node:
    """One game of the tree. Two nodes are the same game only if they are the same object.

    Attributes:
        game: the game.
        parent: the node it was played from; None at the root until it is asked for.
        occupied: where the game has a piece once all victims are gone.
        own: the pieces of the side to move; empty when the game is over.
        state: the position and the number of plies: where two games that agree in both cannot be
            told apart any more, whatever the board shows.
        spared: the pieces that the last ply could have taken instead (Imperial Contest).
    """

    __slots__ = (
        "_by_target",
        "_children",
        "_parent",
        "game",
        "occupied",
        "own",
        "spared",
        "state",
    )

    def __init__(self, game: Game, parent: Node | None = None) -> None:
        self.game = game
        self._parent = parent
        self.occupied: int = game.position.occupied
        side = game.side
        self.own: int = NO_SQUARES if side is None else game.position.pieces(side)
        self.state: tuple[Position, int] = (game.position, game.ply_count)
        self.spared = 0
        self._by_target: dict[int, list[Ply]] | None = None
        self._children: dict[Ply, Node] = {}

    @property
    def depth(self) -> int:
        """How many plies have been played."""
        return self.game.ply_count

    @property
    def parent(self) -> Node | None:
        """The game one ply earlier; None at the start."""
        if self._parent is None and self.game.parent is not None and self.game.last is not None:
            self._parent = Node(self.game.parent)
            self._parent._children[self.game.last] = self  # noqa: SLF001 - a node of its own kind
        return self._parent

    def plies(self, from_square: int, to_square: int) -> tuple[Ply, ...]:
        """Return the legal plies between two squares: more than one where a victim is chosen."""
        if between(from_square, to_square) & self.occupied:
            return ()
        return tuple(ply for ply in self.plies_to(to_square) if ply.from_square == from_square)

    def plies_to(self, to_square: int) -> tuple[Ply, ...]:
        """Return the legal plies that end on a square."""
        if self._by_target is None:
            self._by_target = {}
            for ply in self.game.legal_plies:
                self._by_target.setdefault(ply.to_square, []).append(ply)
        return tuple(self._by_target.get(to_square, ()))

    def plies_from(self, from_square: int) -> tuple[Ply, ...]:
        """Return the legal plies of the piece on a square."""
        return tuple(ply for ply in self.game.legal_plies if ply.from_square == from_square)

    def play(self, ply: Ply) -> Node:
        """Return the game after a legal ply."""
        child = self._children.get(ply)
        if child is None:
            child = Node(self.game.push(ply), self)
            if ply.move.victim is not None:
                choices = self.plies(ply.from_square, ply.to_square)
                child.spared = union(*(other.captures for other in choices)) & ~ply.captures
            self._children[ply] = child
        return child

    def forget_others(self, child: Node) -> None:
        """Drop every continuation but one; called when the ply to `child` is final."""
        last = child.game.last
        self._children = {} if last is None else {last: child}


def common_ancestor(one: Node, other: Node) -> Node:
    """Return the last game that both nodes have passed through."""
    while one is not other:
        if one.depth >= other.depth:
            deeper = one.parent
            if deeper is None:
                return one
            one = deeper
        else:
            one, other = other, one
    return one


def at_depth(node: Node, depth: int) -> Node:
    """Return the game after its first `depth` plies; the game itself where it has no more."""
    while node.depth > depth and node.parent is not None:
        node = node.parent
    return node


def is_prefix(ancestor: Node, of: Node) -> bool:
    """Tell whether `of` has passed through `ancestor`."""
    return at_depth(of, ancestor.depth) is ancestor


@cache
def between(one: int, other: int) -> int:
    """Return the squares between two in a row or column; all squares if they share neither."""
    step = SIZE if one % SIZE == other % SIZE else 1
    if one // SIZE != other // SIZE and step == 1:
        return ALL_SQUARES
    low, high = sorted((one, other))
    return sum(1 << square for square in range(low + step, high, step))


def beside(one: int, other: int) -> bool:
    """Tell whether two squares are neighbours in a row or a column."""
    return abs(one // SIZE - other // SIZE) + abs(one % SIZE - other % SIZE) == 1


@lru_cache(maxsize=1024)
def squares(bits: int) -> tuple[Square, ...]:
    """Return the squares of a set, lowest first; the same sets are asked for again and again."""
    return tuple(members(SquareSet(bits)))


def union(*sets: int) -> SquareSet:
    """Return all squares of several sets."""
    bits = 0
    for one in sets:
        bits |= one
    return SquareSet(bits)
