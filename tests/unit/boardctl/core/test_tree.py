"""Games as a tree whose plies are looked up by square."""

from __future__ import annotations

import pytest

from boardctl.core.tree import Node, beside, between, common_ancestor, is_prefix, squares
from engine import Game, Side, load_variant, parse_position
from engine.squares import ALL_SQUARES, parse_square

FORK = "/9/9/4t4/4T4/2tT4t/9/7K1/9/9/"


@pytest.fixture
def root() -> Node:
    """The start of Market Hnefatafl."""
    return Node(Game.start(load_variant("market")))


def played(node: Node, *moves: str) -> Node:
    """The node after these moves."""
    for text in moves:
        node = node.play(node.game.parse(text))
    return node


def at(name: str) -> int:
    """A square."""
    return parse_square(name)


def test_the_same_ply_leads_to_the_same_node(root: Node) -> None:
    assert played(root, "e7-a7") is played(root, "e7-a7")
    assert played(root, "e7-a7").parent is root
    assert played(root, "e7-a7").depth == 1


def test_plies_by_origin_target_and_both(root: Node) -> None:
    assert [str(ply) for ply in root.plies(at("e7"), at("a7"))] == ["e7-a7"]
    assert root.plies(at("e8"), at("a8")) == ()
    assert {str(ply) for ply in root.plies_to(at("d7"))} == {"e7-d7", "d5-d7"}
    assert all(ply.from_square == at("e7") for ply in root.plies_from(at("e7")))


def test_the_pieces_of_the_side_to_move(root: Node) -> None:
    assert root.own >> at("e7") & 1
    assert not root.own >> at("e8") & 1
    assert played(root, "e7-a7").own >> at("e8") & 1


def test_a_choice_of_victim_knows_what_it_has_spared() -> None:
    game = Game.start(
        load_variant("imperial"),
        side=Side.ATTACKER,
        position=parse_position(FORK, Side.ATTACKER),
    )
    root = Node(game)
    both = root.plies(at("i5"), at("e5"))
    assert sorted(str(ply) for ply in both) == ["i5-e5xd5", "i5-e5xe4"]
    for ply in both:
        node = root.play(ply)
        assert node.spared | ply.captures == 1 << at("d5") | 1 << at("e4")
        assert not node.spared & ply.captures


def test_a_node_begun_in_mid_game_knows_its_past(root: Node) -> None:
    alone = Node(played(root, "e7-a7", "h5-h8").game)
    assert alone.parent is not None
    assert alone.parent.depth == 1
    assert alone.parent is alone.parent
    last = alone.game.last
    assert last is not None
    assert alone.parent.play(last) is alone


def test_where_two_games_part(root: Node) -> None:
    one, other = played(root, "e7-a7", "h5-h8"), played(root, "e7-a7", "h5-h9", "a7-a8")
    assert common_ancestor(one, other) is played(root, "e7-a7")
    assert common_ancestor(one, one) is one
    assert is_prefix(root, one)
    assert is_prefix(one, one)
    assert not is_prefix(one, other)
    assert not is_prefix(other, one)


def test_the_continuations_that_are_given_up(root: Node) -> None:
    kept, dropped = played(root, "e7-a7"), played(root, "e7-b7")
    root.forget_others(kept)
    assert played(root, "e7-a7") is kept
    assert played(root, "e7-b7") is not dropped


def test_sets_of_squares() -> None:
    assert squares(0) == ()
    assert squares(1 << 80 | 1 << 3) == (3, 80)
    assert beside(at("e4"), at("e5"))
    assert beside(at("d5"), at("e5"))
    assert not beside(at("i4"), at("a5"))
    assert not beside(at("e5"), at("e5"))
    assert between(at("a1"), at("d1")) == 1 << at("b1") | 1 << at("c1")
    assert between(at("e5"), at("e3")) == 1 << at("e4")
    assert between(at("e5"), at("e4")) == 0
    assert between(at("e5"), at("f3")) == ALL_SQUARES
