"""What each switch has said, and when; and which switches are not to be believed.

For every square the last edge of either kind is kept as an interval: the piece came or went
somewhere between `*_from` and `*_at`. For a switch that is read all the time the two are equal;
for one that was unread in between (a chip that did not answer, the time before the program
started) the edge lies anywhere in the gap.

    switch    ____|~~~~~~~~~~|______?????????????|~~~~~~
              closed         opened  unread       closed somewhere in the gap
    closed_from = closed_at = t1         closed_from = t3 (gap began), closed_at = t4 (gap over)

A square unread for no longer than `HOLD_S` keeps its last value: a single failed read says
nothing about the board. After that it is *dark*: neither open nor closed, and never a reason for
or against a story. A square that changes more often than a hand can is *flaky* and treated as
dark until it has been quiet for a while.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from boardctl.core.occupancy import Instant
from boardctl.core.tree import squares
from engine.squares import SQUARES

if TYPE_CHECKING:
    from boardctl.core.occupancy import Occupancy

HOLD_S: Final = 0.030
"""Longest gap in the reading of a square that is bridged by its last value.

A failed read lasts one scan of 5 ms, a chip that is reset hundreds of milliseconds. Source:
`boardctl bench recogniser --scenario S4`, whose games have both (N17 and N18).
"""

FLAKY_EPISODES: Final = 9
"""More changes than this within `FLAKY_WINDOW_S`, each apart from the last, are no hand."""

FLAKY_WINDOW_S: Final = 6.0

EPISODE_S: Final = 0.150
"""Changes closer than this belong to one rattling of one piece (boards: 2-6 changes, 120 ms)."""

SUSPECT_S: Final = 60.0
"""Two ghosts on one square within this time: its switch closes without a piece."""

QUIET_S: Final = 10.0
"""A flaky square is believed again when it has not changed for this long."""

LONG_AGO: Final = Instant(float("-inf"))


class Evidence:
    """The switches' history. `closed` and `dark` are sets of squares; times are by square."""

    def __init__(self, now: Instant) -> None:
        self.closed = 0
        self.dark = 0
        self.flaky = 0
        self.started_at = now
        self.closed_from = [LONG_AGO for _ in SQUARES]
        self.closed_at = [now for _ in SQUARES]
        self.opened_from = [LONG_AGO for _ in SQUARES]
        self.opened_at = [now for _ in SQUARES]
        self.blind_until = [LONG_AGO for _ in SQUARES]
        self._unread = 0
        self._unread_since = [LONG_AGO for _ in SQUARES]
        self._episodes: dict[int, deque[Instant]] = {}
        self._ghost_at = [LONG_AGO for _ in SQUARES]

    @property
    def masked(self) -> int:
        """The squares that neither speak for a story nor against one."""
        return self.dark | self.flaky

    @property
    def changed_at(self) -> Instant:
        """When a switch last changed, as far as is known."""
        return max(*self.closed_at, *self.opened_at)

    @property
    def next_deadline(self) -> Instant | None:
        """When a square goes dark or is believed again, if nothing else happens."""
        times = [self._unread_since[s] + HOLD_S for s in squares(self._unread & ~self.dark)]
        times += [self._episodes[s][-1] + QUIET_S for s in squares(self.flaky)]
        return Instant(min(times)) if times else None

    def seen_opening(self, square: int) -> bool:
        """Tell whether the last time a square opened was seen, and not hidden in a gap."""
        return self.opened_from[square] == self.opened_at[square]

    def hidden_from(self, square: int) -> Instant | None:
        """Return since when a piece may have landed on a square unseen; None: it was seen to."""
        if self.dark >> square & 1:
            return self._unread_since[square]
        seen = self.closed_from[square] == self.closed_at[square]
        return None if seen and not self.flaky >> square & 1 else self.closed_from[square]

    def start(self, occupancy: Occupancy, now: Instant) -> None:
        """Take the first look at the board: nothing is known of the time before."""
        self.closed = occupancy.closed & ~occupancy.unknown
        self.dark = self._unread = occupancy.unknown
        for square in squares(occupancy.unknown):
            self._unread_since[square] = LONG_AGO
        for square in SQUARES:
            self.closed_at[square] = self.opened_at[square] = now

    def see(self, occupancy: Occupancy, now: Instant) -> int:
        """Take in what the switches say now; return the squares that changed or became readable."""
        unread = occupancy.unknown
        for square in squares(unread & ~self._unread):
            self._unread_since[square] = now
        back = self._unread & ~unread
        self._unread = unread
        edges = (occupancy.closed ^ self.closed) & ~unread
        for square in squares(edges):
            self._edge(square, now)
        for square in squares(back & self.dark):
            self.blind_until[square] = now
        changed = edges | (back & self.dark)
        self.dark &= ~back
        self.closed ^= edges
        return changed

    def advance(self, now: Instant) -> int:
        """Let time pass; return the squares that became dark or are believed again."""
        if not self._unread & ~self.dark and not self.flaky:
            return 0
        changed = 0
        for square in squares(self._unread & ~self.dark):
            if now >= self._unread_since[square] + HOLD_S:
                changed |= 1 << square
        self.dark |= changed
        for square in squares(self.flaky):
            if now >= self._episodes[square][-1] + QUIET_S:
                self.flaky &= ~(1 << square)
                changed |= 1 << square
        return changed

    def haunted(self, square: int) -> bool:
        """Tell whether a piece was felt here lately that came from nowhere and vanished."""
        return self.closed_at[square] - self._ghost_at[square] < SUSPECT_S

    def suspect(self, square: int, now: Instant) -> None:
        """Note a ghost: a piece was felt that came from nowhere and has vanished again."""
        if now - self._ghost_at[square] < SUSPECT_S:
            self.flaky |= 1 << square
        self._ghost_at[square] = now

    def _edge(self, square: int, now: Instant) -> None:
        bit = 1 << square
        since = self._unread_since[square] if self.dark & bit else now
        if self.closed & bit:
            self.opened_from[square], self.opened_at[square] = since, now
        else:
            self.closed_from[square], self.closed_at[square] = since, now
        self._note_episode(square, now)

    def _note_episode(self, square: int, now: Instant) -> None:
        episodes = self._episodes.setdefault(square, deque(maxlen=FLAKY_EPISODES))
        if episodes and now - episodes[-1] < EPISODE_S:
            episodes[-1] = now
            return
        episodes.append(now)
        if len(episodes) == FLAKY_EPISODES and now - episodes[0] < FLAKY_WINDOW_S:
            self.flaky |= 1 << square
