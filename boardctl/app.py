"""The composition root: a configuration in, a running table out, stopped in reverse order.

Reading `table` shows the whole board process: what is made, from what, in which order.
"""

from __future__ import annotations

import contextlib
import logging
import os
import random
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeVar

from boardctl.archive import Archive, Keeper, Limits, rebuild
from boardctl.config.places import Places, places
from boardctl.controls import open_controls
from boardctl.core.commands import Setting
from boardctl.core.resume import goes_on
from boardctl.core.session import Session
from boardctl.core.settings import SessionSettings, changed
from boardctl.hands import SimulatedHands
from boardctl.health import MachineFiles, machine
from boardctl.lights import Lights
from boardctl.link.server import LinkServer
from boardctl.loop import Loop
from boardctl.notify import Notifier
from boardctl.parts import Parts
from boardctl.reload import Reloader
from boardctl.token import ensure_token
from boardctl.workshop import Tools
from engine import load_variant, with_options
from engine.errors import EngineError
from hardware import backends
from hardware.debounce import Debouncer
from hardware.errors import HardwareError
from hardware.light import Dimmer
from hardware.wiring import DIRECT, MATRIX, direct_wiring, led_map, led_order, matrix_wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from boardctl.archive import GameRecord
    from boardctl.config import Config, LedSettings, Loaded, SwitchSettings
    from boardctl.core.occupancy import Instant, Occupancy
    from boardctl.core.snapshot import Snapshot
    from boardctl.tape import Tape
    from engine import Game
    from engine.squares import SquareSet
    from hardware import cells as hardware_cells
    from hardware.scanner import Scanner
    from hardware.strip import LedStrip, Rgb
    from hardware.wiring import Wiring

log = logging.getLogger(__name__)

_Line = TypeVar("_Line")


@dataclass(slots=True)
class Table:
    """A table that is ready to run."""

    loop: Loop
    reloader: Reloader


@contextlib.contextmanager
def table(
    loaded: Loaded,
    devices: Devices,
    now: Instant,
    *,
    environ: Mapping[str, str] = os.environ,
    rng: random.Random | None = None,
    tape: Tape | None = None,
) -> Iterator[Table]:
    """Put the board process together; leaving the context takes it apart again.

    Args:
        loaded: the configuration.
        devices: the opened switches and lights.
        now: the time by the loop's clock.
        environ: systemd's variables.
        rng: decides lots and attract shows; None: unpredictable.
        tape: records the raw scans.

    Raises:
        LinkError: the socket cannot be used.
    """
    # Longer than 40 lines: what the program is made of is read here, in one piece.
    config = loaded.config
    where = places(config, environ)
    notifier = Notifier(environ)
    with contextlib.ExitStack() as stack:
        stack.callback(devices.strip.close)
        stack.callback(devices.scanner.close)
        keeper, archive = _archive(config, where)
        stack.callback(archive.close)
        link = stack.enter_context(contextlib.closing(LinkServer(where.socket)))
        _make_token(where)
        starter = _Starter(config, keeper, archive, rng or random.SystemRandom())
        reloader = Reloader(loaded)
        controls = stack.enter_context(contextlib.closing(open_controls(config.buttons)))
        loop = Loop(
            Parts(
                scanner=devices.scanner,
                debouncer=Debouncer(settle_s=config.switches.settle_s),
                lights=Lights(
                    devices.strip,
                    lambda brightness: dimmer(config.leds, brightness),
                    brightness=starter.settings.brightness,
                    fps=config.leds.fps,
                ),
                session_for=starter.session,
                recorder=archive,
                link=link,
                notifier=notifier,
                scan_hz=config.switches.scan_hz,
                variant=config.table.variant,
                hands=devices.hands,
                players=devices.players,
                tape=tape,
                buttons=controls.events,
                sound=controls.sound,
                wake=devices.wake,
                report=lambda: _report(devices.scanner),
                between_games=reloader.between_games,
                configuration=reloader.shown,
                tools=tools_of(config, devices),
            ),
            now,
        )
        stack.callback(notifier.stopping)
        yield Table(loop, reloader)


