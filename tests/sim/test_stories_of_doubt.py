"""Boards that can be read in two ways: what is shown in the end, and what is not final too soon."""

from __future__ import annotations

from engine import Side
from tests.support.stories import Story

# --- a piece pushed aside, and then the true move ------------------------------------------------


def test_a_nudge_that_rattles_is_not_paid_for_again_and_again() -> None:
    """h4 takes d5, which is removed first, while a2 lies between a2 and b2 and rattles there."""
    story = Story(
        "linnaeus",
        position="/3ttt1t1/t3KT3/1T4T2/7tt/3T2T2/1t1t5/4t1t2/t2t3tt/6t2/",
        side=Side.ATTACKER,
    ).wait(4.0)
    story.put("b2").wait(0.02).lift("a2").wait(0.75).lift("h4").wait(0.64).lift("b2").wait(0.81)
    story.put("b2").wait(0.66).put("d4").wait(0.15).lift("b2").wait(0.62).lift("d4").wait(0.19)
    story.put("b2").wait(0.52).put("d4").wait(0.39).lift("d5").wait(4.91).move("b2", "a2")
    story.wait(2.0).shows("h4-d4xd5").sees(situation="in-sync").play("f2-h2")
    story.shows("h4-d4xd5", "f2-h2")


def test_a_piece_that_its_side_has_lifted_speaks_against_another_move_of_that_side() -> None:
    """e6 is pushed to e7 and seen later; f1 moves meanwhile. The switch under f5 is dead."""
    story = Story(
        "linnaeus",
        position="/4tt3/4t4/3t4T/tt5Tt/4KT1Tt/t3t2t1/9/t8/2T4tt/",
        side=Side.ATTACKER,
    ).stick("f5", closed=False)
    story.wait(40.0).lift("e6").wait(0.01).put("e7").wait(0.8).move("f1", "f4", hold_s=0.47)
    story.wait(7.4).move("e7", "e6", hold_s=0.75).wait(2.6).move("e5", "a5").wait(1.0)
    story.shows("f1-f4", "e5-a5").final(0)


def test_the_piece_just_moved_does_not_move_on_in_the_other_sides_time() -> None:
    """e4 rests on b4; then g4 takes it, b4 being removed first; then a6 is pushed aside."""
    story = Story(
        "imperial",
        position="/3ttt3/t8/8T/t3T1t2/1tTTKT1tt/t3t4/5TT2/4t4/1t1ttt3/",
        side=Side.DEFENDER,
    ).wait(2.0)
    story.slide("e4", "d4", "c4", "b4").wait(9.7).lift("g4").wait(0.45).lift("b4").wait(0.55)
    story.put("c4").wait(4.0).move("a6", "b6", hold_s=0.03).wait(7.3).move("b6", "a6", hold_s=0.04)
    story.wait(1.0).shows("e4-b4", "g4-c4xb4").sees(situation="in-sync")
    story.move("i3", "c3").wait(0.5).shows("e4-b4", "g4-c4xb4", "i3-c3xc4").sees(victims="c4")


def test_a_move_answered_by_a_capture_on_its_own_square_was_not_taken_back() -> None:
    """f5 to g5; f3 takes it from f5, where it came from. Then e5 wanders out of turn."""
    story = Story(
        "imperial",
        position="/4t3T/4t4/5t3/t3T3t/tt1tKT1tt/4t3t/9/4t4/3ttt3/",
        side=Side.ATTACKER,
    ).wait(2.0)
    story.move("b5", "b2").wait(3.3).put("g5").wait(0.01).lift("f5").wait(3.0).lift("f3").wait(0.8)
    story.lift("g5").wait(1.6).put("f5").wait(2.0).lift("e4").wait(2.1).put("e3").wait(0.9)
    story.lift("e3").wait(0.6).put("f4").wait(2.6).move("e5", "e4", hold_s=1.2).wait(5.1)
    story.move("e4", "e5", hold_s=0.95).wait(1.5).shows("b5-b2", "f5-g5", "f3-f5xg5", "e4-f4")
    story.sees(situation="in-sync")


