"""From a session's state to its snapshot."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from boardctl.core.attract import Attract
from boardctl.core.following import Following, king_in_danger
from boardctl.core.geometry import LAST, line
from boardctl.core.lessons import Teaching
from boardctl.core.menu import Menu
from boardctl.core.occupancy import Instant
from boardctl.core.panels import LessonStep
from boardctl.core.playing import Finished, Paused, Playing, Stopped
from boardctl.core.setup import Drawing, SetUp
from boardctl.core.snapshot import Lot, Nation, Phase, Sign, Snapshot, Trouble
from engine.pieces import Side
from engine.squares import Square, SquareSet, members, square_file, square_rank

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.core.desk import Desk
    from boardctl.core.mode import Mode
    from engine.game import Game
    from engine.position import Position
    from engine.rules import Ruleset


_NATIONS: Final = {nation.value.capitalize(): nation for nation in Nation}
"""The allies that have a colour of their own, by their English names."""


def view(desk: Desk, mode: Mode, now: Instant) -> Snapshot:  # noqa: PLR0911 - one return a state
    """Return what the session shows; its version is left at zero for the caller to count."""
    base = _base(desk, mode, now)
    match mode:
        case SetUp():
            return _setup(base, desk, mode)
        case Drawing():
            lot = Lot(mode.winner, mode.duration_s)
            return replace(base, phase=Phase.LOT, lot=lot)
        case Playing():
            return _playing(base, desk, mode)
        case Paused():
            shown = _playing(base, desk, mode.play)
            return replace(shown, phase=Phase.PAUSED, hand=None, since=mode.since)
        case Finished():
            return _finished(base, desk, mode)
        case Attract():
            return replace(base, phase=Phase.ATTRACT, attract=mode.view)
        case Menu():
            shown = view(desk, mode.back, now)
            menu = mode.view(desk)
            return replace(
                shown, phase=Phase.MENU, since=mode.since, menu=menu, hand=None, trouble=None
            )
        case Teaching():
            return _lesson(base, desk, mode)
        case Stopped():
            shown = view(desk, mode.back, now)
            return replace(shown, sign=Sign.STOPPING, sign_at=mode.since)


def _base(desk: Desk, mode: Mode, now: Instant) -> Snapshot:
    ruleset = desk.ruleset
    names = ruleset.names["en"]
    return Snapshot(
        version=0,
        phase=Phase.SETUP,
        since=mode.since,
        settings=desk.settings,
        variant=ruleset.name,
        title=ruleset.title["en"],
        options=ruleset.options,
        names={
            "attackers": names.attackers,
            "defenders": names.defenders,
            "king": names.king,
        },
        game=desk.number,
        position=ruleset.start,
        side=None,
        unknown=desk.unread,
        hint=desk.hint,
        fault=desk.fault,
        help=_needs_help(desk, mode, now),
        nations=_start_nations(ruleset.start, _allies(ruleset)),
        south=desk.south,
        swept_at=desk.swept_at,
        shutdown=desk.shutdown,
    )


def help_at(desk: Desk, mode: Mode) -> Instant | None:
    """Return when the table calls for help, should nothing change until then."""
    trouble = mode.trouble_at if isinstance(mode, Playing) else None
    since = [time for time in (trouble, desk.fault_at) if time is not None]
    return Instant(min(since) + desk.settings.help_after_s) if since else None


def _needs_help(desk: Desk, mode: Mode, now: Instant) -> bool:
    at = help_at(desk, mode)
    return at is not None and now >= at


def _setup(base: Snapshot, desk: Desk, mode: SetUp) -> Snapshot:
    return replace(base, trouble=_differences(desk, mode.start.occupied, mode.since))


def _differences(desk: Desk, wanted: SquareSet, since: Instant) -> Trouble | None:
    missing, extra = desk.differences(wanted)
    return Trouble(since, missing, extra) if missing or extra else None


def _followed(base: Snapshot, follow: Following) -> Snapshot:
    """Return the base with all that the recogniser tells."""
    reading = follow.reading
    game = reading.game
    return replace(
        base,
        phase=Phase(reading.situation.value),
        position=game.position,
        side=game.side,
        hand=follow.hand,
        victims=reading.victims,
        pending=reading.pending,
        choices=reading.choices,
        trouble=follow.trouble,
        unknown=SquareSet(base.unknown | reading.unknown),
        shown_at=follow.shown_at,
        reveal_at=follow.reveal_at,
        king=_last_king(game),
    )


def _playing(base: Snapshot, desk: Desk, play: Playing) -> Snapshot:
    game = play.game
    final = play.final
    if desk.settings.archive:
        final = min(final, desk.committed)
    return replace(
        _followed(base, play.follow),
        plies=play.plies,
        final=final,
        corrected=play.corrected,
        call=_shown_call(game),
        call_lines=_call_lines(game),
        danger=desk.settings.danger and king_in_danger(game),
        captured=_captured(game),
        nations=_nations(game),
    )


def _finished(base: Snapshot, desk: Desk, mode: Finished) -> Snapshot:
    shown = _playing(base, desk, mode.play)
    return replace(
        shown,
        phase=Phase.FINISHED,
        since=mode.since,
        side=None,
        outcome=mode.outcome,
        victims=SquareSet(mode.victims & desk.standing),
        hand=None,
        trouble=None,
        call=None,
        call_lines=(),
        danger=False,
    )


def _lesson(base: Snapshot, desk: Desk, mode: Teaching) -> Snapshot:
    start = mode.start
    shown = replace(base, phase=Phase.LESSON, position=start.position, nations={})
    if mode.follow is not None:
        shown = replace(_followed(shown, mode.follow), phase=Phase.LESSON)
    if mode.lesson_step is LessonStep.PLACE:
        trouble = _differences(desk, start.position.occupied, mode.since)
        shown = replace(shown, trouble=trouble)
    return replace(shown, lesson=mode.view)


def _shown_call(game: Game) -> str | None:
    """The call stands after a defenders' move until the attackers have answered (R6)."""
    if game.last is None or game.position.side is not Side.ATTACKER or game.call is None:
        return None
    return game.call.value


