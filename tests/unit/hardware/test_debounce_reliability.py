from __future__ import annotations

from hardware.cells import CellSet, Frame, Instant
from hardware.debounce import Debouncer

CELL = 40


def watch(samples: str, *, cell: int = CELL) -> tuple[float, ...]:
    """Return the reliabilities after 5 ms samples of a cell: # closed, . open, ? unknown."""
    debouncer = Debouncer(settle_s=0.010)
    frames = {
        "#": Frame(CellSet(1 << cell)),
        ".": Frame(CellSet(0)),
        "?": Frame(CellSet(0), CellSet(1 << cell)),
    }
    for number, sample in enumerate(samples):
        debouncer.step(frames[sample], Instant(0.005 * number))
    return debouncer.reliability


def test_a_switch_that_was_never_used_is_trusted() -> None:
    assert watch("....") == (1.0,) * 81


def test_a_clean_switch_stays_reliable() -> None:
    assert watch("....####....####" * 20)[CELL] == 1.0


def test_one_bounce_costs_little() -> None:
    assert 0.7 < watch("....#.#####")[CELL] < 0.9


def test_a_loose_wire_sinks_and_its_neighbours_do_not() -> None:
    shares = watch("#." * 100)
    assert shares[CELL] < 0.1
    assert {*shares[:CELL], *shares[CELL + 1 :]} == {1.0}


def test_what_could_not_be_read_is_no_fault_of_the_switch() -> None:
    assert watch("....????....####")[CELL] == 1.0
