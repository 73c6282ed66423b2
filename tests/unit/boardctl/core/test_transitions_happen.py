"""Every arrow of the session's diagram happens at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardctl.core import commands
from boardctl.core.events import Button, Stopping
from boardctl.core.transitions import TABLE, State
from engine.pieces import Side
from engine.squares import CENTRE, NO_SQUARES, SquareSet
from tests.support.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.core.effects import Effect
    from boardctl.core.events import Event

Arrow = tuple[State, State]


class Watched(Table):
    """A table that remembers which state followed which."""

    seen: set[Arrow]

    def send(self, event: Event) -> list[Effect]:
        if not hasattr(self, "seen"):
            self.seen = set()
        before = self.session.state
        effects = super().send(event)
        self.seen.add((before, self.session.state))
        return effects


def empty(variant: str = "market") -> Watched:
    table = Watched(variant, set_up=False)
    table.board(NO_SQUARES)
    table.wait(1.5)
    return table


def ready(variant: str = "market") -> Watched:
    """A game before its first move, the board as it was set up."""
    table = Watched(variant)
    table.wait(8.0)
    return table


def begun(variant: str = "market") -> Watched:
    """A game after its first move."""
    table = ready(variant)
    position = table.snapshot.position
    table.move("e3-d3" if position.side is Side.DEFENDER else "e2-d2")
    table.wait(1.0)
    return table


def drawn(variant: str = "market") -> Watched:
    """A game that was agreed to be drawn before it began: the start position still stands."""
    table = ready(variant)
    table.command(commands.AgreeDraw())
    return table


def shown(variant: str = "market") -> Watched:
    """Nobody has touched the drawn game for long."""
    table = drawn(variant)
    table.wait(200.0)
    return table


def menu_over(table: Watched) -> Watched:
    table.board(SquareSet(1 << CENTRE))
    table.wait(6.0)
    return table


def choose(table: Watched, *names: str) -> Watched:
    for name in names:
        table.board(NO_SQUARES)
        table.put(name)
        table.wait(2.5)
    return table


def pupil(variant: str = "market") -> Watched:
    """A lesson that was begun while the start position stood."""
    table = ready(variant)
    table.command(commands.StartLesson(6))
    return table


def paused(variant: str = "market") -> Watched:
    table = ready(variant)
    table.command(commands.Pause())
    return table


def then(table: Watched, *acts: commands.Command | Button | Event | SquareSet) -> Watched:
    for act in acts:
        if isinstance(act, int):
            table.board(SquareSet(act))
        elif isinstance(act, Button):
            table.press(act)
        elif isinstance(act, Stopping):
            table.send(act)
        else:
            table.command(act)  # type: ignore[arg-type]
    return table


NEW = commands.NewGame()
LESSON = commands.StartLesson()
NO_MOVES = commands.ConfirmPosition("/9/9/9/9/4K4/9/9/9/9/", Side.ATTACKER)


SCRIPTS: tuple[Callable[[], Watched], ...] = (
    lambda: then(empty(), SquareSet(1 << CENTRE), NO_MOVES),
    lambda: then(empty(), LESSON, Button.CONFIRM, NEW),
    lambda: then(empty(), Stopping()),
    lambda: menu_over(empty()),
    lambda: choose(menu_over(empty()), "d7"),
    lambda: choose(menu_over(empty()), "e2"),
    lambda: then(menu_over(empty()), Stopping()),
    lambda: ready("imperial"),
    lambda: then(Watched("imperial"), NO_SQUARES, NEW),
    lambda: then(Watched("imperial"), commands.SetVariant("market", {})),
    lambda: then(Watched("imperial"), Stopping()),
    lambda: then(begun(), NEW),
    lambda: then(ready("imperial"), NEW),
    lambda: then(begun(), commands.Resign(Side.ATTACKER), commands.Undo()),
    lambda: then(menu_over(begun()), SquareSet(3)),
    lambda: choose(menu_over(begun()), "a1", "a9"),
    lambda: then(menu_over(drawn()), SquareSet(3)),
    lambda: then(pupil(), NEW),
    lambda: then(pupil("imperial"), NEW),
    lambda: then(pupil(), NO_SQUARES, NEW),
    lambda: then(pupil(), Stopping()),
    lambda: then(begun(), commands.Pause(), commands.Resume(), Stopping()),
    lambda: then(begun(), commands.Pause(), NEW),
    lambda: then(paused(), Stopping()),
    lambda: then(paused("imperial"), NEW),
    lambda: then(paused(), commands.DeclareResult(Side.DEFENDER)),
    lambda: then(drawn(), NEW),
    lambda: then(drawn("imperial"), NEW),
    lambda: then(drawn(), NO_SQUARES, NEW),
    lambda: then(drawn(), LESSON),
    lambda: then(drawn(), Stopping()),
    lambda: then(shown(), NEW),
    lambda: then(shown("imperial"), NEW),
    lambda: then(shown(), NO_SQUARES),
    lambda: then(shown(), LESSON),
    lambda: then(shown(), Stopping()),
    lambda: then(waited(), NO_SQUARES),
)


def waited() -> Watched:
    table = empty()
    table.wait(200.0)
    return table


def test_every_arrow_of_the_diagram_happens_and_no_other() -> None:
    seen = {arrow for script in SCRIPTS for arrow in script().seen if arrow[0] is not arrow[1]}
    drawn_arrows = {
        (state, target) for (state, _), row in TABLE.items() for target in row.to if target != state
    }
    assert seen == drawn_arrows