# --- devices -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Devices:
    """Switches and lights; `hands` and perhaps `players` where they are simulated.

    `rewired` opens a scanner that reads the same chips by another wiring.
    """

    scanner: Scanner
    strip: LedStrip
    hands: SimulatedHands | None = None
    players: Callable[[Snapshot, hardware_cells.Instant], None] | None = None
    wake: Callable[[float], bool] | None = None
    rewired: Callable[[Wiring], Scanner] | None = None


def open_lights(config: Config) -> LedStrip:
    """Return the lights that the configuration names; real ones open with their first picture."""
    if config.switches.driver == "simulated":
        return backends.open_strip(driver="simulated")
    return LateStrip(lambda: open_strip(config.leds))


def open_devices(config: Config, *, seed: int = 0, strip: LedStrip | None = None) -> Devices:
    """Open what the configuration names.

    Args:
        config: the configuration.
        seed: decides the faults of a simulated board.
        strip: the lights, where they are open already.

    Raises:
        HardwareError: the bus is absent. (Lights that are absent are tried again while playing.)
    """
    wiring = wiring_of(config.switches)
    lights = strip or open_lights(config)
    if config.switches.driver == "simulated":
        simulation = backends.open_simulation(seed=seed, wiring=wiring, keep_frames=1)
        hands = SimulatedHands(simulation.hands)
        scanner = simulation.scanner
        return Devices(scanner, lights, hands, rewired=scanner.rewired)
    # A matrix selects row after row, which its columns would report as one long change.
    gpio = config.switches.interrupt_gpio if config.switches.wiring == "direct" else None
    interrupt = _line(backends.open_interrupt_line, gpio)
    scanner = backends.open_scanner(
        device=f"/dev/i2c-{config.switches.bus}",
        wiring=wiring,
        interrupts=interrupt is not None,
        reset=_line(backends.open_reset_line, config.switches.reset_gpio),
    )
    return Devices(
        scanner,
        lights,
        wake=None if interrupt is None else interrupt.wait,
        rewired=scanner.rewired,
    )


def _line(opener: Callable[[int], _Line], gpio: int | None) -> _Line | None:
    """Open a wire to the chips, if there is one; a table plays without it."""
    if gpio is None:
        return None
    try:
        return opener(gpio)
    except HardwareError as error:
        log.error("%s", error)  # noqa: TRY400  a wiring fault, not one of the program
        return None


def wiring_of(switches: SwitchSettings) -> Wiring:
    """Return the wiring that the configuration describes."""
    if switches.wiring == "matrix":
        return matrix_wiring(
            switches.rows or [str(pin) for pin in MATRIX.rows],
            switches.columns or [str(pin) for pin in MATRIX.columns],
            switches.map or None,
        )
    return direct_wiring(switches.map) if switches.map else DIRECT


def tools_of(config: Config, devices: Devices) -> Tools:
    """Return what self test and calibration need of this table."""
    leds = config.leds
    order = led_order(leds.layout, start=leds.start, along=leds.along)
    matrix = config.switches.wiring == "matrix"
    return Tools(
        wiring=wiring_of(config.switches),
        led_of_cell=leds.map or order,
        planned_inputs=MATRIX.inputs if matrix else DIRECT.inputs,
        planned_leds=order,
        rewired=devices.rewired,
    )


def open_strip(leds: LedSettings) -> LedStrip:
    """Open the lights that the configuration describes.

    Raises:
        HardwareError: they cannot be opened.
    """
    order = led_order(leds.layout, start=leds.start, along=leds.along)
    return backends.open_strip(
        driver=leds.driver,
        led_of_cell=led_map(leds.map, count=256) if leds.map else order,
        order=leds.order,
        prefix=leds.prefix,
        pin=leds.pin,
        spi_device=leds.spi_device,
    )


