"""A frozen picture of a session: what observers are told and what the lights are made from."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.notation import format_position
from engine.pieces import Side
from engine.squares import NO_SQUARES, Square, SquareSet, square_name, square_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.core.occupancy import Instant
    from boardctl.core.panels import LessonView, MenuView
    from boardctl.core.settings import SessionSettings
    from engine.moves import Move, Ply
    from engine.position import Position
    from engine.rules import Outcome


class Phase(enum.Enum):
    """What the table is about; the value is the JSON snapshot's `reading`."""

    SETUP = "setup"
    LOT = "lot"
    IN_SYNC = "in-sync"
    IN_HAND = "in-hand"
    REMOVE_CAPTURED = "remove-captured"
    CHOOSE_VICTIM = "choose-victim"
    MISMATCH = "mismatch"
    FINISHED = "finished"
    ATTRACT = "attract"
    MENU = "menu"
    LESSON = "lesson"
    PAUSED = "paused"


class Target(enum.Enum):
    """What a move to a square would do."""

    QUIET = "quiet"
    CAPTURE = "capture"
    WIN = "win"


class Nation(enum.Enum):
    """The four allies of Imperial Contest; its ruleset file says whose edge is which."""

    ENGLAND = "england"
    FRANCE = "france"
    TURKEY = "turkey"
    SARDINIA = "sardinia"


class Sign(enum.Enum):
    """What the daemon itself has to say."""

    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    NO_CONFIGURATION = "no-configuration"


@dataclass(frozen=True, slots=True)
class Hand:
    """What is in a hand now.

    Attributes:
        since: when the last of the pieces was lifted.
        own: squares of lifted pieces that may move now.
        stuck: squares of lifted pieces of the mover that have no move.
        opponent: squares of lifted pieces of the other side.
        targets: where the own piece may go, and what that does.
        threatened: pieces that a move of the own piece could take.
        suggestions: squares from which a capture would take the opponent's lifted piece.
        back: where the piece of the last ply came from, when it is that piece which was lifted.
    """

    since: Instant
    own: SquareSet = NO_SQUARES
    stuck: SquareSet = NO_SQUARES
    opponent: SquareSet = NO_SQUARES
    targets: tuple[tuple[Square, Target], ...] = ()
    threatened: SquareSet = NO_SQUARES
    suggestions: SquareSet = NO_SQUARES
    back: Square | None = None

    @property
    def squares(self) -> SquareSet:
        """All squares whose piece is in a hand."""
        return SquareSet(self.own | self.stuck | self.opponent)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where board and game disagree, or a piece stands where the rules forbid it.

    Attributes:
        since: when it began.
        missing: the game has a piece here, the board has none.
        extra: the board has a piece here, the game has none.
        illegal: extra squares that hold a piece of the mover put where it may not go.
        wrong_side: extra squares that hold a piece of the side that is not to move.
        home: where those misplaced pieces came from.
    """

    since: Instant
    missing: SquareSet = NO_SQUARES
    extra: SquareSet = NO_SQUARES
    illegal: SquareSet = NO_SQUARES
    wrong_side: SquareSet = NO_SQUARES
    home: SquareSet = NO_SQUARES


@dataclass(frozen=True, slots=True)
class Fault:
    """Trouble with the hardware; `reason` is one line for a person."""

    reason: str
    squares: SquareSet = NO_SQUARES


@dataclass(frozen=True, slots=True)
class Lot:
    """The draw for the first move: it stops on `winner` after `duration_s`."""

    winner: Side
    duration_s: float


@dataclass(frozen=True, slots=True)
class HintView:
    """A move that the table proposes."""

    move: Move
    since: Instant


@dataclass(frozen=True, slots=True)
class AttractView:
    """The position and the last ply of the game that the lights play; None during the wave."""

    position: Position | None
    last: Ply | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a session shows. Frozen; `scene(snapshot, now)` needs nothing else.

    Attributes:
        version: grows with each change.
        phase: the one thing to tell the players now.
        since: when the phase began.
        settings: palette, options and the like.
        variant: name of the game; `title` is for people.
        options: effective values of all its options.
        names: what the players call `king`, `defenders`, `attackers`.
        game: number of the game at this table, 0 before the first.
        position: the pieces as the game has them (set-up: as they must stand).
        side: who is to move; None when nobody is.
        plies: the moves of the game; the last ones may still be revised.
        final: how many of them cannot be revised any more and are stored.
        corrected: after how many plies the operator set the position.
        shown_at: when the last ply was shown.
        hand: what is in a hand; `trouble`: where board and game disagree.
        victims: captured pieces that still stand on the board.
        choices: the victims to choose from; `pending` is the move that waits for it.
        unknown: squares that are not believed.
        outcome: how the game has ended.
        call: `raicki` or `tuicku`, while it stands.
        call_lines: the open lines, one tuple of squares each, from beside the king to the edge.
        king: his square, None once he is taken.
        danger: whether he could be taken by the next move, and the table warns of it.
        hint: the move that the table proposes.
        fault: what is wrong with the hardware; `help`: whether the table calls its keeper.
        nations: which ally each attacker belongs to, in the game that has allies.
        captured: how many attackers and how many defenders have been taken.
        south: the side of the player at rank 1 (seats change where the winner takes the defenders).
        swept_at: when a set-up was completed.
        reveal_at: when a mismatch of pieces of different kinds was solved.
        lot, menu, lesson, attract: what the phase of that name shows.
        sign: what the daemon itself has to say, since `sign_at`.
        shutdown: which part of its time, 0..1, the button that shuts down has been held.
    """

    version: int
    phase: Phase
    since: Instant
    settings: SessionSettings
    variant: str
    title: str
    options: Mapping[str, str]
    names: Mapping[str, str]
    game: int
    position: Position
    side: Side | None
    plies: tuple[Ply, ...] = ()
    final: int = 0
    corrected: tuple[int, ...] = ()
    shown_at: Instant | None = None
    hand: Hand | None = None
    victims: SquareSet = NO_SQUARES
    pending: Move | None = None
    choices: SquareSet = NO_SQUARES
    trouble: Trouble | None = None
    unknown: SquareSet = NO_SQUARES
    outcome: Outcome | None = None
    call: str | None = None
    call_lines: tuple[tuple[Square, ...], ...] = ()
    king: Square | None = None
    danger: bool = False
    hint: HintView | None = None
    fault: Fault | None = None
    help: bool = False
    nations: Mapping[Square, Nation] = field(default_factory=dict)
    captured: tuple[int, int] = (0, 0)
    south: Side = Side.ATTACKER
    swept_at: Instant | None = None
    reveal_at: Instant | None = None
    lot: Lot | None = None
    menu: MenuView | None = None
    lesson: LessonView | None = None
    attract: AttractView | None = None
    sign: Sign | None = None
    sign_at: Instant | None = None
    shutdown: float | None = None