def test_a_piece_that_went_missing_earlier_is_not_the_one_that_moves_now() -> None:
    """The switch under i7 dies; h5 goes to h7, where i7 could go, too."""
    story = Story(
        "linnaeus",
        position="/3ttt3/t3t4/6T2/4T3t/ttTTKTTtt/t3T4/4T3t/4t4/3ttt3/",
        side=Side.ATTACKER,
    ).wait(1.0)
    story.move("b5", "b1", hold_s=2.3).stick("i7", closed=False).wait(3.7)
    story.slide("c5", "c6", "c7", "c8", "c9", rest_s=0.02, gap_s=0.02).wait(2.2)
    story.move("a6", "b6", hold_s=0.02).wait(1.1).move("e7", "g7", hold_s=0.41).wait(2.4)
    story.move("h5", "h7", hold_s=0.05).wait(3.0).move("g7", "e7", hold_s=0.08).wait(1.5)
    story.shows("b5-b1", "c5-c9", "a6-b6", "e7-g7", "h5-h7", "g7-e7")


def test_a_piece_that_went_missing_earlier_does_not_move_into_the_dark() -> None:
    """The switch under i3 is dead; the first row falls silent; the other side moves out of turn."""
    story = Story(
        "market",
        position="/3tt4/4t1t2/4T3t/t3T4/t2TKT1tt/t3T4/6T1t/5t3/1t1ttt3/",
        side=Side.DEFENDER,
    ).wait(1.0)
    story.stick("i3", closed=False).wait(9.0).move("e3", "c3", hold_s=1.7).wait(1.2)
    story.unreadable("a1 b1 c1 d1 e1 f1 g1 h1 i1 a2 b2 c2 d2 e2").wait(1.4)
    story.move("g7", "g8", hold_s=0.4).wait(3.0).final(0).unreadable("").move("g8", "g7").wait(1.0)
    story.play("h5-h1").shows("e3-c3", "h5-h1")


def test_a_slide_past_a_removed_victim_is_no_exchange() -> None:
    """f9 is pushed over f8 to f7 and takes g7, which is gone already; then h5 is pushed aside."""
    story = Story(
        "linnaeus",
        position="/3tt1t2/6T1t/3T5/2T3T1t/tt2KT1t1/9/3T2Tt1/9/t2ttt2t/",
        side=Side.ATTACKER,
    ).wait(2.0)
    story.lift("g7").wait(0.4).lift("f9").wait(0.06).put("f8").wait(0.03).lift("f8").wait(0.06)
    story.put("f7").wait(3.3).move("h5", "h4", hold_s=0.09).wait(1.2).move("e5", "d5", hold_s=1.55)
    story.wait(3.0).move("h4", "h5", hold_s=0.93).wait(2.0).shows("f9-f7xg7", "e5-d5")
    story.sees(situation="in-sync")


def test_a_hasty_player_lifts_the_piece_again_that_he_has_just_moved() -> None:
    """h5 to h6; while g1 takes f5, h6 is lifted for the next move already."""
    story = Story(
        "linnaeus",
        position="/3tt4/2t6/3t5/2T1T3t/tt1TKt1tt/t2T2T1t/9/t8/3ttt3/",
        side=Side.DEFENDER,
    ).wait(2.0)
    story.slide("g6", "g5", "g4", "g3", "g2", "g1", rest_s=0.05, gap_s=0.05).wait(1.6)
    story.move("h5", "h6", hold_s=1.9).wait(0.25).lift("g1").wait(0.4).lift("h6").wait(0.1)
    story.put("g5").wait(0.3).put("h9").wait(1.6).lift("f5").wait(1.0)
    story.shows("g6-g1", "h5-h6", "g1-g5xf5", "h6-h9")


def test_a_move_stands_for_longer_than_since_another_was_taken_back() -> None:
    """e5 is on h5 for long when c5 takes it, removed first; in between d1 was pushed aside."""
    story = Story(
        "market",
        position="/3ttt3/4t2t1/5T3/7t1/t1t1K3t/9/5T3/tt7/3ttt3/",
        side=Side.DEFENDER,
    ).wait(2.0)
    story.slide("e5", "f5", "g5", "h5").wait(2.9).move("d1", "c1", hold_s=0.01).wait(8.8)
    story.move("c1", "d1", hold_s=0.01).wait(1.0).lift("h5").wait(0.8)
    story.put("d5").lift("c5").wait(0.14).put("e5").lift("d5").wait(0.12).put("f5").lift("e5")
    story.wait(0.13).put("g5").lift("f5").wait(3.0)
    story.shows("e5-h5", "c5-g5xh5")


