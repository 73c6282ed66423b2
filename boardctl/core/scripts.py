"""What hands do in the scenes of `boardctl.core.gallery`: one function a situation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardctl.core.commands import AgreeDraw, Hint, Pause, StartLesson
from boardctl.core.events import Button, ButtonHeld, FaultSeen, Stopping
from engine.squares import CENTRE, SquareSet, parse_square, square_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.core.rehearsal import Rehearsal


def wait(table: Rehearsal) -> None:
    """Nothing happens for two seconds."""
    table.wait(2.0)


def heap(table: Rehearsal) -> None:
    """Half of the pieces stand, one of them on a wrong square."""
    start = table.snapshot.position
    table.board(SquareSet(0))
    table.wait(2.0)
    table.board(SquareSet(start.attackers & ((1 << 45) - 1) | start.king_set | 1 << 66))
    table.wait(0.5)


def lot(table: Rehearsal) -> None:
    """The pieces are set up, and the lot begins."""
    table.board(SquareSet(0))
    table.wait(2.0)
    table.board(table.snapshot.position.occupied)
    table.wait(2.2)


def swept(table: Rehearsal) -> None:
    """The set-up has just been completed."""
    table.board(SquareSet(0))
    table.wait(2.0)
    table.board(table.snapshot.position.occupied)
    table.wait(1.0)


def opening(table: Rehearsal) -> None:
    """The first move."""
    table.wait(1.0)
    table.move("d1-d3")
    table.wait(2.0)


def lifted(square: str) -> Callable[[Rehearsal], None]:
    """Return a script that lifts one piece."""

    def script(table: Rehearsal) -> None:
        table.wait(1.0)
        table.lift(square)
        table.wait(0.2)

    return script


def stuck(table: Rehearsal) -> None:
    """A piece that cannot move is lifted."""
    table.wait(1.0)
    table.lift("e1")


def moved(start: str, end: str, wait: float = 0.6) -> Callable[[Rehearsal], None]:
    """Return a script that moves one piece, legally or not, and waits."""

    def script(table: Rehearsal) -> None:
        table.wait(1.0)
        table.lift(start)
        table.put(end)
        table.wait(wait)

    return script


def knock(table: Rehearsal) -> None:
    """A sleeve: three pieces are off, two of them stand beside their squares."""
    table.wait(1.0)
    gone = square_set(parse_square(name) for name in ("e7", "f5", "a4"))
    there = square_set(parse_square(name) for name in ("f7", "g6"))
    table.board(SquareSet(table.closed & ~gone | there))
    table.wait(10.0)


def repaired(table: Rehearsal) -> None:
    """The same, put right again."""
    whole = table.closed
    knock(table)
    table.board(whole)
    table.wait(0.3)


def hint(table: Rehearsal) -> None:
    """A hint is asked for."""
    table.wait(1.5)
    table.command(Hint())
    table.wait(0.5)


def draw(table: Rehearsal) -> None:
    """The players agree."""
    table.wait(1.5)
    table.command(AgreeDraw())


def unreadable(table: Rehearsal) -> None:
    """One chip falls silent."""
    table.wait(1.5)
    chip = square_set(parse_square(f"{file}{rank}") for file in "abcdefg" for rank in "67")
    table.board(table.closed, chip)
    table.send(FaultSeen("chip 0x23 does not answer", chip))
    table.wait(2.0)


def call_for_help(table: Rehearsal) -> None:
    """The same, and nobody puts it right."""
    knock(table)
    table.wait(62.0)


def attract(seconds: float) -> Callable[[Rehearsal], None]:
    """Return a script of an empty board, so many seconds into the show."""

    def script(table: Rehearsal) -> None:
        table.board(SquareSet(0))
        table.wait(table.snapshot.settings.attract_after_s + seconds)

    return script


def menu(table: Rehearsal) -> None:
    """The menu is opened."""
    table.wait(1.0)
    table.board(SquareSet(1 << CENTRE))
    table.wait(6.0)


def choosing(table: Rehearsal) -> None:
    """The piece stands on a game."""
    menu(table)
    table.lift("e5")
    table.put("d7")
    table.wait(1.2)


def confirming(table: Rehearsal) -> None:
    """The attackers want to resign."""
    menu(table)
    table.lift("e5")
    table.put("a1")
    table.wait(2.5)


def lesson(table: Rehearsal) -> None:
    """The second lesson is set up."""
    table.wait(1.0)
    table.command(StartLesson(2))
    table.board(table.snapshot.position.occupied)
    table.wait(3.0)


def wrong_try(table: Rehearsal) -> None:
    """The pupil tries another move."""
    lesson(table)
    table.lift("f3")
    table.put("f5")
    table.wait(1.5)


def glow(table: Rehearsal) -> None:
    """A win, some seconds later."""
    moved("d4", "d9", 9.0)(table)


def pause(table: Rehearsal) -> None:
    """The operator pauses."""
    table.wait(1.5)
    table.command(Pause())


def shutting_down(table: Rehearsal) -> None:
    """The button is held."""
    table.wait(1.5)
    table.send(ButtonHeld(Button.SHUT_DOWN, 0.6))


def stop(table: Rehearsal) -> None:
    """The daemon stops."""
    table.wait(1.5)
    table.send(Stopping())


def take_back(table: Rehearsal) -> None:
    """The piece that has just moved is lifted again."""
    table.wait(1.0)
    table.move("d1-d3")
    table.lift("d3", after=2.0)
    table.wait(0.2)