def _call_lines(game: Game) -> tuple[tuple[Square, ...], ...]:
    king = game.position.king
    if king is None or _shown_call(game) is None:
        return ()
    return tuple(line(king, end) for end in members(game.open_paths))


@lru_cache(maxsize=8)
def _last_king(game: Game) -> Square | None:
    """Return where the king stands, or stood when he was taken."""
    at: Game | None = game
    while at is not None:
        if at.position.king is not None:
            return at.position.king
        at = at.parent
    return None


@lru_cache(maxsize=8)
def _captured(game: Game) -> tuple[int, int]:
    """Return how many attackers and how many defenders have been taken."""
    first = game
    while first.parent is not None:
        first = first.parent
    gone = [
        first.position.pieces(side).bit_count() - game.position.pieces(side).bit_count()
        for side in (Side.ATTACKER, Side.DEFENDER)
    ]
    return gone[0], gone[1]


@lru_cache(maxsize=8)
def _nations(game: Game) -> Mapping[Square, Nation]:
    """Return which ally each attacker belongs to: he is followed from his start square."""
    nations = dict(_start_nations(game.ruleset.start, _allies(game.ruleset)))
    for ply in game.plies:
        nation = nations.pop(ply.from_square, None)
        if nation is not None:
            nations[ply.to_square] = nation
        for square in members(ply.captures):
            nations.pop(square, None)
    attackers = game.position.attackers
    return {square: nation for square, nation in nations.items() if attackers >> square & 1}


def _allies(ruleset: Ruleset) -> tuple[tuple[str, Nation], ...]:
    """Return the edge of each ally that the lights know, as the ruleset's file names them."""
    named = ((edge, _NATIONS.get(names["en"])) for edge, names in ruleset.groups.items())
    return tuple((edge, nation) for edge, nation in named if nation is not None)


@lru_cache(maxsize=8)
def _start_nations(
    start: Position, allies: tuple[tuple[str, Nation], ...]
) -> Mapping[Square, Nation]:
    """Return whose each attacker is at the start: that of the edge where he stands."""
    by_edge = dict(allies)
    edges = {square: _edge(square) for square in members(start.attackers)}
    return {square: by_edge[edge] for square, edge in edges.items() if edge in by_edge}


def _edge(square: Square) -> str:
    """Return the edge that a square lies towards."""
    across, up = square_file(square) - LAST // 2, square_rank(square) - LAST // 2
    if abs(up) > abs(across):
        return "north" if up > 0 else "south"
    return "east" if across > 0 else "west"
