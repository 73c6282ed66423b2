"""What goes wrong at a board, told as stories: mistakes, mishaps, bad switches, lost power."""

from __future__ import annotations

from boardctl.core.reading import Disbelief
from engine import Side
from engine.squares import square_name
from tests.support.stories import Story


def reasons(story: Story) -> dict[str, Disbelief]:
    """Why which square is not believed."""
    return {square_name(square): why for square, why in story.reading.disbeliefs}


# --- mistakes ----------------------------------------------------------------------------------


def test_a_move_out_of_turn_is_told_and_not_recorded() -> None:
    story = Story("market").move("h5", "h8").wait(0.3)
    story.shows().sees(situation="mismatch", extra="h8", misplaced="h8", home="h5")
    story.move("h8", "h5").wait(0.4).shows().sees(situation="in-sync").never_showed("h5-h8")


def test_a_move_out_of_turn_is_not_explained_by_invented_moves() -> None:
    story = Story("market").play("e7-a7").wait(1.0).move("c5", "c8").wait(8.0)
    story.shows("e7-a7").sees(misplaced="c8").move("c8", "c5").wait(0.4)
    story.play("h5-h8").shows("e7-a7", "h5-h8")


def test_an_illegal_square_is_told_at_once() -> None:
    story = Story("market").move("e7", "d8").wait(0.25)
    story.shows().sees(situation="mismatch", misplaced="d8", home="e7")
    story.move("d8", "d7").wait(0.4).shows("e7-d7").sees(situation="in-sync", home="")


def test_the_right_side_moves_while_a_wrong_piece_stands() -> None:
    story = Story("market").move("h5", "h8").wait(1.5).move("e7", "a7").wait(0.8)
    story.shows("e7-a7").sees(misplaced="h8").move("h8", "h5").wait(0.5)
    story.shows("e7-a7").sees(situation="in-sync").move("h5", "h8").wait(0.4)
    story.shows("e7-a7", "h5-h8")


def test_adjusting_the_opponents_piece_while_moving() -> None:
    story = Story("market").lift("e7").wait(0.5).lift("e8").wait(0.4).sees(lifted="e7 e8")
    story.put("e8").wait(0.3).put("c7").wait(0.4).shows("e7-c7").sees(situation="in-sync")


def test_a_wrong_piece_taken_off_comes_back() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(0.6).lift("e6").wait(1.5)
    story.sees(lifted="e6", victims="e3").put("e6").wait(0.5).lift("e3").wait(0.5)
    story.shows("e4-d4", "i4-e4xe3").sees(situation="in-sync")


# --- mishaps -----------------------------------------------------------------------------------


def test_a_sleeve_sweeps_three_pieces() -> None:
    story = Story("market").play("e7-a7").wait(1.0).lift("e8").wait(0.1).lift("e9 d9").wait(3.0)
    story.sees(situation="mismatch", missing="d9 e8 e9").put("e9").wait(1.0).put("d9").wait(1.0)
    story.put("e8").wait(0.5).shows("e7-a7").sees(situation="in-sync").play("h5-h8")
    story.shows("e7-a7", "h5-h8")


def test_pieces_swept_away_do_not_take_the_last_move_back() -> None:
    story = Story("market").play("e7-a7", "h5-h8").wait(2.0).lift("d9 e9 f9 e8").wait(10.0)
    story.shows("e7-a7", "h5-h8").sees(missing="d9 e8 e9 f9", extra="")
    for square in ("e8", "d9", "f9", "e9"):
        story.put(square).wait(1.0)
    story.shows("e7-a7", "h5-h8").sees(situation="in-sync").play("a7-a8")
    story.shows("e7-a7", "h5-h8", "a7-a8")


def test_pieces_cleared_off_one_by_one_do_not_take_the_last_move_back() -> None:
    story = Story("market").play("e7-a7", "h5-h8").wait(2.0)
    for square in ("a4", "a5", "a6", "b5", "c5", "d1", "d5"):
        story.lift(square).wait(0.3)
    story.shows("e7-a7", "h5-h8").sees(extra="")


def test_a_swept_piece_is_first_set_up_on_a_wrong_square() -> None:
    story = Story("market").lift("e6 e7").wait(4.0).put("e7").wait(1.0).put("f6").wait(4.0)
    story.move("f6", "e6").wait(0.5).shows().sees(situation="in-sync").final(0)


def test_a_piece_falls_under_the_table() -> None:
    story = Story("market").play("e7-a7").lift("i5").wait(13.0).sees(missing="i5")
    story.put("i5").wait(0.4).shows("e7-a7").sees(situation="in-sync", missing="")


def test_a_nudge_is_shown_and_taken_back_but_never_final() -> None:
    story = Story("market").wait(2.0).slide("e7", "f7").wait(9.0).final(0)
    story.slide("f7", "e7").wait(0.5).shows().sees(situation="in-sync")


def test_a_nudge_that_nobody_sees_before_the_next_move() -> None:
    story = Story("market").play("e7-a7").wait(1.0).slide("d5", "d4").wait(1.0)
    story.move("h5", "h8").wait(1.0).shows("e7-a7", "h5-h8").move("d4", "d5").wait(1.0)
    story.shows("e7-a7", "h5-h8").sees(situation="in-sync")


