"""A rehearsed table with defaults that suit tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from boardctl.core.rehearsal import Rehearsal
from boardctl.core.settings import SessionSettings
from engine.game import Game
from engine.notation import parse_position
from engine.rules import load_variant, with_options

if TYPE_CHECKING:
    from boardctl.core.snapshot import Phase
    from boardctl.core.transitions import State
    from engine.pieces import Side

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
