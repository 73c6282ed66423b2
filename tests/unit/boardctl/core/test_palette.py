"""Colours that can be seen together are told apart, by everybody."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from coloraide import Color

from boardctl.core.motion import Motion
from boardctl.core.palette import (
    MIN_DIFFERENCE,
    MIN_DIFFERENCE_CVD,
    MOTIONS,
    PALETTES,
    SEEN_TOGETHER,
    Meaning,
    colour,
)
from boardctl.core.settings import PALETTES as SELECTABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.core.palette import Rgb

PAIRS = sorted(
    {
        tuple(sorted(pair, key=lambda meaning: meaning.value))
        for group in SEEN_TOGETHER
        for pair in combinations(group, 2)
    },
    key=lambda pair: (pair[0].value, pair[1].value),
)


@cache
def seen(rgb: Rgb, eye: str | None) -> Color:
    whole = Color("srgb", [part / 255 for part in rgb])
    return whole if eye is None else whole.filter(eye, 1)


def differences(palette: str, eye: str | None) -> Iterator[tuple[float, str, str]]:
    colours = PALETTES[palette]
    for one, other in PAIRS:
        apart = seen(colours[one], eye).delta_e(seen(colours[other], eye), method="2000")
        yield apart, one.value, other.value


@pytest.mark.parametrize("palette", SELECTABLE)
def test_every_palette_names_every_meaning(palette: str) -> None:
    assert set(PALETTES[palette]) == set(Meaning)


@pytest.mark.parametrize("palette", SELECTABLE)
def test_colours_seen_together_keep_their_distance(palette: str) -> None:
    assert min(differences(palette, None))[0] >= MIN_DIFFERENCE[palette]


@pytest.mark.parametrize("eye", ["protan", "deutan"])
@pytest.mark.parametrize("palette", SELECTABLE)
def test_they_keep_it_for_the_colour_blind(palette: str, eye: str) -> None:
    assert min(differences(palette, eye))[0] >= MIN_DIFFERENCE_CVD[palette]


PIECES = {
    Meaning.ATTACKERS,
    Meaning.DEFENDERS,
    Meaning.KING,
    Meaning.ENGLAND,
    Meaning.FRANCE,
    Meaning.TURKEY,
    Meaning.SARDINIA,
}

ALIKE = {
    # Both say "a piece belongs here"; pieces of different kinds breathe at different times.
    *(frozenset(pair) for pair in combinations(PIECES, 2)),
    # Both run: along the king's way, and from the piece in the hand to the square that wins.
    frozenset({Meaning.CALL, Meaning.WIN}),
    # The menu's squares for the two sides, and what may be chosen.
    *(frozenset({piece, Meaning.OWN}) for piece in PIECES),
}


def test_meanings_seen_together_also_move_differently() -> None:
    same = [
        (one.value, other.value)
        for one, other in PAIRS
        if MOTIONS[one] is MOTIONS[other] and frozenset({one, other}) not in ALIKE
    ]
    assert same == []


def test_every_meaning_has_a_motion() -> None:
    assert set(MOTIONS) == set(Meaning)
    assert set(MOTIONS.values()) <= set(Motion)


def test_a_level_scales_a_colour() -> None:
    red, green, blue = PALETTES["default"][Meaning.OWN]
    assert colour("default", Meaning.OWN, 1.0) == (red, green, blue)
    assert colour("default", Meaning.OWN, 0.0) == (0, 0, 0)
    assert colour("default", Meaning.OWN, 0.5) == tuple(round(p / 2) for p in (red, green, blue))
