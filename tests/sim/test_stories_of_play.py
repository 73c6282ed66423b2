"""What hands do at a board, told as stories: ordinary play and its hesitations."""

from __future__ import annotations

from engine import Side
from tests.support.stories import Story


def test_a_move_is_shown_when_the_piece_has_landed() -> None:
    story = Story("market").wait(1.0).lift("e7")
    story.sees(situation="in-hand", lifted="e7").wait(2.0).put("a7")
    story.wait(0.3).shows("e7-a7").sees(situation="in-sync", lifted="", missing="", extra="")


def test_a_lifted_piece_is_told_at_the_very_same_look() -> None:
    story = Story("market").wait(5.0).lift("c5")
    assert story.reading.lifted
    story.sees(situation="in-hand", lifted="c5")


def test_a_piece_that_is_put_back_is_no_move() -> None:
    story = Story("market").move("e7", "e7", hold_s=6.0).wait(3.0)
    story.shows().sees(situation="in-sync").never_showed("e7-f7")


def test_a_piece_pushed_without_a_rest_shows_no_move_on_the_way() -> None:
    story = Story("market").slide("e7", "d7", "c7", "b7", "a7").wait(0.3)
    story.shows("e7-a7").never_showed("e7-d7").never_showed("e7-c7")


def test_a_rest_on_the_way_is_shown_and_revised() -> None:
    story = Story("market").lift("e7").wait(0.1).put("d7").wait(0.8).shows("e7-d7")
    story.slide("d7", "c7", "b7").wait(0.3).shows("e7-b7")
    story.wait(30.0).final(1).shows("e7-b7")


def test_the_target_closes_before_the_origin_opens() -> None:
    story = Story("market").put("d7").wait(0.15).shows().lift("e7").wait(0.3)
    story.shows("e7-d7").sees(situation="in-sync")


def test_chatter_at_lifting_and_landing_changes_nothing() -> None:
    story = Story("market").lift("e7").wait(0.01).put("e7").wait(0.02).lift("e7").wait(0.5)
    for _ in range(3):
        story.put("g7").wait(0.015).lift("g7").wait(0.02)
    story.put("g7").wait(0.3).shows("e7-g7").sees(situation="in-sync")


def test_victims_are_told_until_they_are_gone() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(0.3)
    story.shows("e4-d4", "i4-e4xe3").sees(situation="remove-captured", victims="e3")
    story.lift("e3").wait(0.3).sees(situation="in-sync", victims="")


def test_a_victim_may_be_removed_before_the_mover_is_lifted() -> None:
    story = Story("market").play("e4-d4").lift("e3").wait(0.8).move("i4", "e4").wait(0.3)
    story.shows("e4-d4", "i4-e4xe3").sees(situation="in-sync", victims="")


def test_a_victim_may_be_removed_while_the_mover_is_in_the_hand() -> None:
    story = Story("market").play("e4-d4").lift("i4").wait(0.4).lift("e3").wait(0.4)
    story.sees(lifted="e3 i4").put("e4").wait(0.3)
    story.shows("e4-d4", "i4-e4xe3").sees(situation="in-sync")


def test_a_forgotten_victim_does_not_stop_play() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(3.0)
    story.move("d5", "d7").wait(0.5).shows("e4-d4", "i4-e4xe3", "d5-d7").sees(victims="e3")
    story.play("a4-b4").lift("e3").wait(0.5)
    story.sees(situation="in-sync", victims="").shows("e4-d4", "i4-e4xe3", "d5-d7", "a4-b4")


NARROW = "/9/4t4/4T1T2/8t/9/9/2K6/9/9/"
"""The attacker on i4 takes e3 by going to e4; the defender on g3 can then go to e3."""


def test_the_next_piece_lands_where_the_victim_has_just_stood() -> None:
    story = Story("market", position=NARROW, side=Side.ATTACKER).move("i4", "e4").wait(0.3)
    story.lift("e3").wait(0.25).move("g3", "e3", hold_s=0.2).wait(0.4)
    story.shows("i4-e4xe3", "g3-e3").sees(situation="in-sync", victims="")


def test_a_victim_that_still_stands_is_no_piece_that_has_just_come() -> None:
    story = Story("market", position=NARROW, side=Side.ATTACKER).move("i4", "e4").wait(0.3)
    story.lift("g3").wait(2.0).shows("i4-e4xe3").sees(lifted="g3", victims="e3").lift("e3")
    story.wait(0.3).put("e3").wait(0.4).shows("i4-e4xe3", "g3-e3").sees(lifted="", victims="")


def test_a_victim_put_back_for_a_moment_is_no_new_piece() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(0.5)
    story.lift("e3").wait(0.3).put("e3").wait(0.6).lift("e3").wait(0.5)
    story.shows("e4-d4", "i4-e4xe3").sees(situation="in-sync")


def test_the_last_move_is_taken_back_by_hand() -> None:
    story = Story("market").play("e7-a7").wait(1.0).move("a7", "e7").wait(0.4)
    story.shows().sees(situation="in-sync").move("c5", "c8").wait(0.4).shows("c5-c8")


