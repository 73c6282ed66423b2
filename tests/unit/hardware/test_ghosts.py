from __future__ import annotations

import itertools

from hardware.ghosts import patterns, suspects, witnesses

BOARD = set(itertools.product(range(9), range(9)))


def closed_as_read(
    pieces: frozenset[tuple[int, int]], missing: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """What a matrix reads, by following the current from each column to each selected row."""
    read = set()
    for row, column in BOARD:
        columns: set[int] = {column}
        rows: set[int] = set()
        while True:
            # Forwards through any closed switch; backwards only where the diode is missing.
            rows_now = {r for r, c in pieces if c in columns}
            columns_now = columns | {c for r, c in pieces & missing if r in rows_now}
            if (columns_now, rows_now) == (columns, rows):
                break
            columns, rows = columns_now, rows_now
        if row in rows:
            read.add((row, column))
    return read


def test_five_patterns_of_eighteen_pieces_test_every_diode() -> None:
    assert [len(pattern) for pattern in patterns()] == [18] * 5
    tested = {diode for pattern in patterns() for diode in BOARD if witnesses(diode, pattern)}
    assert tested == BOARD


def test_witnesses_are_exactly_what_a_missing_diode_makes_seem_closed() -> None:
    for pattern in patterns():
        for diode in pattern:
            ghosts = closed_as_read(pattern, {diode}) - pattern
            assert ghosts == witnesses(diode, pattern)


def test_a_missing_diode_is_the_only_suspect() -> None:
    for pattern in patterns():
        for diode in pattern:
            ghosts = closed_as_read(pattern, {diode}) - pattern
            assert suspects(pattern, ghosts) == [diode]


def test_without_ghosts_there_are_no_suspects() -> None:
    for pattern in patterns():
        assert suspects(pattern, set()) == []
        assert closed_as_read(pattern, set()) == pattern


def test_an_open_switch_tests_nothing() -> None:
    assert witnesses((0, 8), {(0, 0), (1, 1)}) == set()
