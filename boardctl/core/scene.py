"""The lights: a pure function of what the session shows and of the time.

`scene` paints layers over one another, the more urgent over the calmer, so that no light can be
left on by mistake and two layers never mix on one square. docs/lights.md shows every situation.

    turn < last move < danger < call < hint < hand < victims < choice < unreadable squares < help
    turn < hand < illegal square,  turn < wrong side,  mismatch: these hide the calm layers
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardctl.core import animations
from boardctl.core.geometry import CORNERS, EDGE_WALK, line, steps
from boardctl.core.light import Frame, Light
from boardctl.core.meanings import SIDES, piece_meaning
from boardctl.core.menu_lights import menu_lights
from boardctl.core.motion import Motion, level, run, turn
from boardctl.core.palette import DARK, MOTIONS, Meaning, Rgb, colour
from boardctl.core.panels import LessonStep
from boardctl.core.snapshot import Phase, Snapshot, Target
from engine.pieces import Piece, Side
from engine.squares import EDGE, SQUARES, Square, SquareSet, members

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from boardctl.core.occupancy import Instant
    from boardctl.core.snapshot import Hand, Sign, Trouble

    Layer: TypeAlias = Callable[[Snapshot, Instant], Frame]

REVEAL_S: Final = 4.0
"""How long all pieces show their colours after a mismatch of different kinds."""

# The kinds breathe at their own times: who cannot tell amber from gold sees them part.
_PHASES: Final = {Piece.ATTACKER: 0.0, Piece.DEFENDER: 1.0, Piece.KING: 0.5}
_TURNS: Final = {Side.ATTACKER: Meaning.TURN_ATTACKERS, Side.DEFENDER: Meaning.TURN_DEFENDERS}
_TARGETS: Final = {
    Target.QUIET: Meaning.TARGET,
    Target.CAPTURE: Meaning.CAPTURE,
    Target.WIN: Meaning.WIN,
}
_HEAD: Final = 0.6
"""From this level on a running light covers what is steady below it."""

_LATER: Final = 0.3
"""Level of what comes after the pair of squares to put right first."""


def scene(snapshot: Snapshot, now: Instant) -> tuple[Rgb, ...]:
    """Return 81 colours in square order, before brightness, current budget and gamma."""
    return _colours(lights(snapshot, now), snapshot.settings.palette)


def sign_scene(sign: Sign, age: float, palette: str = "default") -> tuple[Rgb, ...]:
    """Return a sign of the daemon, *age* seconds old: for times when there is no session."""
    return _colours(animations.sign(sign, age), palette)


def _colours(frame: Frame, palette: str) -> tuple[Rgb, ...]:
    colours = [DARK] * len(SQUARES)
    for square, (meaning, amount) in frame.items():
        colours[square] = colour(palette, meaning, amount)
    return tuple(colours)


def lights(snapshot: Snapshot, now: Instant) -> Frame:
    """Return the lit squares, each with its meaning and its level."""
    sign = animations.sign_lights(snapshot, now)
    if sign is not None:
        return sign
    frame: Frame = {}
    for layer in _layers(snapshot, now):
        frame |= layer(snapshot, now)
    return frame


def _layers(snapshot: Snapshot, now: Instant) -> tuple[Layer, ...]:  # noqa: PLR0911 - a list of cases
    """Return what is painted: what must be read alone hides the calmer layers.

    A hand is always answered: it ends a sweep and the showing of all pieces.
    """
    if snapshot.shutdown is not None:
        return (_shutdown,)
    trouble = snapshot.trouble
    if snapshot.hand is None and trouble is None:
        if _within(snapshot.swept_at, now, animations.SWEEP_S):
            return (_sweep, *_KEEPER)
        if _within(snapshot.reveal_at, now, REVEAL_S) and snapshot.phase in _FOLLOWED:
            return (_reveal, *_KEEPER)
    if trouble is None or snapshot.phase not in _FOLLOWED | {Phase.LESSON}:
        return (*_LAYERS[snapshot.phase], *_KEEPER)
    if snapshot.phase is Phase.LESSON:
        return (_turn, _lesson, *_KEEPER)
    if trouble.illegal:
        return (_turn, _hand, _trouble, *_KEEPER)
    if trouble.wrong_side:
        return (_turn, _trouble, *_KEEPER)
    return (_trouble, *_KEEPER)


def _within(since: Instant | None, now: Instant, seconds: float) -> bool:
    return since is not None and 0.0 <= now - since < seconds


def _lit(squares: SquareSet, meaning: Meaning, now: Instant, *, scale: float = 1.0) -> Frame:
    amount = level(MOTIONS[meaning], now) * scale
    return {square: Light(meaning, amount) for square in members(squares)}


def _turn(snapshot: Snapshot, now: Instant) -> Frame:
    if snapshot.side is None:
        return {}
    meaning = _TURNS[snapshot.side]
    amount = level(MOTIONS[meaning], now)
    return {corner: Light(meaning, amount) for corner in CORNERS}


def _last_move(snapshot: Snapshot, now: Instant) -> Frame:
    if not snapshot.plies:
        return {}
    last = snapshot.plies[-1]
    amount = level(MOTIONS[Meaning.LAST_MOVE], now)
    return {
        last.from_square: Light(Meaning.LAST_MOVE, 0.55 * amount),
        last.to_square: Light(Meaning.LAST_MOVE, amount),
    }


def _danger(snapshot: Snapshot, now: Instant) -> Frame:
    if not snapshot.danger or snapshot.king is None:
        return {}
    return {snapshot.king: Light(Meaning.DANGER, level(Motion.BEAT, now))}


def _call(snapshot: Snapshot, now: Instant) -> Frame:
    frame: Frame = {}
    for way in snapshot.call_lines:
        for place, square in enumerate(way):
            frame[square] = Light(Meaning.CALL, run(now, place, len(way)))
    return frame


def _hint(snapshot: Snapshot, now: Instant) -> Frame:
    if snapshot.hint is None:
        return {}
    move = snapshot.hint.move
    return _guide(move.from_square, move.to_square, now - snapshot.hint.since, now)


def _guide(start: Square, end: Square, age: float, now: Instant) -> Frame:
    """The piece breathes and a green light runs from it to where it should go."""
    way = line(start, end)
    frame: Frame = {
        square: Light(Meaning.TARGET, run(age, place, len(way))) for place, square in enumerate(way)
    }
    frame[start] = Light(Meaning.OWN, level(Motion.BREATHE, now))
    return frame


def _hand(snapshot: Snapshot, now: Instant) -> Frame:
    hand = snapshot.hand
    if hand is None:
        return {}
    frame = _lit(hand.threatened, Meaning.THREATENED, now)
    frame |= _lit(hand.suggestions, Meaning.SUGGESTION, now)
    frame |= _targets(hand, now)
    if hand.back is not None:
        frame[hand.back] = Light(Meaning.OWN, level(Motion.BREATHE, now))
    frame |= _lit(hand.opponent, Meaning.NOT_YOURS, now)
    frame |= _lit(hand.own, Meaning.OWN, now)
    if now - hand.since < 1.0:  # two periods of BLINK
        amount = level(Motion.BLINK, now - hand.since)
        frame |= {square: Light(Meaning.OWN, amount) for square in members(hand.stuck)}
    return frame


def _targets(hand: Hand, now: Instant) -> Frame:
    """Legal targets; from the piece to each square that wins gold runs outwards."""
    frame: Frame = {
        square: Light(_TARGETS[target], level(MOTIONS[_TARGETS[target]], now))
        for square, target in hand.targets
    }
    for square, target in hand.targets:
        if target is Target.WIN and hand.own.bit_count() == 1:
            frame |= _gold(next(members(hand.own)), square, now)
    return frame


def _gold(start: Square, end: Square, now: Instant) -> Frame:
    way = line(start, end)
    frame: Frame = {}
    for place, square in enumerate(way):
        amount = run(now, place, len(way))
        if square == end:
            frame[square] = Light(Meaning.WIN, max(0.5, amount))
        elif amount > _HEAD:
            frame[square] = Light(Meaning.WIN, amount)
    return frame


def _victims(snapshot: Snapshot, now: Instant) -> Frame:
    return _lit(snapshot.victims, Meaning.VICTIM, now)


def _choice(snapshot: Snapshot, now: Instant) -> Frame:
    candidates = tuple(members(snapshot.choices))
    return {
        square: Light(Meaning.CHOICE, turn(now, place, len(candidates)))
        for place, square in enumerate(candidates)
    }


def _reveal(snapshot: Snapshot, _now: Instant) -> Frame:
    return animations.pieces_lights(snapshot, 0.7)


def _trouble(snapshot: Snapshot, now: Instant) -> Frame:
    trouble = snapshot.trouble
    if trouble is None:
        return {}
    first = first_pair(trouble.missing, trouble.extra)
    frame: Frame = {}
    for square in members(SquareSet(trouble.missing & ~trouble.home)):
        frame[square] = _missing_light(snapshot, square, now, 1.0 if square in first else _LATER)
    for square in members(SquareSet(trouble.extra & ~trouble.wrong_side)):
        important = square in first or trouble.illegal >> square & 1
        amount = level(Motion.BLINK, now) * (1.0 if important else _LATER)
        frame[square] = Light(Meaning.WRONG, amount)
    if trouble.wrong_side:
        both = SquareSet(trouble.wrong_side | trouble.home)
        return frame | _lit(both, Meaning.NOT_YOURS, now)
    return frame | _lit(trouble.home, Meaning.OWN, now)


def first_pair(missing: SquareSet, extra: SquareSet) -> tuple[Square, ...]:
    """Return the missing and the extra square that lie nearest: where to begin.

    With only one kind of disagreement all its squares are first.
    """
    if not missing or not extra:
        return tuple(members(SquareSet(missing | extra)))
    pairs = ((one, other) for one in members(missing) for other in members(extra))
    return min(pairs, key=lambda pair: (steps(*pair), pair))


def _missing_light(snapshot: Snapshot, square: Square, now: Instant, scale: float) -> Light:
    piece = snapshot.position.piece_at(square)
    phase = 0.0 if piece is None else _PHASES[piece]
    meaning = piece_meaning(snapshot, square) or Meaning.OWN
    return Light(meaning, level(Motion.BREATHE, now + phase) * scale)


def _setup(snapshot: Snapshot, now: Instant) -> Frame:
    trouble = snapshot.trouble
    if trouble is None:
        return {}
    frame: Frame = {
        square: _missing_light(snapshot, square, now, 1.0) for square in members(trouble.missing)
    }
    return frame | _lit(trouble.extra, Meaning.WRONG, now)


def _unknown(snapshot: Snapshot, now: Instant) -> Frame:
    if level(Motion.GLINT, now) == 0.0:
        return {}
    return _lit(snapshot.unknown, Meaning.KEEPER, now)


def _help(snapshot: Snapshot, now: Instant) -> Frame:
    if not snapshot.help:
        return {}
    trouble = snapshot.trouble
    busy = SquareSet(trouble.missing | trouble.extra) if trouble else SquareSet(0)
    amount = level(Motion.PULSE, now)
    # The squares to put right stay readable within the ring that calls the keeper.
    return {square: Light(Meaning.KEEPER, amount) for square in members(SquareSet(EDGE & ~busy))}


def _lesson(snapshot: Snapshot, now: Instant) -> Frame:
    lesson = snapshot.lesson
    if lesson is None:
        return {}
    age = now - lesson.since
    match lesson.step:
        case LessonStep.PLACE:
            return _setup(snapshot, now)
        case LessonStep.TRY | LessonStep.AGAIN if snapshot.trouble is not None:
            return _again(snapshot.trouble, now)
        case LessonStep.TRY if snapshot.hand is None and now >= lesson.lead_at:
            return _guide(lesson.move.from_square, lesson.move.to_square, age, now)
        case LessonStep.DONE:
            return animations.sweep(age, Meaning.TARGET, Meaning.TARGET)
        case _:
            return {}


def _again(trouble: Trouble, now: Instant) -> Frame:
    """A wrong try is answered gently: nothing blinks, the piece's home breathes white."""
    home = SquareSet(trouble.missing | trouble.home)
    return _lit(home, Meaning.OWN, now) | {
        square: Light(Meaning.DANGER, level(Motion.BREATHE, now))
        for square in members(SquareSet(trouble.extra & ~home))
    }


