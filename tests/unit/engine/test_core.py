from __future__ import annotations

from dataclasses import replace

import pytest

from engine import COMPILED, VARIANTS, Game, Side, core, load_variant, parse_position
from engine.lookup import choice, chosen_square, core_pieces, core_state, trapped_squares
from engine.position import Position
from engine.squares import (
    ALL_SQUARES,
    CENTRE,
    EDGE,
    NO_SQUARES,
    SIZE,
    SQUARES,
    SquareSet,
    parse_square,
    square_names,
    square_set,
)


def state_of(record: str, side: Side = Side.ATTACKER, variant: str = "market") -> core.State:
    return core_state(load_variant(variant), parse_position(record, side))


def test_pieces_are_numbered_from_a1() -> None:
    position = parse_position("/tTK6/9/9/9/9/9/9/9/8t/", Side.ATTACKER)
    expected = [1, 2, 3] + [0] * 77 + [1]
    assert core_pieces(position) == expected
    assert core_state(load_variant("market"), position).pieces() == expected


def test_a_state_knows_its_king_and_whether_he_is_out() -> None:
    inside = state_of("/9/4K4/9/9/9/9/9/9/t8/", Side.DEFENDER)
    assert (inside.turn, inside.king, inside.over, inside.ended()) == (1, 13, 0, 0)
    edge = state_of("/4K4/9/9/9/9/9/9/9/t8/")
    assert (edge.turn, edge.king, edge.over, edge.ended()) == (0, 4, 2, 2)
    gone = state_of("/9/9/9/9/9/9/9/9/t8/")
    assert (gone.king, gone.over, gone.ended()) == (-1, 1, 1)


def test_a_copy_is_independent() -> None:
    state = state_of("/9/4K4/9/9/9/9/9/9/t8/")
    other = state.copy()
    other.play(parse_square("a9") * 81 + parse_square("a1"))
    assert state.pieces()[parse_square("a9")] == 1
    assert other.pieces()[parse_square("a9")] == 0
    assert other.pieces()[parse_square("a1")] == 1
    assert (state.turn, other.turn) == (0, 1)
    assert state.king == other.king
    assert state.mobility() == 16


def test_what_a_piece_reaches_does_not_depend_on_whose_move_it_is() -> None:
    state = state_of("/9/4K4/9/9/9/9/9/9/t8/")
    king = parse_square("e2")
    assert state.reaches(king, parse_square("e9"))
    assert state.reaches(king, parse_square("i2"))
    assert not state.reaches(king, parse_square("f3"))
    assert not state.reaches(king, king)


def test_the_end_of_a_line_is_counted_once_it_has_ended() -> None:
    """A king who can escape at once leaves fewer sequences than one who cannot."""
    game = Game.start(
        load_variant("market"),
        position=parse_position("/9/4K4/9/9/9/9/9/9/t8/", Side.DEFENDER),
    )
    going_on = [ply for ply in game.legal_plies if game.push(ply).outcome is None]
    assert len(going_on) == 16 - 4
    state = core_state(game.ruleset, game.position)
    expected = sum(len(game.push(ply).legal_plies) for ply in going_on)
    assert core.perft(state, 2, 0) == core.perft(state, 2, 1) == expected


def corridor(edge: int) -> SquareSet:
    """The squares from beside e5 to an edge square, touching no other edge square."""
    file, rank = edge % SIZE, edge // SIZE
    bend = (4, rank) if file in (0, SIZE - 1) else (file, 4)
    found = 0
    for one, other in (((4, 4), bend), (bend, (file, rank))):
        for to_file in range(min(one[0], other[0]), max(one[0], other[0]) + 1):
            for to_rank in range(min(one[1], other[1]), max(one[1], other[1]) + 1):
                found |= 1 << to_rank * SIZE + to_file
    return SquareSet(found & ~(1 << CENTRE))


@pytest.mark.parametrize("variant", ["sea-battle", "linnaeus"])
def test_one_way_out_at_any_edge_square_is_no_enclosure(variant: str) -> None:
    """Attackers are everywhere else; then on that square as well."""
    ruleset = load_variant(variant)
    corners = {0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1}
    for edge in [square for square in SQUARES if EDGE >> square & 1 and square not in corners]:
        closed = SquareSet(ALL_SQUARES & ~corridor(edge) & ~(1 << CENTRE))
        for attackers, enclosed in ((closed, 0), (SquareSet(closed | 1 << edge), 1)):
            position = Position(attackers, NO_SQUARES, CENTRE, Side.ATTACKER)
            assert core_state(ruleset, position).enclosed() == enclosed, (edge, enclosed)


def test_with_the_king_nothing_else_is_taken_where_one_piece_is_taken_at_a_time() -> None:
    """a6-e6 closes the emperor's fourth side and traps e7 against e8. Source: IMPERIAL R8."""
    position = parse_position("/9/9/9/4t4/3tKt3/t8/4T4/4t4/9/", Side.ATTACKER)
    game = Game.start(load_variant("imperial"), position=position)
    ply = next(ply for ply in game.legal_plies if str(ply).startswith("a6-e6"))
    after = game.push(ply)
    assert (str(ply), after.position.king) == ("a6-e6xe5", None)
    assert square_names(after.position.defenders) == ["e7"]