def test_a_switch_that_is_dead_from_the_start_is_not_explained_by_moves_long_ago() -> None:
    """Nobody saw f9 leave. It could have moved and been taken unseen, but not after all others."""
    moves = (
        *("h5-h8", "e3-d3", "h8-g8", "g5-g2", "g8-g6", "e7-d7", "g6-h6", "d4-e4"),
        *("e8-h8", "e5-d5", "d9-a9", "d5-d4", "i5-d5xc5", "d3-h3", "d5-e5", "f4-h4"),
    )
    story = Story("sea-battle").stick("f9", closed=False)
    story.restart(game=story.game).wait(2.0).play(*moves).wait(2.0).shows(*moves)


def test_the_order_of_moves_made_in_the_dark_is_told_by_when_they_began() -> None:
    """The eighth and seventh rows fall silent: f1 goes to f7 first, d5 to b5, then h1 to h7."""
    dark = "c7 d7 e7 f7 g7 h7 i7 a8 b8 c8 d8 e8 f8 g8"
    story = Story(
        "linnaeus",
        position="/1t1ttt1t1/t8/9/t3T3t/t2TK1T1t/t5T2/6T2/4tT3/3ttt3/",
        side=Side.ATTACKER,
    ).wait(2.0)
    story.unreadable(dark).wait(0.4).move("f1", "f7", hold_s=1.3).wait(1.0).lift("f8").wait(1.5)
    story.move("d5", "b5", hold_s=0.5).wait(1.3).move("h1", "h7", hold_s=0.7).wait(0.5).lift("g7")
    story.wait(1.0).unreadable("").wait(0.5).shows("f1-f7xf8", "d5-b5", "h1-h7xg7")


# --- what may be final ---------------------------------------------------------------------------


def test_nothing_is_final_on_the_word_that_a_switch_has_just_broken() -> None:
    """f9 takes e6 from f6, while the switch under f3 closes for no reason: f3 is a target, too."""
    story = Story(
        "market",
        position="/3ttt3/9/4T1T2/t1T1T3t/tt2K1Ttt/3tT3t/6T2/4t4/3ttt3/",
        side=Side.ATTACKER,
    ).wait(2.0)
    story.lift("f9").wait(2.2).put("f3 f6").wait(0.95).lift("g5").wait(0.84).lift("f3").wait(0.16)
    story.put("f3").wait(0.27).put("g4").wait(9.0).final(0).lift("f3").wait(0.2).lift("e6")
    story.wait(0.34).put("f3").wait(0.6).lift("f3").wait(1.0)
    story.shows("f9-f6xe6", "g5-g4")


def test_nothing_is_final_while_a_piece_has_just_gone_astray() -> None:
    """i5 has been knocked off the board; it may be part of a story that nobody has thought of."""
    story = Story("market").play("e7-a7").lift("i5").wait(7.0).move("h5", "h8").wait(5.0)
    story.shows("e7-a7", "h5-h8").final(0).play("f5-f7").wait(12.0).final(2)


def test_moves_in_quick_succession_become_final_in_the_end() -> None:
    """Nobody ever waits until the board has been at rest, but for the end."""
    story = Story("market").wait(2.0)
    story.lift("e7").wait(0.4).lift("h5").put("a7").wait(0.2).put("h8").lift("f5").wait(0.3)
    story.lift("e8").put("f7").wait(0.2).put("a8").wait(1.5)
    story.shows("e7-a7", "h5-h8", "f5-f7", "e8-a8xa7").final(3)


def test_whose_piece_was_lifted_first_has_moved_first() -> None:
    """A chip falls silent; f5 goes to f8, b5 to b3, then d7 takes e8: the board shows no order."""
    story = Story("market", position="/9/4K4/9/9/1t3T3/9/3T5/4t4/8t/", side=Side.DEFENDER).wait(2.0)
    story.unreadable("d7 e7 f7 d8 e8 f8").wait(0.4).move("f5", "f8", hold_s=0.1).wait(2.0)
    story.move("b5", "b3", hold_s=1.8).wait(0.9).move("d7", "d8").wait(1.0).unreadable("")
    story.wait(0.4).lift("e8").wait(9.0).shows("f5-f8", "b5-b3", "d7-d8xe8")
    # the other order would have led to the same position and remains possible
    story.play("i9-i8").wait(9.0).shows("f5-f8", "b5-b3", "d7-d8xe8", "i9-i8").final(0)


