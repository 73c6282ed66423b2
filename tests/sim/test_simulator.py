"""Whole simulated games: the same each time, fair, and as clumsy as the table says."""

from __future__ import annotations

import itertools
from functools import cache
from typing import TYPE_CHECKING

import pytest

from boardctl.simulate import Recording, record
from boardctl.simulate.recording import scenario
from engine import VARIANTS
from engine.squares import Square, SquareSet
from hardware.mock.effects import EFFECTS, SCENARIOS, only, table

if TYPE_CHECKING:
    from collections.abc import Callable

SEEDS = range(1, 9)


@cache
def recorded(variant: str, name: str, seed: int) -> Recording:
    return record(variant, name, seed)


def games(name: str, seeds: range = SEEDS) -> list[Recording]:
    return [recorded(variant, name, seed) for variant in VARIANTS for seed in seeds]


def share(hits: int, of: int) -> float:
    return hits / of


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_game_is_the_same_for_the_same_seed(name: str) -> None:
    again = record("market", name, 3)
    assert again.frames == recorded("market", name, 3).frames
    assert again.truth.plies == recorded("market", name, 3).truth.plies
    assert again.frames != recorded("market", name, 4).frames


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_truth_is_a_legal_game(name: str) -> None:
    for recording in games(name, range(1, 4)):
        game = recording.start
        for done in recording.truth.plies:
            game = game.push(done.ply)  # IllegalMoveError otherwise
        assert game.position == recording.truth.game.position
        assert game.outcome == recording.truth.game.outcome


@pytest.mark.parametrize("name", ["S0", "S1", "S2", "S3", "S6", "S7"])
def test_the_board_shows_the_game_at_the_end(name: str) -> None:
    for recording in games(name):
        shown = SquareSet(recording.frames[-1].frame.closed)
        assert shown == recording.truth.game.position.occupied


@pytest.mark.parametrize("name", SCENARIOS)
def test_landings_come_one_after_the_other(name: str) -> None:
    for recording in games(name):
        plies = recording.truth.plies
        assert all(done.lifted_at < done.landed_at <= done.known_at for done in plies)
        for one, next_one in itertools.pairwise(plies):
            assert next_one.landed_at - one.landed_at > 0.1


@pytest.mark.parametrize("name", SCENARIOS)
def test_frames_come_at_scans_in_order(name: str) -> None:
    for recording in games(name, range(1, 3)):
        moments = [timed.at for timed in recording.frames]
        assert moments == sorted(set(moments))
        assert all(abs(at / 0.005 - round(at / 0.005)) < 1e-6 for at in moments)
        assert moments[-1] <= recording.end


def test_a_clean_game_has_two_frames_a_ply_and_one_a_victim() -> None:
    for recording in games("S0"):
        victims = sum(done.ply.captures.bit_count() for done in recording.truth.plies)
        assert len(recording.frames) == 1 + 2 * len(recording.truth.plies) + victims


def frames_per_ply(recording: Recording) -> float:
    victims = sum(done.ply.captures.bit_count() for done in recording.truth.plies)
    return (len(recording.frames) - 1 - victims) / len(recording.truth.plies)


def disturbed_by(effect: str) -> Callable[[Recording], bool]:
    return lambda recording: any(row[0] == effect for row in recording.truth.disturbed)


def victims_go_first(recording: Recording) -> bool:
    first = next(done for done in recording.truth.plies if done.ply.captures)
    at_landing = [t.frame for t in recording.frames if t.at <= first.landed_at][-1]
    return not at_landing.closed & first.ply.captures


def some_unknown(recording: Recording) -> bool:
    return any(timed.frame.unknown for timed in recording.frames)


ALONE: dict[str, tuple[dict[str, object], Callable[[Recording], bool]]] = {
    "N1": ({"bounce_s": (0.006, 0.02)}, lambda r: frames_per_ply(r) > 4),
    "N2": ({"chatter": 1.0}, lambda r: frames_per_ply(r) > 4),
    "N3": ({"slide": 1.0}, lambda r: frames_per_ply(r) > 2.5),
    "N4": ({"widths_mm": (48.0,), "slide": 1.0}, lambda r: frames_per_ply(r) > 2.5),
    "N5": ({"dead_centre": 1.0}, disturbed_by("N6")),
    "N6": ({"off_centre": 0.3}, disturbed_by("N6")),
    "N7": ({"relanding": 1.0}, lambda r: frames_per_ply(r) >= 4),
    "N8": ({"put_back": 1.0}, lambda r: frames_per_ply(r) == 4),
    "N9": ({"adjust": 1.0}, lambda r: frames_per_ply(r) == 4),
    "N10": ({"victim_order": (1.0, 0.0, 0.0, 0.0)}, victims_go_first),
    "N11": ({"wrong_victim": 0.5}, disturbed_by("N11")),
    "N12": ({"swipe": 0.5}, disturbed_by("N12")),
    "N13": ({"drop": 0.5}, disturbed_by("N13")),
    "N14": ({"nudge": 0.5}, disturbed_by("N14")),
    "N15": ({"early": 1.0}, lambda r: r.end < 8 + 3 * len(r.truth.plies)),
    "N16": ({"faulty": (1.0, 0.0)}, lambda r: len(r.truth.bad) == 1),
    "N17": ({"read_error": 0.01}, some_unknown),
    "N18": ({"silent": 1.0}, some_unknown),
    "N19": ({"corrupt": 1.0}, lambda r: frames_per_ply(r) > 2),
    "N20": ({"bad_setup": 1.0}, disturbed_by("N20")),
    "N21": ({"power_cut": 1.0}, lambda r: r.truth.cut is not None),
    "N22": ({"illegal": 0.5, "out_of_turn": 0.5}, disturbed_by("N22")),
}


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_shows_when_it_is_switched_on_alone(effect: str) -> None:
    changes, shows = ALONE[effect]
    assert shows(record("market", only(effect, **changes), 5))
    quiet = record("market", only(), 5)
    assert not shows(quiet)
    assert frames_per_ply(quiet) == 2


