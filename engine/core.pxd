# Types for core.py: with this file beside it, Cython compiles core.py to C. No logic here.
cimport cython

cdef int N, SQ, EMPTY, ATTACKER, KING, NOBODY, PLAIN, MIDDLE
cdef int LINE, KING_LINES, THRONE_LINES, OPPOSITE, ALL_ROUND, EVERYBODY, MEN, MAX_MOVES, MAX_DEPTH
cdef int RUNNING, KING_TAKEN, KING_ESCAPED, SURROUNDED

cdef unsigned char ROW[81]
cdef unsigned char COL[81]
cdef unsigned char EDGE[81]
cdef unsigned char NFLANKS[81]
cdef unsigned char VICTIM[81][4]
cdef unsigned char FAR[81][4]
cdef unsigned char AROUND[81][4]
cdef unsigned char BITS[512][9]
cdef unsigned char COUNT_BITS[512]
cdef unsigned char OWNER[4]
cdef unsigned char SOLO[4]
cdef unsigned short FORKS[9]
cdef unsigned short BEYOND[9]
cdef unsigned short WALK[9]
cdef unsigned short FREE[9]
cdef unsigned short SOUGHT[9]
cdef unsigned short MOVES[24][800]
cdef unsigned char UNDOS[24][9]

@cython.final
cdef class Rules:
    cdef unsigned char count[18432]
    cdef unsigned char reach[18432][9]
    cdef int throne
    cdef int cross
    cdef int king_armed
    cdef unsigned char king_need[81]
    cdef unsigned char hostile[4]
    cdef unsigned char partner[8]
    cdef int ring
    cdef int single
    cdef int enclosure

@cython.final
cdef class State:
    cdef Rules rules
    cdef unsigned char board[81]
    cdef unsigned short rows[9]
    cdef unsigned short cols[9]
    cdef unsigned short men[21]
    cdef readonly int turn
    cdef readonly int king
    cdef readonly int over

    @cython.locals(other=State)
    cpdef State copy(self)
    @cython.locals(row=cython.int, col=cython.int)
    cdef inline void toggle(self, int square, int piece) noexcept
    @cython.locals(board="unsigned char*", men="unsigned short*", row=cython.int, col=cython.int, to_row=cython.int, to_col=cython.int, piece=cython.int, left=cython.int, both=cython.int, side=cython.int)
    cdef inline int shift(self, int origin, int target) noexcept
    @cython.locals(rules=Rules, board="unsigned char*", cols="unsigned short*", count="unsigned char*", cross=cython.int, side=cython.int, n=cython.int, row=cython.int, own=cython.int, occupied=cython.int, base=cython.int, lines=cython.int, i=cython.int, col=cython.int, origin=cython.int, kind=cython.int, index=cython.int, k=cython.int)
    cdef int generate(self, unsigned short* out) noexcept
    @cython.locals(last=cython.int, i=cython.int, move=cython.int, target=cython.int, found=cython.int, slot=cython.int, k=cython.int)
    cdef int choices(self, unsigned short* out, int n) noexcept
    @cython.locals(men="unsigned short*", throne=cython.int, us=cython.int, them=cython.int, row=cython.int, prey=cython.int, beyond=cython.int, left=cython.int, right=cython.int, above=cython.int, below=cython.int, anywhere=cython.int)
    cdef int mark_forks(self) noexcept
    @cython.locals(rows="unsigned short*", cols="unsigned short*", men="unsigned short*", king=cython.int, count="unsigned char*", cross=cython.int, side=cython.int, n=cython.int, row=cython.int, own=cython.int, line=cython.int, i=cython.int, col=cython.int, index=cython.int, along=cython.int, across=cython.int)
    cpdef int mobility(self) noexcept
    @cython.locals(side=cython.int, row=cython.int, own=cython.int, i=cython.int, square=cython.int)
    cpdef int can_move(self) noexcept
    @cython.locals(row=cython.int, index=cython.int)
    cdef int along_row(self, int square) noexcept
    @cython.locals(col=cython.int, index=cython.int)
    cdef int along_col(self, int square) noexcept
    @cython.locals(index=cython.int, place=cython.int, k=cython.int)
    cpdef int reaches(self, int origin, int target) noexcept
    @cython.locals(col=cython.int, men="unsigned short*", row=cython.int)
    cdef inline int beside(self, int square, int side) noexcept
    @cython.locals(board="unsigned char*", them=cython.int, found=cython.int, k=cython.int, victim=cython.int, prey=cython.int, far=cython.int)
    cdef int traps(self, int target, int us) noexcept
    @cython.locals(rules=Rules, board="unsigned char*", on_it=cython.int, i=cython.int, near=cython.int)
    cdef int throne_takes(self, int us, int victim) noexcept
    @cython.locals(rules=Rules, board="unsigned char*", need=cython.int, i=cython.int, near=cython.int)
    cdef int king_falls(self, int king, int far) noexcept
    @cython.locals(board="unsigned char*", origin=cython.int, target=cython.int, piece=cython.int, us=cython.int, found=cython.int)
    cpdef int trapped(self, int move) noexcept
    @cython.locals(origin=cython.int, target=cython.int, piece=cython.int, us=cython.int)
    cdef inline void make(self, int move, unsigned char* undo) noexcept
    @cython.locals(found=cython.int, n=cython.int, k=cython.int, victim=cython.int, prey=cython.int)
    cdef void take(self, int move, int target, int us, unsigned char* undo) noexcept
    @cython.locals(i=cython.int, victim=cython.int, prey=cython.int, origin=cython.int, piece=cython.int)
    cdef inline void unmake(self, int move, unsigned char* undo) noexcept
    cpdef int ended(self) noexcept
    @cython.locals(men="unsigned short*", row=cython.int, changed=cython.int, seen=cython.int)
    cpdef int enclosed(self) noexcept
    @cython.locals(free=cython.int, seen=cython.int, before=cython.int)
    cdef int walk(self, int row) noexcept
    cpdef void play(self, int move) noexcept
    @cython.locals(out="unsigned short*", i=cython.int)
    cpdef list legal(self)
    cpdef list pieces(self)

@cython.locals(moves="unsigned short*", undo="unsigned char*", n=cython.int, i=cython.int, total=cython.longlong)
cpdef long long perft(State state, int depth, int bulk) noexcept
