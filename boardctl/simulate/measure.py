"""How well a reader of the switches follows what truly happened.

A reader sees the frames of a recording one after the other, as the daemon would, and is asked
after each step what it shows. It is judged by:

    followed        the whole record is right at the end, nobody helped, and no wrong ply was final
    plies before    plies of the record that are right at the end, up to the first wrong one
    revised         plies shown that were not the true ones and gave way to another reading; some
                    are unavoidable, because a hand did rest on another target first
    wrong final     plies declared unchangeable that are not the true ones
    false alarms    alarms of a second or more while board and game truly agreed
    latency         from a piece's last landing (and the choice of its victim, where there is one)
                    to the first showing of the true ply
    help            times that an operator had to set the record right; measured in a second
                    pass in which one does, as soon as a reader has missed two further plies

The power cut of S7 takes from a reader everything but the record it has kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from boardctl.core import occupancy
from boardctl.core.reading import Situation
from boardctl.core.recogniser import Recogniser
from boardctl.core.resume import goes_on
from boardctl.simulate.players import PowerCut
from boardctl.simulate.recording import beginning
from engine.squares import NO_SQUARES, SquareSet
from hardware.cells import Instant
from hardware.debounce import Debouncer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boardctl.simulate.recording import Recording, Truth
    from engine import Game, Ply
    from hardware.cells import Frame

_ALARM_S: Final = 1.0
"""A shorter alarm is no alarm: nobody would have looked up."""

_CALMING_S: Final = 2.0
"""Once a disturbance is over, an alarm may go on for so long."""

_SLACK_S: Final = 0.050
"""A move may be shown so long before the landing as the simulation dates it."""

_ROUNDING: Final = 1e-6

_FOREVER: Final = Instant(float("inf"))


class Reader(Protocol):
    """A way of reading the switches, debouncing included."""

    def step(self, frame: Frame, now: Instant) -> None:
        """Take in what the switches say now."""

    def correct(self, game: Game, now: Instant) -> None:
        """Follow this game from now on: the operator says so."""

    def survivor(self, frame: Frame) -> Game:
        """Return the game that a restart goes on with when the switches show *frame*."""

    def resume(self, final: int, now: Instant) -> None:
        """Take only the first *final* plies for certain: the rest was shown before a restart."""

    @property
    def next_deadline(self) -> Instant | None:
        """When the reader wants a step although no switch changes."""

    @property
    def game(self) -> Game:
        """The game as it now stands."""

    @property
    def final(self) -> int:
        """How many of its plies cannot change any more."""

    @property
    def alarm(self) -> bool:
        """Whether it tells the players that board and game disagree."""

    @property
    def lifted(self) -> SquareSet:
        """The squares it shows as lifted."""


class OurReader:
    """The project's own reader: debouncer and recogniser as in the daemon."""

    def __init__(self, game: Game, now: Instant) -> None:
        """Follow *game* from *now* on."""
        self._debouncer = Debouncer()
        self._recogniser = Recogniser(game, occupancy.Instant(now))
        self._game = game
        self.final = game.ply_count
        self.alarm = False
        self.lifted = NO_SQUARES

    @property
    def game(self) -> Game:
        """See `Reader`."""
        return self._game

    @property
    def next_deadline(self) -> Instant | None:
        """See `Reader`."""
        deadlines = [self._debouncer.next_deadline, self._recogniser.next_deadline]
        known = [Instant(deadline) for deadline in deadlines if deadline is not None]
        return min(known, default=None)

    def step(self, frame: Frame, now: Instant) -> None:
        """See `Reader`."""
        cells = self._debouncer.step(frame, now)
        seen = None
        if cells is not None:
            seen = occupancy.Occupancy(SquareSet(cells.closed), SquareSet(cells.unknown))
        reading = self._recogniser.step(seen, occupancy.Instant(now))
        self._game = reading.game
        self.final = reading.final
        self.alarm = reading.situation is Situation.MISMATCH
        self.lifted = reading.lifted

    def survivor(self, frame: Frame) -> Game:
        """See `Reader`: every ply that was shown, if the board shows that game at all."""
        start = beginning(self._game)
        seen = occupancy.Occupancy(SquareSet(frame.closed), SquareSet(frame.unknown))
        return self._game if goes_on(self._game, start.position.occupied, seen) else start

    def resume(self, final: int, now: Instant) -> None:
        """See `Reader`."""
        self._recogniser = Recogniser(self._game, occupancy.Instant(now), final=final)
        self.final = final

    def correct(self, game: Game, now: Instant) -> None:
        """See `Reader`."""
        self._recogniser.revise(game, occupancy.Instant(now))
        self._game = game