def test_moves_are_taken_back_one_after_the_other() -> None:
    story = Story("market").play("e7-a7", "h5-h8", "f5-f7").wait(1.0)
    story.move("f7", "f5").wait(0.5).shows("e7-a7", "h5-h8")
    story.move("h8", "h5").wait(0.5).shows("e7-a7").move("a7", "e7").wait(0.5).shows()


def test_a_final_move_can_be_taken_back_too() -> None:
    story = Story("market").play("e7-a7").wait(30.0).final(1).move("a7", "e7").wait(0.5)
    story.shows().final(0)


def test_a_capture_is_taken_back_with_its_victim() -> None:
    story = Story("market").play("e4-d4", "i4-e4xe3").wait(2.0).move("e4", "i4").wait(0.4)
    story.shows("e4-d4").sees(lifted="e3").put("e3").wait(0.4).sees(situation="in-sync")


def test_a_victims_square_is_taken_by_the_next_piece_and_the_taker_moves_on() -> None:
    # Carried on from e6 to d6, with its victim back on i5 and h5 in a hand: that fits as well.
    position = "/9/1K7/9/8t/7TT/4t4/9/9/9/"
    story = Story("market", position=position, side=Side.ATTACKER).wait(1.0)
    story.move("e6", "i6", hold_s=0.06).wait(0.4).lift("i5").wait(0.46).move("h5", "i5", hold_s=0.1)
    story.wait(0.3).move("i6", "d6", hold_s=0.1).wait(0.3)
    story.shows("e6-i6xi5", "h5-i5", "i6-d6").never_showed("e6-d6")


def test_a_taker_moves_on_as_soon_as_the_next_piece_has_landed_beside_it() -> None:
    # d1-d5, with d8 back in its place and e5 in a hand, fits until d8 closes.
    story = Story("linnaeus", position="/3t5/9/9/9/4K4/9/9/3T5/3t5/", side=Side.ATTACKER).wait(1.0)
    story.move("d1", "d7").wait(0.5).lift("d8").wait(0.7).move("e5", "d5", hold_s=0.15).wait(0.28)
    story.move("d7", "d8", hold_s=0.06).wait(0.3)
    story.shows("d1-d7xd8", "e5-d5", "d7-d8").never_showed("d1-d5")


def test_a_piece_is_carried_on_before_the_opponent_acts() -> None:
    Story("market").play("e7-c7").wait(2.0).move("c7", "a7").wait(0.4).shows("e7-a7")


def test_a_piece_is_carried_on_to_another_line() -> None:
    story = Story("market").move("e4", "d4").wait(2.0).move("d4", "f4").wait(0.4)
    story.shows("e4-f4").sees(situation="in-sync")


def test_the_opponent_lifts_before_the_landing() -> None:
    story = Story("market").lift("e7").wait(0.5).lift("h5").wait(0.2).put("a7").wait(0.3)
    story.shows("e7-a7").sees(lifted="h5").put("h8").wait(0.3).shows("e7-a7", "h5-h8")


def test_two_plies_within_a_quarter_of_a_second() -> None:
    story = Story("market").lift("e7").wait(0.3).lift("h5").put("a7").wait(0.12).put("h8")
    story.wait(0.5).shows("e7-a7", "h5-h8")


def test_a_reply_lands_just_before_the_move_that_it_answers() -> None:
    for early_s in (0.02, 0.1, 0.3):
        story = Story("market").lift("e7").wait(0.1).lift("h5").wait(0.3)
        story.put("h8").wait(early_s).put("a7").wait(1.0)
        story.shows("e7-a7", "h5-h8").sees(situation="in-sync").play("a7-a8", "h8-h7")
        story.shows("e7-a7", "h5-h8", "a7-a8", "h8-h7")


def test_a_move_out_of_turn_is_no_reply_to_a_later_one() -> None:
    story = Story("market").move("h5", "h8").wait(0.8).move("e7", "a7").wait(2.0)
    story.shows("e7-a7").sees(misplaced="h8", home="h5")


def test_pieces_moved_to_and_fro_are_plies_and_no_take_back() -> None:
    story = Story("market").play("e7-a7", "h5-h8", "a7-e7", "h8-h5").wait(0.5)
    story.shows("e7-a7", "h5-h8", "a7-e7", "h8-h5").sees(situation="in-sync")


def test_the_king_reaches_the_edge() -> None:
    story = Story("market", position="/9/9/9/9/t3K3t/9/9/9/9/", side=Side.DEFENDER)
    story.slide("e5", "e6", "e7", "e8", "e9").wait(0.5).shows("e5-e9")
    assert story.reading.game.outcome is not None
    assert story.reading.settled_at is not None


def test_the_king_passing_an_edge_square_has_not_landed_there() -> None:
    story = Story("market", position="/9/9/9/9/t7t/9/9/4K4/9/", side=Side.DEFENDER)
    story.lift("e8").wait(0.3).put("e9").wait(0.05).lift("e9").wait(0.2).put("e8").wait(0.5)
    story.shows().never_showed("e8-e9")
