"""`boardctl doctor`, `selftest`, `calibrate`: for the person with the soldering iron.

What to do and what it means is decided in `hardware`; here are the bus, the lights, the clock, the
terminal and the configuration file.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from boardctl.cli.config import ConfigFile, load_configuration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from boardctl.config import Config, LedSettings, Loaded, SwitchSettings
    from boardctl.config.rewrite import Changes
    from hardware.calibrate import Calibration
    from hardware.doctor import Finding, Wanted
    from hardware.guide import Script
    from hardware.light import Dimmer
    from hardware.scanner import Scanner
    from hardware.strip import LedStrip
    from hardware.wiring import Wiring

SCAN_S: Final = 0.005
LIGHT_S: Final = 0.05

AsJson = Annotated[bool, typer.Option("--json", help="One JSON value.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("doctor")(doctor)
    app.command("selftest")(selftest)
    app.command("calibrate")(calibrate)


# --- doctor --------------------------------------------------------------------------------------


def doctor(config: ConfigFile = None, *, as_json: AsJson = False) -> None:
    """Examine this machine: bus, chips, lights, pins, power; each finding with its remedy.

    Changes nothing; the daemon may go on running. Exit code 1 when something needs a person.

    Example: boardctl doctor
    """
    from hardware.bus import open_bus  # noqa: PLC0415  as in all commands
    from hardware.doctor import Level, examine  # noqa: PLC0415
    from hardware.probe import Probe  # noqa: PLC0415

    wanted = wanted_of(load_configuration(config).config)
    probe = Probe(open_bus=open_bus, clock=time.perf_counter)
    findings = examine(probe, wanted)
    picture = _picture(wanted.device)
    if as_json:
        typer.echo(json.dumps({"findings": _as_data(findings), "bus": picture}))
    else:
        typer.echo(report(findings, picture), nl=False)
    if any(finding.level is Level.FAULT for finding in findings):
        raise typer.Exit(1)


def wanted_of(config: Config) -> Wanted:
    """Return what a configuration asks of the machine."""
    from boardctl.app import wiring_of  # noqa: PLC0415
    from hardware.doctor import Wanted  # noqa: PLC0415

    switches, leds, buttons = config.switches, config.leds, config.buttons
    pins = [switches.reset_gpio, switches.interrupt_gpio, buttons.confirm, buttons.new_game]
    pins += [buttons.take_back, buttons.hint, buttons.shut_down, buttons.buzzer]
    return Wanted(
        device=f"/dev/i2c-{switches.bus}",
        wiring=wiring_of(switches),
        scan_hz=switches.scan_hz,
        led_driver=leds.driver,
        led_pin=leds.pin,
        spi_device=leds.spi_device,
        max_ma=leds.max_ma,
        brightness=leds.brightness,
        gpio=any(pin is not None for pin in pins),
    )


def report(findings: Sequence[Finding], picture: Sequence[str]) -> str:
    """Return the findings for a person, a line each, the remedy below what is not good."""
    marks = {"good": "ok   ", "note": "note ", "fault": "FAULT"}
    lines = []
    for finding in findings:
        lines.append(f"{marks[finding.level.value]} {finding.subject}: {finding.seen}")
        lines += [f"      -> {finding.remedy}"] if finding.remedy else []
    lines += ["", *picture] if picture else []
    return "\n".join(lines) + "\n"


def _as_data(findings: Sequence[Finding]) -> list[dict[str, str]]:
    return [
        {
            "level": finding.level.value,
            "subject": finding.subject,
            "seen": finding.seen,
            "remedy": finding.remedy,
        }
        for finding in findings
    ]


def _picture(device: str) -> list[str]:
    """Return the picture of the bus; empty when it cannot be looked at."""
    from hardware.bus import open_bus  # noqa: PLC0415
    from hardware.doctor import bus_picture  # noqa: PLC0415

    with contextlib.suppress(OSError), contextlib.closing(open_bus(device)) as bus:
        return bus_picture(bus)
    return []


# --- guided work ---------------------------------------------------------------------------------


def _enter_pressed(timeout_s: float) -> bool:
    """Wait a moment; tell whether a line was entered meanwhile."""
    watched = [sys.stdin] if sys.stdin is not None and sys.stdin.isatty() else []
    ready, _, _ = select.select(watched, [], [], timeout_s)
    if ready:
        sys.stdin.readline()
    return bool(ready)


@dataclass(slots=True)
class Bench:
    """Board, lights and terminal of one guided session.

    Attributes:
        scanner: the board.
        strip: the lights.
        dimmer: keeps the lights within the current budget.
        led_count: how many lights there are.
        clock: monotonic seconds.
        pause: waits so many seconds; tells whether the person asked to go on meanwhile.
    """

    scanner: Scanner
    strip: LedStrip
    dimmer: Dimmer
    led_count: int
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], bool] = _enter_pressed

    def run(self, script: Script) -> None:
        """Follow *script* to its end; each new task is printed, Enter skips a step."""
        from hardware.cells import Instant  # noqa: PLC0415
        from hardware.guide import Guide, Seen  # noqa: PLC0415

        guide = Guide(script)
        task, lit, light_due = "", None, float("-inf")
        while not guide.finished:
            skip = self.pause(SCAN_S)
            now = Instant(self.clock())
            frame = self.scanner.scan(now)
            reasons = [fault.reason for fault in self.scanner.faults]
            ask = guide.step(Seen(frame.closed, now, frame.unknown, reasons, skip))
            if ask.task != task:
                task = ask.task
                typer.echo(task, err=True)
            if ask.lights != lit and now >= light_due:
                lit, light_due = ask.lights, now + LIGHT_S
                colours = [ask.lights.get(led, (0, 0, 0)) for led in range(self.led_count)]
                self.strip.show(self.dimmer.apply(colours))


@contextlib.contextmanager
def _bench(
    config: Config, wiring: Wiring, led_of_cell: Sequence[int], led_count: int
) -> Iterator[Bench]:
    """Open board and lights for guided work, and leave them dark and closed."""
    from boardctl.app import dimmer  # noqa: PLC0415

    _refuse_beside_daemon(config)
    scanner = _open_scanner(config.switches, wiring)
    with contextlib.ExitStack() as stack:
        stack.callback(scanner.close)
        strip = _open_strip(config.leds, led_of_cell)
        stack.callback(strip.close)
        yield Bench(scanner, strip, dimmer(config.leds, config.leds.brightness), led_count)


def _open_scanner(switches: SwitchSettings, wiring: Wiring) -> Scanner:
    from hardware import backends  # noqa: PLC0415

    if switches.driver == "simulated":
        return backends.open_simulation(seed=0, wiring=wiring).scanner
    return backends.open_scanner(device=f"/dev/i2c-{switches.bus}", wiring=wiring)


def _open_strip(leds: LedSettings, led_of_cell: Sequence[int]) -> LedStrip:
    from hardware import backends  # noqa: PLC0415

    return backends.open_strip(
        driver=leds.driver,
        led_of_cell=led_of_cell,
        order=leds.order,
        prefix=leds.prefix,
        pin=leds.pin,
        spi_device=leds.spi_device,
    )


def _refuse_beside_daemon(config: Config) -> None:
    """Two programs on one bus would read each other's half-selected rows."""
    from boardctl.errors import HardwareUnavailableError  # noqa: PLC0415

    with socket.socket(socket.AF_UNIX) as link:
        if link.connect_ex(config.run.socket) == 0:
            raise HardwareUnavailableError(
                "the daemon is using the board; stop it first: systemctl stop boardctl"
            )


