"""The whole board process in one piece: put together, run by hand-made time, cut off, resumed."""

from __future__ import annotations

import contextlib
import random
import stat
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.app import LateStrip, open_devices, session_settings, table, wiring_of
from boardctl.config import Config, parse
from boardctl.core.occupancy import Instant
from boardctl.core.snapshot import Phase
from engine import Game, Ply, Side, load_variant
from engine.squares import members, parse_square
from hardware.errors import HardwareError
from hardware.mock.strip import RecordingStrip
from hardware.wiring import DIRECT, MATRIX, DirectWiring, MatrixWiring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boardctl.app import Devices, Table
    from boardctl.config import Loaded
    from hardware.strip import LedStrip

START = int(load_variant("market").start.occupied)


class House:
    """One table's folder and its wooden board, which outlives the power."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.magnets = START
        self.now = Instant(100.0)
        self.devices: Devices | None = None
        self.table: Table | None = None

    def loaded(self, **keys: str) -> Loaded:
        return parse(
            "",
            None,
            {
                "BOARDCTL_TABLE__VARIANT": "market",
                "BOARDCTL_SWITCHES__DRIVER": "simulated",
                "BOARDCTL_SWITCHES__SCAN_HZ": "50",  # a quarter of the turns to compute
                "BOARDCTL_LEDS__DRIVER": "simulated",
                "BOARDCTL_RUN__STATE_DIR": str(self.folder / "state"),
                "BOARDCTL_RUN__SOCKET": str(self.folder / "link"),
                **keys,
            },
        )

    @contextlib.contextmanager
    def power(self, *, seed: int = 1, dead: int = 0, **keys: str) -> Iterator[Table]:
        """Switch on, with so many dead chips; at the end, off."""
        loaded = self.loaded(**keys)
        self.devices = open_devices(loaded.config)
        assert self.devices.hands is not None
        self.devices.hands.board.set(self.magnets)  # type: ignore[arg-type]  # cells are squares
        for chip in list(self.devices.hands.board.bus.chips)[:dead]:
            self.devices.hands.board.chip_silent(chip)
        with table(loaded, self.devices, self.now, environ={}, rng=random.Random(seed)) as ready:
            self.table = ready
            self.run(2.0)
            yield ready

    def run(self, seconds: float) -> None:
        assert self.table is not None
        until, deadline = self.now + seconds, self.now
        while deadline <= until:
            self.now = deadline
            deadline = self.table.loop.turn(self.now)
        self.now = Instant(until)

    def flip(self, square: int) -> None:
        """Lift or put the piece on *square*."""
        assert self.devices is not None
        assert self.devices.hands is not None
        self.magnets ^= 1 << square
        self.devices.hands.board.set(self.magnets)  # type: ignore[arg-type]  # as above

    def play(self, ply: Ply, *, rest_s: float = 1.0) -> None:
        """Make a ply as hands do."""
        for square in (ply.from_square, ply.to_square, *members(ply.captures)):
            self.flip(square)
            self.run(0.4)
        self.run(rest_s)

    def stored(self, plies: int) -> None:
        """Wait for the archive's thread."""
        assert self.table is not None
        pause = threading.Event()
        for _ in range(2000):
            self.run(0.01)
            if self.table.loop.snapshot.final >= plies:
                return
            pause.wait(0.001)
        raise AssertionError(self.table.loop.state())


@pytest.fixture
def house() -> Iterator[House]:
    with tempfile.TemporaryDirectory() as folder:
        yield House(Path(folder))


def random_game(plies: int, seed: int = 4) -> Game:
    rng = random.Random(seed)
    game = Game.start(load_variant("market"))
    while game.ply_count < plies and game.outcome is None:
        game = game.push(rng.choice(game.legal_plies))
    return game


def moves(ready: Table) -> list[str]:
    return [str(ply) for ply in ready.loop.snapshot.plies]


def phase(ready: Table) -> Phase:
    return ready.loop.snapshot.phase


def test_a_game_goes_on_after_a_power_cut(house: House) -> None:
    game = random_game(10)
    with house.power() as ready:
        for ply in game.plies[:6]:
            house.play(ply)
        house.stored(4)
        before = moves(ready)
    assert before == [str(ply) for ply in game.plies[:6]]
    with house.power() as ready:
        assert moves(ready) == before
        for ply in game.plies[6:]:
            house.play(ply)
        assert moves(ready) == [str(ply) for ply in game.plies]
        assert ready.loop.snapshot.phase is Phase.IN_SYNC