@dataclass(slots=True)
class Followed:
    """What came of one recording.

    Attributes:
        plies: how many there truly were.
        right: how many of the record are right at the end, up to the first wrong one.
        exact: whether the record is right at the end and nothing wrong was ever final.
        revised, wrong_final, false_alarms, help: see the module.
        latencies_s: per true ply that was shown, in no order.
        light_s: from the first frame without the moving piece to its square shown as lifted.
        record: the record at the end.
        undecidable: why the truth could not be known from the frames; empty when it could.
    """

    plies: int
    right: int = 0
    exact: bool = False
    revised: int = 0
    wrong_final: int = 0
    false_alarms: int = 0
    help: int = 0
    latencies_s: list[float] = field(default_factory=list)
    light_s: list[float] = field(default_factory=list)
    record: tuple[str, ...] = ()
    undecidable: str = ""


def follow(recording: Recording, make: Callable[[Game, Instant], Reader]) -> Followed:
    """Let a reader follow a recording; judge it."""
    watch = _watch(recording, make, helped=False)
    truth = recording.truth
    result = Followed(plies=len(truth.plies), undecidable=truth.undecidable)
    record = watch.shown
    result.record = tuple(map(str, record))
    result.right = _common(record, watch.true)
    result.wrong_final = len(watch.wrong_final)
    result.exact = record == watch.true and not watch.wrong_final
    result.revised = watch.revised
    result.false_alarms = watch.false_alarms
    result.latencies_s = watch.latencies_s
    result.light_s = watch.light_s
    if not result.exact:
        result.help = _watch(recording, make, helped=True).help
    return result


def _common(some: Sequence[Ply], others: Sequence[Ply]) -> int:
    """Return how many plies two records have in common from the start."""
    for number, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return number
    return min(len(some), len(others))


def _watch(
    recording: Recording, make: Callable[[Game, Instant], Reader], *, helped: bool
) -> _Watch:
    """Run one reader over one recording and note what it shows when."""
    watch = _Watch(recording, helped=helped)
    reader = make(recording.start, Instant(0.0))
    for frame, start, until, restart in _stretches(recording):
        if restart:
            stored = reader.final
            reader = make(reader.survivor(frame), start)
            reader.resume(min(stored, reader.game.ply_count), start)
            watch.inherit(stored, reader.game.ply_count)
        for now in _moments(start, until, recording.scan_s, reader):
            reader.step(frame, now)
            watch.note(reader, now)
    watch.close(recording.end)
    return watch


def _moments(start: Instant, until: Instant, scan_s: float, reader: Reader) -> Iterator[Instant]:
    """Yield the scans at which a reader must be asked while the frame stays the same."""
    yield start
    now = start
    while (wanted := reader.next_deadline) is not None:
        now = Instant(now + scan_s * max(1, math.ceil((wanted - now) / scan_s - _ROUNDING)))
        if now >= until:
            return
        yield now


def _stretches(recording: Recording) -> Iterator[tuple[Frame, Instant, Instant, bool]]:
    """Yield each frame with the times between which a reader sees it; True first after a cut."""
    cut = recording.truth.cut or PowerCut(_FOREVER, _FOREVER)
    ends = [*(timed.at for timed in recording.frames[1:]), recording.end]
    restart = True
    for timed, end in zip(recording.frames, ends, strict=True):
        if timed.at < cut.off:
            yield timed.frame, Instant(timed.at), Instant(min(end, cut.off)), False
        if end > cut.back:
            yield timed.frame, Instant(max(timed.at, cut.back)), Instant(end), restart
            restart = False


