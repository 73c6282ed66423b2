"""The archive of a table, opened and looked into by tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardctl.archive import Keeper, Limits, Store, open_database
from boardctl.archive.exchange import record_of
from boardctl.archive.jobs import Take
from boardctl.archive.scribe import Stamp

if TYPE_CHECKING:
    from pathlib import Path

    from boardctl.archive import GameRecord
    from boardctl.core.effects import Effect


def keeper_of(folder: Path, *, max_bytes: float = 1e9, day: str = "2026-11-30") -> Keeper:
    limits = Limits(backup_dir=folder / "backup", backups=2, max_bytes=max_bytes)
    return Keeper(
        folder / "games.db", limits, table_name="t", version="1", wall=lambda: f"{day}T12:00:00"
    )


def opened(folder: Path, *, make: bool = False) -> Keeper:
    if make:
        folder.mkdir()
    fresh = keeper_of(folder)
    fresh.open()
    return fresh


def reopened(folder: Path) -> Keeper:
    """A keeper that goes on with the game in play, as a table does that starts anew."""
    again = keeper_of(folder)
    record, _ = again.open()
    assert record is not None
    again.resume(record)
    return again


def fault(archive: Keeper) -> str:
    return archive.fault or ""


def take(*effects: Effect, at: float = 1.0) -> Take:
    return Take(effects, Stamp(at, "2026-11-30T12:00:00"))


def kept(folder: Path, number: int = 1) -> GameRecord:
    store = Store(open_database(folder / "games.db", read_only=True))
    game = store.game(number)
    store.database.close()
    assert game is not None
    return game


def kept_by(keeper: Keeper, number: int = 1) -> GameRecord:
    """What the keeper of an open archive says of a game."""
    status, body = keeper.answer({"query": "game", "game": number})
    assert status == 200
    return record_of(body, "kept")


def all_games(store: Store) -> list[GameRecord]:
    """Every game, oldest first."""
    numbers = sorted(game.id for game, _ in store.games(limit=1_000_000))
    games = [store.game(number) for number in numbers]
    return [game for game in games if game is not None]
