"""When a ply is final, with stories made by hand."""

from __future__ import annotations

from boardctl.core.evidence import Evidence
from boardctl.core.finality import SURPRISED, Finality, Timing
from boardctl.core.hypothesis import Charge, Hypothesis
from boardctl.core.occupancy import Instant
from boardctl.core.tree import Node
from engine import Game, load_variant
from engine.squares import parse_square


def line(*moves: str) -> list[Node]:
    """The games after none of these moves, after the first, and so on."""
    nodes = [Node(Game.start(load_variant("market")))]
    for text in moves:
        game = nodes[-1].game
        ply = next(ply for ply in game.legal_plies if str(ply) == text)
        nodes.append(nodes[-1].play(ply))
    return nodes


def told(node: Node, price: float = 0.0, *, doubted: int = 0) -> Hypothesis:
    """A story that fits the board."""
    return Hypothesis(node, Instant(0.0), price, doubted=doubted)


class Plies:
    """Shows games and asks what is final; the clock is in seconds from the start."""

    def __init__(self, start: Node, *, whole: bool = True) -> None:
        self.evidence = Evidence(Instant(0.0))
        self.evidence.closed_from = list(self.evidence.closed_at)
        self.finality = Finality(start, 0, Instant(0.0), Timing(), whole=whole)

    def at(self, now: float, *stories: Hypothesis) -> int:
        """Show the first of these stories; return how many plies are final."""
        self.finality.show(stories[0].node, stories[0], self.evidence, Instant(now))
        self.finality.settle(stories, self.evidence, Instant(now))
        return self.finality.final


def test_a_ply_is_final_when_a_later_one_has_stood() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    assert [plies.at(now, told(one)) for now in (0.0, 0.3, 9.0)] == [0, 0, 0]
    assert [plies.at(now, told(two)) for now in (9.1, 9.4, 10.0, 10.1)] == [0, 0, 0, 1]


def test_a_ply_is_final_when_it_has_stood_for_long() -> None:
    start, one = line("e7-a7")
    plies = Plies(start)
    assert [plies.at(now, told(one)) for now in (0.0, 0.3, 19.9, 20.0)] == [0, 0, 0, 1]


def test_a_ply_that_was_never_at_rest_is_final_by_one_that_is() -> None:
    start, one, two, three = line("e7-a7", "h5-h8", "f5-f7")
    plies = Plies(start)
    assert [plies.at(0.0, told(one)), plies.at(0.2, told(two)), plies.at(0.4, told(three))] == [
        0
    ] * 3
    assert [plies.at(now, told(three)) for now in (0.7, 1.1, 1.3, 1.5)] == [0, 0, 1, 2]


def test_a_ply_in_the_place_of_another_must_stand_itself() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    other = start.play(next(ply for ply in start.game.legal_plies if str(ply) == "e7-c7"))
    plies = Plies(start)
    plies.at(0.0, told(other))
    plies.at(1.0, told(one))
    assert [plies.at(now, told(two)) for now in (2.0, 2.3, 5.0, 10.9, 11.0)] == [0, 0, 0, 0, 1]


def test_a_rival_keeps_a_ply_open_until_it_has_fallen_behind() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.at(0.0, told(one))
    for now in (9.0, 9.3, 29.9):
        assert plies.at(now, told(two), told(start, 5.0)) == 0
    assert plies.at(30.1, told(two), told(start, 6.0)) == 2


def test_a_rival_that_never_catches_up_does_not_keep_it_open_for_ever() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.at(0.0, told(one))
    for now in (9.0, 9.3, 180.0):
        assert plies.at(now, told(two), told(start, 5.0)) == 0
    assert plies.at(211.0, told(two), told(start, 5.0)) == 2


def test_nothing_is_final_while_nothing_explains_the_board_well() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.at(0.0, told(one))
    price = SURPRISED + 3.0
    for now in (9.0, 9.3, 11.0, 13.9):
        assert plies.at(now, told(two, price), told(start, 99.0)) == 0
    assert plies.at(14.1, told(two, price), told(start, 99.0)) == 1


def test_nothing_is_final_on_the_word_of_a_switch_that_has_just_broken() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    square = parse_square("c3")
    plies = Plies(start)
    plies.evidence.closed_at[square] = Instant(8.0)
    plies.at(0.0, told(one))
    for now in (9.0, 9.3, 27.9):
        assert plies.at(now, told(two, doubted=1 << square)) == 0
    assert plies.at(28.1, told(two, doubted=1 << square)) == 1


def test_a_landing_that_nobody_saw_makes_nothing_final() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.evidence.closed_from[parse_square("h8")] = Instant(-5.0)
    plies.at(0.0, told(one))
    assert [plies.at(now, told(two)) for now in (9.0, 9.3, 19.0, 20.0)] == [0, 0, 0, 1]


