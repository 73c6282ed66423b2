"""The games with their options, for the operator's choice and for scripts."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import VARIANTS, Ruleset, format_position, load_variant
from engine.rules import allowed_values


@cache
def variants() -> list[dict[str, Any]]:
    """Return what `/api/variants` answers."""
    return [_variant(load_variant(name)) for name in VARIANTS]


def _variant(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "document": ruleset.document,
        "position": format_position(ruleset.start),
        "options": {
            name: {"default": value, "allowed": _choices(ruleset, name, value)}
            for name, value in ruleset.options.items()
        },
    }


def _choices(ruleset: Ruleset, name: str, default: str) -> list[str]:
    """Return the values to choose from; a number offers the usual ones."""
    if default.isdecimal():
        return sorted({default, "2", "3", "4", "5"})
    return [value.strip() for value in allowed_values(ruleset, name).split("|")]