def selftest(config: ConfigFile = None, *, as_json: AsJson = False) -> None:
    """Test every chip, switch and light with one piece; the lights lead, no screen is needed.

    Enter skips a square. Exit code 1 when something is wrong.

    Example: boardctl selftest
    """
    from boardctl.app import wiring_of  # noqa: PLC0415
    from hardware.cells import CELLS  # noqa: PLC0415
    from hardware.selftest import SelfTest  # noqa: PLC0415
    from hardware.selftest import selftest as script  # noqa: PLC0415

    settings = load_configuration(config).config
    wiring = wiring_of(settings.switches)
    found = SelfTest()
    with _bench(settings, wiring, _led_of_cell(settings.leds), CELLS) as bench:
        bench.run(script(found, wiring))
    problems = found.problems()
    if as_json:
        typer.echo(json.dumps({"good": len(found.good), "problems": problems}))
    else:
        typer.echo(f"{len(found.good)} of {CELLS} squares are good")
        typer.echo("\n".join(problems) or "nothing is wrong")
    if problems:
        raise typer.Exit(1)


def _led_of_cell(leds: LedSettings) -> Sequence[int]:
    from hardware.wiring import led_order  # noqa: PLC0415

    return leds.map or led_order(leds.layout, start=leds.start, along=leds.along)


LedCount = Annotated[
    int, typer.Option("--leds", min=81, max=256, help="LEDs on the chain, those between included.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the maps, write nothing.")]


def calibrate(
    config: ConfigFile = None,
    *,
    leds: LedCount = 81,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Learn the wiring: one piece walks a1 to i9, then goes where each light glows.

    Writes `switches.map` and `leds.map` into the configuration; the old file stays as FILE.old.
    Enter skips a square or a light.

    Example: boardctl calibrate --config boardctl.toml
    """
    from boardctl.app import wiring_of  # noqa: PLC0415
    from boardctl.config import DEFAULT_FILE  # noqa: PLC0415
    from hardware.calibrate import Calibration, calibration  # noqa: PLC0415
    from hardware.wiring import raw_wiring  # noqa: PLC0415

    loaded = load_configuration(config)
    wiring = raw_wiring(wiring_of(loaded.config.switches))
    found = Calibration(wiring.inputs, leds)
    with _bench(loaded.config, wiring, range(leds), leds) as bench:
        bench.run(calibration(found))
    problems = found.problems()
    notes = notes_on(found, loaded)
    if as_json:
        data = {"switches": found.switch_map, "leds": found.led_map, "problems": problems}
        typer.echo(json.dumps({**data, "notes": notes}))
    else:
        typer.echo("\n".join([*notes, *problems]))
    if not dry_run:
        store(found, config or loaded.file or DEFAULT_FILE)
    if problems:
        raise typer.Exit(1)


def notes_on(found: Calibration, loaded: Loaded) -> list[str]:
    """Say how what was found differs from the documented wiring."""
    from hardware.calibrate import notes  # noqa: PLC0415
    from hardware.wiring import DIRECT, MATRIX  # noqa: PLC0415

    leds = loaded.config.leds
    plan = MATRIX.inputs if loaded.config.switches.wiring == "matrix" else DIRECT.inputs
    return notes(found, plan, _led_of_cell(leds.model_copy(update={"map": ()})))


def store(found: Calibration, file: Path) -> None:
    """Write the maps into the configuration, and say so."""
    from boardctl.config.rewrite import replace_file, rewritten  # noqa: PLC0415

    text = file.read_text(encoding="utf-8") if file.exists() else ""
    maps: Changes = {"switches": {"map": found.switch_map}, "leds": {"map": found.led_map}}
    old = replace_file(file, rewritten(text, maps))
    kept = f"; the old one is {old}" if old is not None else ""
    typer.echo(f"wrote {file}{kept}; restart the daemon to use it", err=True)