def test_a_landing_that_nobody_saw_is_not_settled_by_what_is_told_with_it() -> None:
    start, _, two, three = line("e7-a7", "h5-h8", "f5-f7")
    plies = Plies(start)
    plies.evidence.closed_from[parse_square("a7")] = Instant(-5.0)
    assert [plies.at(now, told(two)) for now in (0.0, 0.3, 1.1, 15.0)] == [0, 0, 0, 0]
    assert [plies.at(now, told(three)) for now in (15.1, 15.5, 16.0, 16.2)] == [0, 0, 0, 2]


def test_a_landing_that_nobody_saw_does_not_become_true_while_the_board_disagrees() -> None:
    start, _, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.evidence.closed_from[parse_square("a7")] = Instant(-5.0)
    assert [plies.at(now, told(two)) for now in (0.0, 0.3, 2.0)] == [0, 0, 0]
    wrong = told(two)
    wrong.extra = 1 << parse_square("c3")
    wrong.charges[parse_square("c3")] = Charge(Instant(2.1), 1.0, 4.0)
    assert [plies.at(now, wrong) for now in (2.1, 20.1, 60.0)] == [0, 0, 0]
    assert [plies.at(now, told(two)) for now in (61.0, 61.3)] == [2, 2]


def test_nothing_is_final_while_squares_have_just_gone_dark() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.at(0.0, told(one))
    plies.evidence.dark = 1 << parse_square("b2")
    for now in (9.0, 9.3, 11.0, 68.9):
        assert plies.at(now, told(two)) == 0
    assert plies.at(69.0, told(two)) == 2  # a chip that stays silent is not waited for


def test_when_squares_can_be_read_again_the_board_must_agree_anew() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    square = parse_square("b2")
    plies = Plies(start)
    plies.at(0.0, told(one))
    plies.evidence.dark = 1 << square
    assert [plies.at(now, told(two)) for now in (9.0, 9.3, 20.0)] == [0, 0, 0]
    plies.evidence.dark = 0
    wrong = told(two)
    wrong.extra = 1 << square
    wrong.charges[square] = Charge(Instant(20.1), 1.0, 4.0)
    assert [plies.at(now, wrong) for now in (20.1, 40.0)] == [0, 0]
    assert [plies.at(now, told(two)) for now in (40.1, 40.3, 40.5)] == [0, 0, 2]


def test_what_was_told_since_two_landings_were_hidden_may_be_in_another_order() -> None:
    start, one, _, _, four = line("e7-a7", "h5-h8", "f5-f7", "i6-i9")
    plies = Plies(start)
    plies.at(0.0, told(one))
    for name in ("h8", "i9"):
        plies.evidence.closed_from[parse_square(name)] = Instant(5.0)
    assert [plies.at(now, told(four)) for now in (9.0, 9.3, 60.0, 600.0)] == [0, 0, 1, 1]


def test_two_landings_hidden_at_the_moment_they_are_told_are_in_order() -> None:
    """Two switches that flicker both close just then: nothing was told since the first of them."""
    start, _, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.evidence.flaky = 1 << parse_square("a7") | 1 << parse_square("h8")
    assert [plies.at(now, told(two)) for now in (0.0, 0.3, 19.9, 20.0)] == [0, 0, 0, 2]


def test_nothing_is_final_before_the_board_has_been_seen_whole() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    lacking = told(two)
    lacking.missing = 1 << parse_square("e4")
    lacking.charges[parse_square("e4")] = Charge(Instant(-60.0), 1.0, 4.0)
    plies = Plies(start, whole=False)
    plies.at(0.0, told(one))
    for now in (9.0, 9.3, 60.0):
        assert plies.at(now, lacking) == 0
    assert plies.at(61.0, told(two)) == 2


def test_a_ply_that_is_taken_back_is_not_final_any_more() -> None:
    start, one = line("e7-a7")
    plies = Plies(start)
    assert [plies.at(now, told(one)) for now in (0.0, 0.3, 21.0)] == [0, 0, 1]
    assert plies.at(30.0, told(start)) == 0


def test_every_change_by_waiting_comes_at_a_deadline() -> None:
    start, one, two = line("e7-a7", "h5-h8")
    plies = Plies(start)
    plies.at(0.0, told(one))
    plies.at(9.0, told(two, SURPRISED + 3.0))
    now, final = 9.0, []
    for _ in range(30):
        best = told(two, SURPRISED + 3.0)
        due = plies.finality.deadlines(best, plies.evidence, Instant(now))
        now = min((time for time in due if time > now), default=999.0)
        final.append(plies.at(now, best))
    assert now == 999.0
    assert sorted(set(final)) == [0, 1, 2]


def test_another_way_to_the_same_position_keeps_open_what_the_two_do_not_share() -> None:
    start, one, two, three = line("e7-a7", "h5-h8", "f5-f7")
    other = one.play(next(ply for ply in one.game.legal_plies if ply != two.game.last))
    finals = {}
    for dearer in (4.0, 6.0):
        plies = Plies(start)
        disputed = told(three)
        disputed.dispute(other, dearer)
        finals[dearer] = [plies.at(now, disputed) for now in (0.0, 0.3, 20.0, 200.0)]
    assert finals == {4.0: [0, 0, 1, 3], 6.0: [0, 0, 3, 3]}
