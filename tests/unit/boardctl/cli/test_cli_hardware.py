from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING

import pytest

from boardctl.__main__ import run
from boardctl.cli.hardware import Bench, notes_on, report, store, wanted_of
from boardctl.config import load
from boardctl.config.load import parse
from hardware.backends import open_simulation
from hardware.calibrate import Calibration, calibration
from hardware.cells import Cell, CellSet, Instant
from hardware.doctor import Finding, Level
from hardware.light import Dimmer
from hardware.selftest import SelfTest, selftest
from hardware.wiring import DIRECT, MATRIX, DirectWiring, all_inputs, raw_wiring

if TYPE_CHECKING:
    from pathlib import Path


def test_a_whole_self_test_runs_over_the_true_lights(capsys: pytest.CaptureFixture[str]) -> None:
    simulation = open_simulation(seed=0)
    found = SelfTest()
    now = 0.0

    def pause(_seconds: float) -> bool:
        nonlocal now
        now += 0.1
        lit = {cell: colour for cell, colour in enumerate(simulation.strip.last) if any(colour)}
        if len(lit) == 1 and len(set(next(iter(lit.values())))) == 1:
            simulation.board.set(CellSet(0))
            simulation.scanner.scan(Instant(now))
            simulation.board.put(Cell(next(iter(lit))))
        elif lit:
            simulation.board.set(CellSet(0))
        return False

    bench = Bench(
        simulation.scanner,
        simulation.strip,
        Dimmer(brightness=1, gamma=1, max_ma=500),
        81,
        clock=lambda: now,
        pause=pause,
    )
    bench.run(selftest(found, DIRECT))
    assert found.problems() == []
    assert len(found.good) == 81
    assert "put the piece on e5" in capsys.readouterr().err


def test_the_skip_key_goes_on_without_a_piece() -> None:
    wiring = all_inputs(DIRECT.addresses)
    simulation = open_simulation(seed=0, wiring=wiring)
    found = Calibration(wiring.inputs, 81)
    now = 0.0

    def pause(_seconds: float) -> bool:
        nonlocal now
        now += 0.1
        return True

    dimmer = Dimmer(brightness=1, gamma=1, max_ma=500)
    bench = Bench(simulation.scanner, simulation.strip, dimmer, 81, clock=lambda: now, pause=pause)
    bench.run(calibration(found))
    assert found.dead_squares == list(range(81))
    assert len(set(found.switch_map)) == 81


def test_what_was_found_is_stored_and_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("[leds]\nbrightness = 0.2\n")
    found = Calibration(all_inputs(DIRECT.addresses).inputs, 81)
    found.switches = {cell: 83 - cell for cell in range(81)}
    found.leds = {led: 80 - led for led in range(81)}
    store(found, file)
    config = load(file, {}).config
    assert config.switches.map == found.switch_map
    assert config.leds.map == found.led_map
    assert config.leds.brightness == 0.2
    assert "the old one is" in capsys.readouterr().err


def test_what_differs_from_the_plan_is_said() -> None:
    found = Calibration(DIRECT.inputs, 81)
    found.switches = {cell: cell for cell in range(81)}
    found.leds = {led: led for led in range(81)}
    loaded = parse('[leds]\nlayout = "rows"\n', None, {})
    assert notes_on(found, loaded) == ["switches: as planned", "lights: as planned"]


def test_calibration_reads_every_input_of_the_chips() -> None:
    raw = raw_wiring(DIRECT)
    assert isinstance(raw, DirectWiring)
    assert len(raw.pins) == 84
    assert raw_wiring(MATRIX) == MATRIX


def test_the_doctor_is_told_what_the_configuration_wants() -> None:
    text = '[switches]\nbus = 3\nwiring = "matrix"\nreset_gpio = 4\n[leds]\npin = "D18"\n'
    wanted = wanted_of(parse(text, None, {}).config)
    assert (wanted.device, wanted.wiring, wanted.led_pin) == ("/dev/i2c-3", MATRIX, "D18")
    assert wanted.gpio
    assert not wanted_of(parse("", None, {}).config).gpio


def test_the_report_puts_each_remedy_below_its_finding() -> None:
    findings = [
        Finding(Level.GOOD, "chips", "all answer"),
        Finding(Level.FAULT, "SPI", "is absent", "enable it"),
    ]
    assert report(findings, ["20: --"]) == (
        "ok    chips: all answer\nFAULT SPI: is absent\n      -> enable it\n\n20: --\n"
    )


def test_on_a_machine_without_a_board_the_doctor_says_why_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("[switches]\nbus = 99\n")
    assert run(["doctor", "--json", "--config", str(file)]) == 1
    out, err = capsys.readouterr()
    levels = {finding["subject"]: finding["level"] for finding in json.loads(out)["findings"]}
    assert levels["I2C"] == "fault"
    assert err == ""
    assert run(["doctor", "--config", str(file)]) == 1
    assert "FAULT I2C: /dev/i2c-99 is absent\n      -> " in capsys.readouterr().out


@pytest.mark.parametrize("command", ["selftest", "calibrate"])
def test_without_the_bus_guided_work_exits_with_69(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text("[switches]\nbus = 99\n")
    assert run([command, "--config", str(file)]) == 69
    err = capsys.readouterr().err
    assert err.startswith("boardctl: /dev/i2c-99 is absent; enable I2C")
    assert err.count("\n") == 1
    assert file.read_text() == "[switches]\nbus = 99\n"


def test_beside_the_running_daemon_guided_work_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text(f'[run]\nsocket = "{tmp_path}/link"\n[switches]\ndriver = "simulated"\n')
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.bind(f"{tmp_path}/link")
        daemon.listen()
        assert run(["selftest", "--config", str(file)]) == 69
    assert "systemctl stop boardctl" in capsys.readouterr().err
