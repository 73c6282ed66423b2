"""Six short lessons on the board itself: the lights lead, wrong tries are answered gently.

PLACE: the pieces of the lesson are put up, led by lights as in a set-up. TRY: the lights lead to
the move. AGAIN: another legal move was made, the piece is led home; back to TRY. DONE: a short
praise, then the next lesson.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl.core.desk import Desk, Go
from boardctl.core.effects import Play, Sound
from boardctl.core.following import Following
from boardctl.core.occupancy import Instant
from boardctl.core.panels import LessonStep, LessonView
from boardctl.core.reading import Situation
from boardctl.core.transitions import State
from engine.game import Game
from engine.moves import Move
from engine.notation import parse_position
from engine.pieces import Side
from engine.rules import load_variant
from engine.squares import parse_square

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boardctl.core.occupancy import Occupancy
    from engine.rules import Ruleset

PLACED_S: Final = 1.0
"""How long the position must rest before the lesson begins."""

RIGHT_S: Final = 0.8
"""How long the right move must rest before it is praised."""

WRONG_S: Final = 0.6
"""How long another legal move must rest before the lights lead back."""

PRAISE_S: Final = 2.5
"""How long the praise stands before the next lesson."""

FIND_S: Final = 15.0
"""In a lesson that is to be found out, the lights lead only after so long."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson.

    Attributes:
        name: one word for it.
        text: what to do, for people.
        record: the position, as an OpenTafl record.
        side: who moves.
        move: the move to make.
        variant: the game whose rules it needs; None: the one at the table.
        find: whether the pupil is to find the move before the lights lead.
    """

    name: str
    text: str
    record: str
    side: Side
    move: tuple[str, str]
    variant: str | None = None
    find: bool = False


LESSONS: Final = (
    Lesson(
        "move",
        "Pieces move straight, as far as the way is free. Bring the lit piece to the green light.",
        "/9/9/3t5/9/4K4/5T3/9/9/9/",
        Side.ATTACKER,
        ("d3", "d7"),
    ),
    Lesson(
        "capture",
        "Close the enemy in between two of your pieces and take him off.",
        "/9/9/5t3/6K2/9/9/3tT4/9/9/",
        Side.ATTACKER,
        ("f3", "f7"),
    ),
    Lesson(
        "escape",
        "The king wins on any square of the edge. Lead him out.",
        "/9/3t5/9/9/9/1t1K2t2/9/9/9/",
        Side.DEFENDER,
        ("d6", "d9"),
    ),
    Lesson(
        "throne",
        "Only the king may stand in the middle. Pass over it.",
        "/9/4t4/2K6/6T2/9/9/9/9/9/",
        Side.ATTACKER,
        ("e2", "e7"),
        variant="linnaeus",
    ),
    Lesson(
        "capture-king",
        "Four attackers around the king take him. Close the last side.",
        "/9/3t5/2tKt4/9/9/9/9/3t5/9/",
        Side.ATTACKER,
        ("d8", "d4"),
    ),
    Lesson(
        "win",
        "One way to the edge is open. Find it.",
        "/9/9/3T1t3/9/1t3T1t1/2t2K1t1/3t5/9/9/",
        Side.DEFENDER,
        ("f6", "f9"),
        find=True,
    ),
)


class Teaching:
    """One lesson at the board."""

    state = State.LESSON

    def __init__(self, desk: Desk, number: int, now: Instant) -> None:
        self.since = now
        self.number = min(max(number, 1), len(LESSONS))
        self.lesson = LESSONS[self.number - 1]
        self.ruleset = self._rules(desk)
        position = parse_position(self.lesson.record, self.lesson.side)
        self.start = Game.start(self.ruleset, side=self.lesson.side, position=position)
        self.lesson_step = LessonStep.PLACE
        self.step_at = now
        self.follow: Following | None = None

    def _rules(self, desk: Desk) -> Ruleset:
        if self.lesson.variant is None:
            return desk.ruleset
        return load_variant(self.lesson.variant)

    @property
    def move(self) -> Move:
        """The move to make."""
        start, end = self.lesson.move
        return Move(parse_square(start), parse_square(end))

    @property
    def view(self) -> LessonView:
        """What the lights show."""
        return LessonView(
            self.number,
            self.lesson.name,
            self.lesson.text,
            self.lesson_step,
            self.step_at,
            self.move,
            self._lead_at,
        )

    @property
    def _lead_at(self) -> Instant:
        return Instant(self.step_at + (FIND_S if self.lesson.find else 0.0))

    def _enter(self, step: LessonStep, now: Instant) -> None:
        self.lesson_step, self.step_at = step, now

    def step(self, desk: Desk, now: Instant, occupancy: Occupancy | None = None) -> Go | None:
        """Look at the board (None: time has passed); return the state that follows."""
        if now >= self._idle_at(desk):
            return Go(State.SETUP)
        match self.lesson_step:
            case LessonStep.PLACE:
                self._place(desk, now)
            case LessonStep.TRY | LessonStep.AGAIN:
                self._try(desk, now, occupancy)
            case LessonStep.DONE if now >= self.step_at + PRAISE_S:
                return self.skip()
            case _:
                pass
        return None

    def skip(self) -> Go:
        """Return the way to the next lesson; after the last one to a game."""
        if self.number == len(LESSONS):
            return Go(State.SETUP)
        return Go(State.LESSON, number=self.number + 1)

    def _place(self, desk: Desk, now: Instant) -> None:
        if desk.shows(self.start.position.occupied) and now >= desk.rested(PLACED_S):
            self.follow = Following(self.start, now)
            self.follow.step(desk.occupancy, now)
            self._enter(LessonStep.TRY, now)

    def _try(self, desk: Desk, now: Instant, occupancy: Occupancy | None) -> None:
        follow = self.follow
        if follow is None:
            return
        follow.step(occupancy, now)
        played = follow.game.plies
        if not played:
            if self.lesson_step is LessonStep.AGAIN and _calm(follow):
                self._enter(LessonStep.TRY, now)
        elif (played[0].from_square, played[0].to_square) == (
            self.move.from_square,
            self.move.to_square,
        ):
            self._praise(desk, follow, now)
        elif now >= (follow.shown_at or now) + WRONG_S:
            follow.restart(self.start, now)
            self._enter(LessonStep.AGAIN, now)

    def _praise(self, desk: Desk, follow: Following, now: Instant) -> None:
        done = follow.reading.situation is Situation.IN_SYNC
        if done and now >= (follow.shown_at or now) + RIGHT_S:
            self._enter(LessonStep.DONE, now)
            desk.emit(Play(Sound.WIN if follow.game.outcome else Sound.ACCEPTED))

    def _idle_at(self, desk: Desk) -> Instant:
        return Instant(max(desk.changed_at, self.since) + desk.settings.attract_after_s)

    def deadlines(self, desk: Desk) -> Iterable[Instant | None]:
        """Return when time alone may change something."""
        shown = None if self.follow is None else self.follow.shown_at
        return (
            None if self.follow is None else self.follow.next_deadline,
            desk.rested(PLACED_S),
            Instant(self.step_at + PRAISE_S),
            self._idle_at(desk),
            *(Instant(shown + wait) for wait in (RIGHT_S, WRONG_S) if shown is not None),
        )


def _calm(follow: Following) -> bool:
    return follow.trouble is None and follow.hand is None
