"""The configuration for the operator's page: what holds and where it comes from, no secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from boardctl.config.describe import allowed, toml
from boardctl.config.load import ENVIRONMENT_PREFIX
from boardctl.config.sections import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardctl.config.load import Loaded

MASK: Final = "•••"

_SECRET: Final = re.compile(r"(^|_)(password|passphrase|secret|token|key)$")
"""Keys that hold a secret; `web.token_file` holds a path."""

_CREDENTIALS: Final = re.compile(r"(://[^/\s:@]*):[^/\s@]*@")


def shown(loaded: Loaded, at_the_table: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return every section with its keys, each with its value, its source and what it is for.

    Args:
        loaded: the configuration as it was read.
        at_the_table: `section.key` -> value, for what people have changed since; it comes first.
    """
    values = loaded.config.model_dump()
    return [
        {
            "section": section,
            "about": (kind.__doc__ or "").strip(),
            "keys": [
                _key(f"{section}.{name}", value, loaded, at_the_table)
                for name, value in values[section].items()
            ],
        }
        for section, kind in SECTIONS.items()
    ]


def _key(
    place: str, value: object, loaded: Loaded, at_the_table: Mapping[str, object]
) -> dict[str, Any]:
    section, _, name = place.partition(".")
    field = SECTIONS[section].model_fields[name]
    source = {"kind": "table"} if place in at_the_table else _source(loaded.sources.get(place))
    return {
        "key": name,
        "value": masked(name, toml(at_the_table.get(place, value))),
        "source": source,
        "text": field.description or "",
        "allowed": allowed(field),
    }


def _source(name: str | None) -> dict[str, str]:
    """Return where a value comes from: `default`, `environment` or `file`, the latter by name."""
    if name is None:
        return {"kind": "default"}
    kind = "environment" if name.startswith(ENVIRONMENT_PREFIX) else "file"
    return {"kind": kind, "name": name}


def masked(name: str, value: str) -> str:
    """Return the value of the key *name* without what only the table itself may know."""
    if _SECRET.search(name) and value not in {"", '""'}:
        return MASK
    return _CREDENTIALS.sub(rf"\1:{MASK}@", value)
