"""What the archive is given to write, and the game that comes of it."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from boardctl.archive.schema import open_in_memory
from boardctl.archive.scribe import Page, Scribe, Stamp
from boardctl.archive.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boardctl.archive.records import GameRecord
    from boardctl.core.effects import Effect
    from boardctl.core.events import Committed


@dataclass(frozen=True, slots=True)
class Take:
    """Effects to be written, and when they happened."""

    effects: tuple[Effect, ...]
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Restore:
    """A game that an earlier run has begun."""

    record: GameRecord


Job: TypeAlias = Take | Restore


def write_job(scribe: Scribe, store: Store, job: Job) -> list[Committed]:
    """Write *job*; return what may be acknowledged once it is committed."""
    if isinstance(job, Restore):
        scribe.restore(store, job.record)
        return []
    written = [scribe.write(store, effect, job.stamp) for effect in job.effects]
    return [acknowledged for acknowledged in written if acknowledged is not None]


def in_memory(jobs: Iterable[Job]) -> tuple[GameRecord, Page]:
    """Return the game that *jobs* have made, and where its scribe stands.

    One of the *jobs* begins or restores it.
    """
    scribe = Scribe(table_name="", new_uid=lambda: secrets.token_hex(8))
    with contextlib.closing(open_in_memory()) as database:
        store = Store(database)
        for job in jobs:
            write_job(scribe, store, job)
        game = None if scribe.page.game is None else store.game(scribe.page.game)
    if game is None:
        raise ValueError("no job begins a game")
    return game, scribe.page


def substance(game: GameRecord) -> tuple[Any, ...]:
    """Return what two records of the same game must have in common to be the same record."""
    plies = [(ply.number, ply.move, ply.final, ply.revisions) for ply in game.standing]
    corrections = [(each.ply, each.position, each.side) for each in game.corrections]
    return game.uid, game.variant, game.position, plies, corrections, game.outcome
