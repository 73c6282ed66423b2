"""The lights that tell a short story: each a function of the snapshot and the time.

Where a light passes a square again and again, its period is at least half a second, so that no
square flashes faster than the limit in `boardctl.core.motion`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from boardctl.core.desk import CELEBRATION_S
from boardctl.core.geometry import LAST, RINGS_OF_CENTRE, distance, line, ring
from boardctl.core.light import Frame, Light
from boardctl.core.meanings import PIECES, SIDES, piece_meaning
from boardctl.core.motion import Motion, level
from boardctl.core.palette import Meaning
from boardctl.core.snapshot import Sign, Snapshot
from engine.pieces import Side
from engine.rules import Reason, Result
from engine.squares import CENTRE, SQUARES, Square, members, square_file, square_rank

if TYPE_CHECKING:
    from boardctl.core.occupancy import Instant

SWEEP_S: Final = 1.0
_BAND: Final = 3.0
SIGN_S: Final = {Sign.READY: 1.0}
"""How long a sign stands; those not named stand until something else is to be said."""

_ROAD_SQUARES_PER_S: Final = 8.0
_RINGS_PER_S: Final = 5.0
_RING_SPACING: Final = 5
_RINGS_CLOSING_S: Final = 1.2


def pieces_lights(snapshot: Snapshot, amount: float) -> Frame:
    """Return all pieces of the game, each in its own colour."""
    frame: Frame = {}
    for square in members(snapshot.position.occupied):
        meaning = piece_meaning(snapshot, square)
        if meaning is not None:
            frame[square] = Light(meaning, amount)
    return frame


def sweep(age: float, south: Meaning, north: Meaning) -> Frame:
    """A band that crosses the board once, in the colours of the two players' sides."""
    if not 0.0 <= age < SWEEP_S:
        return {}
    head = age / SWEEP_S * (LAST + _BAND)
    frame: Frame = {}
    for square in SQUARES:
        behind = head - square_rank(square)
        if 0.0 <= behind < _BAND:
            meaning = south if square_rank(square) <= LAST // 2 else north
            frame[square] = Light(meaning, 1.0 - behind / _BAND)
    return frame


def lot(snapshot: Snapshot, now: Instant) -> Frame:
    """A row of light swings between the two players, slows, and stays with the winner."""
    draw = snapshot.lot
    if draw is None:
        return {}
    at_north = draw.winner is not snapshot.south
    # Half swings end at the north, whole ones at the south; 1.25 Hz at the start, then slower.
    swings = 2.5 if at_north else 2.0
    done = min(1.0, max(0.0, (now - snapshot.since) / draw.duration_s))
    angle = 2 * math.pi * swings * (1 - (1 - done) ** 2)
    head = (LAST / 2) * (1 - math.cos(angle))
    frame: Frame = {}
    for square in SQUARES:
        near = 1.0 - abs(square_rank(square) - head) / 1.5
        if near > 0.0:
            side = snapshot.south if square_rank(square) <= LAST // 2 else snapshot.south.other
            frame[square] = Light(SIDES[side], near)
    return frame


def celebration(snapshot: Snapshot, now: Instant) -> Frame:
    """The end of a game: how it was won, then who won; afterwards the winner's side glows."""
    outcome = snapshot.outcome
    if outcome is None:
        return {}
    age = now - snapshot.since
    if outcome.result is not Result.WIN or outcome.winner is None:
        return _halves(now, age)
    meaning = SIDES[outcome.winner]
    if age >= CELEBRATION_S:
        return _winners_side(snapshot, outcome.winner, now)
    heart = CENTRE if snapshot.king is None else snapshot.king
    if outcome.reason is Reason.KING_ESCAPED and snapshot.plies:
        return _escape(snapshot, heart, meaning, age)
    if outcome.winner is Side.ATTACKER:
        return _closing(heart, meaning, age)
    return _rings(heart, meaning, age)


def _escape(snapshot: Snapshot, heart: Square, meaning: Meaning, age: float) -> Frame:
    last = snapshot.plies[-1]
    road = (last.from_square, *line(last.from_square, last.to_square))
    passed = age * _ROAD_SQUARES_PER_S
    walked = len(road) / _ROAD_SQUARES_PER_S + 0.3
    frame = _rings(heart, meaning, age - walked)
    frame |= {
        square: Light(Meaning.KING, 1.0) for place, square in enumerate(road) if place <= passed
    }
    return frame


def _closing(heart: Square, meaning: Meaning, age: float) -> Frame:
    if age >= _RINGS_CLOSING_S:
        return _rings(heart, meaning, age - _RINGS_CLOSING_S) | {heart: Light(Meaning.KING, 0.3)}
    radius = 4 - int(age / _RINGS_CLOSING_S * 4)
    frame: Frame = {heart: Light(Meaning.KING, 1.0)}
    return frame | {square: Light(meaning, 1.0) for square in ring(heart, radius)}