class _Watch:
    """Notes what one reader shows of one recording."""

    def __init__(self, recording: Recording, *, helped: bool) -> None:
        self._truth: Truth = recording.truth
        self._games = _line_of(recording.truth.game)
        self.true = tuple(done.ply for done in recording.truth.plies)
        self.shown: tuple[Ply, ...] = ()
        self.wrong_final: set[int] = set()
        self.revised = 0
        self.false_alarms = 0
        self.help = 0
        self.latencies_s: list[float] = []
        self.light_s: list[float] = []
        self._helped = helped
        self._stored = self._inherited = 0
        self._game: Game | None = None
        self._waiting = dict(enumerate(recording.truth.plies))
        self._alarm_since: Instant | None = None
        self._openings = _openings(recording)

    def note(self, reader: Reader, now: Instant) -> None:
        """Compare what the reader shows now with the truth."""
        if reader.game is not self._game:
            self._game = reader.game
            self._note_shown(reader.game.plies)
        final = reader.final if reader.final > self._inherited else min(reader.final, self._stored)
        for number in range(max(0, final - 3), min(final, len(self.shown))):
            if self.true[number : number + 1] != self.shown[number : number + 1]:
                self.wrong_final.add(number)
        self._note_latency(now)
        self._note_lights(reader, now)
        self._note_alarm(reader.alarm, now)
        if self._helped:
            self._help(reader, now)

    def inherit(self, stored: int, inherited: int) -> None:
        """Note a restart: of the plies it goes on with, only *stored* had been declared final."""
        self._stored, self._inherited = stored, inherited

    def close(self, end: Instant) -> None:
        """The recording has ended."""
        self._note_alarm(alarm=False, now=end)

    def _note_shown(self, plies: tuple[Ply, ...]) -> None:
        same = _common(self.shown, plies)
        for number in range(same, len(self.shown)):
            if self.true[number : number + 1] != self.shown[number : number + 1]:
                self.revised += 1
        self.shown = plies

    def _note_latency(self, now: Instant) -> None:
        for number in list(self._waiting):
            known_at = self._waiting[number].known_at
            if self._waiting[number].landed_at - _SLACK_S > now:
                break
            if self.shown[number : number + 1] == self.true[number : number + 1]:
                del self._waiting[number]
                self.latencies_s.append(max(0.0, now - known_at))

    def _note_lights(self, reader: Reader, now: Instant) -> None:
        while self._openings and self._openings[0][0] <= now:
            at, square = self._openings[0]
            if not reader.lifted >> square & 1 and now - at < _ALARM_S:
                return
            self._openings.pop(0)
            self.light_s.append(now - at)

    def _note_alarm(self, alarm: bool, now: Instant) -> None:
        if alarm and self._alarm_since is None:
            self._alarm_since = now
        elif not alarm and self._alarm_since is not None:
            if now - self._alarm_since >= _ALARM_S and not self._disturbed(self._alarm_since, now):
                self.false_alarms += 1
            self._alarm_since = None

    def _disturbed(self, since: Instant, until: Instant) -> bool:
        """Return whether there was a reason for an alarm of that time."""
        truth = self._truth
        times = [
            *((start, end) for _, start, end in truth.disturbed),
            *((silence.start, silence.end) for silence in truth.silences),
            *((switch.since, _FOREVER) for switch in truth.bad),
            *(((truth.cut.off, truth.cut.back),) if truth.cut else ()),
        ]
        return any(start < until and since < end + _CALMING_S for start, end in times)

    def _help(self, reader: Reader, now: Instant) -> None:
        """Set the record right when a reader has missed a ply and two further ones have landed."""
        landed = sum(done.landed_at <= now for done in self._truth.plies)
        due = max(0, landed - 2)
        if _common(self.shown, self.true) < due:
            self.help += 1
            game = self._games[landed]
            reader.correct(game, now)
            self._game = game
            self.shown = game.plies


def _line_of(game: Game) -> list[Game]:
    """Return the games after 0, 1, 2... plies."""
    games = [game]
    while games[-1].parent is not None:
        games.append(games[-1].parent)
    return games[::-1]


def _openings(recording: Recording) -> list[tuple[Instant, int]]:
    """Return when a frame first shows each moving piece gone, and from which square.

    What happens while the power is off is nobody's business.
    """
    found = []
    cut = recording.truth.cut
    frames = recording.frames
    start = 0
    for done in recording.truth.plies:
        square = done.ply.from_square
        while start < len(frames) and frames[start].at < done.lifted_at:
            start += 1
        for timed in frames[start:]:
            if timed.at > done.landed_at:
                break
            if not (timed.frame.closed | timed.frame.unknown) >> square & 1:
                if cut is None or not cut.off <= timed.at < cut.back:
                    found.append((Instant(timed.at), int(square)))
                break
    return sorted(found)
