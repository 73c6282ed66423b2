"""What a board says after a power cut, told as stories: final plies stay, unseen ones do not."""

from __future__ import annotations

import pytest

from engine import Side
from tests.support.stories import Story, squares

REST_S = 25.0
"""After so long a ply has become final by standing."""


def cut(*moves: str) -> Story:
    """A game of Market Hnefatafl whose plies are final."""
    return Story("market").play(*moves).wait(REST_S).final(len(moves))


# --- what was final stays ------------------------------------------------------------------------


@pytest.mark.parametrize("found", ["c7", "e7"])
def test_a_final_ply_is_not_undone_by_what_nobody_saw(found: str) -> None:
    story = cut("e7-a7")
    story.left(story.standing ^ squares("a7") ^ squares(found)).wait(1.0)
    story.shows("e7-a7").final(1).sees(situation="mismatch", extra=found)
    story.lift(found).wait(0.5).put("a7").wait(0.5)
    story.shows("e7-a7").final(1).sees(situation="in-sync")


def test_a_final_ply_is_taken_back_by_a_hand_that_is_seen() -> None:
    cut("e7-a7").restart().wait(1.0).move("a7", "e7").wait(0.5).shows().sees(situation="in-sync")


def test_two_unseen_plies_are_not_a_final_one_carried_on() -> None:
    # d9-d7 is final. Unseen: e6-c6, then d7-d6 takes it; a piece carried from d9 on to d6 and
    # another in a hand would leave the same board.
    position = "/7t1/4tt3/t5T2/5t3/t3K2tt/tt2T3t/4T4/4t4/3tt4/"
    story = Story("imperial", position=position, side=Side.ATTACKER)
    story.play("d9-d7").wait(REST_S).final(1).dark("e6-c6", "d7-d6xc6").wait(1.0)
    story.shows("d9-d7", "e6-c6", "d7-d6xc6").sees(situation="in-sync")
    story.never_showed("d9-d6")


# --- what was open may still be carried on -------------------------------------------------------


def test_an_open_ply_is_carried_on_and_answered_without_power() -> None:
    # The power goes while the piece from d9 rests on d8, on its way to d5.
    position = "/3ttt3/4t4/3T5/t2TT3t/ttT1KT2t/t3T3t/4T2t1/4t4/3ttt3/"
    story = Story("imperial", position=position, side=Side.ATTACKER)
    story.move("d9", "d8").wait(0.5).shows("d9-d8").final(0)
    game = story.game
    for text in ("d9-d5xc5", "e6-d6xd5"):
        game = game.push(game.parse(text))
    story.left(int(game.position.occupied)).wait(1.0)
    story.shows("d9-d5xc5", "e6-d6xd5").sees(situation="in-sync")


def test_all_plies_that_were_open_become_final_again() -> None:
    story = Story("market").play("e7-a7", "h5-h8", "f5-f8")
    story.restart(final=0).wait(0.5).shows("e7-a7", "h5-h8", "f5-f8").final(0)
    story.wait(1.0).final(2).wait(REST_S).final(3)


# --- what nobody saw is doubted ------------------------------------------------------------------


def test_a_step_whose_piece_was_taken_from_the_square_it_left() -> None:
    # Unseen: e3-e2, then h3-e3 takes it. All that has changed is that h3 is empty.
    position = "/3ttt3/t8/4T2t1/t3T1T1t/ttTTKT2t/t3T3t/4T4/4t4/3ttt3/"
    story = Story("linnaeus", position=position, side=Side.DEFENDER).wait(1.0)
    story.dark("e3-e2", "h3-e3xe2").wait(1.0)
    story.shows("e3-e2", "h3-e3xe2").sees(situation="in-sync")


def test_unseen_plies_are_final_only_with_one_that_was_seen() -> None:
    story = cut("e7-a7").dark("h5-h8", "f5-f8").wait(5.0).shows("e7-a7", "h5-h8", "f5-f8").final(1)
    story.play("i4-f4").wait(1.5).final(3)


def test_nothing_is_final_while_a_piece_is_lost_that_stood_before_the_cut() -> None:
    story = cut("e7-a7")
    story.left(story.standing ^ squares("e1")).wait(10.0).play("h5-h8", "f5-f8").wait(REST_S)
    story.shows("e7-a7", "h5-h8", "f5-f8").final(1)
    story.put("e1").wait(1.0).final(3)


def test_a_piece_held_before_the_light_came_back_stays_unlikely() -> None:
    # Unseen: i4-d4, then e5-e4 takes it. A king that was in a hand and is now put on c5 would
    # explain the next ply, b5-c5, too.
    position = "/3t3t1/8t/2t6/2T5t/tt2KT1t1/6t1t/T8/4tt3/3t1tt2/"
    story = Story("market", position=position, side=Side.ATTACKER).wait(1.0)
    story.dark("i4-d4", "e5-e4xd4").wait(0.2).lift("b5").wait(0.3).put("c5").wait(0.3)
    assert story.moves[:2] == ["i4-d4", "e5-e4xd4"]
    story.never_showed("e5-c5")


def test_a_piece_that_lands_now_landed_after_those_that_stood_before() -> None:
    # Unseen: f9-f6, then e7-f7 takes it. f9-f8 could be put before e7-f7, but f8 closes only now.
    story = Story("linnaeus", side=Side.ATTACKER).play("a4-a3", "g5-g6").wait(REST_S)
    story.dark("f9-f6", "e7-f7xf6").wait(0.15).lift("e8").wait(0.15).put("f8").wait(0.5)
    story.shows("a4-a3", "g5-g6", "f9-f6", "e7-f7xf6", "e8-f8").never_showed("f9-f8")
    rivals = [rival.node.game.plies for rival in story.reader._stories]
    assert ["f9-f8", "e7-f7"] not in [[str(ply) for ply in plies[2:4]] for plies in rivals]