def _rings(heart: Square, meaning: Meaning, age: float) -> Frame:
    if age < 0.0:
        return {}
    frame: Frame = {}
    head = age * _RINGS_PER_S
    for square in SQUARES:
        behind = head - distance(heart, square)
        if behind >= 0.0:
            amount = max(0.0, 1.0 - (behind % _RING_SPACING) / 2.5)
            frame[square] = Light(meaning, 0.08 + 0.92 * amount)
    return frame


def _winners_side(snapshot: Snapshot, winner: Side, now: Instant) -> Frame:
    """The pieces of the winner that are left glow, and the rim on his side of the table."""
    amount = 0.35 * level(Motion.TIDE, now)
    rank = 0 if winner is snapshot.south else LAST
    frame: Frame = {
        square: Light(SIDES[winner], amount) for square in SQUARES if square_rank(square) == rank
    }
    return frame | {
        square: Light(SIDES[winner], amount) for square in members(snapshot.position.pieces(winner))
    }


def _halves(now: Instant, age: float) -> Frame:
    """Draw or no result: both colours, half and half, each breathing in while the other is out."""
    scale = 1.0 if age < CELEBRATION_S else 0.35
    west = level(Motion.BREATHE, now) * scale
    east = level(Motion.BREATHE, now + 1.0) * scale
    frame: Frame = {}
    for square in SQUARES:
        file = square_file(square)
        if file != LAST // 2:
            meaning, amount = (
                (Meaning.ATTACKERS, west) if file < LAST // 2 else (Meaning.DEFENDERS, east)
            )
            frame[square] = Light(meaning, amount)
    return frame


def attract(snapshot: Snapshot, now: Instant) -> Frame:
    """Nobody is here: a slow wave, then a game played by the lights alone."""
    view = snapshot.attract
    if view is None:
        return {}
    if view.position is None:
        return _wave(now - snapshot.since)
    frame: Frame = {}
    for square in members(view.position.occupied):
        piece = view.position.piece_at(square)
        if piece is not None:
            frame[square] = Light(PIECES[piece], 0.25)
    if view.last is not None:
        to = view.last.to_square
        frame[view.last.from_square] = Light(Meaning.LAST_MOVE, 1.0)
        if to in frame:
            frame[to] = Light(frame[to].meaning, 0.6)
    return frame


def _wave(age: float) -> Frame:
    frame: Frame = {}
    for square in SQUARES:
        along = square_file(square) + square_rank(square)
        height = math.cos(2 * math.pi * (along / 12.0 - age * 0.15))
        side = Meaning.ATTACKERS if along <= LAST else Meaning.DEFENDERS
        if height > 0.0:
            frame[square] = Light(side, 0.3 * height * height)
    return frame


def paused(_snapshot: Snapshot, now: Instant) -> Frame:
    """Two bars, as on every player of music."""
    amount = 0.3 + 0.3 * level(Motion.TIDE, now)
    return {
        square: Light(Meaning.OWN, amount)
        for square in SQUARES
        if square_file(square) in {3, 5} and square_rank(square) in range(2, LAST - 1)
    }


def closing_ring(around: Square, progress: float) -> Frame:
    """The squares around a choice light one after the other until the ring is closed."""
    near = sorted(ring(around, 1), key=lambda square: _clock(around, square))
    lit = round(min(1.0, max(0.0, progress)) * len(near))
    return {square: Light(Meaning.OWN, 0.8) for square in near[:lit]}


def _clock(around: Square, square: Square) -> float:
    across = square_file(square) - square_file(around)
    up = square_rank(square) - square_rank(around)
    return math.atan2(across, up) % (2 * math.pi)


def sign_lights(snapshot: Snapshot, now: Instant) -> Frame | None:
    """Return the daemon's own sign while it stands, else None."""
    if snapshot.sign is None or snapshot.sign_at is None:
        return None
    age = now - snapshot.sign_at
    if age >= SIGN_S.get(snapshot.sign, math.inf):
        return None
    return sign(snapshot.sign, age)


def sign(which: Sign, age: float) -> Frame:
    """Return a sign of the daemon, *age* seconds old; the shell shows some without a session."""
    match which:
        case Sign.STARTING:
            return _ring_light(Meaning.OWN, (age * 2.0) % 6.0, 0.5)
        case Sign.READY:
            return _ring_light(Meaning.TARGET, age * 6.0, 1.0)
        case Sign.STOPPING:
            return _ring_light(Meaning.OWN, max(0.0, 4.0 - age * 4.0), 0.3)
        case Sign.NO_CONFIGURATION:
            amount = level(Motion.PULSE, age)
            return {
                square: Light(Meaning.KEEPER, amount)
                for square in SQUARES
                if abs(square_file(square) - 4) == abs(square_rank(square) - 4)
            }


def _ring_light(meaning: Meaning, head: float, scale: float) -> Frame:
    frame: Frame = {}
    for radius, squares in enumerate(RINGS_OF_CENTRE):
        near = 1.0 - abs(radius - head)
        if near > 0.0:
            frame |= {square: Light(meaning, near * scale) for square in squares}
    return frame