def test_a_knocked_board_is_played_on_when_it_is_set_up_again() -> None:
    story = Story("market").play("e7-a7", "h5-h8").wait(5.0)
    lost = "c5 d5 e5 f5 g5 e6 e4 e3 a5 b5"
    story.lift(lost).put("c3 c4 f3 f4").wait(20.0).sees(situation="mismatch")
    story.lift("c3 c4 f3 f4").wait(2.0)
    for square in lost.split():
        story.put(square).wait(1.0)
    story.shows("e7-a7", "h5-h8").sees(situation="in-sync").play("a7-a8").shows(
        "e7-a7", "h5-h8", "a7-a8"
    )


def test_the_operator_takes_a_move_back_and_the_piece_is_led_home() -> None:
    story = Story("market").play("e7-a7", "h5-h8").wait(3.0).undo().wait(1.0)
    story.shows("e7-a7").sees(situation="mismatch", misplaced="h8", home="h5")
    story.move("h8", "h5").wait(0.5).sees(situation="in-sync").play("h5-h6")
    story.shows("e7-a7", "h5-h6")


# --- Imperial Contest: one victim a move -----------------------------------------------------

FORK = "/9/9/4t4/4T4/2tT4t/9/7K1/9/9/"
"""An attacker from i5 to e5 closes traps around e4 (with e3) and d5 (with c5)."""


def test_two_traps_wait_for_a_choice_and_lifting_one_chooses() -> None:
    story = Story("imperial", position=FORK, side=Side.ATTACKER).move("i5", "e5").wait(0.5)
    story.shows().pends("i5-e5").sees(situation="choose-victim", choices="d5 e4")
    story.lift("d5").wait(0.4).shows("i5-e5xd5").pends(None).sees(situation="in-sync")


def test_a_victim_lifted_first_is_the_choice() -> None:
    story = Story("imperial", position=FORK, side=Side.ATTACKER).lift("e4").wait(0.6)
    story.move("i5", "e5").wait(0.5).shows("i5-e5xe4").pends(None).sees(situation="in-sync")


def test_another_choice_is_made_after_all() -> None:
    story = Story("imperial", position=FORK, side=Side.ATTACKER).move("i5", "e5").wait(0.5)
    story.lift("d5").wait(0.5).shows("i5-e5xd5").put("d5").wait(0.6).lift("e4").wait(0.8)
    story.shows("i5-e5xe4").sees(situation="in-sync")


def test_a_choice_is_never_final_before_it_is_made() -> None:
    story = Story("imperial", position=FORK, side=Side.ATTACKER).move("i5", "e5").wait(60.0)
    story.final(0).shows().pends("i5-e5").lift("e4").wait(0.4).shows("i5-e5xe4")


# --- bad switches ------------------------------------------------------------------------------


def test_an_empty_square_stuck_closed_is_named_and_play_goes_on() -> None:
    story = Story("market").play("e7-a7").stick("c3", closed=True).wait(2.0)
    assert reasons(story) == {"c3": Disbelief.STUCK_CLOSED}
    story.play("h5-h8", "f5-f7").shows("e7-a7", "h5-h8", "f5-f7").sees(situation="in-sync")
    story.mend("c3").wait(1.0).sees(unknown="")


def test_a_piece_above_a_switch_stuck_open_is_given_up_and_play_goes_on() -> None:
    story = Story("market").stick("i4", closed=False).wait(6.0)
    story.play("e7-a7", "h5-h8", "f5-f7").wait(12.0)
    story.shows("e7-a7", "h5-h8", "f5-f7").sees(missing="", extra="")
    assert reasons(story) == {"i4": Disbelief.STUCK_OPEN}


def test_a_piece_leaves_a_switch_that_stays_closed() -> None:
    story = Story("market").stick("e7", closed=True).wait(1.0).move("e7", "a7").wait(2.5)
    assert story.reading.unknown  # e7 or a7 is bad: nobody can tell yet
    story.play("h5-h8").shows("e7-a7", "h5-h8").sees(unknown="e7")


def test_a_flickering_square_is_named_and_makes_no_move() -> None:
    story = Story("market").play("e7-a7")
    for _ in range(4):
        story.stick("h6", closed=True).wait(0.7).mend("h6").wait(0.6)
    assert reasons(story) == {"h6": Disbelief.FLICKERS}
    story.lift("h5").wait(0.4).stick("h6", closed=True).wait(0.5).mend("h6").wait(0.2)
    story.put("h8").wait(0.5).shows("e7-a7", "h5-h8").never_showed("h5-h6")


def test_one_failed_read_says_nothing() -> None:
    story = Story("market").play("e7-a7").wait(1.0)
    before = story.reading
    story.unreadable("a7 b7 c7").wait(0.01).unreadable("").wait(0.5)
    story.shows("e7-a7")
    assert before.unknown == story.reading.unknown == 0


DARK = "b4 c4 d4 e4 f4 g4 h4 i4 a5 b5 c5 d5 e5 f5"


