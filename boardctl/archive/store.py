"""Reading and writing games, in terms of records; every statement of the archive is here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from boardctl.archive.records import ABANDONED, Correction, GameRecord, PlyRecord

if TYPE_CHECKING:
    import sqlite3

    from engine import Outcome

_PRUNE_TO: Final = 0.9
"""An archive that is too large is cut to this share of its size, so that cuts are rare."""

_PRUNE_STEP: Final = 20


class Store:
    """The archive's tables over one connection. Transactions are the caller's."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    # --- writing ---------------------------------------------------------------------------------

    def start_boot(self, started: str, version: str) -> int:
        """Count a start of the daemon; return its number."""
        cursor = self.database.execute(
            "INSERT INTO boots (started, version) VALUES (?, ?)", (started, version)
        )
        return _inserted(cursor)

    def touch(self, boot: int) -> None:
        """Write something that changes nothing."""
        self.database.execute("UPDATE boots SET started = started WHERE id = ?", (boot,))

    def add_game(self, game: GameRecord) -> int:
        """Store *game* with all it has (its `id` is not used) and return its number."""
        cursor = self.database.execute(
            "INSERT INTO games (uid, source, boot, table_name, variant, options, position, side,"
            " started, finished, winner, result, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                game.uid,
                game.source,
                game.boot,
                game.table_name,
                game.variant,
                json.dumps(dict(game.options), sort_keys=True),
                game.position,
                game.side,
                game.started,
                game.finished,
                game.winner,
                game.result,
                game.reason,
            ),
        )
        number = _inserted(cursor)
        for ply in game.plies:
            self.add_ply(number, ply)
        for correction in game.corrections:
            self.add_correction(number, correction)
        return number

    def bring(self, game: GameRecord) -> bool:
        """Store *game* unless the archive holds it; return whether it is new."""
        is_new = self.number_of(game.uid) is None
        if is_new:
            self.add_game(game)
        return is_new

    def add_ply(self, game: int, ply: PlyRecord) -> None:
        """Store a ply; one that stood under the same number is kept as taken back."""
        if ply.retracted is None:
            self.retract(game, ply.number, ply.wall)
        self.database.execute(
            "INSERT INTO plies (game, number, move, final, revisions, boot, at_s, wall, retracted)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                game,
                ply.number,
                ply.move,
                ply.final,
                json.dumps(ply.revisions),
                ply.boot,
                ply.at_s,
                ply.wall,
                ply.retracted,
            ),
        )

    def read_ply(self, game: int, ply: PlyRecord) -> None:
        """Store how ply *ply.number* reads now; another reading that stands becomes a revision."""
        row = self.database.execute(
            "SELECT id, move, revisions FROM plies"
            " WHERE game = ? AND number = ? AND retracted IS NULL",
            (game, ply.number),
        ).fetchone()
        if row is None:
            self.add_ply(game, ply)
            return
        revisions = json.loads(row["revisions"])
        if row["move"] != ply.move:
            revisions.append(row["move"])
        self.database.execute(
            "UPDATE plies SET move = ?, final = ?, revisions = ? WHERE id = ?",
            (ply.move, ply.final, json.dumps(revisions), row["id"]),
        )

    def retract(self, game: int, number: int, wall: str) -> None:
        """Mark ply *number* and all after it as taken back, and the game as going on."""
        changed = self.database.execute(
            "UPDATE plies SET retracted = ? WHERE game = ? AND number >= ? AND retracted IS NULL",
            (wall, game, number),
        ).rowcount
        if changed:
            self.reopen(game)

    def add_correction(self, game: int, correction: Correction) -> None:
        """Store what the operator has set."""
        self.database.execute(
            "INSERT INTO corrections (game, ply, position, side, wall) VALUES (?, ?, ?, ?, ?)",
            (game, correction.ply, correction.position, correction.side, correction.wall),
        )

    def finish(self, game: int, outcome: Outcome, wall: str) -> None:
        """Store how a game ended."""
        self.database.execute(
            "UPDATE games SET finished = ?, winner = ?, result = ?, reason = ? WHERE id = ?",
            (
                wall,
                outcome.winner and outcome.winner.value,
                outcome.result.value,
                outcome.reason.value,
                game,
            ),
        )

    def abandon(self, game: int, wall: str) -> None:
        """Note that an unfinished game is given up; one that has ended is left alone."""
        self.database.execute(
            "UPDATE games SET finished = ?, reason = ? WHERE id = ? AND finished IS NULL",
            (wall, ABANDONED, game),
        )

    def reopen(self, game: int) -> None:
        """The game goes on after all."""
        self.database.execute(
            "UPDATE games SET finished = NULL, winner = NULL, result = NULL, reason = NULL"
            " WHERE id = ?",
            (game,),
        )

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting that was changed at the table."""
        self.database.execute(
            "INSERT INTO settings (name, value) VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def forget_settings(self) -> None:
        """Drop the settings that were changed at the table."""
        self.database.execute("DELETE FROM settings")

    def prune(self, max_bytes: float, *, but: int | None = None) -> int:
        """Drop the oldest finished games, *but* this one, until the data fit; return how many."""
        if self.size() <= max_bytes:
            return 0
        dropped = 0
        while self.size() > max_bytes * _PRUNE_TO:
            count = self.database.execute(
                "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE finished IS NOT NULL"
                " AND id IS NOT ? ORDER BY id LIMIT ?)",
                (but, _PRUNE_STEP),
            ).rowcount
            if not count:
                break
            dropped += count
        return dropped

    # --- reading ---------------------------------------------------------------------------------

    def size(self) -> int:
        """Return the bytes that the data take."""
        pages = self._number("PRAGMA page_count") - self._number("PRAGMA freelist_count")
        return pages * self._number("PRAGMA page_size")

    def settings(self) -> dict[str, str]:
        """Return the settings that were changed at the table."""
        return dict(self.database.execute("SELECT name, value FROM settings").fetchall())

    def unfinished(self) -> GameRecord | None:
        """Return the newest game at the table if it has not ended."""
        row = self.database.execute(
            "SELECT * FROM games WHERE source = 'table' ORDER BY id DESC LIMIT 1"
        ).fetchone()
        return None if row is None or row["finished"] is not None else self._whole(row)

    def game(self, number: int) -> GameRecord | None:
        """Return a game with everything that is kept of it."""
        row = self.database.execute("SELECT * FROM games WHERE id = ?", (number,)).fetchone()
        return None if row is None else self._whole(row)

    def number_of(self, uid: str) -> int | None:
        """Return the number of the game with this worldwide identifier; None: there is none."""
        row = self.database.execute("SELECT id FROM games WHERE uid = ?", (uid,)).fetchone()
        return None if row is None else int(row["id"])

    def games(
        self, *, limit: int, variant: str | None = None, before: int | None = None
    ) -> list[tuple[GameRecord, int]]:
        """Return the newest games without their plies, each with the number of its plies.

        With *before* those older than the game of that number.
        """
        rows = self.database.execute(
            "SELECT *, (SELECT count(*) FROM plies WHERE game = games.id AND retracted IS NULL)"
            " AS count FROM games WHERE (? IS NULL OR variant = ?) AND (? IS NULL OR id < ?)"
            " ORDER BY id DESC LIMIT ?",
            (variant, variant, before, before, limit),
        )
        return [(_game(row), row["count"]) for row in rows]

    def results(self) -> list[tuple[str, str | None, str | None, int, float]]:
        """Return (variant, winner, result, games, mean plies) of all games with a result."""
        rows = self.database.execute(
            "SELECT variant, winner, result, count(*), avg((SELECT count(*) FROM plies"
            " WHERE game = games.id AND retracted IS NULL)) FROM games"
            " WHERE result IS NOT NULL GROUP BY variant, winner, result ORDER BY variant"
        )
        return [tuple(row) for row in rows]

    def check(self) -> str | None:
        """Read the whole file; return what is wrong with it."""
        rows = self.database.execute("PRAGMA quick_check(1)").fetchall()
        text = str(rows[0][0])
        return None if text == "ok" else text

    def _number(self, pragma: str) -> int:
        return int(self.database.execute(pragma).fetchone()[0])

    def _whole(self, row: sqlite3.Row) -> GameRecord:
        plies = self.database.execute(
            "SELECT * FROM plies WHERE game = ? ORDER BY id", (row["id"],)
        ).fetchall()
        corrections = self.database.execute(
            "SELECT * FROM corrections WHERE game = ? ORDER BY id", (row["id"],)
        ).fetchall()
        return _game(
            row,
            tuple(_ply(each) for each in plies),
            tuple(
                Correction(each["ply"], each["position"], each["side"], each["wall"])
                for each in corrections
            ),
        )


def _inserted(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None  # noqa: S101  set by every INSERT; for the type checker
    return cursor.lastrowid


def _ply(row: sqlite3.Row) -> PlyRecord:
    return PlyRecord(
        number=row["number"],
        move=row["move"],
        final=bool(row["final"]),
        revisions=tuple(json.loads(row["revisions"])),
        boot=row["boot"],
        at_s=row["at_s"],
        wall=row["wall"],
        retracted=row["retracted"],
    )


def _game(
    row: sqlite3.Row,
    plies: tuple[PlyRecord, ...] = (),
    corrections: tuple[Correction, ...] = (),
) -> GameRecord:
    return GameRecord(
        id=row["id"],
        uid=row["uid"],
        source=row["source"],
        table_name=row["table_name"],
        variant=row["variant"],
        options=json.loads(row["options"]),
        position=row["position"],
        side=row["side"],
        started=row["started"],
        boot=row["boot"],
        finished=row["finished"],
        winner=row["winner"],
        result=row["result"],
        reason=row["reason"],
        plies=plies,
        corrections=corrections,
    )
