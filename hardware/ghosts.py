"""Finds missing diodes of a matrix.

Without the diode at row a, column b, current that should end there runs on backwards: with the
switches (a, j), (a, b) and (i, b) closed, the open switch (i, j) seems closed.

              column b   column j
    row a     (no diode)  closed       row i is selected and pulls column b low through (i, b);
    row i      closed     ghost        row a follows backwards, and column j through (a, j)

So a set of pieces tests the diode at (a, b) when it holds (a, b), some (a, j) and some (i, b), and
leaves that (i, j) open. Five patterns of 18 pieces test all 81.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.cells import SIDE

if TYPE_CHECKING:
    from collections.abc import Collection

    Crossing = tuple[int, int]


def witnesses(diode: Crossing, closed: Collection[Crossing]) -> set[Crossing]:
    """Return the open crossings that would seem closed if this diode were missing."""
    row, column = diode
    if diode not in closed:
        return set()
    columns = [j for j in range(SIDE) if j != column and (row, j) in closed]
    rows = [i for i in range(SIDE) if i != row and (i, column) in closed]
    return {(i, j) for i in rows for j in columns if (i, j) not in closed}


def suspects(closed: Collection[Crossing], ghosts: Collection[Crossing]) -> list[Crossing]:
    """Return the diodes whose absence explains what is seen: all their witnesses seem closed."""
    found = []
    for diode in sorted(closed):
        expected = witnesses(diode, closed)
        if expected and expected <= set(ghosts):
            found.append(diode)
    return found


def patterns() -> tuple[frozenset[Crossing], ...]:
    """Return five sets of 18 crossings that together test every diode.

    Each is a staircase of two neighbouring diagonals that wrap round: (r, r + d), (r, r + d + 1).
    Every step has a neighbour in its row and one in its column, and their corner is open.
    """
    return tuple(
        frozenset((row, (row + offset + step) % SIDE) for row in range(SIDE) for step in (0, 1))
        for offset in (0, 2, 4, 6, 8)
    )