def test_a_ply_made_without_power_is_read_when_it_comes_back(house: House) -> None:
    game = random_game(5)
    with house.power():
        for ply in game.plies[:4]:
            house.play(ply)
    last = game.plies[4]
    for square in (last.from_square, last.to_square, *members(last.captures)):
        house.magnets ^= 1 << square
    with house.power() as ready:
        house.run(3.0)
        assert moves(ready) == [str(ply) for ply in game.plies]


def test_a_ply_that_was_carried_on_without_power_is_the_same_ply(house: House) -> None:
    game = Game.start(load_variant("market"))
    with house.power() as ready:
        house.play(game.parse("e7-d7"), rest_s=0.0)
        assert moves(ready) == ["e7-d7"]
    for name in ("d7", "b7"):
        house.magnets ^= 1 << parse_square(name)
    with house.power() as ready:
        house.run(3.0)
        assert moves(ready) == ["e7-b7"]


def test_plies_that_were_only_shown_are_open_after_a_cut_and_become_final(house: House) -> None:
    game = random_game(3)
    with house.power() as ready:
        for ply in game.plies:
            house.play(ply, rest_s=0.2)
        assert len(moves(ready)) == 3
        assert ready.loop.snapshot.final < 2
    with house.power() as ready:
        assert moves(ready) == [str(ply) for ply in game.plies]
        house.stored(2)
        assert ready.loop.snapshot.final == 2
        house.run(20.0)
        house.stored(3)
    with house.power() as ready:
        assert ready.loop.snapshot.final == 3


def test_a_final_ply_stays_whatever_was_done_without_power(house: House) -> None:
    game = Game.start(load_variant("market"))
    with house.power():
        house.play(game.parse("e7-d7"), rest_s=21.0)
        house.stored(1)
    for name in ("d7", "b7"):
        house.magnets ^= 1 << parse_square(name)
    with house.power() as ready:
        assert ready.loop.snapshot.final == 1
        house.run(3.0)
        assert moves(ready) == ["e7-d7"]
        assert ready.loop.snapshot.final == 1
        assert phase(ready) is Phase.MISMATCH


def test_a_ply_that_was_taken_back_without_power_is_taken_back(house: House) -> None:
    game = random_game(4)
    with house.power():
        for ply in game.plies:
            house.play(ply)
    last = game.plies[-1]
    assert not last.captures
    house.magnets ^= 1 << last.from_square ^ 1 << last.to_square
    with house.power() as ready:
        house.run(3.0)
        assert moves(ready) == [str(ply) for ply in game.plies[:-1]]


@pytest.mark.parametrize("chips", [2, 6])
def test_power_that_comes_back_to_silent_chips_waits_for_them(house: House, chips: int) -> None:
    game = random_game(6)
    with house.power():
        for ply in game.plies:
            house.play(ply)
    with house.power(dead=chips) as ready:
        assert moves(ready) == [str(ply) for ply in game.plies]
        assert house.devices is not None
        assert house.devices.hands is not None
        errors = ready.loop.health(house.now)["bus_errors"]
        assert len(errors) == chips
        assert min(errors.values()) > 0
        for chip in house.devices.hands.board.bus.chips:
            house.devices.hands.board.chip_silent(chip, silent=False)
        house.run(3.0)
        assert moves(ready) == [str(ply) for ply in game.plies]
        assert phase(ready) is Phase.IN_SYNC


def test_power_that_fails_with_a_piece_in_hand_loses_nothing(house: House) -> None:
    game = random_game(5)
    with house.power():
        for ply in game.plies[:4]:
            house.play(ply)
        house.flip(game.plies[4].from_square)
        house.run(0.5)
    with house.power() as ready:
        assert moves(ready) == [str(ply) for ply in game.plies[:4]]
        assert ready.loop.snapshot.phase is Phase.IN_HAND
        house.flip(game.plies[4].to_square)
        house.run(1.0)
        assert moves(ready) == [str(ply) for ply in game.plies]


def test_a_board_set_up_anew_begins_a_new_game(house: House) -> None:
    with house.power():
        for ply in random_game(4).plies:
            house.play(ply)
    house.magnets = START
    with house.power() as ready:
        assert moves(ready) == []
        assert ready.loop.snapshot.phase is Phase.IN_SYNC