class LateStrip:
    """Lights that may be plugged in, or come up, after the daemon has started."""

    def __init__(self, opener: Callable[[], LedStrip]) -> None:
        self._open = opener
        self._strip: LedStrip | None = None

    def show(self, colours: Sequence[Rgb]) -> None:
        """Send one frame, to lights that are opened first where necessary."""
        if self._strip is None:
            self._strip = self._open()
        self._strip.show(colours)

    def close(self) -> None:
        """Go dark."""
        if self._strip is not None:
            self._strip.close()


def dimmer(leds: LedSettings, brightness: float) -> Dimmer:
    """Return the dimmer for these lights at *brightness*."""
    return Dimmer(brightness=brightness, gamma=leds.gamma, max_ma=leds.max_ma)


# --- the game ------------------------------------------------------------------------------------


def session_settings(config: Config) -> SessionSettings:
    """Return what the session needs of the configuration."""
    return SessionSettings(
        variant=config.table.variant,
        options=config.table.options,
        palette=config.leds.palette,
        brightness=config.leds.brightness,
        hints=config.hints.moves,
        danger=config.hints.danger,
        sound=config.buttons.sound,
        language=config.table.language,
        archive=True,
        attract_after_s=config.table.attract_after_s or float("inf"),
        help_after_s=config.table.help_after_s,
        abandon_after_s=config.table.abandon_after_s,
    )


class _Starter:
    """Begins the session once the board has been seen: with the game that was cut off, or anew."""

    def __init__(
        self, config: Config, keeper: Keeper, archive: Archive, rng: random.Random
    ) -> None:
        self._config = config
        self._keeper = keeper
        self._archive = archive
        self._rng = rng
        self._record, stored = keeper.open()
        self.settings = session_settings(config)
        for name, value in keeper.settings_for(stored, repr(self.settings)).items():
            # A value of an older version that is not allowed any more falls back to the file's.
            with contextlib.suppress(ValueError):
                self.settings = changed(self.settings, Setting(name), value)

    def session(self, seen: Occupancy, now: Instant) -> Session:
        """Return the session for the board as it was first seen; the archive's thread starts."""
        game = None if self._record is None else self._resumed(self._record, seen)
        self._archive.start()
        final = None if game is None or self._record is None else self._record.final
        return Session(self.settings, now, self._rng, game=game, final=final)

    def _resumed(self, record: GameRecord, seen: Occupancy) -> Game | None:
        """Return the game of *record* if the board shows it; the archive is told."""
        game = self._last_game(record)
        if game is None or not goes_on(game, self._start(), seen):
            log.info("game %d is not on the board any more", record.id)
            self._keeper.give_up(record)
            return None
        log.info("going on with game %d after ply %d", record.id, record.base.ply + game.ply_count)
        self._keeper.resume(record)
        return game

    def _start(self) -> SquareSet:
        table = self._config.table
        return with_options(load_variant(table.variant), table.options).start.occupied

    def _last_game(self, record: GameRecord) -> Game | None:
        own = self._config.table.variant
        try:
            named = load_variant(own).name == record.variant
            return rebuild(record, ruleset_of=own if named else None)
        except EngineError as error:
            log.warning("game %d cannot be gone on with: %s", record.id, error)
            return None


def _archive(config: Config, where: Places) -> tuple[Keeper, Archive]:
    with contextlib.suppress(OSError):
        where.archive.parent.mkdir(parents=True, exist_ok=True)
    limits = Limits(
        backup_dir=where.backups,
        backups=config.archive.backups,
        max_bytes=config.archive.max_mb * 2**20,
    )
    keeper = Keeper(where.archive, limits, table_name=config.table.name, version=_version())
    return keeper, Archive(keeper)


def _version() -> str:
    try:
        return version("boardctl")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "source"


def _make_token(where: Places) -> None:
    """Have the operator's token ready; a card that cannot be written is no reason not to play."""
    try:
        ensure_token(where.token)
    except OSError as error:
        log.warning("no operator's token: %s", error)


def _report(scanner: Scanner) -> dict[str, Any]:
    """Return the driver's and the machine's part of the health report."""
    counts = {"retries": scanner.retries, "losses": scanner.losses}
    return {**machine(MachineFiles()), "bus": counts, "bus_errors": dict(scanner.errors)}
