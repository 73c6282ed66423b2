"""The rules core: generate, make, unmake, and tell when the game has ended.

One source, two speeds: this file is plain Python; `core.pxd` beside it gives Cython the types to
compile it with. Therefore only integers and lists here, tables are built inside functions (a
module-level comprehension leaks its variables into the compiled module), and no value is wider
than 64 bits.

Theory of operation
    The board is a list of 81 squares (rank * 9 + file), with one 9-bit occupancy for each row and
    each column. Where a piece can go on its line is looked up by (kind of line, place on the
    line, occupancy of the line): how far the king goes and who may pass or stop on the throne
    are in these tables, so that generating needs no rule of any game.
    A move is one number: `from * 81 + to`, and under the single-capture rule, where several
    pieces would be taken, `+ 6561 * (direction + 1)` for the one that is.
    Captures, escape and the king's capture are found by `make`; enclosure is asked for with
    `ended`, because most positions of a search are never asked.

Whose rules these are is in `rulesets/*.toml`; `engine.game` turns those into `Rules`.
"""

COMPILED = not __file__.endswith((".py", ".pyc"))

N = 9
SQ = 81
EMPTY = 0
ATTACKER = 1
DEFENDER = 2
KING = 3
NOBODY = 2
PLAIN = SQ * SQ
CENTRE = 40
MIDDLE = 4
MAX_MOVES = 800  # at most 260 paths, each with at most three victims to choose from
MAX_DEPTH = 24

RUNNING = 0
KING_TAKEN = 1
KING_ESCAPED = 2
SURROUNDED = 3


def _pad(items, size, fill=0):
    return list(items) + [fill] * (size - len(items))


def _flanks(square):
    """Return (victim, far neighbour) pairs around a square."""
    row, col = divmod(square, N)
    return [
        (square + N * up + right, square + 2 * (N * up + right))
        for up, right in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if 0 <= row + 2 * up < N and 0 <= col + 2 * right < N
    ]


def _victims():
    return [_pad([pair[0] for pair in _flanks(square)], 4) for square in range(SQ)]


def _far():
    return [_pad([pair[1] for pair in _flanks(square)], 4) for square in range(SQ)]


def _flank_counts():
    return [len(_flanks(square)) for square in range(SQ)]


def _around():
    """Return the four neighbours of each square that is not on the edge."""
    found = []
    for square in range(SQ):
        inner = 0 < square // N < N - 1 and 0 < square % N < N - 1
        found.append([square + N, square - N, square + 1, square - 1] if inner else _pad([], 4))
    return found