def _sweep(snapshot: Snapshot, now: Instant) -> Frame:
    if snapshot.swept_at is None:
        return {}
    south, north = SIDES[snapshot.south], SIDES[snapshot.south.other]
    return animations.sweep(now - snapshot.swept_at, south, north)


def _shutdown(snapshot: Snapshot, _now: Instant) -> Frame:
    if snapshot.shutdown is None:
        return {}
    lit = round(snapshot.shutdown * len(EDGE_WALK))
    return {square: Light(Meaning.WRONG, 1.0) for square in EDGE_WALK[:lit]}


_GAME: Final = (
    _turn,
    _last_move,
    _danger,
    _call,
    _hint,
    _hand,
    _victims,
    _choice,
)
_FOLLOWED: Final = frozenset(
    {
        Phase.IN_SYNC,
        Phase.IN_HAND,
        Phase.REMOVE_CAPTURED,
        Phase.CHOOSE_VICTIM,
        Phase.MISMATCH,
    }
)
_LAYERS: Final[dict[Phase, tuple[Layer, ...]]] = {
    Phase.SETUP: (_setup,),
    Phase.LOT: (animations.lot,),
    Phase.IN_SYNC: _GAME,
    Phase.IN_HAND: _GAME,
    Phase.REMOVE_CAPTURED: _GAME,
    Phase.CHOOSE_VICTIM: _GAME,
    Phase.MISMATCH: _GAME,
    Phase.FINISHED: (animations.celebration, _victims),
    Phase.ATTRACT: (animations.attract,),
    Phase.MENU: (menu_lights,),
    Phase.LESSON: (_turn, _hand, _victims, _choice, _lesson),
    Phase.PAUSED: (animations.paused,),
}
_KEEPER: Final = (_unknown, _help)