def snapshot_json(snapshot: Snapshot) -> dict[str, Any]:
    """Return the snapshot as `/api/state` gives it (`web/static/openapi.json`).

    Instants are left out: they mean nothing outside the process.
    """
    return {
        "version": snapshot.version,
        "variant": snapshot.variant,
        "title": snapshot.title,
        "options": dict(snapshot.options),
        "names": dict(snapshot.names),
        **_game_json(snapshot),
        "reading": snapshot.phase.value,
        **_hand_json(snapshot.hand),
        **_board_json(snapshot),
        "call": snapshot.call,
        "open_paths": sorted(square_name(line[-1]) for line in snapshot.call_lines),
        "danger": snapshot.danger,
        "hint": str(snapshot.hint.move) if snapshot.hint else None,
        "fault": _fault_json(snapshot.fault),
        "needs_help": snapshot.help,
        "paused": snapshot.phase is Phase.PAUSED,
        "lot": snapshot.lot and snapshot.lot.winner.value,
        "menu": _menu_json(snapshot.menu),
        "lesson": _lesson_json(snapshot.lesson),
        "sign": snapshot.sign and snapshot.sign.value,
        "settings": _settings_json(snapshot.settings),
    }


def _game_json(snapshot: Snapshot) -> dict[str, Any]:
    """Return the game and its record."""
    attackers, defenders = snapshot.captured
    return {
        "game": snapshot.game,
        "position": format_position(snapshot.position),
        "side": snapshot.side and snapshot.side.value,
        "moves": [str(ply) for ply in snapshot.plies],
        "final": snapshot.final,
        "corrected": list(snapshot.corrected),
        "last_move": str(snapshot.plies[-1]) if snapshot.plies else None,
        "captured": {"attackers": attackers, "defenders": defenders},
        "outcome": _outcome_json(snapshot.outcome),
        "south": snapshot.south.value,
        "nations": {square_name(at): nation.value for at, nation in snapshot.nations.items()},
    }


def _board_json(snapshot: Snapshot) -> dict[str, Any]:
    """Return where hands have something to do, and what cannot be read."""
    trouble = snapshot.trouble or Trouble(snapshot.since)
    return {
        "victims": square_names(snapshot.victims),
        "choices": square_names(snapshot.choices),
        "pending": str(snapshot.pending) if snapshot.pending else None,
        "missing": square_names(trouble.missing),
        "extra": square_names(trouble.extra),
        "misplaced": square_names(SquareSet(trouble.illegal | trouble.wrong_side)),
        "unknown": square_names(snapshot.unknown),
    }


def _hand_json(hand: Hand | None) -> dict[str, Any]:
    if hand is None:
        return {"lifted": [], "targets": [], "threatened": [], "target_kinds": {}}
    kinds = {square_name(square): target.value for square, target in hand.targets}
    return {
        "lifted": square_names(hand.squares),
        "targets": sorted(kinds),
        "target_kinds": kinds,
        "threatened": square_names(hand.threatened),
    }


def _outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner and outcome.winner.value,
        "result": outcome.result.value,
        "reason": outcome.reason.value,
    }


def _fault_json(fault: Fault | None) -> dict[str, Any] | None:
    if fault is None:
        return None
    return {"reason": fault.reason, "squares": square_names(fault.squares)}


def _menu_json(menu: MenuView | None) -> dict[str, Any] | None:
    if menu is None:
        return None
    return {
        "items": [
            {
                "square": square_name(item.square),
                "kind": item.kind.value,
                "value": item.value,
                "chosen": item.chosen,
            }
            for item in menu.items
        ],
        "at": None if menu.at is None else square_name(menu.at),
        "wish": menu.wish and menu.wish.value,
        "confirm": menu.confirm and square_name(menu.confirm.square),
    }


def _lesson_json(lesson: LessonView | None) -> dict[str, Any] | None:
    if lesson is None:
        return None
    return {
        "number": lesson.number,
        "name": lesson.name,
        "text": lesson.text,
        "step": lesson.step.value,
        "move": str(lesson.move),
    }


def _settings_json(settings: SessionSettings) -> dict[str, Any]:
    return {
        "palette": settings.palette,
        "brightness": settings.brightness,
        "hints": settings.hints,
        "danger": settings.danger,
        "sound": settings.sound,
        "language": settings.language,
    }
