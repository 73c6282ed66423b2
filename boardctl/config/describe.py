"""What a key allows, its default and its unit, as text for people."""

from __future__ import annotations

import json
import types
import typing
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


def unit(field: FieldInfo) -> str:
    """Return the unit of a key, empty where it has none."""
    extra = field.json_schema_extra
    return str(extra.get("unit", "")) if isinstance(extra, dict) else ""


def is_text(field: FieldInfo) -> bool:
    """Whether the key holds a text (and not a number, a list or a table)."""
    kind = field.annotation
    return kind is str or get_origin(kind) is Literal


def allowed(field: FieldInfo) -> str:
    """Return what may stand for the key: `10 to 500 Hz`, `'direct' or 'matrix'`, ..."""
    text = _allowed_values(field.annotation, _bounds(field.metadata))
    suffix = unit(field)
    return f"{text} {suffix}" if suffix else text


def _bounds(metadata: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in metadata:
        for name in ("ge", "le", "pattern", "min_length", "max_length"):
            value = getattr(item, name, None)
            if value is not None:
                found[name] = value
    return found


def _allowed_values(kind: Any, bounds: dict[str, Any]) -> str:  # noqa: PLR0911  a line a kind
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        *most, last = (repr(choice) for choice in inner)
        return f"{', '.join(most)} or {last}"
    if origin in {Union, types.UnionType}:
        return _allowed_values(*_unwrap(inner[0])) + ", or left out"
    if origin is tuple:
        return "a list of " + _allowed_values(*_unwrap(inner[0]))
    if origin is dict:
        return "a table of texts"
    if kind is bool:
        return "true or false"
    if kind is str:
        return f"a text matching {bounds['pattern']}" if "pattern" in bounds else "a text"
    number = "whole numbers " if kind is int else ""
    return f"{number}{bounds['ge']:g} to {bounds['le']:g}"


def _unwrap(kind: Any) -> tuple[Any, dict[str, Any]]:
    """Split `Annotated[int, Field(ge=0)]` into the type and its bounds."""
    if get_origin(kind) is not typing.Annotated:
        return kind, {}
    inner, *extras = get_args(kind)
    return inner, _bounds([item for extra in extras for item in getattr(extra, "metadata", [])])


def toml(value: object) -> str:
    """Return *value* as TOML; None, which TOML does not know, as an empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inside = ", ".join(f"{name} = {toml(item)}" for name, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)
