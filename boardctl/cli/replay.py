"""`boardctl replay` and `boardctl record`: sensor frames from and to files."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.core.effects import Effect
    from boardctl.replay import Decision


def register(app: typer.Typer) -> None:
    """Add the commands about recordings."""
    app.command("replay", epilog="Example: boardctl replay game.jsonl --moves")(replay)


def replay(
    traces: Annotated[list[Path], typer.Argument(metavar="TRACE...", help="Recordings to read.")],
    moves: Annotated[
        bool, typer.Option("--moves", help="Print the moves of the game alone, one a line.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line for each event.")
    ] = False,
) -> None:
    """Read recorded sensor frames exactly as the daemon would, as fast as it can.

    Without an option the events are told in words.
    """
    if moves and as_json:
        raise BadRequestError("--moves and --json exclude each other; choose one")
    from boardctl.replay import Score  # noqa: PLC0415  rules, session and debouncer

    for path in traces:
        score = Score()
        if len(traces) > 1 and not moves:
            typer.echo(_heading(path, as_json=as_json))
        for decision in _decisions(path):
            score.note(decision.effect)
            for event in () if moves else _events(decision.effect):
                line = json.dumps({"t": _number(decision.t_ms), **event})
                typer.echo(line if as_json else _told(decision, event))
        for ply in score.moves if moves else ():
            typer.echo(str(ply))


def _heading(path: Path, *, as_json: bool) -> str:
    """Return what stands before the events of each of several traces."""
    event = {"t": 0, "event": "trace", "name": str(path)}
    return json.dumps(event) if as_json else f"{path}:"


def _decisions(path: Path) -> Iterator[Decision]:
    """Read a file and replay it.

    Raises:
        BadRequestError: the file cannot be read, or holds no trace of a game that can be played.
    """
    from boardctl.replay import replay as play  # noqa: PLC0415  see replay
    from boardctl.trace import read_trace  # noqa: PLC0415
    from engine.errors import EngineError  # noqa: PLC0415

    try:
        with path.open(encoding="utf-8-sig") as lines:
            trace = read_trace(lines, str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = (getattr(error, "strerror", None) or "it is no text in UTF-8").lower()
        reason = reason.replace("utf-8", "UTF-8")
        raise BadRequestError(f"{path}: cannot be read: {reason}") from None
    try:
        yield from play(trace)
    except (EngineError, ValueError) as error:
        raise BadRequestError(f"{path}: line 1: {error}") from None


def _events(effect: Effect) -> Iterator[dict[str, Any]]:  # noqa: C901 - one branch an effect
    """Yield the events that tell an effect, as the interface names them."""
    from boardctl.core import effects  # noqa: PLC0415  see replay
    from engine.squares import square_name, square_names  # noqa: PLC0415

    match effect:
        case effects.PlyShown(number, ply) | effects.PlyRevised(number, ply):
            name = "move" if isinstance(effect, effects.PlyShown) else "revised"
            captures = square_names(ply.captures)
            yield {"event": name, "ply": number, "move": str(ply), "captures": captures}
        case effects.PlyRetracted(number):
            yield {"event": "retracted", "ply": number}
        case effects.PlyFinal(number, ply):
            yield {"event": "final", "ply": number, "move": str(ply)}
        case effects.VictimRemoved(square):
            yield {"event": "captured", "square": square_name(square)}
        case effects.Attention(missing, extra):
            found = {"missing": square_names(missing), "extra": square_names(extra)}
            yield {"event": "attention", **found}
        case effects.Clear():
            yield {"event": "clear"}
        case effects.UnknownSquares(squares):
            yield {"event": "unknown", "squares": square_names(squares)}
        case effects.GameOver(_, outcome):
            winner = None if outcome.winner is None else outcome.winner.value
            result = {"result": outcome.result.value, "reason": outcome.reason.value}
            yield {"event": "outcome", "winner": winner, **result}
        case effects.GameStarted(number, variant):
            yield {"event": "started", "game": number, "variant": variant}
        case effects.GameAbandoned(number):
            yield {"event": "abandoned", "game": number}


def _told(decision: Decision, event: dict[str, Any]) -> str:
    """Return an event as a line for people."""
    rest = " ".join(_word(key, value) for key, value in event.items() if key != "event")
    return f"{decision.t_ms / 1000:9.3f} s  {event['event']:9} {rest}".rstrip()


def _word(key: str, value: object) -> str:
    if isinstance(value, list):
        return f"{key} {','.join(value) or '-'}"
    return str(value) if key in {"move", "square"} else f"{key} {value}"


def _number(value: float) -> float:
    return int(value) if value == int(value) else value
