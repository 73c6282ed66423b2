"""What happened between two readings, told as effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardctl.core.effects import (
    Attention,
    Clear,
    Effect,
    PlyFinal,
    PlyRetracted,
    PlyRevised,
    PlyShown,
    UnknownSquares,
    VictimRemoved,
)
from boardctl.core.reading import Situation
from boardctl.core.tree import squares

if TYPE_CHECKING:
    from boardctl.core.reading import Reading


def changes(before: Reading, after: Reading) -> list[Effect]:
    """Return what is to be told when the reading changes from `before` to `after`.

    First what became of the plies, in the order in which a record can follow them: the last ones
    taken back, one read differently, new ones; then victims, disagreement, unbelieved squares and
    what is final.
    """
    effects = _plies(before, after)
    for square in squares(before.victims & ~after.victims):
        if not after.game.position.occupied >> square & 1:
            effects.append(VictimRemoved(square))
    effects += _attention(before, after)
    if before.unknown != after.unknown:
        effects.append(UnknownSquares(after.unknown))
    finals = after.game.plies[min(before.final, after.final) : after.final]
    effects += [
        PlyFinal(after.final - len(finals) + place, ply) for place, ply in enumerate(finals, 1)
    ]
    return effects


def _plies(before: Reading, after: Reading) -> list[Effect]:
    if before.game is after.game:
        return []
    old, new = before.game.plies, after.game.plies
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    effects: list[Effect] = [PlyRetracted(number) for number in range(len(old), len(new), -1)]
    for number, ply in enumerate(new[same:], same + 1):
        effects.append(PlyRevised(number, ply) if number <= len(old) else PlyShown(number, ply))
    return effects


def _attention(before: Reading, after: Reading) -> list[Effect]:
    was = before.situation is Situation.MISMATCH
    if after.situation is Situation.MISMATCH:
        if was and (before.missing, before.extra) == (after.missing, after.extra):
            return []
        return [Attention(after.missing, after.extra)]
    return [Clear()] if was else []
