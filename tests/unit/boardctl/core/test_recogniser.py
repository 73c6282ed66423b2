"""The recogniser's promises to its caller; what it makes of hands is told in tests/sim."""

from __future__ import annotations

import pytest

from boardctl.core.finality import Timing
from boardctl.core.occupancy import Instant, Occupancy
from boardctl.core.reading import Situation
from boardctl.core.recogniser import Recogniser
from engine import Game, load_variant
from engine.squares import SquareSet, parse_square
from tests.support.stories import Story, squares


def start() -> Game:
    """The start of Market Hnefatafl."""
    return Game.start(load_variant("market"))


def after(*moves: str) -> Game:
    """The game after these moves."""
    game = start()
    for text in moves:
        game = game.push(game.parse(text))
    return game


def test_a_calm_board_wants_no_waking() -> None:
    game = start()
    reader = Recogniser(game, Instant(0.0))
    reading = reader.step(Occupancy(game.position.occupied), Instant(0.0))
    assert reading.situation is Situation.IN_SYNC
    reader.step(None, Instant(1.0))
    assert reader.next_deadline is None


def test_deadlines_lie_ahead_and_end() -> None:
    story = Story("market").move("e7", "a7")
    wakings = 0
    while (due := story.reader.next_deadline) is not None:
        assert due > story.now
        story.now = due
        story.reader.step(None, due)
        wakings += 1
    assert 0 < wakings < 60


def test_the_same_looks_give_the_same_readings() -> None:
    def told() -> list[tuple[str, ...]]:
        story = Story("market").move("e7", "c7").wait(0.5).move("c7", "a7").play("h5-h8")
        return story.ever_shown

    assert told() == told()


def test_a_ply_is_final_when_its_follower_has_stood() -> None:
    story = Story("market").move("e7", "a7").wait(5.0).final(0).move("h5", "h8").wait(0.8).final(0)
    story.wait(0.5).final(1).wait(30.0).final(2)


def test_the_holding_times_can_be_chosen() -> None:
    game = start()
    reader = Recogniser(game, Instant(0.0), Timing(hold_s=2.0))
    closed = int(game.position.occupied)
    reader.step(Occupancy(SquareSet(closed)), Instant(0.0))
    closed ^= squares("e7")
    reader.step(Occupancy(SquareSet(closed)), Instant(1.0))
    reader.step(Occupancy(SquareSet(closed | squares("a7"))), Instant(2.0))
    finals = []
    now = Instant(2.0)
    while (due := reader.next_deadline) is not None:
        now = due
        finals.append((now, reader.step(None, now).final))
    became = next(time for time, final in finals if final == 1)
    assert 4.0 < became < 4.5


def test_shown_plies_of_a_resumed_game_are_not_final_yet() -> None:
    game = after("e7-a7", "h5-h8")
    reader = Recogniser(game, Instant(0.0), final=1)
    board = Occupancy(game.position.occupied)
    assert reader.step(board, Instant(0.0)).final == 1
    assert reader.step(None, Instant(0.5)).final == 1
    assert reader.step(None, Instant(25.0)).final == 2
    assert Recogniser(game, Instant(0.0)).step(board, Instant(0.0)).final == 2


def test_a_shown_ply_of_a_resumed_game_has_been_carried_on_meanwhile() -> None:
    game = after("e7-c7")
    reader = Recogniser(game, Instant(0.0), final=0)
    closed = int(after("e7-a7").position.occupied)
    reader.step(Occupancy(SquareSet(closed)), Instant(0.0))
    reading = reader.step(None, Instant(1.0))
    assert [str(ply) for ply in reading.game.plies] == ["e7-a7"]


def test_a_revised_game_is_followed_from_then_on() -> None:
    story = Story("market").play("e7-a7")
    story.reader.revise(story.game, story.now)
    reading = story.reader.step(None, story.now)
    assert reading.game is story.game
    assert story.reader.next_deadline is not None
    story.wait(0.3).shows().sees(misplaced="a7", home="e7")


def test_a_board_that_is_being_set_up_is_no_game() -> None:
    story = Story("market")
    everything = story.standing
    story.standing = squares("e5 c6")
    story.restart(game=story.game).wait(2.0).shows()
    for number in range(81):
        bit = 1 << number
        if everything & bit and not story.standing & bit:
            story.standing |= bit
            story._changed().wait(0.3)
    story.lift("c6").wait(1.0).shows().sees(situation="in-sync").play("e7-a7").shows("e7-a7")


@pytest.mark.parametrize("name", ["e7", "h5", "e5"])
def test_lifting_is_told_in_the_same_step(name: str) -> None:
    game = start()
    reader = Recogniser(game, Instant(0.0))
    reader.step(Occupancy(game.position.occupied), Instant(0.0))
    bit = 1 << parse_square(name)
    reading = reader.step(Occupancy(SquareSet(game.position.occupied & ~bit)), Instant(3.0))
    assert reading.lifted == bit