def test_choices_name_their_victim() -> None:
    position = parse_position("/3T5/9/9/9/1Tt1tT3/9/9/7K1/8t/", Side.DEFENDER)
    state = core_state(load_variant("imperial"), position)
    way = parse_square("d1") * 81 + parse_square("d5")
    assert square_names(trapped_squares(parse_square("d5"), state.trapped(way))) == ["c5", "e5"]
    assert len(state.legal()) == state.mobility() + 1
    chosen = choice(way, parse_square("e5"))
    assert chosen_square(chosen) == parse_square("e5")
    assert {number for number, found in state.legal() if found} == {
        choice(way, parse_square("c5")),
        chosen,
    }
    state.play(chosen)
    left = square_set(parse_square(name) for name in ("c5", "i9"))
    assert square_set(at for at, piece in enumerate(state.pieces()) if piece == 1) == left  # type: ignore[misc]


def taken(record: str, move: str, side: Side, **rules: object) -> list[str]:
    """Return what a move takes under Linnaeus' rules, some of them changed."""
    ruleset = replace(load_variant("linnaeus"), **rules)  # type: ignore[arg-type]  # by name
    game = Game.start(ruleset, position=parse_position(record, side))
    return square_names(game.parse(move).captures)


@pytest.mark.parametrize(
    ("rules", "attacker_falls"),
    [
        ({}, True),
        ({"king_armed": False}, True),
        ({"king_armed": False, "throne_against_attackers": "empty"}, False),
        ({"king_armed": False, "throne_against_attackers": "never"}, False),
        ({"throne_against_attackers": "never"}, True),
    ],
)
def test_the_throne_and_the_king_on_it_against_attackers(
    rules: dict[str, object], attacker_falls: bool
) -> None:
    record = "/9/4T4/9/4t4/3tKt3/4t4/9/9/t8/"
    expected = ["e4"] if attacker_falls else []
    assert taken(record, "e2-e3", Side.DEFENDER, **rules) == expected


@pytest.mark.parametrize(
    ("rules", "defender_falls"),
    [
        ({}, True),
        ({"throne_ring": False}, False),
        ({"throne_ring": False, "throne_against_defenders": "always"}, True),
        ({"throne": False, "king_sides": 4}, False),
    ],
)
def test_a_man_beside_the_hemmed_in_king(rules: dict[str, object], defender_falls: bool) -> None:
    record = "/9/4t4/9/4T4/3tKt3/4t4/9/9/T8/"
    expected = ["e4"] if defender_falls else []
    assert taken(record, "e2-e3", Side.ATTACKER, **rules) == expected


@pytest.mark.parametrize(("when", "falls"), [("never", False), ("empty", True), ("always", True)])
@pytest.mark.parametrize("side", Side)
def test_the_empty_throne(side: Side, when: str, falls: bool) -> None:
    victim, comer = ("T", "t") if side is Side.ATTACKER else ("t", "T")
    record = f"/9/4{comer}4/9/4{victim}4/9/9/9/1K7/T7t/"
    rules = {"throne_against_attackers": when, "throne_against_defenders": when}
    assert taken(record, "e2-e3", side, **rules) == (["e4"] if falls else [])


@pytest.mark.parametrize(
    ("sides", "hostile", "falls"),
    [(2, "empty", True), (2, "never", False), (3, "empty", False), (4, "empty", False)],
)
def test_a_king_between_an_attacker_and_the_empty_throne(
    sides: int, hostile: str, falls: bool
) -> None:
    record = "/9/4t4/9/4K4/9/9/9/9/T8/"
    rules = {"king_sides_beside_throne": sides, "throne_against_defenders": hostile}
    assert taken(record, "e2-e3", Side.ATTACKER, **rules) == (["e4"] if falls else [])


@pytest.mark.parametrize(("sides", "falls"), [(3, True), (4, False)])
def test_a_king_beside_the_throne_needs_his_sides(sides: int, falls: bool) -> None:
    record = "/9/4t4/9/3tKt3/9/9/9/9/T8/"
    found = taken(record, "e2-e3", Side.ATTACKER, king_sides_beside_throne=sides)
    assert found == (["e4"] if falls else [])


@pytest.mark.parametrize("variant", VARIANTS)
def test_mobility_counts_the_ways(variant: str) -> None:
    game = Game.start(load_variant(variant), side=Side.ATTACKER)
    state = core_state(game.ruleset, game.position)
    assert state.mobility() == len(state.legal())
    assert state.can_move()


def test_the_build_is_known() -> None:
    assert isinstance(COMPILED, bool)
    assert core.COMPILED == COMPILED


def test_counting_follows_a_king_of_short_range() -> None:
    """Counted from the tables or made one by one, a king who has walked has the same moves."""
    ruleset = replace(load_variant("market"), king_range=2)
    position = parse_position("/9/1t7/9/3T5/4K4/9/9/7t1/9/", Side.DEFENDER)
    state = core_state(ruleset, position)
    assert core.perft(state, 3, 1) == core.perft(state, 3, 0)
    assert core.perft(state, 3, 1) == core.perft(state.copy(), 3, 1)