def test_fast_play_is_fast() -> None:
    apart = [
        after.landed_at - before.landed_at
        for recording in games("S6", range(1, 21))
        for before, after in itertools.pairwise(recording.truth.plies)
    ]
    assert 0.015 < share(sum(gap < 0.25 for gap in apart), len(apart)) < 0.06
    assert 0.07 < share(sum(gap < 0.5 for gap in apart), len(apart)) < 0.17


def test_a_hasty_opponent_lifts_before_the_landing_at_times() -> None:
    pairs = [
        pair
        for recording in games("S6", range(1, 21))
        for pair in itertools.pairwise(recording.truth.plies)
    ]
    before = sum(after.lifted_at < one.landed_at for one, after in pairs)
    assert 0.01 < share(before, len(pairs)) < 0.08


def test_the_mishaps_of_a_festival_happen_as_often_as_the_table_says() -> None:
    recordings = games("S3", range(1, 31))
    plies = sum(len(recording.truth.plies) for recording in recordings)
    happened = [effect for recording in recordings for effect, _, _ in recording.truth.disturbed]
    for effect, least, most in (
        ("N22", 0.025, 0.045),  # 0.02 out of turn and 0.02 illegal, in calm plies only
        ("N14", 0.004, 0.016),
        ("N11", 0.004, 0.016),
        ("N6", 0.02, 0.10),  # landings, of which there are more than plies; dead centres, too
    ):
        assert least < share(happened.count(effect), plies) < most, effect
    assert {"N12", "N13"} <= set(happened)


def test_disturbances_end() -> None:
    for recording in games("S3"):
        for _, since, until in recording.truth.disturbed:
            assert 0 <= since < until < recording.end


def test_hardware_faults_come_as_often_as_the_table_says() -> None:
    recordings = games("S4", range(1, 31))
    silent = sum(bool(recording.truth.silences) for recording in recordings)
    bad = sum(bool(recording.truth.bad) for recording in recordings)
    assert 0.2 < share(silent, len(recordings)) < 0.4
    assert 0.08 < share(bad, len(recordings)) < 0.25
    hidden = sum(bool(recording.truth.undecidable) for recording in recordings)
    assert share(hidden, len(recordings)) < 0.03


def test_nothing_lands_on_a_bad_switch() -> None:
    for recording in games("S4", range(1, 31)):
        for switch in recording.truth.bad:
            for done in recording.truth.plies:
                if done.lifted_at > switch.since:
                    assert Square(switch.cell) not in {done.ply.from_square, done.ply.to_square}


def test_a_power_cut_hides_two_plies_at_most() -> None:
    hidden = []
    for recording in games("S7", range(1, 21)):
        cut = recording.truth.cut
        if cut is not None:
            plies = recording.truth.plies
            hidden.append(sum(cut.off < done.landed_at < cut.back for done in plies))
    assert set(hidden) == {0, 1, 2}
    assert len(hidden) > 30


def test_a_bad_start_position_is_put_right_before_the_game() -> None:
    bad = 0
    for recording in games("S7"):
        setups = [row for row in recording.truth.disturbed if row[0] == "N20"]
        bad += bool(setups)
        if setups:
            first = SquareSet(recording.frames[0].frame.closed)
            assert first != recording.start.position.occupied
            assert setups[0][2] < recording.truth.plies[0].lifted_at
    assert 8 < bad < 24


def test_a_slide_sweep_slides_at_its_speed() -> None:
    for speed in (0.05, 0.2, 1.0):
        for done in record("market", f"S5@{speed}", 1).truth.plies:
            squares = abs(done.ply.to_square - done.ply.from_square)
            squares = squares // 9 if squares >= 9 else squares
            # The target closes a little before the piece has come to rest above it.
            assert 0.5 < (done.landed_at - done.lifted_at) / (squares * 0.045 / speed) <= 1.0


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(ValueError, match="'S8'"):
        scenario("S8")
    with pytest.raises(ValueError, match="'S5@fast'"):
        scenario("S5@fast")


def test_the_table_of_parameters_is_complete() -> None:
    assert len(table()) > 60
