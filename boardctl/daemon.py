"""The two long-running programs: `run` on hardware, `demo` on a simulated board with its page."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import random
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boardctl import demo as demonstration
from boardctl.app import dimmer, open_devices, open_lights, table
from boardctl.core.snapshot import Sign
from boardctl.errors import HardwareUnavailableError
from boardctl.lights import SignLights
from boardctl.notify import Notifier
from boardctl.pace import now, show, wait_for
from boardctl.pace import run as run_loop
from boardctl.tape import Tape
from engine import load_variant, with_options
from engine.squares import ALL_SQUARES, NO_SQUARES, SquareSet
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from boardctl.app import Devices, Table
    from boardctl.config import Config, Loaded
    from hardware.strip import LedStrip

NO_CONFIGURATION_S: Final = 4.0
"""How long a table says that it has no configuration, before it ends: four pulses."""

log = logging.getLogger(__name__)


class Signals:
    """What the process has been asked to do: `stop` by SIGTERM or SIGINT, `reload` by SIGHUP."""

    def __init__(self) -> None:
        self.stop = False
        self.reload = False

    def install(self) -> None:
        """Listen from now on."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note_stop)
        signal.signal(signal.SIGHUP, self._note_reload)

    def _note_stop(self, *_: object) -> None:
        self.stop = True

    def _note_reload(self, *_: object) -> None:
        self.reload = True


def run(loaded: Loaded, record_to: Path | None = None) -> None:
    """Run the table until SIGTERM; the raw scans of each game go to *record_to*.

    Raises:
        HardwareUnavailableError: the bus has not come in time.
    """
    config = loaded.config
    log_to_stderr(config.run.log_level)
    signals = Signals()
    signals.install()
    devices = _wait_for_devices(config, signals)
    if devices is None:
        return
    if devices.hands is not None:
        devices.hands.set_up(_pieces(config))
    tape = None
    if record_to is not None:
        tape = Tape(record_to, scan_hz=config.switches.scan_hz, variant=config.table.variant)
    with table(loaded, devices, now(), tape=tape) as ready:
        try:
            _turn(ready, signals, lambda: None)
        except Exception:
            # A fault of the program: systemd starts it anew; the journal keeps where it was.
            log.critical("the table stops", exc_info=True)
            raise


def _wait_for_devices(config: Config, signals: Signals) -> Devices | None:
    """Open the devices, waiting for a bus that comes late; None: stopped meanwhile.

    The lights come first: who has switched the table on sees at once that it is starting.
    """
    strip = open_lights(config)
    sign = _sign(config, strip, Sign.STARTING)
    sign.show(now())
    notifier = Notifier(os.environ)
    reason = ""

    def attempt() -> Devices | None:
        nonlocal reason
        try:
            return open_devices(config, strip=strip)
        except HardwareError as error:
            reason = error.strerror or str(error)
            notifier.status(f"waiting for the switches: {reason}")
            return None

    patience_s = config.switches.bus_wait_s
    devices = wait_for(attempt, lambda: signals.stop, patience_s=patience_s, picture=sign.show)
    if devices is None:
        strip.close()
        if not signals.stop:
            raise HardwareUnavailableError(f"{reason} (waited {patience_s:g} s)")
    return devices


def _sign(config: Config, strip: LedStrip, sign: Sign) -> SignLights:
    leds = config.leds
    return SignLights(strip, dimmer(leds, leds.brightness), sign, leds.palette, now())


def show_no_configuration(config: Config) -> None:
    """Pulse the sign of a table without a sound configuration, where there are lights; go dark.

    *config* is what of the configuration is sound, with defaults for the rest.
    """
    if config.switches.driver == "simulated" or config.leds.driver in {"simulated", "none"}:
        return
    with contextlib.closing(open_lights(config)) as strip:
        sign = _sign(config, strip, Sign.NO_CONFIGURATION)
        sign.show(now())
        show(sign.show, NO_CONFIGURATION_S, lambda: not sign.lit)


@dataclass(frozen=True, slots=True)
class Demo:
    """The options of `boardctl demo`."""

    variant: str
    port: int
    seed: int | None
    token: str | None
    autoplay: bool
    verbose: bool


def demo(options: Demo, *, show: Callable[[str], None]) -> None:
    """Run a simulated board and its page until Ctrl-C; *show* prints the two addresses.

    Raises:
        BadRequestError: a wrong option.
        PageError: the port is in use, or the page's process does not stay up.
    """
    log_to_stderr("info" if options.verbose else "warning")
    signals = Signals()
    signals.install()
    with contextlib.ExitStack() as stack:
        where = stack.enter_context(demonstration.folder())
        loaded = demonstration.configuration(where, options.variant, os.environ)
        token = demonstration.token(where, options.token)
        listener = stack.enter_context(demonstration.listen(options.port))
        devices = open_devices(loaded.config, seed=options.seed or 0)
        assert devices.hands is not None  # noqa: S101  the demonstration's driver is simulated
        devices.hands.set_up(_pieces(loaded.config))
        rng = random.Random(options.seed)  # noqa: S311  lots at a table, no secret
        if options.autoplay:
            from boardctl.simulate.autoplay import Autoplay  # noqa: PLC0415  only when they play

            devices.players = Autoplay(devices.hands.board, rng).step
        ready = stack.enter_context(table(loaded, devices, now(), rng=rng))
        ready.loop.turn(now())
        page = stack.enter_context(contextlib.closing(demonstration.Page(where, listener)))
        address = f"http://{demonstration.HOST}:{listener.getsockname()[1]}"
        show(f"{address}/")
        show(f"{address}/operator?token={token}")
        sys.stdout.flush()
        _turn(ready, signals, lambda: page.watch(now()))


def _turn(ready: Table, signals: Signals, each_turn: Callable[[], None]) -> None:
    """Run the loop until a signal ends it."""

    def should_stop() -> bool:
        if signals.reload:
            signals.reload = False
            ready.reloader.wanted = True
        each_turn()
        return signals.stop

    # What exists now lives as long as the process: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    run_loop(ready.loop, should_stop)


def log_to_stderr(level: str) -> None:
    """Log to standard error; under systemd with the priority in front, and never with a time.

    journald adds the time and bounds the rate (systemd/boardctl.service).
    """
    handler = logging.StreamHandler()
    under_systemd = "JOURNAL_STREAM" in os.environ
    handler.setFormatter(_JournalFormatter() if under_systemd else logging.Formatter(_LINE))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


_LINE = "%(levelname)s %(name)s: %(message)s"


class _JournalFormatter(logging.Formatter):
    """`<4>boardctl.loop: ...`: journald reads the priority and takes it off (`man sd-daemon`)."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; a traceback stays one entry by having its priority on each line."""
        priority = f"<{_priority(record.levelno)}>"
        lines = f"{record.name}: {super().format(record)}".splitlines()
        return "\n".join(priority + line for line in lines)


def _priority(level: int) -> int:
    """Return syslog's number: 3 error, 4 warning, 6 information, 7 debug."""
    for least, priority in ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6)):
        if level >= least:
            return priority
    return 7


def _pieces(config: Config) -> SquareSet:
    """Return where the pieces of a simulated board stand at first."""
    wanted = config.switches.pieces
    if wanted != "start":
        return SquareSet(int(wanted, 16) & ALL_SQUARES if wanted != "empty" else NO_SQUARES)
    return with_options(load_variant(config.table.variant), config.table.options).start.occupied
