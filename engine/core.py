"""The rules core: generate, make, unmake, and tell when a position ends the game.

One source, two speeds: this file is plain Python; `core.pxd` beside it gives Cython the types to
compile it with. Therefore integers and lists only, and no number wider than 64 bits.
Theory of operation
    The board is a list of 81 squares (rank * 9 + file), with one 9-bit occupancy for each row and
    each column. Where a piece can go is looked up by (kind of line, place on the line, occupancy
    of the line): how far a king goes and who may pass or stop on the throne are in these tables,
    so that generating moves knows no rule of any game.
    A move is one number: `from * 81 + to`; under the single-capture rule, where it would take
    several pieces, `+ PLAIN * (direction + 1)` for the one that it takes.
    `make` finds captures, escape and the king's capture. Enclosure is asked for by `ended`: most
    positions of a search are never asked. It ends a game after a move; a position set up by hand
    may begin enclosed.

Invariants: `rows`, `cols` and `men` agree with `board`; `king` is his square, -1 when there is
none; `over` is not 0 exactly when he is taken or on the edge.

Whose rules these are is in `rulesets/*.toml`; `engine.lookup` makes `Rules` of them.
"""

# Longer than 400 lines: the compiler inlines within one module only.
from __future__ import annotations

from engine import tables

COMPILED = not __file__.endswith((".py", ".pyc"))

N = 9
SQ = 81
EMPTY = 0
ATTACKER = 1
KING = 3
NOBODY = 2
PLAIN = tables.PLAIN
MIDDLE = 4
LINE = 512  # occupancies of a line
KING_LINES = 2 * N * LINE  # where the king's half of the line tables begins
THRONE_LINES = N * LINE  # and, in each half, that of lines through the throne
OPPOSITE = 2  # sides on which a king is to be attacked
ALL_ROUND = 4
EVERYBODY = 2  # who is to be enclosed
MEN = N + 1  # a side's part of `State.men`: an empty row, then the nine rows
MAX_MOVES = 800  # at most 260 paths, each with at most three victims to choose from
MAX_DEPTH = 24

RUNNING = tables.RUNNING
KING_TAKEN = tables.KING_TAKEN
KING_ESCAPED = tables.KING_ESCAPED
SURROUNDED = tables.SURROUNDED

ROW = tables.rows()
COL = tables.cols()
EDGE = tables.edges()
NFLANKS = tables.flank_counts()
VICTIM = tables.flank_victims()
FAR = tables.flank_partners()
AROUND = tables.neighbours()
BITS = tables.bits()
COUNT_BITS = tables.bit_counts()
OWNER = [NOBODY, 0, 1, 1]  # piece -> side: 0 attackers, 1 defenders
SOLO = [1 << 0, 1 << 1, 1 << 2, 1 << 3]


class Rules:
    """The rules of one game as the core looks them up; never changed once built.

    Args:
        lines: four tables of `tables.line_table`: man on an ordinary line, man on a line through
            the throne, king on an ordinary line, king on a line through the throne.
        throne: the throne's square, -1 where the rules have none.
        king_armed: 1 when the king takes part in captures.
        king_need: for each square, on how many sides a king there must be attacked: 2 (opposite
            ones), 3 (all but the throne) or 4.
        hostile: 1 where the throne stands against: attackers, defenders when it is empty;
            attackers, defenders with the king on it.
        ring: 1 when a man beside a king hemmed in on the throne is taken against the king.
        single: 1 when a move takes one piece only.
        enclosure: 0 none, 1 the king, 2 the king and all defenders.
    """

    def __init__(  # noqa: PLR0913  built in one place
        self,
        lines: list[list[list[int]]],
        throne: int,
        king_armed: int,
        king_need: list[int],
        hostile: list[int],
        *,
        ring: int,
        single: int,
        enclosure: int,
    ) -> None:
        self.count = [len(places) for table in lines for places in table]
        self.reach = [tables.pad(places, N) for table in lines for places in table]
        self.throne = throne
        self.cross = MIDDLE if throne >= 0 else -1  # number of the row and column with a throne
        self.king_armed = king_armed
        self.king_need = king_need
        self.hostile = hostile
        self.ring = ring
        self.single = single
        self.enclosure = enclosure
        # side * 4 + piece: 1 when the piece stands by that side as a partner in captures
        self.partner = [0, 1, 0, 0, 0, 0, 1, king_armed]


