"""What can go wrong between a hand and a switch: one table, and the named scenarios.

Every effect has a number, N1 to N22. A field that switches an effect off names the value that
does so; the other fields of the effect then mean nothing. The figures come from data sheets
and from problem reports where there are any (contact bounce, chip errors); the others are
assumptions about hands, on the careless side, and open to tuning.

    Effects()              everything at its default
    only("N1", "N3")       bounce and slides, nothing else
    SCENARIOS["S3"]        a festival
    slide_sweep(0.15)      S5: every move a slide of 0.15 m/s
"""

# ruff: noqa: RUF009  # `_effect` makes a dataclass field, as `dataclasses.field` does

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Span: TypeAlias = tuple[float, float]
"""From least to most, every value between as likely."""

Lognormal: TypeAlias = tuple[float, float]
"""Median and 95th percentile."""


def _effect(number: str, default: Any, text: str, *, off: Any = None) -> Any:
    """Declare one row of the table; *off* marks the field that switches the effect."""
    return dataclasses.field(default=default, metadata={"effect": number, "off": off, "text": text})


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """All parameters of the simulated hands, switches and faults.

    Chances are per ply unless the text says otherwise, times in seconds, lengths in mm.
    `table()` lists the fields with their effect and text.
    """

    scan_s: float = _effect("", 0.005, "time between two scans")
    pitch_mm: float = _effect("", 45.0, "distance between two neighbouring switches")
    think_s: Span = _effect("", (0.9, 4.0), "from a finished ply to the next hand")
    hold_s: Span = _effect("", (0.4, 2.4), "a carried piece in the hand")
    plies: int = _effect("", 60, "the game is left unfinished after so many plies")

    bounce_s: Span = _effect(
        "N1", (0.0002, 0.001), "a contact's state is random for so long after each edge", off=(0, 0)
    )
    chatter: float = _effect("N2", 0.15, "chance that a landing or lifting chatters", off=0.0)
    chatter_s: Lognormal = _effect("N2", (0.02, 0.12), "length of one chatter")
    chatter_toggles: Span = _effect("N2", (2, 6), "extra edges in one chatter")

    slide: float = _effect("N3", 0.4, "chance that the piece is pushed, not carried", off=0.0)
    slide_m_s: Lognormal = _effect("N3", (0.35, 0.9), "mean speed of a slide")
    slide_slowest_m_s: float = _effect("N3", 0.05, "no slide is slower")
    passed_closes: float = _effect("N3", 0.9, "chance that a switch feels a passing piece")
    pause: float = _effect("N3", 0.1, "chance that a slide rests on a square on its way")
    pause_s: Span = _effect("N3", (0.1, 1.5), "length of such a rest")

    width_mm: float = _effect("", 25.0, "how far along its way a switch feels a magnet")
    widths_mm: tuple[float, ...] = _effect(
        "N4", (18.0, 25.0, 25.0, 25.0, 32.0, 32.0, 48.0), "width of one board, drawn", off=()
    )

    dead_centre: float = _effect(
        "N5", 0.05, "chance that a switch, for good, does not feel a magnet right above", off=0.0
    )
    dead_mm: float = _effect("N5", 3.0, "half the length of that gap")
    rest_mm: float = _effect("N5", 4.0, "standard deviation of where a piece rests")
    flicker_hz: Span = _effect("N5", (0.2, 2.0), "a piece at rest on the gap's rim flickers")
    flicker_rim_mm: float = _effect("N5", 0.4, "half the width of that rim")
    flicker_s: Span = _effect("N5", (1.0, 6.0), "until somebody shifts the flickering piece")

    off_centre: float = _effect("N6", 0.02, "chance that a piece lands out of reach", off=0.0)
    shift_s: Span = _effect("N6", (1.0, 5.0), "until an unfelt piece is shifted to the middle")

    relanding: float = _effect("N7", 0.08, "chance of landing twice", off=0.0)
    relanding_s: Span = _effect("N7", (0.15, 1.5), "on the first landing's square")
    relanding_elsewhere: float = _effect("N7", 0.5, "share that first lands on another target")

    put_back: float = _effect("N8", 0.1, "chance that a piece is lifted and put back", off=0.0)
    put_back_s: Span = _effect("N8", (0.5, 10.0), "that piece in the hand")

    adjust: float = _effect("N9", 0.05, "chance that some piece is set straight", off=0.0)
    adjust_s: Span = _effect("N9", (0.1, 0.8), "that piece off its square")

    victim_order: tuple[float, float, float, float] = _effect(
        "N10",
        (0.15, 0.10, 0.70, 0.05),
        "victims taken before the move, with the piece in hand, after, forgotten",
        off=(0.0, 0.0, 1.0, 0.0),
    )
    victim_s: Span = _effect("N10", (0.3, 4.0), "from landing to a victim's removal")
    victim_waits: float = _effect(
        "N10", 0.7, "chance that the opponent waits for the removal", off=1.0
    )

    wrong_victim: float = _effect(
        "N11", 0.01, "chance that an innocent piece is removed for 1-6 s", off=0.0
    )
    wrong_victim_s: Span = _effect("N11", (1.0, 6.0), "until it is back")

    swipe: float = _effect("N12", 0.002, "chance that a sleeve sweeps 1-4 pieces", off=0.0)
    swipe_s: Span = _effect("N12", (2.0, 15.0), "until they stand again")
    swipe_wrong: float = _effect("N12", 0.3, "chance that one is first put on a wrong square")

    drop: float = _effect("N13", 0.002, "chance that a piece falls off the board", off=0.0)
    drop_s: Span = _effect("N13", (3.0, 20.0), "until it is back")

    nudge: float = _effect("N14", 0.01, "chance that a piece is pushed one square", off=0.0)
    nudge_s: Span = _effect("N14", (1.0, 10.0), "until somebody sees it")
    nudge_seen: float = _effect("N14", 0.7, "chance that it is seen before the next ply")

    early: float = _effect("N15", 0.05, "chance that the next ply starts at once", off=0.0)
    early_s: Span = _effect("N15", (0.0, 0.3), "from landing to that start")
    earlier: float = _effect(
        "N15", 0.02, "chance that the opponent lifts before the mover has landed", off=0.0
    )
    earlier_s: Span = _effect("N15", (0.05, 0.9), "that lift before the landing")
    fast_hold_s: Span = _effect("N15", (0.12, 0.9), "a hasty player's piece in the hand")

    faulty: tuple[float, float] = _effect(
        "N16", (0.12, 0.03), "chance of one and of two bad switches in a game", off=(0.0, 0.0)
    )
    faulty_flicker: float = _effect("N16", 0.34, "share of bad switches that flicker")
    faulty_duty: Span = _effect("N16", (0.1, 0.9), "share of time a flickering one is closed")

    read_error: float = _effect("N17", 4e-4, "chance per chip read of no answer", off=0.0)
    silent: float = _effect("N18", 0.3, "chance per game that a chip falls silent", off=0.0)
    silent_s: Lognormal = _effect("N18", (5.0, 12.0), "for how long")
    corrupt: float = _effect(
        "N19", 1e-3, "chance per edge of a chip's highest input of one wrong byte", off=0.0
    )

    bad_setup: float = _effect("N20", 0.5, "chance that the start position has errors", off=0.0)
    bad_setup_empty: float = _effect("N20", 0.3, "share where the reader sees the setting up, too")
    bad_setup_s: Span = _effect("N20", (1.5, 10.0), "until each of them is put right")

    power_cut: float = _effect("N21", 0.7, "chance per game of one power cut", off=0.0)
    power_cut_s: Span = _effect("N21", (10.0, 60.0), "for how long")
    power_cut_moved: float = _effect("N21", 0.3, "chance that a piece stands wrong after it")
    power_cut_ply: float = _effect("N21", 0.3, "chance that a ply or two are played meanwhile")

    out_of_turn: float = _effect("N22", 0.02, "chance of a move out of turn", off=0.0)
    illegal: float = _effect("N22", 0.02, "chance of an illegal move", off=0.0)
    undone_s: Span = _effect("N22", (1.0, 8.0), "until it is taken back")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table of parameters."""

    effect: str
    name: str
    default: object
    text: str


def table() -> tuple[Row, ...]:
    """Return the parameters in the order of the effects, for documents and people."""
    return tuple(
        Row(field.metadata["effect"], field.name, field.default, field.metadata["text"])
        for field in dataclasses.fields(Effects)
    )


def _switches() -> Mapping[str, dict[str, Any]]:
    """Return, for each effect, the fields that switch it off, with the value that does."""
    switches: dict[str, dict[str, Any]] = {}
    for field in dataclasses.fields(Effects):
        if field.metadata["off"] is not None:
            switches.setdefault(field.metadata["effect"], {})[field.name] = field.metadata["off"]
    return switches


_SWITCHES: Final = _switches()

EFFECTS: Final = tuple(_SWITCHES)
"""The numbers of all effects, N1 to N22."""


def only(*effects: str, **changes: Any) -> Effects:
    """Return the table with just these effects switched on, then *changes* applied.

    Raises:
        ValueError: an unknown effect.
    """
    unknown = set(effects) - set(EFFECTS)
    if unknown:
        raise ValueError(f"no effect {min(unknown)!r}; there are N1 to N{len(EFFECTS)}")
    off = {
        name: value
        for effect, fields in _SWITCHES.items()
        if effect not in effects
        for name, value in fields.items()
    }
    return dataclasses.replace(Effects(), **(off | changes))


def slide_sweep(speed_m_s: float) -> Effects:
    """Return scenario S5 at one mean speed: every move is a slide without pauses."""
    return only("N1", "N2", "N3", slide=1.0, pause=0.0, slide_m_s=(speed_m_s, speed_m_s))


_MECHANICAL: Final = ("N1", "N2", "N3")
_CAREFUL: Final = (*_MECHANICAL, "N4", "N5", "N6", "N7", "N8")
_FESTIVAL: Final = (*_CAREFUL, "N9", "N10", "N11", "N12", "N13", "N14", "N15", "N22")

SCENARIOS: Final[Mapping[str, Effects]] = {
    "S0": only(),
    "S1": only(*_MECHANICAL),
    "S2": only(*_CAREFUL),
    "S3": only(*_FESTIVAL),
    "S4": only(*_FESTIVAL, "N16", "N17", "N18", "N19"),
    "S5": slide_sweep(0.15),
    "S6": only(*_MECHANICAL, "N10", "N15", early=0.22, earlier=0.08, victim_waits=0.3),
    "S7": only(*_CAREFUL, "N12", "N20", "N21", swipe=0.03),
}
"""S0 clean; S1 switches and slides; S2 hesitation; S3 festival; S4 with hardware faults;
S5 slides of one speed; S6 fast play; S7 recovery: swipes, bad set-up, power cuts."""
