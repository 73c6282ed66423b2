"""Six lessons, in every game, with right and wrong tries."""

from __future__ import annotations

import pytest

from boardctl.core.commands import StartLesson
from boardctl.core.effects import GameStarted, Play, PlyShown, Sound
from boardctl.core.events import Button
from boardctl.core.lessons import LESSONS
from boardctl.core.palette import Meaning
from boardctl.core.panels import LessonStep
from boardctl.core.settings import SessionSettings
from boardctl.core.snapshot import Phase
from boardctl.core.transitions import State
from engine.game import Game
from engine.notation import parse_position
from engine.rules import VARIANTS, load_variant
from engine.squares import NO_SQUARES, square_name
from tests.support.lights import Watch
from tests.support.table import Table

NUMBERS = range(1, len(LESSONS) + 1)


def pupil(number: int, variant: str = "linnaeus") -> Table:
    table = Table(variant, set_up=False)
    table.board(NO_SQUARES)
    table.wait(2.0)
    table.command(StartLesson(number))
    return table


def placed(number: int, variant: str = "linnaeus") -> Table:
    table = pupil(number, variant)
    table.board(table.snapshot.position.occupied)
    table.wait(1.1)
    return table


def step(table: Table) -> LessonStep:
    assert table.snapshot.lesson is not None
    return table.snapshot.lesson.step


def right_move(number: int, variant: str) -> str:
    """The lesson's move as text, with what it takes."""
    lesson = LESSONS[number - 1]
    rules = load_variant(lesson.variant or variant)
    position = parse_position(lesson.record, lesson.side)
    start, end = lesson.move
    return str(Game.start(rules, side=lesson.side, position=position).parse(f"{start}-{end}"))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_is_set_up_led_by_lights(number: int) -> None:
    table = pupil(number)
    assert step(table) is LessonStep.PLACE
    wanted = {square_name(s) for s in range(81) if table.snapshot.position.occupied >> s & 1}  # type: ignore[arg-type]
    assert set(Watch(table).levels) >= wanted


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("number", NUMBERS)
def test_the_right_move_is_praised_and_the_next_lesson_comes(number: int, variant: str) -> None:
    table = placed(number, variant)
    assert step(table) is LessonStep.TRY
    table.move(right_move(number, variant))
    table.wait(1.0)
    assert step(table) is LessonStep.DONE
    assert Sound.WIN in [e.sound for e in table.effects(Play)] or number in {1, 2, 4}
    table.wait(3.0)
    if number == len(LESSONS):
        assert table.state() is State.SETUP
    else:
        assert table.snapshot.lesson is not None
        assert table.snapshot.lesson.number == number + 1
    assert table.effects(PlyShown) == [], "a lesson is no game"
    assert table.effects(GameStarted) == []


@pytest.mark.parametrize("number", [n for n in NUMBERS if not LESSONS[n - 1].find])
def test_the_lights_lead_from_the_piece_to_its_square(number: int) -> None:
    table = placed(number)
    start, end = LESSONS[number - 1].move
    watch = Watch(table)
    assert start in watch.squares(Meaning.OWN)
    assert end in watch.squares(Meaning.TARGET)
    table.lift(start)
    assert end in Watch(table).levels


def test_the_last_lesson_is_to_be_found_out_first() -> None:
    table = placed(6)
    assert Watch(table, 5.0).squares(Meaning.TARGET) == set()
    table.wait(16.0)
    assert "f9" in Watch(table).squares(Meaning.TARGET)


def test_a_wrong_try_is_answered_gently_and_led_home() -> None:
    table = placed(2)
    table.move("f3-f5")
    table.wait(1.0)
    assert step(table) is LessonStep.AGAIN
    watch = Watch(table)
    assert watch.squares(Meaning.DANGER) == {"f5"}
    assert watch.squares(Meaning.OWN) == {"f3"}
    assert watch.squares(Meaning.WRONG) == set(), "nothing scolds"
    table.move("f5-f3")
    table.wait(1.0)
    assert step(table) is LessonStep.TRY
    table.move("f3-f7xe7")
    table.wait(1.0)
    assert step(table) is LessonStep.DONE


def test_a_piece_on_the_throne_is_answered_gently_too() -> None:
    table = placed(4)
    table.lift("e2")
    table.put("e5")
    table.wait(1.0)
    watch = Watch(table)
    assert watch.squares(Meaning.DANGER) == {"e5"}
    assert watch.squares(Meaning.WRONG) == set()


def test_confirm_skips_and_a_forgotten_lesson_ends() -> None:
    table = pupil(1)
    table.press(Button.CONFIRM)
    assert table.snapshot.lesson is not None
    assert table.snapshot.lesson.number == 2
    table.wait(SessionSettings().attract_after_s + 1.0)
    assert table.state() is State.SETUP


@pytest.mark.parametrize(("asked", "given"), [(-3, 1), (0, 1), (6, 6), (99, 6)])
def test_a_lesson_number_out_of_range_is_the_nearest(asked: int, given: int) -> None:
    table = pupil(asked)
    assert table.snapshot.lesson is not None
    assert table.snapshot.lesson.number == given
    assert table.phase() is Phase.LESSON
