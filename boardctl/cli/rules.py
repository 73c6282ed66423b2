"""`boardctl moves`, `apply`, `perft` and `variants`: the rules, for people and scripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.errors import BadRequestError

if TYPE_CHECKING:
    from engine import Game, Outcome, Ruleset, Side
    from engine.ruleset_text import RuleText

_MAX_DEPTH = 20
"""Far beyond what anybody waits for; the core keeps buffers for so many plies."""

Variant = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT",
        help="sea-battle, market, imperial, linnaeus, or the path of a TOML ruleset.",
    ),
]
PositionRecord = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="REC",
        help="Start from this OpenTafl record, rank 1 first: t attacker, T defender, K king.",
    ),
]
SideToMove = Annotated[
    str | None,
    typer.Option("--side", metavar="SIDE", help="Side to move: attackers or defenders."),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="K=V",
        help="Change an option of the game (see 'boardctl variants VARIANT'); repeatable.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help="Draw the first mover with this seed, where it is by lot."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands about the rules."""
    app.command(epilog="Example: boardctl moves market | head")(moves)
    app.command(epilog="Example: boardctl apply market e7-a7 --json")(apply)
    app.command(epilog="Example: boardctl perft linnaeus 3 --divide")(perft)
    app.command(epilog="Example: boardctl variants linnaeus --language de")(variants)


def moves(
    variant: Variant,
    position: PositionRecord = None,
    side: SideToMove = None,
    option: Options = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """List the legal moves, with what each takes."""
    game = start_game(variant, position, side, option, seed)
    plies = sorted(game.legal_plies, key=str)
    if as_json:
        typer.echo(json.dumps([_ply_json(ply) for ply in plies]))
        return
    for ply in plies:
        typer.echo(str(ply))


def apply(
    variant: Variant,
    played: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVE]...", help="Moves such as e3-d3.")
    ] = None,
    position: PositionRecord = None,
    side: SideToMove = None,
    option: Options = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Play moves from the start or from a position, and describe where they lead."""
    game = start_game(variant, position, side, option, seed)
    for text in played or []:
        game = game.push(game.parse(text))
    typer.echo(json.dumps(describe_game(game)) if as_json else _game_text(game))


def perft(
    variant: Variant,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Plies to look ahead, 0 to 20.")],
    position: PositionRecord = None,
    side: SideToMove = None,
    option: Options = None,
    seed: Seed = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Print the count behind every first move, too.")
    ] = False,
) -> None:
    """Count the move sequences of DEPTH plies; the count is alone on the last line."""
    from boardctl.cli.progress import progress  # noqa: PLC0415  only this command waits

    if not 0 <= depth <= _MAX_DEPTH:
        raise BadRequestError(f"DEPTH {depth}: allowed are 0 to {_MAX_DEPTH} plies")
    game = start_game(variant, position, side, option, seed)
    if depth == 0:
        typer.echo("1")
        return
    total = 0
    plies = sorted(game.legal_plies, key=str)
    for ply in progress(plies, label=f"perft {depth}"):
        count = game.push(ply).perft(depth - 1)
        total += count
        if divide:
            typer.echo(f"{ply}: {count}")
    typer.echo(str(total))


def variants(
    variant: Annotated[str | None, typer.Argument(metavar="[VARIANT]")] = None,
    language: Annotated[
        str, typer.Option("--language", metavar="LANG", help="Language of the rules: en or de.")
    ] = "en",
    as_json: AsJson = False,
) -> None:
    """Show the games, or the rules of one with the source of each."""
    import engine  # noqa: PLC0415  loaded by the commands that play

    if language not in {"en", "de"}:
        raise BadRequestError(f"no rules in {language!r}; languages: en, de")
    if variant is not None:
        ruleset = engine.load_variant(variant)
        shown: Any = _ruleset_json(ruleset, language)
        text = _ruleset_text(ruleset, language)
    else:
        rulesets = [engine.load_variant(name) for name in engine.VARIANTS]
        shown = [_ruleset_json(ruleset, language) for ruleset in rulesets]
        text = _list_text(rulesets, language)
    typer.echo(json.dumps(shown, ensure_ascii=False) if as_json else text)


def start_game(
    variant: str,
    position: str | None,
    side: str | None,
    options: list[str] | None,
    seed: int | None,
) -> Game:
    """Return the game that a command line asks for.

    Raises:
        BadRequestError: a malformed argument, or a first mover that nobody has drawn.
        EngineError: an unknown game, option or value, or an unreadable position.
    """
    import engine  # noqa: PLC0415  loaded by the commands that play

    ruleset = engine.with_options(engine.load_variant(variant), parse_options(options or []))
    mover = _mover(ruleset, side, seed)
    start = None if position is None else engine.parse_position(position, mover)
    return engine.Game.start(ruleset, side=mover, position=start)


def parse_options(texts: list[str]) -> dict[str, str]:
    """Read `--option` arguments.

    Raises:
        BadRequestError: one that is not KEY=VALUE, or a key given twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (equals and key and value):
            raise BadRequestError(
                f"--option {text!r}: write it as KEY=VALUE, as in first=defenders"
            )
        if key in found:
            raise BadRequestError(f"--option {key} is given twice: {found[key]!r} and {value!r}")
        found[key] = value
    return found


