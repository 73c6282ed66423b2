"""One lit square."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.squares import Square

if TYPE_CHECKING:
    from boardctl.core.palette import Meaning


class Light(NamedTuple):
    """What a square says and how bright it is now, 0..1."""

    meaning: Meaning
    level: float


Frame: TypeAlias = dict[Square, Light]
"""The lit squares at one instant."""
