"""From the session's effects to rows: which game is written, and how its plies are counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from boardctl.archive.records import Correction, GameRecord, PlyRecord
from boardctl.core.effects import (
    Corrected,
    GameAbandoned,
    GameOver,
    GameReopened,
    GameStarted,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
    SettingChanged,
)
from boardctl.core.events import Committed

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.archive.store import Store
    from boardctl.core.effects import Effect

WRITTEN: Final = (
    GameStarted,
    PlyShown,
    PlyRevised,
    PlyFinal,
    PlyRetracted,
    Corrected,
    GameOver,
    GameReopened,
    GameAbandoned,
    SettingChanged,
)
"""The effects that `Scribe.write` knows; all others are no part of the record."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When something happened: monotonic seconds, and UTC as the machine believes it to be."""

    at_s: float
    wall: str


@dataclass(frozen=True, slots=True)
class Page:
    """Where the scribe stands.

    Attributes:
        game: the archive's number of the game that is written; None before the first.
        number: the session's number of the same game.
        offset: archive's ply number less the session's: a game that is resumed after a
            correction is counted anew by the session.
        uid: the game's identifier in any archive.
    """

    game: int | None = None
    number: int = 0
    offset: int = 0
    uid: str = ""


class Scribe:
    """Writes effects into a store. `page` may be set back when a transaction has failed."""

    def __init__(self, *, table_name: str, new_uid: Callable[[], str]) -> None:
        self.page = Page()
        self.boot: int | None = None
        self._table_name = table_name
        self._new_uid = new_uid

    def resume(self, record: GameRecord) -> None:
        """Go on with a game that an earlier run has begun; the session numbers it 1."""
        self.page = Page(record.id, 1, record.base.ply, record.uid)

    def restore(self, store: Store, record: GameRecord) -> None:
        """Write a game that an earlier run has begun into an empty database, and go on with it."""
        self.page = Page(store.add_game(record), 1, record.base.ply, record.uid)

    def move(self, store: Store, record: GameRecord, page: Page, wall: str) -> None:
        """Go on in *store* with the game of *page*, written there whole as *record*.

        What *store* has of the game already, as a copy of an earlier hour, is given up.
        """
        record = replace(record, boot=self.boot, table_name=record.table_name or self._table_name)
        earlier = store.number_of(record.uid)
        if earlier is not None:
            store.abandon(earlier, wall)
            record = replace(record, uid=self._new_uid())
        self.page = replace(page, game=store.add_game(record), uid=record.uid)

    def write(self, store: Store, effect: Effect, stamp: Stamp) -> Committed | None:
        """Write *effect*; return what may be acknowledged once it is committed."""
        page = self.page
        match effect:
            case GameStarted():
                self._begin(store, effect, stamp)
            case SettingChanged(setting, value):
                store.set_setting(setting, value)
            case GameAbandoned() if page.game is not None:
                store.abandon(page.game, stamp.wall)
            case _ if page.game is not None:
                return self._write_in(store, page.game, effect, stamp)
        return None

    def _write_in(self, store: Store, game: int, effect: Effect, stamp: Stamp) -> Committed | None:
        """Write what belongs into the game on the page."""
        page = self.page
        match effect:
            case PlyShown(number, ply) | PlyRevised(number, ply) | PlyFinal(number, ply):
                final = isinstance(effect, PlyFinal)
                record = PlyRecord(
                    number=number + page.offset,
                    move=str(ply),
                    final=final,
                    boot=self.boot,
                    at_s=round(stamp.at_s, 3),
                    wall=stamp.wall,
                )
                store.read_ply(game, record)
                return Committed(page.number, number) if final else None
            case PlyRetracted(number):
                store.retract(game, number + page.offset, stamp.wall)
            case Corrected(_, position, side, ply):
                correction = Correction(ply + page.offset, position, side.value, stamp.wall)
                store.add_correction(game, correction)
                store.reopen(game)
            case GameReopened():
                store.reopen(game)
            case GameOver(_, outcome):
                store.finish(game, outcome, stamp.wall)
        return None

    def _begin(self, store: Store, effect: GameStarted, stamp: Stamp) -> None:
        if self.page.game is not None:
            store.abandon(self.page.game, stamp.wall)
        record = GameRecord(
            id=0,
            uid=self._new_uid(),
            source="table",
            table_name=self._table_name,
            variant=effect.variant,
            options=effect.options,
            position=effect.position,
            side=effect.side.value,
            started=stamp.wall,
            boot=self.boot,
        )
        self.page = Page(store.add_game(record), effect.number, uid=record.uid)