def test_a_cleared_board_waits_for_pieces(house: House) -> None:
    with house.power():
        for ply in random_game(4).plies:
            house.play(ply)
    house.magnets = 0
    with house.power() as ready:
        assert ready.loop.snapshot.phase is Phase.SETUP


def test_pieces_knocked_over_are_asked_back(house: House) -> None:
    game = random_game(4)
    with house.power():
        for ply in game.plies:
            house.play(ply)
    right = house.magnets
    for name in ("e5", "a5", "i5"):
        house.magnets &= ~(1 << parse_square(name))
    with house.power() as ready:
        house.run(5.0)
        assert phase(ready) is Phase.MISMATCH
        house.magnets = right
        house.flip(0)
        house.flip(0)
        house.run(2.0)
        assert phase(ready) is Phase.IN_SYNC
        assert moves(ready) == [str(ply) for ply in game.plies]


def test_a_setting_changed_at_the_table_outlives_the_power(house: House) -> None:
    from boardctl.core.commands import ChangeSetting, Setting
    from boardctl.core.events import CommandGiven

    with house.power() as ready:
        ready.loop.handle(CommandGiven(ChangeSetting(Setting.PALETTE, "high-contrast")), house.now)
    with house.power() as ready:
        assert ready.loop.snapshot.settings.palette == "high-contrast"


def test_a_new_word_in_the_file_is_stronger_than_an_old_one_at_the_table(house: House) -> None:
    from boardctl.core.commands import ChangeSetting, Setting
    from boardctl.core.events import CommandGiven

    with house.power() as ready:
        command = ChangeSetting(Setting.PALETTE, "high-contrast")
        ready.loop.handle(CommandGiven(command), house.now)
    with house.power(BOARDCTL_LEDS__PALETTE="deuteranopia") as ready:
        assert ready.loop.snapshot.settings.palette == "deuteranopia"
    with house.power(BOARDCTL_LEDS__PALETTE="deuteranopia") as ready:
        assert ready.loop.snapshot.settings.palette == "deuteranopia"


def test_the_seed_decides_the_lot(house: House) -> None:
    sides: dict[int, Side | None] = {}
    for seed in (1, 1, 5):
        with house.power(seed=seed, BOARDCTL_TABLE__VARIANT="imperial") as ready:
            house.run(10.0)
            side = ready.loop.snapshot.side
            assert sides.setdefault(seed, side) is side
        house.magnets = 0
        with house.power():
            pass
        house.magnets = START
    assert set(sides.values()) == set(Side)


def test_the_operators_token_is_kept_from_strangers(house: House) -> None:
    with house.power():
        file = house.folder / "state" / "token"
        token = file.read_text()
        assert len(token.strip()) >= 22
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    with house.power():
        assert file.read_text() == token


def test_a_state_directory_that_cannot_be_made_does_not_stop_play(house: House) -> None:
    (house.folder / "state").write_text("a file in the way")
    with house.power() as ready:
        house.play(random_game(1).plies[0])
        assert len(moves(ready)) == 1
        fault = ready.loop.state()["fault"]
        assert "games are not being kept" in fault["reason"]


def test_lights_that_come_late_are_opened_when_they_are_there() -> None:
    strip = RecordingStrip()
    there = False

    def opener() -> LedStrip:
        if not there:
            raise HardwareError("no lights yet")
        return strip

    late = LateStrip(opener)
    with pytest.raises(HardwareError):
        late.show([(1, 2, 3)] * 81)
    late.close()
    there = True
    late.show([(1, 2, 3)] * 81)
    late.show([(4, 5, 6)] * 81)
    assert len(strip.frames) == 2
    late.close()
    assert strip.closed


def test_the_wiring_is_what_the_configuration_says() -> None:
    assert wiring_of(Config().switches) is DIRECT
    matrix = parse('[switches]\nwiring = "matrix"\n', None, {}).config
    assert wiring_of(matrix.switches) == MATRIX
    assert isinstance(wiring_of(matrix.switches), MatrixWiring)
    turned = [str(pin) for pin in reversed(DIRECT.pins)]
    own = parse(f"[switches]\nmap = {turned}\n".replace("'", '"'), None, {}).config
    wiring = wiring_of(own.switches)
    assert isinstance(wiring, DirectWiring)
    assert wiring.pins[0] == DIRECT.pins[80]


def test_zero_seconds_of_attract_mean_never() -> None:
    config = parse("[table]\nattract_after_s = 0.0\n", None, {}).config
    assert session_settings(config).attract_after_s == float("inf")