def test_play_goes_on_beside_a_chip_that_is_out() -> None:
    story = Story("market").unreadable(DARK).wait(1.0).play("e7-a7", "h5-h8").wait(0.5)
    story.shows("e7-a7", "h5-h8").sees(situation="in-sync")
    story.unreadable("").wait(1.0).shows("e7-a7", "h5-h8").sees(unknown="")


def test_a_piece_that_lands_in_the_dark_is_named_when_the_light_returns() -> None:
    story = Story("market").unreadable(DARK).wait(1.0).move("e3", "d3").wait(1.0).play("h5-h8")
    story.move("d3", "d4").wait(3.0).unreadable("").wait(0.5)
    assert story.moves == ["e3-d3", "h5-h8", "d3-d4"]


def test_a_move_wholly_in_the_dark_is_found_when_the_light_returns() -> None:
    story = Story("market").play("e7-a7", "h5-h8").wait(1.0).unreadable(DARK).wait(2.0)
    story.move("c5", "c4").wait(1.0).play("i6-h6").wait(2.0).unreadable("").wait(0.7)
    story.shows("e7-a7", "h5-h8", "c5-c4", "i6-h6").sees(situation="in-sync")


# --- lost power --------------------------------------------------------------------------------


def test_the_power_returns_while_a_piece_is_in_the_hand() -> None:
    story = Story("market").play("e7-a7").wait(30.0).lift("h5").restart().wait(1.0)
    story.shows("e7-a7").put("h8").wait(0.5).shows("e7-a7", "h5-h8").sees(situation="in-sync")


def test_the_power_returns_with_a_victim_still_standing() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(30.0).final(2).restart().wait(1.0)
    story.shows("e4-d4", "i4-e4xe3").lift("e3").wait(0.5).shows("e4-d4", "i4-e4xe3")
    story.sees(situation="in-sync").play("d5-d7")
    story.shows("e4-d4", "i4-e4xe3", "d5-d7")


def test_the_power_returns_and_the_victim_is_still_asked_for() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(30.0).restart().wait(1.5)
    story.sees(situation="remove-captured", victims="e3", unknown="").play("d4-d3")
    story.sees(victims="e3", unknown="").lift("e3").wait(0.5)
    story.shows("e4-d4", "i4-e4xe3", "d4-d3").sees(situation="in-sync", unknown="")


def test_a_victim_was_taken_off_and_its_square_used_while_the_power_was_off() -> None:
    story = Story("market").play("e4-d4").move("i4", "e4").wait(30.0).dark("d4-d3", "e2-e3")
    story.wait(1.0).shows("e4-d4", "i4-e4xe3", "d4-d3", "e2-e3").sees(victims="", extra="")


def test_two_plies_were_made_while_the_power_was_off() -> None:
    story = Story("market").play("e7-a7", "h5-h8")
    story.restart(game=story.game).wait(1.0).shows("e7-a7", "h5-h8").sees(situation="in-sync")


def test_the_first_of_two_unseen_plies_was_taken_by_the_second() -> None:
    # The attackers' a4-d4 stops between d3 and d5; the defenders' g3-d3 then takes it.
    position = "/9/9/6T2/t8/3T5/9/9/1K7/8t/"
    story = Story("market", position=position, side=Side.ATTACKER).wait(1.0)
    game = story.game
    for text in ("a4-d4", "g3-d3"):
        game = game.push(game.parse(text))
    story.standing = int(game.position.occupied)
    story.restart(game=story.game).wait(1.0).shows("a4-d4", "g3-d3xd4").sees(situation="in-sync")


def test_a_piece_refilled_the_square_that_another_had_left_unseen() -> None:
    position = "/9/9/9/8t/9/8T/9/1K7/9/"
    story = Story("market", position=position, side=Side.ATTACKER).wait(1.0)
    game = story.game
    for text in ("i4-g4", "i6-i4"):
        game = game.push(game.parse(text))
    story.standing = int(game.position.occupied)
    story.restart(game=story.game).wait(1.0).shows("i4-g4", "i6-i4")


def test_the_power_was_off_while_one_side_moved_and_a_piece_fell() -> None:
    story = Story("market").play("e7-a7").wait(30.0).final(1).lift("h5").put("h8").lift("e2")
    story.restart().wait(1.0).shows("e7-a7", "h5-h8").put("e2").wait(0.5).sees(situation="in-sync")


def test_the_lost_plies_hide_each_other() -> None:
    # The attackers' h7-e7 takes e6 between e7 and e5; the defenders' c6-e6 then takes e7.
    position = "/9/9/9/9/4t4/2T1T4/7t1/1K2T4/9/"
    story = Story("market", position=position, side=Side.ATTACKER).wait(1.0)
    game = story.game
    game = game.push(game.parse("h7-e7"))
    game = game.push(game.parse("c6-e6"))
    wanted = [str(ply) for ply in game.plies]
    story.standing = int(game.position.occupied)
    story.restart(game=story.game).wait(1.0)
    assert story.moves == wanted == ["h7-e7xe6", "c6-e6xe7"]