def _edges():
    return [int(s // N in (0, N - 1) or s % N in (0, N - 1)) for s in range(SQ)]


def _bits():
    return [_pad([b for b in range(N) if mask >> b & 1], N) for mask in range(1 << N)]


def _bit_counts():
    return [mask.bit_count() for mask in range(1 << N)]


def _rows():
    return [square // N for square in range(SQ)]


def _cols():
    return [square % N for square in range(SQ)]


ROW = _rows()
COL = _cols()
EDGE = _edges()
NFLANKS = _flank_counts()
VICTIM = _victims()
FAR = _far()
AROUND = _around()
BITS = _bits()
COUNT_BITS = _bit_counts()
OWNER = [NOBODY, 0, 1, 1]  # piece -> side (0 attackers, 1 defenders)


def _line(pos, occ, reach, enter, through):
    """Return where a piece on a line can go.

    `pos` 0..8 on the line, `occ` the line's 9-bit occupancy, `reach` the most squares it goes.
    `enter` and `through`: may it stop on, and pass over, the middle of the line when empty?
    """
    found = []
    for step in (-1, 1):
        place, gone = pos + step, 1
        while 0 <= place < N and not occ >> place & 1 and gone <= reach:
            if enter or place != MIDDLE:
                found.append(place)
            if place == MIDDLE and not through:
                break
            place, gone = place + step, gone + 1
    return found


def line_table(reach, enter, through):
    """Return `_line` for all places and occupancies, indexed by place * 512 + occupancy."""
    return [_line(pos, occ, reach, enter, through) for pos in range(N) for occ in range(1 << N)]


class Rules:
    """The rules of one game as the core looks them up; never changed once built.

    Args:
        lines: four tables of `line_table`: man on an ordinary line, man on a line through the
            throne, king on an ordinary line, king on a line through the throne.
        throne: the throne's square, -1 where the rules have none.
        king_armed: does the king capture?
        king_need: for each square, on how many sides a king there must be attacked: 2 (on
            opposite sides), 3 (all but the throne) or 4.
        hostile: whether the throne takes part against (attackers, defenders) when it is empty,
            and the same two with the king on it.
        ring: is a man beside a king, who is hemmed in on the throne, taken against the king?
        single: does a move take one piece only?
        enclosure: 0 none, 1 the king enclosed, 2 the king and all defenders enclosed.
    """

    def __init__(self, lines, throne, king_armed, king_need, hostile, ring, single, enclosure):
        """Copy the tables into the form that the core uses."""
        counts, reach = [], []
        for table in lines:
            for places in table:
                counts.append(len(places))
                reach.append(_pad(places, N))
        self.count = counts
        self.reach = reach
        self.throne = throne
        self.king_armed = king_armed
        self.king_need = _pad(king_need, SQ)
        self.hostile = _pad(hostile, 4)
        self.ring = ring
        self.single = single
        self.enclosure = enclosure
        self.lines_cross = throne >= 0
        # side * 4 + piece: does this piece stand by that side as a partner in a capture?
        self.partner = _pad([0, 1, 0, 0, 0, 0, 1, king_armed], 8)


class State:
    """A position that moves are made and unmade in.

    Args:
        rules: the game's rules.
        pieces: 81 numbers, a1 first: 0 empty, 1 attacker, 2 defender, 3 king.
        turn: 0 attackers to move, 1 defenders.
    """

    def __init__(self, rules, pieces, turn):
        self.rules = rules
        self.board = _pad([], SQ)
        self.rows = _pad([], N)
        self.cols = _pad([], N)
        self.men = _pad([], 2 * N)  # each side's pieces by row: attackers 0..8, defenders 9..17
        self.turn = turn
        self.king = -1
        self.over = KING_TAKEN
        for square in range(SQ):
            if pieces[square] != EMPTY:
                self.put(square, pieces[square])
                if pieces[square] == KING:
                    self.king = square
                    self.over = KING_ESCAPED if EDGE[square] else RUNNING

    def copy(self):
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

    def put(self, square, piece):
        """Put a piece on an empty square."""
        row, col = ROW[square], COL[square]
        self.board[square] = piece
        self.rows[row] ^= 1 << col
        self.cols[col] ^= 1 << row
        self.men[OWNER[piece] * N + row] ^= 1 << col

    def lift(self, square):
        """Take the piece off a square and return it."""
        row, col = ROW[square], COL[square]
        piece = self.board[square]
        self.board[square] = EMPTY
        self.rows[row] ^= 1 << col
        self.cols[col] ^= 1 << row
        self.men[OWNER[piece] * N + row] ^= 1 << col
        return piece

    def kind(self, piece, line):
        """Return where the table for a piece on a row or column of this number begins."""
        kind = 2 if piece == KING else 0
        if line == MIDDLE and self.rules.lines_cross:
            kind += 1
        return kind * N

    def generate(self, out):
        """Write the legal moves into `out`; return how many."""
        rules, board, turn = self.rules, self.board, self.turn
        count, reach = rules.count, rules.reach
        rows, cols, men = self.rows, self.cols, self.men
        cross = rules.lines_cross
        n = 0
        for row in range(N):
            own = men[turn * N + row]
            if own == 0:
                continue
            occ = rows[row]
            base = row * N
            for i in range(COUNT_BITS[own]):
                col = BITS[own][i]
                origin = (base + col) * SQ
                kind = 0
                if board[base + col] == KING:
                    kind = 18
                index = ((kind + 9 if cross and row == MIDDLE else kind) + col) * 512 + occ
                for k in range(count[index]):
                    out[n] = origin + base + reach[index][k]
                    n += 1
                index = ((kind + 9 if cross and col == MIDDLE else kind) + row) * 512 + cols[col]
                origin += col
                for k in range(count[index]):
                    out[n] = origin + reach[index][k] * N
                    n += 1
        if rules.single:
            return self.choices(out, n)
        return n

    def choices(self, out, n):
        """Give each move that traps several pieces one entry a victim; return how many now."""
        last = n
        for i in range(n):
            move = out[i]
            found = self.trapped(move)
            if found & (found - 1) == 0 or found & 16:
                continue
            first = 1
            for k in range(4):
                if found >> k & 1:
                    if first:
                        out[i] = move + PLAIN * (k + 1)
                        first = 0
                    else:
                        out[last] = move + PLAIN * (k + 1)
                        last += 1
        return last

    def mobility(self):
        """Return how many paths there are; a choice of victims is not counted."""
        rules, board, turn = self.rules, self.board, self.turn
        count = rules.count
        cross = rules.lines_cross
        n = 0
        for row in range(N):
            own = self.men[turn * N + row]
            for i in range(COUNT_BITS[own]):
                col = BITS[own][i]
                kind = 0
                if board[row * N + col] == KING:
                    kind = 18
                line = kind + 9 if cross and row == MIDDLE else kind
                n += count[(line + col) * 512 + self.rows[row]]
                line = kind + 9 if cross and col == MIDDLE else kind
                n += count[(line + row) * 512 + self.cols[col]]
        return n

    def can_move(self):
        """Return 1 when the side to move has a legal move."""
        board = self.board
        count = self.rules.count
        for row in range(N):
            own = self.men[self.turn * N + row]
            for i in range(COUNT_BITS[own]):
                col = BITS[own][i]
                piece = board[row * N + col]
                if count[(self.kind(piece, row) + col) * 512 + self.rows[row]]:
                    return 1
                if count[(self.kind(piece, col) + row) * 512 + self.cols[col]]:
                    return 1
        return 0

    def reaches(self, origin, target):
        """Return 1 when the piece on `origin` may go to `target` (whoever is to move)."""
        row, col = ROW[origin], COL[origin]
        piece = self.board[origin]
        if row == ROW[target]:
            index = (self.kind(piece, row) + col) * 512 + self.rows[row]
            place = COL[target]
        elif col == COL[target]:
            index = (self.kind(piece, col) + row) * 512 + self.cols[col]
            place = ROW[target]
        else:
            return 0
        for k in range(self.rules.count[index]):
            if self.rules.reach[index][k] == place:
                return 1
        return 0

    def throne_takes(self, side, victim):
        """Return 1 when the throne stands by `side` against the ordinary piece on `victim`.

        Source: LINNAEUS R14 with the convention of §5.4; R10, second clause, for the ring.
        """
        rules, board = self.rules, self.board
        on_it = board[rules.throne]
        if on_it == EMPTY:
            return rules.hostile[1 - side]
        if on_it != KING:
            return 0
        if rules.hostile[3 - side]:
            return 1
        if side != 0 or not rules.ring:
            return 0
        for i in range(4):
            near = AROUND[rules.throne][i]
            if near != victim and board[near] != ATTACKER:
                return 0
        return 1

    def king_falls(self, king, far):
        """Return 1 when the king, reached by an attacker, is taken. `far`: the opposite square."""
        rules, board = self.rules, self.board
        need = rules.king_need[king]
        if need == 2:
            if board[far] == EMPTY and far == rules.throne:
                return rules.hostile[1]
            return board[far] == ATTACKER
        for i in range(4):
            near = AROUND[king][i]
            if board[near] != ATTACKER and (need == 4 or near != rules.throne):
                return 0
        return 1

    def traps(self, target):
        """Return the directions in which the piece that has arrived on `target` takes, as bits.

        Bit 4 is set as well when the king is taken. The bit of direction k names
        `VICTIM[target][k]`.
        """
        board, rules = self.board, self.rules
        us = OWNER[board[target]]
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
                    found |= 16 | 1 << k
            elif rules.partner[us * 4 + board[far]] or (
                far == rules.throne and self.throne_takes(us, victim)
            ):
                found |= 1 << k
        return found

    def trapped(self, move):
        """Return the directions in which a move that is yet to be made would take (see `traps`)."""
        board = self.board
        origin, target = move // SQ % SQ, move % SQ
        piece = board[origin]
        if piece == KING and not self.rules.king_armed:
            return 0
        board[origin] = EMPTY
        board[target] = piece
        found = self.traps(target)
        board[target] = EMPTY
        board[origin] = piece
        return found

    def make(self, move, undo):
        """Make a legal move; `undo` (9 numbers) takes what `unmake` needs."""
        board, rules = self.board, self.rules
        origin, target = move // SQ % SQ, move % SQ
        piece = self.lift(origin)
        self.put(target, piece)
        self.turn = 1 - self.turn
        undo[0] = 0
        if piece == KING:
            self.king = target
            if EDGE[target]:
                self.over = KING_ESCAPED
            if not rules.king_armed:
                return
        found = self.traps(target)
        if found:
            if move >= PLAIN:
                found = 1 << (move // PLAIN - 1)
            self.take(target, found, undo)

    def take(self, target, found, undo):
        """Remove the pieces in the directions `found`."""
        n = 0
        for k in range(4):
            if found >> k & 1:
                victim = VICTIM[target][k]
                if self.board[victim] == KING:
                    self.over = KING_TAKEN
                    self.king = -1
                elif found & 16 and self.rules.single:
                    continue
                undo[1 + n] = victim
                undo[5 + n] = self.lift(victim)
                n += 1
        undo[0] = n

    def unmake(self, move, undo):
        """Take back the move that was made last, with the `undo` that `make` filled."""
        self.turn = 1 - self.turn
        self.over = RUNNING
        for i in range(undo[0]):
            self.put(undo[1 + i], undo[5 + i])
            if undo[5 + i] == KING:
                self.king = undo[1 + i]
        origin = move // SQ % SQ
        piece = self.lift(move % SQ)
        self.put(origin, piece)
        if piece == KING:
            self.king = origin

    def ended(self):
        """Return how the position ends the game: 0 not, or KING_TAKEN ... SURROUNDED.

        Enclosure is looked at after the attackers' moves only: the defenders' change nothing in
        where attackers stand, except that they open what was closed.
        """
        if self.over:
            return self.over
        if self.turn == 1 and self.rules.enclosure and self.enclosed():
            return SURROUNDED
        return RUNNING

    def enclosed(self):
        """Return 1 when the attackers enclose the king, or all defenders, as the rules say.

        A walk from every edge square without attacker through neighbours without attackers: does
        it meet one of those who must be enclosed? Source: SEA §5.5; LINNAEUS §5.8, R12.
        """
        men = self.men
        walk, free, inside = WALK, FREE, INSIDE
        for row in range(N):
            free[row] = 511 & ~men[row]
            inside[row] = men[N + row]
            walk[row] = free[row] & (511 if row in (0, N - 1) else 257)
        if self.rules.enclosure == 1:
            for row in range(N):
                inside[row] = 0
            inside[ROW[self.king]] = 1 << COL[self.king]
        changed = 1
        while changed:
            changed = 0
            for row in range(N):
                seen = walk[row]
                if row > 0:
                    seen |= walk[row - 1]
                if row < N - 1:
                    seen |= walk[row + 1]
                seen &= free[row]
                before = -1
                while seen != before:
                    before = seen
                    seen |= (seen << 1 | seen >> 1) & free[row]
                if seen & inside[row]:
                    return 0
                if seen != walk[row]:
                    walk[row] = seen
                    changed = 1
        return 1

    # -- for Python callers: numbers and lists, no buffers ---------------------------------

    def play(self, move):
        """Make a legal move for good; return the squares of the pieces it takes."""
        undo = _pad([], 9)
        self.make_into(move, undo)
        return undo[1 : 1 + undo[0]]

    def make_into(self, move, undo):
        """Make a legal move and copy the undo record into the list `undo`."""
        self.make(move, LAST_UNDO)
        for i in range(9):
            undo[i] = LAST_UNDO[i]

    def victims(self, move):
        """Return the squares of the pieces that a legal move would take."""
        found = self.trapped(move)
        if move >= PLAIN:
            found = 1 << (move // PLAIN - 1)
        return self.named(move % SQ, found)

    def named(self, target, found):
        """Return the squares in the directions `found`; the king alone under single capture."""
        squares = []
        for k in range(4):
            if found >> k & 1:
                victim = VICTIM[target][k]
                if found & 16 and self.rules.single and self.board[victim] != KING:
                    continue
                squares.append(victim)
        return squares

    def legal(self):
        """Return the legal moves as pairs: the number, and whether it takes anything."""
        out = MOVES[0]
        n = self.generate(out)
        found = []
        for i in range(n):
            found.append((out[i], self.trapped(out[i]) != 0))
        return found

    def pieces(self):
        """Return what stands on the 81 squares."""
        return [self.board[square] for square in range(SQ)]


WALK = _pad([], N)
FREE = _pad([], N)
INSIDE = _pad([], N)
LAST_UNDO = _pad([], 9)


def _buffers(count, size):
    return [_pad([], size) for _ in range(count)]


MOVES = _buffers(MAX_DEPTH, MAX_MOVES)
UNDOS = _buffers(MAX_DEPTH, 9)


def perft(state, depth, bulk):
    """Count the move sequences of `depth` plies; a position that has ended has no continuation.

    `bulk`: count the last ply's moves without making them.
    """
    if depth == 0:
        return 1
    if state.ended():
        return 0
    moves, undo = MOVES[depth], UNDOS[depth]
    if depth == 1 and bulk and not state.rules.single:
        return state.mobility()
    n = state.generate(moves)
    if depth == 1:
        if not bulk:
            for i in range(n):
                state.make(moves[i], undo)
                state.unmake(moves[i], undo)
        return n
    total = 0
    for i in range(n):
        move = moves[i]
        state.make(move, undo)
        total += perft(state, depth - 1, bulk)
        state.unmake(move, undo)
    return total
