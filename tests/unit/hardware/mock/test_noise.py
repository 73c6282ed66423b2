"""Each knob does what it says to the contacts of the simulated board."""

from __future__ import annotations

import pytest

from hardware.backends import Simulation, open_simulation
from hardware.cells import Cell, CellSet, Instant
from hardware.mock.noise import KNOBS, NoisyHands

A1, B1, C1, D1 = (Cell(n) for n in range(4))
AT = Instant(10.0)


def made(**knobs: float) -> Simulation:
    simulation = open_simulation(seed=3)
    simulation.hands.turn(knobs)
    simulation.board.set(CellSet(1 << A1))
    return simulation


def watch(simulation: Simulation, length_s: float) -> list[tuple[float, int]]:
    """Return when the closed reeds changed, and to what, millisecond by millisecond."""
    seen: list[tuple[float, int]] = []
    for step in range(round(length_s * 1000) + 1):
        simulation.hands.advance(Instant(AT + step / 1000))
        closed = int(simulation.board.closed)
        if not seen or seen[-1][1] != closed:
            seen.append((step / 1000, closed))
    return seen


def test_clean_hands_close_a_reed_once() -> None:
    simulation = made()
    assert simulation.hands.lift(A1, AT) == AT
    assert watch(simulation, 0.5) == [(0.0, 0)]
    assert simulation.hands.put(B1, Instant(AT + 1)) == AT + 1
    simulation.hands.advance(Instant(AT + 1))
    assert simulation.board.closed == 1 << B1


def test_a_contact_bounces_for_as_long_as_it_is_told() -> None:
    simulation = made(bounce_ms=30)
    by = simulation.hands.lift(A1, AT)
    assert 0.009 < by - AT <= 0.030
    assert [closed for _, closed in watch(simulation, 0.1)] == [0, 1, 0]


def test_a_landing_chatters() -> None:
    simulation = made(chatter=1)
    simulation.hands.lift(A1, AT)
    changes = watch(simulation, 0.5)
    assert len(changes) >= 3
    assert changes[-1][1] == 0


@pytest.mark.parametrize(("reach_mm", "overlaps"), [(20, False), (60, True)])
def test_a_wide_reed_feels_a_piece_before_its_neighbour_lets_go(
    reach_mm: float, overlaps: bool
) -> None:
    simulation = made(reach_mm=reach_mm)
    simulation.hands.push([A1, B1, C1], AT)
    states = [closed for _, closed in watch(simulation, 1.0)]
    assert states[-1] == 1 << C1
    assert any(closed.bit_count() == 2 for closed in states) is overlaps
    assert (0 in states) is not overlaps


def test_a_push_takes_as_long_as_its_speed_says() -> None:
    for speed in (0.1, 1.0):
        simulation = made(slide_m_s=speed)
        assert simulation.hands.push([A1, B1, C1], AT) - AT == pytest.approx(0.09 / speed)


def test_passed_reeds_are_missed_but_never_the_last() -> None:
    simulation = made(missed=1)
    simulation.hands.push([A1, B1, C1, D1], AT)
    assert [closed for _, closed in watch(simulation, 1.0)] == [1 << A1, 0, 1 << D1]


def test_reads_fail_as_often_as_they_are_told() -> None:
    simulation = made(read_error=0.05)
    for step in range(400):
        simulation.scanner.scan(Instant(AT + step * 0.005))
    assert 60 < simulation.scanner.retries + simulation.scanner.losses < 180
    simulation.hands.turn({"read_error": 0.0})
    assert simulation.board.bus.loss == 0.0


def test_a_gesture_begins_from_what_others_have_left() -> None:
    simulation = made()
    simulation.board.set(CellSet(1 << D1))
    assert simulation.hands.stands(D1)
    assert not simulation.hands.stands(A1)
    simulation.hands.lift(D1, AT)
    assert not simulation.hands.stands(D1), "it is being lifted"
    assert watch(simulation, 0.1) == [(0.0, 0)]


def test_what_was_to_come_is_dropped_when_all_is_put_anew() -> None:
    simulation = made(chatter=1, slide_m_s=0.1)
    simulation.hands.push([A1, B1, C1], AT)
    simulation.hands.forget()
    simulation.board.set(CellSet(1 << A1))
    assert watch(simulation, 2.0) == [(0.0, 1)]


@pytest.mark.parametrize(
    ("knobs", "reason"),
    [({"din": 1.0}, "no knob 'din'; one of bounce_ms"), ({"missed": 1.1}, "'missed' is 0 to 1")],
)
def test_a_wrong_value_turns_nothing(knobs: dict[str, float], reason: str) -> None:
    simulation = made()
    with pytest.raises(ValueError, match=reason):
        simulation.hands.turn({"chatter": 1.0, **knobs})
    assert simulation.hands.values == {name: knob.usual for name, knob in KNOBS.items()}


def test_every_knob_begins_within_its_bounds() -> None:
    assert all(knob.least <= knob.usual <= knob.most for knob in KNOBS.values())
    assert isinstance(made().hands, NoisyHands)
