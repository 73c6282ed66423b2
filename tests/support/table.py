"""A rehearsed table with defaults that suit tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from boardctl.core.effects import Refused
from boardctl.core.rehearsal import Rehearsal
from boardctl.core.settings import SessionSettings
from engine.game import Game
from engine.notation import parse_position
from engine.rules import load_variant, with_options
from engine.squares import parse_square, square_set

if TYPE_CHECKING:
    from boardctl.core.snapshot import Phase
    from boardctl.core.transitions import State
    from engine.pieces import Side
    from engine.squares import SquareSet

_Kind = TypeVar("_Kind")


class Table(Rehearsal):
    """A board whose pieces stand in the start position, unless a test says otherwise."""

    def __init__(
        self,
        variant: str = "sea-battle",
        *,
        seed: int = 1,
        game: Game | None = None,
        settings: SessionSettings | None = None,
        options: dict[str, str] | None = None,
        set_up: bool = True,
    ) -> None:
        base = settings or SessionSettings(variant=variant, options=options or {})
        super().__init__(base, random.Random(seed), game=game, set_up=set_up)

    def phase(self) -> Phase:
        """What the table is about now."""
        return self.snapshot.phase

    def state(self) -> State:
        """What the session is doing now."""
        return self.session.state

    def effects(self, kind: type[_Kind]) -> list[_Kind]:
        """The record's effects of one kind."""
        return [effect for effect in self.record if isinstance(effect, kind)]


def game_at(variant: str, record: str, side: Side, **options: str) -> Game:
    """A game that begins with this position."""
    ruleset = with_options(load_variant(variant), options)
    return Game.start(ruleset, side=side, position=parse_position(record, side))


def table_at(variant: str, record: str, side: Side, **options: str) -> Table:
    """A table where such a game is being played and every piece stands."""
    settings = SessionSettings(variant=variant, options=options)
    return Table(game=game_at(variant, record, side, **options), settings=settings)


def squares(*names: str) -> SquareSet:
    """The set of these squares."""
    return square_set(parse_square(name) for name in names)


def opened(**settings: str | bool) -> Table:
    """A table in play after three moves of Linnaeus Tablut."""
    chosen = SessionSettings(variant="linnaeus", **settings)  # type: ignore[arg-type]
    table = Table("linnaeus", settings=chosen)
    table.wait(2.0)
    for move in ("d1-d3", "e3-f3", "d3-d2"):
        table.move(move)
        table.wait(0.5)
    return table


def refusal(table: Table) -> str:
    """Why the last wish was refused."""
    return table.effects(Refused)[-1].reason
