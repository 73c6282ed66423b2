"""How a reader is judged, shown with readers whose faults are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from boardctl.simulate import Recording, record
from boardctl.simulate.measure import Followed, follow
from boardctl.simulate.score import expand, percentile, summarise, wilson
from engine.squares import NO_SQUARES, SquareSet
from hardware.cells import Frame, Instant
from hardware.mock.effects import only

if TYPE_CHECKING:
    from engine import Game, Ply

RECORDING = record("market", "S0", 1)


class Oracle:
    """Knows the truth and shows it `delay_s` after each landing, with one fault to order."""

    def __init__(
        self, recording: Recording, game: Game, now: Instant, *, delay_s: float, fault: str
    ) -> None:
        self._recording = recording
        self._delay_s = delay_s
        self._fault = fault
        self.game = game
        self.final = game.ply_count
        self.alarm = False
        self.lifted = NO_SQUARES
        self.resumed: int | None = None
        self._now = now
        self._corrected = False

    @property
    def next_deadline(self) -> Instant | None:
        return Instant(self._now + 0.01)

    def step(self, frame: Frame, now: Instant) -> None:
        self._now = now
        plies = self._recording.truth.plies
        number = self.game.ply_count
        lost = self._fault == "wrong" and number > 4 and not self._corrected
        if not lost and number < len(plies) and plies[number].landed_at + self._delay_s <= now:
            self.game = self.game.push(self._next(plies[number].ply))
        elif self._fault == "hasty" and number == 3 and self.game.last != plies[2].ply:
            assert self.game.parent is not None
            self.game = self.game.parent.push(plies[2].ply)
        self.final = max(0, self.game.ply_count - 1 + (self._fault == "wrong"))
        self.alarm = self._fault == "alarm" and 3.0 < now < 5.0
        self.lifted = SquareSet(~frame.closed & self._recording.start.position.occupied)

    def _next(self, true: Ply) -> Ply:
        wrong = self._fault == "wrong" and self.game.ply_count == 4 and not self._corrected
        if wrong or (self._fault == "hasty" and self.game.ply_count == 2):
            return next(other for other in self.game.legal_plies if other != true)
        return true

    def survivor(self, frame: Frame) -> Game:
        assert frame
        return self.game.parent or self.game

    def resume(self, final: int, now: Instant) -> None:
        self._now = now
        self.resumed = final

    def correct(self, game: Game, now: Instant) -> None:
        self._now = now
        self.game = game
        self._corrected = True


def judged(*, delay_s: float = 0.1, fault: str = "", recording: Recording = RECORDING) -> Followed:
    def make(game: Game, now: Instant) -> Oracle:
        return Oracle(recording, game, now, delay_s=delay_s, fault=fault)

    return follow(recording, make)


def test_whoever_knows_the_truth_follows_it() -> None:
    result = judged()
    assert result.exact
    assert result.right == result.plies == len(RECORDING.truth.plies)
    assert (result.revised, result.wrong_final, result.false_alarms, result.help) == (0, 0, 0, 0)


def test_latency_is_measured_from_the_landing() -> None:
    result = judged(delay_s=0.1)
    assert len(result.latencies_s) == result.plies
    assert all(latency == pytest.approx(0.1, abs=0.02) for latency in result.latencies_s)


def test_one_wrong_ply_ends_the_game_and_takes_one_correction() -> None:
    result = judged(fault="wrong")
    assert not result.exact
    assert result.right == 4
    assert result.wrong_final == 1
    assert result.help == 1


def test_a_ply_that_gives_way_is_counted_as_revised() -> None:
    result = judged(fault="hasty")
    assert result.exact
    assert result.revised == 1


def test_an_alarm_without_reason_is_false() -> None:
    assert judged(fault="alarm").false_alarms == 1


def test_an_alarm_with_a_reason_is_none() -> None:
    recording = record("market", only("N20", bad_setup=1.0), 1)
    assert recording.truth.disturbed[0][2] > 3.0
    assert judged(fault="alarm", recording=recording).false_alarms == 0


def test_a_power_cut_takes_what_was_not_kept() -> None:
    recording = record("market", only("N21", power_cut=1.0, power_cut_ply=0.0), 1)
    cut = recording.truth.cut
    assert cut is not None
    starts: list[tuple[int, float]] = []
    made: list[Oracle] = []

    def make(game: Game, now: Instant) -> Oracle:
        starts.append((game.ply_count, now))
        made.append(Oracle(recording, game, now, delay_s=0.1, fault=""))
        return made[-1]

    follow(recording, make)
    before, after = made
    landed = sum(done.landed_at + 0.1 <= cut.off for done in recording.truth.plies)
    assert starts == [(0, 0.0), (landed - 1, cut.back)]
    assert (before.resumed, after.resumed) == (None, before.final)


def test_the_interval_of_wilson() -> None:
    low, high = wilson(9, 10)
    assert low == pytest.approx(0.5958, abs=1e-4)
    assert high == pytest.approx(0.9821, abs=1e-4)
    assert wilson(10, 10)[1] == 1.0
    assert wilson(0, 10)[0] == pytest.approx(0.0)
    assert wilson(0, 0) == (0.0, 1.0)


def test_percentiles() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95.0
    assert percentile([], 0.5) is None


def test_a_score_sums_its_games_up() -> None:
    score = summarise("S0", [judged(), judged(fault="wrong")])
    assert (score.games, score.followed, score.wrong_final, score.help) == (2, 1, 1, 1)
    assert score.before_error == 4.0
    assert score.right == pytest.approx((score.plies // 2 + 4) / score.plies)
    assert score.latency_s is not None
    assert summarise("S0", [judged()]).before_error is None


def test_the_sweep_is_spread_out_over_its_speeds() -> None:
    assert expand(["S0", "S5"])[:3] == ["S0", "S5@0.05", "S5@0.08"]
