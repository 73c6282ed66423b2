"""What the archive holds, as values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from engine import Game, Outcome, Reason, Result, Side, load_variant, parse_position, with_options
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping

ABANDONED = "abandoned"
"""The reason kept for a game that was left unfinished; it has no result."""


@dataclass(frozen=True, slots=True)
class PlyRecord:
    """One ply as it is kept.

    Attributes:
        number: 1 is the first of the game.
        move: its text, captures included.
        final: whether it can no longer be revised by hand.
        revisions: how the same ply was read before, oldest first.
        boot: the start of the daemon in which it was made.
        at_s: the machine's monotonic clock, comparable within one *boot*.
        wall: UTC by the machine's clock, a label that may be wrong.
        retracted: when it was taken back; None while it stands.
    """

    number: int
    move: str
    final: bool = True
    revisions: tuple[str, ...] = ()
    boot: int | None = None
    at_s: float = 0.0
    wall: str = ""
    retracted: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """The operator set the position after `ply` plies."""

    ply: int
    position: str
    side: str
    wall: str = ""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it is kept; `plies` also holds those taken back."""

    id: int
    uid: str
    source: str
    table_name: str
    variant: str
    options: Mapping[str, str]
    position: str
    side: str
    started: str
    boot: int | None = None
    finished: str | None = None
    winner: str | None = None
    result: str | None = None
    reason: str | None = None
    plies: tuple[PlyRecord, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def standing(self) -> tuple[PlyRecord, ...]:
        """The plies that were not taken back, in order."""
        return tuple(ply for ply in self.plies if ply.retracted is None)

    @property
    def moves(self) -> list[str]:
        """The text of the plies that stand."""
        return [ply.move for ply in self.standing]

    @property
    def final(self) -> int:
        """How many plies of the game that `rebuild` returns cannot be revised any more."""
        plies = (ply for ply in self.standing if ply.number > self.base.ply)
        return sum(1 for _ in takewhile(lambda ply: ply.final, plies))

    @property
    def outcome(self) -> dict[str, Any] | None:
        """The outcome as interfaces show it; None while there is none."""
        if self.result is None:
            return None
        return {"winner": self.winner, "result": self.result, "reason": self.reason}

    @property
    def base(self) -> Correction:
        """What the plies still stand on: the last correction, or the start."""
        return self.corrections[-1] if self.corrections else Correction(0, self.position, self.side)


def rebuild(record: GameRecord, *, ruleset_of: str | None = None) -> Game:
    """Return the game as it stood, from its last correction on.

    Its `parent`s are the game as it stood after fewer plies.

    Args:
        record: the record.
        ruleset_of: the name or path of the ruleset, where the record's own name is no known game.

    Raises:
        EngineError: the ruleset is gone, or has changed so that a move is not legal any more, or a
            word of the record is none, as a worn card leaves it.
    """
    try:
        return _replayed(record, ruleset_of or record.variant)
    except EngineError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        raise EngineError(str(error)) from error


def _replayed(record: GameRecord, ruleset_of: str) -> Game:
    ruleset = with_options(load_variant(ruleset_of), record.options)
    base = record.base
    side = Side(base.side)
    game = Game.start(ruleset, side=side, position=parse_position(base.position, side))
    for ply in record.standing:
        if ply.number > base.ply:
            game = game.push(game.parse(ply.move))
    if game.outcome is None and record.result is not None:
        winner = None if record.winner is None else Side(record.winner)
        game = game.end(Outcome(winner, Result(record.result), Reason(record.reason)))
    return game


def summary(record: GameRecord, plies: int) -> dict[str, Any]:
    """Return a game's line in a list."""
    return {
        "id": record.id,
        "variant": record.variant,
        "options": dict(record.options),
        "table": record.table_name,
        "source": record.source,
        "started": record.started,
        "finished": record.finished,
        "outcome": record.outcome,
        "abandoned": record.reason == ABANDONED,
        "plies": plies,
    }


def full(record: GameRecord) -> dict[str, Any]:
    """Return all that is kept of a game, as JSON."""
    return {
        **summary(record, len(record.standing)),
        "uid": record.uid,
        "position": record.position,
        "side": record.side,
        "moves": record.moves,
        "record": [
            {
                "number": ply.number,
                "move": ply.move,
                "final": ply.final,
                "revisions": list(ply.revisions),
                "boot": ply.boot,
                "at_s": ply.at_s,
                "wall": ply.wall,
                "retracted": ply.retracted,
            }
            for ply in record.plies
        ],
        "corrections": [
            {"ply": each.ply, "position": each.position, "side": each.side, "wall": each.wall}
            for each in record.corrections
        ],
    }
