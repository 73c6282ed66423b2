"""The four games once more, from the rule text, step by step and without any cleverness.

Squares are (file, rank) pairs, the board is a dictionary, nothing is shared with `engine` but the
text form of moves. Slow and plain on purpose: it is what the rules core is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Square: TypeAlias = tuple[int, int]
Piece: TypeAlias = Literal["a", "d", "k"]
Side: TypeAlias = Literal["attackers", "defenders"]
Board: TypeAlias = dict[Square, Piece]

DIRECTIONS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
THRONE: Final = (4, 4)
BESIDE_THRONE: Final = ((4, 3), (4, 5), (3, 4), (5, 4))


def name(square: Square) -> str:
    return "abcdefghi"[square[0]] + str(square[1] + 1)


def on_board(square: Square) -> bool:
    return 0 <= square[0] <= 8 and 0 <= square[1] <= 8


def on_edge(square: Square) -> bool:
    return square[0] in (0, 8) or square[1] in (0, 8)


def step(square: Square, direction: tuple[int, int], count: int = 1) -> Square:
    return (square[0] + count * direction[0], square[1] + count * direction[1])


def side_of(piece: Piece) -> Side:
    return "attackers" if piece == "a" else "defenders"


def other(side: Side) -> Side:
    return "defenders" if side == "attackers" else "attackers"


def board_from(record: str) -> Board:
    board: Board = {}
    for rank, row in enumerate(record.strip("/").split("/")):
        file = 0
        for char in row:
            if char.isdigit():
                file += int(char)
                continue
            board[file, rank] = {"t": "a", "T": "d", "K": "k"}[char]  # type: ignore[assignment]
            file += 1
    return board


def record_from(board: Board) -> str:
    rows = []
    for rank in range(9):
        row, gap = "", 0
        for file in range(9):
            piece = board.get((file, rank))
            if piece is None:
                gap += 1
                continue
            row += (str(gap) if gap else "") + {"a": "t", "d": "T", "k": "K"}[piece]
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/" + "/".join(rows) + "/"


@dataclass(frozen=True)
class NaiveMove:
    origin: Square
    target: Square
    taken: tuple[Square, ...]

    def __str__(self) -> str:
        text = f"{name(self.origin)}-{name(self.target)}"
        return text + ("x" + "/".join(sorted(map(name, self.taken))) if self.taken else "")


@dataclass(frozen=True)
class NaiveRules:
    """One of the four games; the options as on the command line, where they differ."""

    variant: str
    options: dict[str, str] = field(default_factory=dict)

    @property
    def has_throne(self) -> bool:
        return self.variant == "linnaeus"

    @property
    def king_is_armed(self) -> bool:
        return self.variant in ("market", "linnaeus")

    def option(self, key: str, default: str) -> str:
        return self.options.get(key, default)

    # -- moving ----------------------------------------------------------------------------

    def targets(self, board: Board, origin: Square) -> list[Square]:
        found = []
        piece = board[origin]
        reach = 4 if self.variant == "imperial" and piece == "k" else 8
        for direction in DIRECTIONS:
            for count in range(1, reach + 1):
                square = step(origin, direction, count)
                if not on_board(square) or square in board:
                    break
                if self.may_stop(piece, square):
                    found.append(square)
                if not self.may_pass(piece, square):
                    break
        return found

    def may_stop(self, piece: Piece, square: Square) -> bool:
        if not self.has_throne or square != THRONE:
            return True
        if piece == "k":
            return self.option("king_may_return", "yes") == "yes"
        return self.option("throne_stop", "no") == "yes"

    def may_pass(self, piece: Piece, square: Square) -> bool:
        if not self.has_throne or square != THRONE or piece == "k":
            return True
        return self.option("throne_pass", "yes") == "yes"

    def moves(self, board: Board, side: Side) -> list[NaiveMove]:
        found = []
        for origin, piece in board.items():
            if side_of(piece) != side:
                continue
            for target in self.targets(board, origin):
                trapped = self.trapped(board, origin, target)
                if self.variant != "imperial" or len(trapped) < 2:
                    found.append(NaiveMove(origin, target, tuple(trapped)))
                    continue
                kings = [square for square in trapped if board[square] == "k"]
                found += [NaiveMove(origin, target, (one,)) for one in kings or trapped]
        return found

    # -- taking ----------------------------------------------------------------------------

    def trapped(self, board: Board, origin: Square, target: Square) -> list[Square]:
        mover = board[origin]
        if mover == "k" and not self.king_is_armed:
            return []
        after = dict(board)
        after[target] = after.pop(origin)
        found = []
        for direction in DIRECTIONS:
            near, far = step(target, direction), step(target, direction, 2)
            prey = after.get(near)
            if prey is None or side_of(prey) == side_of(mover):
                continue
            if prey == "k":
                if self.king_is_taken(after, near, far):
                    found.append(near)
            elif on_board(far) and self.is_hostile(after, far, near):
                found.append(near)
        return found

    def is_hostile(self, board: Board, square: Square, prey: Square) -> bool:
        """Does whatever is on `square` stand against the man on `prey`?"""
        victim_side = side_of(board[prey])
        there = board.get(square)
        if there == "k" and not self.king_is_armed:
            return False
        if there is not None and side_of(there) != victim_side:
            return True
        if not self.has_throne or square != THRONE:
            return False
        if there is None:
            return True
        if there != "k":
            return False
        # the king's own man beside him, and attackers on his other three sides
        return all(board.get(side) == "a" for side in BESIDE_THRONE if side != prey)

    def king_is_taken(self, board: Board, king: Square, far: Square) -> bool:
        """Is the king taken, now that an attacker has come beside him, opposite to `far`?"""
        around = [board.get(step(king, direction)) for direction in DIRECTIONS]
        if self.variant in ("sea-battle", "imperial"):
            return around.count("a") == 4
        if self.variant == "linnaeus" and king == THRONE:
            return around.count("a") == 4
        if self.variant == "linnaeus" and king in BESIDE_THRONE:
            others = [step(king, direction) for direction in DIRECTIONS]
            return all(board.get(square) == "a" for square in others if square != THRONE)
        return board.get(far) == "a"

    # -- ending ----------------------------------------------------------------------------

    def after(self, board: Board, move: NaiveMove) -> Board:
        new = dict(board)
        new[move.target] = new.pop(move.origin)
        for square in move.taken:
            del new[square]
        return new

    def ending(
        self, board: Board, side: Side, seen_before: int = 0, *, moved: bool = True
    ) -> tuple[str, str] | None:
        """Return (winner or "draw" or "no-result", reason) when the game is over; `side` to move.

        `seen_before`: how often the same position with the same side to move stood earlier;
        `moved`: whether a move led here.
        """
        kings = [square for square, piece in board.items() if piece == "k"]
        if not kings:
            return ("attackers", "king-captured")
        if on_edge(kings[0]):
            return ("defenders", "king-escaped")
        if moved and self.is_enclosed(board, kings[0]):
            return ("attackers", "surrounded")
        default = "defenders-lose" if self.variant == "sea-battle" else "none"
        repetition = self.option("repetition", default)
        if repetition != "none" and seen_before + 1 >= int(self.option("repetition_count", "3")):
            winner = "attackers" if repetition == "defenders-lose" else "draw"
            return (winner, "repetition")
        mine = [square for square, piece in board.items() if side_of(piece) == side]
        if any(self.targets(board, square) for square in mine):
            return None
        default = "loss" if self.variant == "sea-battle" else "no-result"
        no_move = self.option("no_move", default)
        return (other(side) if no_move == "loss" else no_move, "no-moves")

    def is_enclosed(self, board: Board, king: Square) -> bool:
        default = {"sea-battle": "all", "linnaeus": "king"}.get(self.variant, "none")
        who = self.option("enclosure", default)
        if who == "none":
            return False
        if who == "king":
            return not self.can_walk_out(board, king)
        return not any(
            self.can_walk_out(board, square) for square, piece in board.items() if piece != "a"
        )

    def can_walk_out(self, board: Board, start: Square) -> bool:
        """Does a chain of neighbouring squares without attackers lead to the edge?"""
        seen, waiting = {start}, [start]
        while waiting:
            square = waiting.pop()
            if on_edge(square):
                return True
            for direction in DIRECTIONS:
                near = step(square, direction)
                if near not in seen and board.get(near) != "a":
                    seen.add(near)
                    waiting.append(near)
        return False

    # -- the king's ways out ---------------------------------------------------------------

    def open_paths(self, board: Board) -> list[str]:
        kings = [square for square, piece in board.items() if piece == "k"]
        if not kings or on_edge(kings[0]):
            return []
        return sorted(name(square) for square in self.targets(board, kings[0]) if on_edge(square))

    def perft(self, board: Board, side: Side, depth: int, *, moved: bool = False) -> int:
        if depth == 0:
            return 1
        if self.ending(board, side, moved=moved) is not None:
            return 0
        return sum(
            self.perft(self.after(board, move), other(side), depth - 1, moved=True)
            for move in self.moves(board, side)
        )