def _mover(ruleset: Ruleset, side: str | None, seed: int | None) -> Side:
    """Return who is to move: as asked for, as the rules say, or as the seed draws."""
    from engine import Side  # noqa: PLC0415  see start_game

    if side is not None:
        if side not in {known.value for known in Side}:
            raise BadRequestError(f"--side {side!r}: not a side; allowed: attackers, defenders")
        return Side(side)
    if ruleset.first is not None:
        return ruleset.first
    if seed is None:
        raise BadRequestError(
            f"{ruleset.name}: the first move is drawn by lot; give --side, or --seed N to draw"
        )
    import random  # noqa: PLC0415  only a drawn game needs it

    return random.Random(seed).choice(list(Side))  # noqa: S311  a game's lot, not a secret


def describe_game(game: Game) -> dict[str, Any]:
    """Return what `apply --json` prints of a game."""
    from engine import format_position  # noqa: PLC0415  see start_game
    from engine.squares import square_names  # noqa: PLC0415

    return {
        "position": format_position(game.position),
        "side": None if game.side is None else game.side.value,
        "moves": [_ply_json(ply) for ply in game.plies],
        "outcome": None if game.outcome is None else outcome_json(game.outcome),
        "call": None if game.call is None else game.call.value,
        "open_paths": square_names(game.open_paths),
    }


def outcome_json(outcome: Outcome) -> dict[str, str | None]:
    """Return an outcome as every interface writes it."""
    return {
        "winner": None if outcome.winner is None else outcome.winner.value,
        "result": outcome.result.value,
        "reason": outcome.reason.value,
    }


def _ply_json(ply: Any) -> dict[str, Any]:
    from engine.squares import square_names  # noqa: PLC0415  see start_game

    return {"move": str(ply), "captures": square_names(ply.captures)}


def _game_text(game: Game) -> str:
    """Return a game for a person: board, moves, what comes next."""
    from engine import format_position  # noqa: PLC0415  see start_game
    from engine.notation import format_diagram  # noqa: PLC0415
    from engine.squares import square_names  # noqa: PLC0415

    lines = [format_diagram(game.position), f"position  {format_position(game.position)}"]
    if game.plies:
        lines.append(f"moves     {' '.join(str(ply) for ply in game.plies)}")
    if game.outcome is None:
        lines.append(f"to move   {game.position.side.value}")
    else:
        lines.append(f"outcome   {_outcome_text(game)}")
    if game.open_paths:
        call = f" ({game.call.value})" if game.call else ""
        lines.append(f"open to   {' '.join(square_names(game.open_paths))}{call}")
    return "\n".join(lines)


def _outcome_text(game: Game) -> str:
    outcome = game.outcome
    if outcome is None:
        return ""
    who = (
        f"{outcome.winner.value} win" if outcome.winner else outcome.result.value.replace("-", " ")
    )
    silent = outcome.result.value == "no-result"
    why = "no legal move, source silent" if silent else outcome.reason.value.replace("-", " ")
    return f"{who}: {why}"


def _ruleset_json(ruleset: Ruleset, language: str) -> dict[str, Any]:
    from engine import COMPILED, format_position  # noqa: PLC0415  see start_game
    from engine.rules import allowed_values  # noqa: PLC0415
    from engine.ruleset_text import rule_texts  # noqa: PLC0415

    return {
        "name": ruleset.name,
        "title": ruleset.title[language],
        "document": ruleset.document,
        "position": format_position(ruleset.start),
        "options": {
            name: {"default": value, "allowed": allowed_values(ruleset, name)}
            for name, value in ruleset.options.items()
        },
        "rules": [_rule_json(rule) for rule in rule_texts(ruleset, language)],
        "core": "compiled" if COMPILED else "pure Python",
    }


def _rule_json(rule: RuleText) -> dict[str, Any]:
    return {
        "rule": rule.key,
        "value": rule.value,
        "text": rule.text,
        "source": rule.source,
        "note": rule.note or None,
        "alternatives": list(rule.alternatives),
    }


def _list_text(rulesets: list[Ruleset], language: str) -> str:
    """Return the games, one a paragraph."""
    from engine import COMPILED  # noqa: PLC0415  see start_game

    lines = []
    for ruleset in rulesets:
        lines.append(f"{ruleset.name:12} {ruleset.title[language]}")
        options = " ".join(f"{name}={value}" for name, value in ruleset.options.items())
        lines.append(f"{'':12} {options}")
    lines.append(f"\nrules core: {'compiled' if COMPILED else 'pure Python'}")
    return "\n".join(lines)


def _ruleset_text(ruleset: Ruleset, language: str) -> str:
    """Return the rules of one game as a page of text."""
    import textwrap  # noqa: PLC0415  only for people

    from engine.notation import format_diagram  # noqa: PLC0415
    from engine.ruleset_text import common_text, names_text, rule_texts  # noqa: PLC0415

    lines = [f"{ruleset.title[language]} ({ruleset.name})", ruleset.document, ""]
    lines += [names_text(ruleset, language), "", format_diagram(ruleset.start), ""]
    lines += textwrap.wrap(common_text(language), 96)
    for rule in rule_texts(ruleset, language):
        lines += ["", *textwrap.wrap(f"{rule.heading}: {rule.text}", 96)]
        if rule.note:
            lines += textwrap.wrap(rule.note, 92, initial_indent="    ", subsequent_indent="    ")
        lines.append(f"    [{rule.source}]{_option_hint(ruleset, rule)}")
    return "\n".join(lines)


def _option_hint(ruleset: Ruleset, rule: RuleText) -> str:
    from engine.rules import allowed_values  # noqa: PLC0415  see start_game

    if not rule.is_option:
        return ""
    return f" --option {rule.key}={rule.value} ({allowed_values(ruleset, rule.key)})"