def test_a_piece_may_be_carried_on_to_where_nobody_sees_it() -> None:
    """e7 rests on d7 and is carried on to b7, whose chip is silent; then play goes on."""
    story = Story("market").wait(2.0).unreadable("a7 b7 c7").wait(0.4).move("e7", "d7").wait(0.6)
    story.lift("d7").wait(0.5).put("b7").wait(2.0).play("h5-h8").wait(3.0).shows()
    story.unreadable("").wait(0.5).shows("e7-b7", "h5-h8")


def test_a_piece_is_not_felt_by_two_squares_that_are_no_neighbours() -> None:
    """i4 is knocked to i3 half a second before g3 goes to g4: g3 has not gone to i3."""
    story = Story("market", position="/9/4K4/6T2/8t/9/9/9/4t4/9/", side=Side.DEFENDER).wait(2.0)
    story.lift("i4").wait(2.9).put("i3").wait(0.5).lift("g3").wait(0.02).put("g4").wait(3.0)
    story.never_showed("g3-i3").lift("i3").wait(0.4).put("i4").wait(1.0).shows("g3-g4")


def test_two_moves_hidden_in_the_dark_are_told_as_one_but_the_reply_does_not_settle_it() -> None:
    """e3 goes to a3, and on to i3 after the reply, on a row that cannot be read meanwhile."""
    story = Story("sea-battle").wait(1.0).move("f1", "i1").wait(3.0)
    story.unreadable("h2 i2 a3 b3 c3 d3 e3 f3 g3 h3 i3 a4 b4 c4 d4 e4").wait(1.0)
    story.move("e3", "a3").wait(2.6).move("e8", "f8").wait(0.2).move("a3", "i3").wait(2.2)
    story.unreadable("").wait(1.5).shows("f1-i1", "e3-i3", "e8-f8").final(1)
    story.move("e2", "i2").wait(0.4).lift("i3").wait(5.0).final(1)


def test_a_piece_does_not_fly() -> None:
    """e9 rattles on e8 just as the king leaves c5 for c9: he has not been to e8 in no time."""
    story = Story("sea-battle", position="/8t/4t4/4T4/9/4K4/9/9/9/4t4/", side=Side.DEFENDER)
    story.wait(2.0).move("e5", "c5").wait(1.8).move("e9", "e8", hold_s=0.59).wait(0.03).lift("e8")
    story.wait(0.09).lift("c5").put("e8").wait(0.02).lift("e8").wait(0.035).put("e8").wait(0.19)
    story.put("c9").wait(1.0).shows("e5-c5", "e9-e8", "c5-c9").sees(situation="in-sync")


def test_two_ways_of_unlike_length_to_the_same_position_do_not_stop_the_telling() -> None:
    """c5 rests on c1 on its way into the dark, e8 on h8 on its way to c8: two plies or four.

    Both ways lead to the same position with the same side to move, for the same price.
    """
    dark = "a3 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g4 h4 i4"
    story = Story("imperial", side=Side.ATTACKER).play("d1-d3").wait(2.0).unreadable(dark).wait(0.6)
    story.move("c5", "c1", hold_s=0.5).wait(3.5).move("c1", "c3", hold_s=0.4).wait(0.4).lift("d3")
    story.wait(1.1).move("e8", "h8", hold_s=0.2).wait(3.6).move("h8", "c8", hold_s=0.4).wait(0.6)
    story.unreadable("").wait(3.0).sees(situation="in-sync").play("e3-d3", "b5-b6").wait(3.0)
    story.sees(situation="in-sync").final(0)
    assert story.moves[:1] + story.moves[-2:] == ["d1-d3", "e3-d3", "b5-b6"]


def test_pieces_that_nobody_saw_leaving_keep_the_plies_after_them_open() -> None:
    """Behind a silent chip e4-h4 and a4-g4xh4 are played, and both pieces have been taken since."""
    dark = "b4 c4 d4 e4 f4 g4 h4 i4 a3 b3 c3 d3 e3 f3 a4"
    story = Story("linnaeus").play("b5-b7").wait(2.0).unreadable(dark).wait(1.0).move("e4", "h4")
    story.wait(1.0).move("a4", "g4").wait(0.5).lift("h4").wait(1.0).move("e3", "g3").wait(0.5)
    story.lift("g4").wait(2.0).unreadable("").wait(30.0).play("i4-h4", "g3-c3").wait(60.0)
    story.final(0)
