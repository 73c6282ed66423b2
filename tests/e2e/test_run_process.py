"""`boardctl run` as systemd starts it: a process, its signals, its exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.link.question import ask
from engine.squares import parse_square

if TYPE_CHECKING:
    from collections.abc import Iterator


class Service:
    """A folder with a configuration, and the manager's ear."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "boardctl.toml"
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.settimeout(60)

    def configure(self, text: str = "", *, driver: str = "simulated") -> None:
        self.file.write_text(
            f'[switches]\ndriver = "{driver}"\nbus = 97\nbus_wait_s = 1.0\n'
            f'[leds]\ndriver = "simulated"\n'
            f'[run]\nstate_dir = "{self.folder}/state"\nsocket = "{self.folder}/link"\n{text}'
        )

    @contextlib.contextmanager
    def running(self, **environ: str) -> Iterator[subprocess.Popen[str]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "boardctl", "run", "--config", str(self.file)],
            env={**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify"), **environ},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            assert process.stderr is not None
            process.stderr.close()

    def hears(self, message: str) -> None:
        while self.manager.recv(4096).decode() != message:
            pass

    def asks(self, kind: str, **body: Any) -> Any:
        return ask(self.folder / "link", kind, body, timeout_s=20)[1]

    def until(self, key: str, value: object) -> None:
        end = time.monotonic() + 30
        while _at(self.asks("query", query="state"), key) != value:
            assert time.monotonic() < end, self.asks("query", query="state")
            time.sleep(0.05)  # noqa: TID251  a process of its own is waited for


def _at(state: Any, key: str) -> Any:
    for part in key.split("."):
        state = state[part]
    return state


@pytest.fixture
def service() -> Iterator[Service]:
    with tempfile.TemporaryDirectory() as folder:
        made = Service(Path(folder))
        yield made
        made.manager.close()


def test_it_is_ready_after_the_first_scan_feeds_the_watchdog_and_ends_in_order(
    service: Service,
) -> None:
    service.configure()
    with service.running(WATCHDOG_USEC="600000") as process:
        service.hears("READY=1")
        service.hears("WATCHDOG=1")
        service.hears("WATCHDOG=1")
        service.asks("sim", lift="e3")
        service.asks("sim", put="c3")
        process.send_signal(signal.SIGTERM)
        service.hears("STOPPING=1")
        assert process.wait(20) == 0
        assert process.stderr is not None
        log = process.stderr.read()
    assert "game 1 begins: market, the defenders move first" in log
    assert "ply 1: e3-c3" in log
    assert not (service.folder / "link").exists()


def test_the_next_start_goes_on_with_the_game(service: Service) -> None:
    service.configure()
    with service.running() as process:
        service.hears("READY=1")
        service.asks("sim", lift="e3")
        service.asks("sim", put="c3")
        process.terminate()
        assert process.wait(20) == 0
    start = int("380804223ff888402038", 16)
    pieces = start ^ 1 << parse_square("e3") ^ 1 << parse_square("c3")
    with service.running(BOARDCTL_SWITCHES__PIECES=f"{pieces:x}"):
        service.hears("READY=1")
        service.until("moves", ["e3-c3"])
        health = service.asks("query", query="health")
        assert health["archive"]["boot"] == 2


def test_status_reports_the_running_table(service: Service) -> None:
    service.configure()
    command = [sys.executable, "-m", "boardctl", "status", "--config", str(service.file)]
    dead = subprocess.run(command, capture_output=True, text=True, check=False)
    assert dead.returncode == 1
    assert dead.stderr.endswith("is the table running?\n")
    with service.running():
        service.hears("READY=1")
        alive = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
        assert json.loads(alive.stdout)["state"]["variant"] == "market"
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert text.startswith("game     market, in-sync, 0 plies; defenders to move\nscans    ")
    assert "archive  ok\n" in text


def test_past_games_are_had_from_the_running_table(service: Service, tmp_path: Path) -> None:
    service.configure()

    def games(*arguments: str, code: int = 0) -> str:
        command = [sys.executable, "-m", "boardctl", "games", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    configured = ("--config", str(service.file))
    with service.running() as process:
        service.hears("READY=1")
        service.asks("sim", lift="e3")
        service.asks("sim", put="c3")
        service.until("final", 0)
        assert "market" in games("list", *configured)
        assert json.loads(games("show", "1", "--json", *configured))["moves"] == ["e3-c3"]
        (tmp_path / "games.json").write_text(
            games("export", *configured).replace('"uid": "', '"uid": "elsewhere-')
        )
        assert games("import", str(tmp_path / "games.json"), *configured).startswith("1 games add")
        assert games("import", str(tmp_path / "games.json"), *configured).startswith("0 games add")
        file = str(service.folder / "state" / "games.db")
        assert "a running table has it" in games("list", "--file", file, code=1)
        process.terminate()
        assert process.wait(20) == 0
    ended = [game["source"] for game in json.loads(games("list", "--json", *configured))]
    assert ended == ["import", "table"]


def test_sighup_reads_the_configuration_again_between_games(service: Service) -> None:
    service.configure()
    with service.running(BOARDCTL_SWITCHES__PIECES="empty") as process:
        service.hears("READY=1")
        service.until("reading", "setup")
        service.configure('[table]\nvariant = "linnaeus"\n[hints]\ndanger = true\n')
        process.send_signal(signal.SIGHUP)
        service.until("variant", "linnaeus")
        service.until("settings.danger", True)
        service.configure('[table]\nvariant = "chess"\n')
        process.send_signal(signal.SIGHUP)
        time.sleep(1.5)  # noqa: TID251  nothing must happen within this time
        service.until("variant", "linnaeus")
        process.terminate()
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert "stays as it was" in process.stderr.read()


def test_a_bus_that_does_not_come_is_unavailable_hardware(service: Service) -> None:
    service.configure(driver="mcp23017")
    with service.running() as process:
        assert process.wait(30) == 69
        assert process.stderr is not None
        told = process.stderr.read()
    assert told == (
        "boardctl: /dev/i2c-97 is absent; enable I2C with 'raspi-config nonint do_i2c 0', "
        "then reboot (waited 1 s)\n"
    )


def test_waiting_for_the_bus_ends_when_asked_to(service: Service) -> None:
    service.configure(driver="mcp23017")
    with service.running(BOARDCTL_SWITCHES__BUS_WAIT_S="60") as process:
        while not service.manager.recv(4096).startswith(b"STATUS=waiting for the switches"):
            pass
        process.terminate()
        assert process.wait(20) == 0


def test_a_wrong_configuration_ends_with_78_and_every_problem(service: Service) -> None:
    service.configure('[table]\nnam = "x"\nvariant = "chess"\n[led]\n')
    with service.running() as process:
        assert process.wait(30) == 78
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
    assert len(lines) == 3
    assert "did you mean 'name'?" in lines[0]
    assert "did you mean 'leds'?" in lines[1]
    assert "no game named 'chess'" in lines[2]


def test_a_second_daemon_leaves_the_first_alone(service: Service) -> None:
    service.configure()
    with service.running():
        service.hears("READY=1")
        with service.running() as second:
            assert second.wait(30) == 1
            assert second.stderr is not None
            assert "another boardctl is running" in second.stderr.read()
        assert service.asks("query", query="state")["variant"] == "market"
