"""What people ask for, from JSON to the commands of `boardctl.core.commands`."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from boardctl.core import commands
from boardctl.errors import BadRequestError
from engine import VARIANTS, load_variant, parse_position, with_options
from engine.errors import EngineError
from engine.pieces import Side

Body = Mapping[str, Any]


class Work(enum.Enum):
    """What an operator does at the hardware of a running table."""

    SELF_TEST = "self-test"
    CALIBRATION = "calibration"


@dataclass(frozen=True, slots=True)
class StartWork:
    """Begin this work; the game waits."""

    work: Work


@dataclass(frozen=True, slots=True)
class SkipStep:
    """Go on to the next square or light."""


@dataclass(frozen=True, slots=True)
class EndWork:
    """End the work before its end, or put its report away."""


WorkOrder: TypeAlias = StartWork | SkipStep | EndWork


def parse_command(body: Body, *, own_variant: str) -> commands.Command | WorkOrder:
    """Read `{"command": "set-variant", "variant": "market", "options": {...}}` and the like.

    Args:
        body: the JSON object.
        own_variant: the game of the configuration, which may be the path of a ruleset; no other
            path is read for a stranger.

    Raises:
        BadRequestError: an unknown command, a missing or superfluous field, a wrong value.
    """
    fields = {name: value for name, value in body.items() if name != "command"}
    name = body.get("command")
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        raise BadRequestError(f"unknown command: {name!r}; one of {', '.join(sorted(_READERS))}")
    command = reader(fields, own_variant)
    if fields:
        raise BadRequestError(f"unknown field of {name!r}: {', '.join(sorted(fields))}")
    return command


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.pop(name, None)
    if not isinstance(value, str):
        raise BadRequestError(f"{name!r} is needed, a text; got {value!r}")
    return value


def _side(fields: dict[str, Any], name: str, *, needed: bool) -> Side | None:
    value = fields.pop(name, None)
    if value is None and not needed:
        return None
    try:
        return Side(value)
    except ValueError:
        words = " or ".join(repr(side.value) for side in Side)
        raise BadRequestError(f"{name!r} is {words}; got {value!r}") from None


def _new_game(fields: dict[str, Any], _: str) -> commands.Command:
    swap = fields.pop("swap_sides", False)
    if not isinstance(swap, bool):
        raise BadRequestError(f"'swap_sides' is true or false; got {swap!r}")
    return commands.NewGame(swap_sides=swap)


def _set_variant(fields: dict[str, Any], own_variant: str) -> commands.Command:
    variant = _text(fields, "variant")
    options = fields.pop("options", None)
    options = {} if options is None else options
    if variant not in {*VARIANTS, own_variant}:
        raise BadRequestError(f"unknown variant: {variant!r}; one of {', '.join(VARIANTS)}")
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise BadRequestError('\'options\' is an object of texts, such as {"first": "attackers"}')
    try:
        with_options(load_variant(variant), options)
    except EngineError as error:
        raise BadRequestError("; ".join(str(error).splitlines())) from error
    return commands.SetVariant(variant, options)


def _confirm_position(fields: dict[str, Any], _: str) -> commands.Command:
    side = _side(fields, "side", needed=False)
    position = fields.pop("position", None)
    if position is not None:
        if not isinstance(position, str):
            raise BadRequestError(f"'position' is a position record, a text; got {position!r}")
        try:
            parse_position(position, side or Side.ATTACKER)
        except EngineError as error:
            raise BadRequestError(str(error)) from error
    return commands.ConfirmPosition(position, side)


def _resign(fields: dict[str, Any], _: str) -> commands.Command:
    side = _side(fields, "side", needed=True)
    assert side is not None  # noqa: S101  what `needed` means, for the type checker
    return commands.Resign(side)


def _declare_result(fields: dict[str, Any], _: str) -> commands.Command:
    return commands.DeclareResult(_side(fields, "winner", needed=False))


def _start_lesson(fields: dict[str, Any], _: str) -> commands.Command:
    number = fields.pop("number", 1)
    if type(number) is not int or not 1 <= number <= LESSONS:
        raise BadRequestError(f"'number' is a lesson, 1 to {LESSONS}; got {number!r}")
    return commands.StartLesson(number)


def _change_setting(fields: dict[str, Any], _: str) -> commands.Command:
    name = _text(fields, "setting")
    value = fields.pop("value", None)
    if isinstance(value, bool):
        value = "on" if value else "off"
    if not isinstance(value, str | int | float):
        raise BadRequestError(f"'value' is needed; got {value!r}")
    try:
        setting = commands.Setting(name)
    except ValueError:
        known = ", ".join(setting.value for setting in commands.Setting)
        raise BadRequestError(f"unknown setting: {name!r}; one of {known}") from None
    return commands.ChangeSetting(setting, str(value))


LESSONS: Final = 6
"""How many lessons the tutorial has."""

_READERS: Final[Mapping[str, Callable[[dict[str, Any], str], commands.Command | WorkOrder]]] = {
    "new-game": _new_game,
    "set-variant": _set_variant,
    "undo": lambda _, __: commands.Undo(),
    "resign": _resign,
    "agree-draw": lambda _, __: commands.AgreeDraw(),
    "declare-undecidable": lambda _, __: commands.DeclareUndecidable(),
    "confirm-position": _confirm_position,
    "declare-result": _declare_result,
    "pause": lambda _, __: commands.Pause(),
    "resume": lambda _, __: commands.Resume(),
    "hint": lambda _, __: commands.Hint(),
    "start-lesson": _start_lesson,
    "change-setting": _change_setting,
    "self-test": lambda _, __: StartWork(Work.SELF_TEST),
    "calibrate": lambda _, __: StartWork(Work.CALIBRATION),
    "skip-step": lambda _, __: SkipStep(),
    "end-work": lambda _, __: EndWork(),
}