class State:
    """A position in which moves are made and unmade.

    Args:
        rules: the game's rules.
        pieces: 81 numbers, a1 first: 0 empty, 1 attacker, 2 defender, 3 king.
        turn: 0 attackers to move, 1 defenders.
    """

    def __init__(self, rules: Rules, pieces: list[int], turn: int) -> None:
        self.rules = rules
        self.board = pieces[:]
        self.rows = tables.pad([], N)
        self.cols = tables.pad([], N)
        self.men = tables.pad([], 2 * MEN + 1)  # pieces by row, an empty row around each side's
        self.turn = turn
        self.king = -1
        self.over = KING_TAKEN
        for square in range(SQ):
            if self.board[square] != EMPTY:
                self.toggle(square, self.board[square])
            if self.board[square] == KING:
                self.king = square
                self.over = KING_ESCAPED if EDGE[square] else RUNNING

    def copy(self) -> State:
        """Return an independent state of the same position."""
        other = State.__new__(State)
        other.rules = self.rules
        other.board = self.board[:]
        other.rows = self.rows[:]
        other.cols = self.cols[:]
        other.men = self.men[:]
        other.turn = self.turn
        other.king = self.king
        other.over = self.over
        return other

    def toggle(self, square: int, piece: int) -> None:
        """Note in the occupancies that a piece has come to a square or left it."""
        row = ROW[square]
        col = COL[square]
        self.rows[row] ^= 1 << col
        self.cols[col] ^= 1 << row
        self.men[OWNER[piece] * MEN + 1 + row] ^= 1 << col

    def shift(self, origin: int, target: int) -> int:
        """Carry the piece on `origin` to the empty square `target` on its line; return it."""
        board, men = self.board, self.men
        row, col, to_row, to_col = ROW[origin], COL[origin], ROW[target], COL[target]
        piece = board[origin]
        board[origin] = EMPTY
        board[target] = piece
        side = OWNER[piece] * MEN + 1
        if row == to_row:
            self.cols[col] ^= 1 << row
            self.cols[to_col] ^= 1 << row
            both = 1 << col ^ 1 << to_col
            self.rows[row] ^= both
            men[side + row] ^= both
        else:
            left = 1 << col
            self.cols[col] ^= 1 << row ^ 1 << to_row
            self.rows[row] ^= left
            self.rows[to_row] ^= left
            men[side + row] ^= left
            men[side + to_row] ^= left
        return piece

    # -- moves -----------------------------------------------------------------------------

    def generate(self, out: list[int]) -> int:
        """Write the legal moves into `out`; return how many."""
        rules, board, cols = self.rules, self.board, self.cols
        count, reach, cross = rules.count, rules.reach, rules.cross
        side = self.turn * MEN + 1
        n = 0
        for row in range(N):
            own = self.men[side + row]
            if own == 0:
                continue
            occupied = self.rows[row]
            base = row * N
            lines = THRONE_LINES if row == cross else 0
            for i in range(COUNT_BITS[own]):
                col = BITS[own][i]
                origin = (base + col) * SQ
                kind = KING_LINES if board[base + col] == KING else 0
                index = kind + lines + col * LINE + occupied
                for k in range(count[index]):
                    out[n] = origin + base + reach[index][k]
                    n += 1
                index = kind + row * LINE + cols[col]
                if col == cross:
                    index += THRONE_LINES
                for k in range(count[index]):
                    out[n] = origin + reach[index][k] * N + col
                    n += 1
        return self.choices(out, n) if rules.single else n

    def choices(self, out: list[int], n: int) -> int:
        """Replace each move that traps several pieces by one a victim; return how many now.

        With the king among the trapped there is no choice. Source: IMPERIAL §5.5, R8.
        """
        if not self.mark_forks():
            return n
        last = n
        for i in range(n):
            move = out[i]
            target = move % SQ
            if not FORKS[ROW[target]] >> COL[target] & 1:
                continue
            found = self.trapped(move)
            if found & (found - 1) == 0 or found & 16:
                continue
            slot = i
            for k in range(4):
                if found >> k & 1:
                    out[slot] = move + PLAIN * (k + 1)
                    slot = last
                    last += 1
            last -= 1
        return last

    def mark_forks(self) -> int:
        """Mark in FORKS where a move may trap several pieces; return 0 when it can nowhere.

        There a piece of the other side stands beside, with an own one or the throne beyond it,
        in two directions at least. Whose throne it is, and what a king is worth, is not asked.
        """
        men, throne = self.men, self.rules.throne
        us = self.turn * MEN + 1
        them = (1 - self.turn) * MEN + 1
        for row in range(N):
            BEYOND[row] = men[us + row]
        if throne >= 0:
            BEYOND[ROW[throne]] |= 1 << COL[throne]
        anywhere = 0
        for row in range(N):
            prey, beyond = men[them + row], BEYOND[row]
            left, right = prey << 1 & beyond << 2, prey >> 1 & beyond >> 2
            above = men[them + row + 1] & BEYOND[row + 2] if row < N - 2 else 0
            below = men[them + row - 1] & BEYOND[row - 2] if row > 1 else 0
            FORKS[row] = (left | right) & (above | below) | left & right | above & below
            anywhere |= FORKS[row]
        return anywhere

    def mobility(self) -> int:
        """Return how many ways there are to move; a choice of victims is not counted."""
        rows, cols, men, king = self.rows, self.cols, self.men, self.king
        count, cross = self.rules.count, self.rules.cross
        side = self.turn * MEN + 1
        n = 0
        for row in range(N):
            own = men[side + row]
            if own == 0:
                continue
            line = rows[row] + (THRONE_LINES if row == cross else 0)
            for i in range(COUNT_BITS[own]):
                col = BITS[own][i]
                n += count[col * LINE + line]
                index = row * LINE + cols[col]
                n += count[index + THRONE_LINES if col == cross else index]
        if self.turn == 1 and king >= 0:  # counted as a man so far
            along, across = self.along_row(king), self.along_col(king)
            n += count[along] - count[along - KING_LINES]
            n += count[across] - count[across - KING_LINES]
        return n

    def can_move(self) -> int:
        """Return 1 when the side to move has a legal move."""
        side = self.turn * MEN + 1
        for row in range(N):
            own = self.men[side + row]
            for i in range(COUNT_BITS[own]):
                square = row * N + BITS[own][i]
                if self.rules.count[self.along_row(square)]:
                    return 1
                if self.rules.count[self.along_col(square)]:
                    return 1
        return 0

    def along_row(self, square: int) -> int:
        """Return where the line tables tell about a piece in its row."""
        row = ROW[square]
        index = COL[square] * LINE + self.rows[row]
        if self.board[square] == KING:
            index += KING_LINES
        return index + THRONE_LINES if row == self.rules.cross else index

    def along_col(self, square: int) -> int:
        """Return where the line tables tell about a piece in its column."""
        col = COL[square]
        index = ROW[square] * LINE + self.cols[col]
        if self.board[square] == KING:
            index += KING_LINES
        return index + THRONE_LINES if col == self.rules.cross else index

    def reaches(self, origin: int, target: int) -> int:
        """Return 1 when the piece on `origin` can go to `target`, whoever is to move."""
        if ROW[origin] == ROW[target]:
            index, place = self.along_row(origin), COL[target]
        elif COL[origin] == COL[target]:
            index, place = self.along_col(origin), ROW[target]
        else:
            return 0
        for k in range(self.rules.count[index]):
            if self.rules.reach[index][k] == place:
                return 1
        return 0

    # -- captures --------------------------------------------------------------------------

    def beside(self, square: int, side: int) -> int:
        """Return bits, one for each neighbour of a square where a piece of `side` stands."""
        col = COL[square]
        men = self.men
        row = side * MEN + 1 + ROW[square]
        return (
            ((men[row] << 1) >> col & 5)
            | (men[row - 1] >> col & 1) << 1
            | (men[row + 1] >> col & 1) << 3
        )

    def traps(self, target: int, us: int) -> int:
        """Return the directions in which a piece of side `us`, come to `target`, takes, as bits.

        Bit k stands for `VICTIM[target][k]`; bit 4 is set as well when the king is taken.
        """
        board = self.board
        them = 1 - us
        found = 0
        for k in range(NFLANKS[target]):
            victim = VICTIM[target][k]
            prey = board[victim]
            if OWNER[prey] != them:
                continue
            far = FAR[target][k]
            if prey == KING:
                if self.king_falls(victim, far):
                    found |= 16 | SOLO[k]
            elif self.rules.partner[us * 4 + board[far]] or (
                far == self.rules.throne and self.throne_takes(us, victim)
            ):
                found |= SOLO[k]
        return found

    def throne_takes(self, us: int, victim: int) -> int:
        """Return 1 when the throne stands by side `us` against the man on `victim`, beside it.

        Source: LINNAEUS R14 in the direction of §5.4; for the ring R10, second clause.
        """
        rules, board = self.rules, self.board
        on_it = board[rules.throne]
        if on_it == EMPTY:
            return rules.hostile[1 - us]
        if on_it != KING:
            return 0
        if rules.hostile[3 - us]:
            return 1
        if us == 1 or not rules.ring:
            return 0
        for i in range(4):
            near = AROUND[rules.throne][i]
            if near != victim and board[near] != ATTACKER:
                return 0
        return 1

    def king_falls(self, king: int, far: int) -> int:
        """Return 1 when a king beside the arriving attacker is taken; `far` is beyond him."""
        rules, board = self.rules, self.board
        need = rules.king_need[king]
        if need == OPPOSITE:
            if far == rules.throne and board[far] == EMPTY:
                return rules.hostile[1]
            return 1 if board[far] == ATTACKER else 0
        for i in range(4):
            near = AROUND[king][i]
            if board[near] != ATTACKER and (need == ALL_ROUND or near != rules.throne):
                return 0
        return 1

    def trapped(self, move: int) -> int:
        """Return the directions in which a move yet to be made would take (see `traps`)."""
        board = self.board
        origin, target = move // SQ % SQ, move % SQ
        piece = board[origin]
        if piece == KING and not self.rules.king_armed:
            return 0
        us = OWNER[piece]
        if not self.beside(target, 1 - us):
            return 0
        board[origin] = EMPTY
        board[target] = piece
        found = self.traps(target, us)
        board[target] = EMPTY
        board[origin] = piece
        return found

    # -- make and unmake -------------------------------------------------------------------

    def make(self, move: int, undo: list[int]) -> None:
        """Make a legal move. `undo`, nine numbers, takes what `unmake` needs.

        `undo[0]` pieces are taken, from the squares `undo[1]`...; they are `undo[5]`...
        """
        origin, target = move // SQ, move % SQ
        if origin >= SQ:  # a choice of victim
            origin %= SQ
        piece = self.shift(origin, target)
        us = OWNER[piece]
        self.turn = 1 - us
        undo[0] = 0
        if piece == KING:
            self.king = target
            if EDGE[target]:
                self.over = KING_ESCAPED
            if not self.rules.king_armed:
                return
        if self.beside(target, 1 - us):
            self.take(move, target, us, undo)

    def take(self, move: int, target: int, us: int, undo: list[int]) -> None:
        """Take off the board what a move, made already, traps."""
        found = self.traps(target, us)
        if move >= PLAIN:
            found = SOLO[move // PLAIN - 1]
        n = 0
        for k in range(4):
            if not found >> k & 1:
                continue
            victim = VICTIM[target][k]
            prey = self.board[victim]
            if prey == KING:
                self.over = KING_TAKEN
                self.king = -1
            elif found & 16 and self.rules.single:
                continue
            self.board[victim] = EMPTY
            self.toggle(victim, prey)
            undo[1 + n] = victim
            undo[5 + n] = prey
            n += 1
        undo[0] = n

    def unmake(self, move: int, undo: list[int]) -> None:
        """Take back the move made last, with the `undo` that `make` filled."""
        self.over = RUNNING
        for i in range(undo[0]):
            victim, prey = undo[1 + i], undo[5 + i]
            self.board[victim] = prey
            self.toggle(victim, prey)
            if prey == KING:
                self.king = victim
        origin = move // SQ
        if origin >= SQ:
            origin %= SQ
        piece = self.shift(move % SQ, origin)
        self.turn = OWNER[piece]
        if piece == KING:
            self.king = origin

    # -- endings ---------------------------------------------------------------------------

    def ended(self) -> int:
        """Return RUNNING, or how the position ends the game after a move."""
        if self.over:
            return self.over
        if self.rules.enclosure and self.enclosed():
            return SURROUNDED
        return RUNNING

    def enclosed(self) -> int:
        """Return 1 when the attackers enclose those whom the rules say they must.

        Walks from every edge square without attacker through neighbours without attackers, and
        looks whether it meets one of them. Source: SEA §5.5, R6b; LINNAEUS §5.8, R12.
        """
        men = self.men
        for row in range(N):
            FREE[row] = (LINE - 1) & ~men[1 + row]
            SOUGHT[row] = men[MEN + 1 + row] if self.rules.enclosure == EVERYBODY else 0
            WALK[row] = FREE[row] & (LINE - 1 if row in (0, N - 1) else 257)
        SOUGHT[ROW[self.king]] |= 1 << COL[self.king]
        changed = 1
        while changed:
            changed = 0
            for row in range(N):
                seen = self.walk(row)
                if seen & SOUGHT[row]:
                    return 0
                if seen != WALK[row]:
                    WALK[row] = seen
                    changed = 1
        return 1

    def walk(self, row: int) -> int:
        """Return how far the walk gets in a row from where it is there and in the next rows."""
        free = FREE[row]
        seen = WALK[row]
        if row > 0:
            seen |= WALK[row - 1]
        if row < N - 1:
            seen |= WALK[row + 1]
        seen &= free
        before = -1
        while seen != before:
            before = seen
            seen |= (seen << 1 | seen >> 1) & free
        return seen

    # -- for callers without buffers -------------------------------------------------------

    def play(self, move: int) -> None:
        """Make a legal move for good."""
        self.make(move, UNDOS[0])

    def legal(self) -> list[tuple[int, int]]:
        """Return the legal moves, each with the directions in which it traps (see `traps`)."""
        out = MOVES[0]
        found = []
        for i in range(self.generate(out)):
            found.append((out[i], self.trapped(out[i])))  # noqa: PERF401  no generators in C
        return found

    def pieces(self) -> list[int]:
        """Return what stands on the 81 squares."""
        return [self.board[square] for square in range(SQ)]


FORKS = tables.pad([], N)
BEYOND = tables.pad([], N)
WALK = tables.pad([], N)
FREE = tables.pad([], N)
SOUGHT = tables.pad([], N)
MOVES = tables.buffers(MAX_DEPTH, MAX_MOVES)
UNDOS = tables.buffers(MAX_DEPTH, N)


def perft(state: State, depth: int, bulk: int) -> int:
    """Count the move sequences of `depth` plies, 0..23.

    A position that has ended has no continuation. `bulk`: count the last ply's moves unmade.
    """
    if depth == 0:
        return 1
    if state.over:
        return 0
    if depth == 1 and bulk and not (state.rules.single and state.mark_forks()):
        return state.mobility()
    moves, undo = MOVES[depth], UNDOS[depth]
    n = state.generate(moves)
    total = n if depth == 1 else 0
    if depth > 1 or not bulk:
        for i in range(n):
            state.make(moves[i], undo)
            if depth > 1 and not state.ended():
                total += perft(state, depth - 1, bulk)
            state.unmake(moves[i], undo)
    return total
