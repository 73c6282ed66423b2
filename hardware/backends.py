"""From a name in the configuration to a driver: the only file that names concrete ones."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.bus import open_bus
from hardware.chain import Chain
from hardware.errors import HardwareError
from hardware.mcp_scanner import McpScanner
from hardware.mock.board import MockBoard
from hardware.mock.noise import NoisyHands
from hardware.mock.strip import RecordingStrip
from hardware.neopixel import NeoPixelStrip
from hardware.spi import SpiStrip
from hardware.strip import NoStrip
from hardware.wiring import DIRECT, Wiring, led_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hardware.buttons import Buttons
    from hardware.buzzer import Buzzer
    from hardware.lines import InterruptLine, ResetLine
    from hardware.strip import LedStrip


@dataclass(frozen=True, slots=True)
class Simulation:
    """A board made of software, the hands over it, and the real driver that reads it."""

    board: MockBoard
    hands: NoisyHands
    scanner: McpScanner
    strip: RecordingStrip


def open_scanner(
    *,
    device: str = "/dev/i2c-1",
    wiring: Wiring = DIRECT,
    interrupts: bool = False,
    reset: Callable[[], None] | None = None,
) -> McpScanner:
    """Open the switches of the wooden board.

    Args:
        device: the I2C bus.
        wiring: which pin is which cell.
        interrupts: let the chips pull their INT line when a switch changes.
        reset: pulses the RESET line of all chips, where one is wired.

    Raises:
        HardwareError: the bus is absent or may not be used. Chips that do not answer are no error.
    """
    bus = open_bus(device)
    return McpScanner(bus, wiring, device=device, interrupts=interrupts, reset=reset)


def open_strip(
    *,
    driver: str = "auto",
    led_of_cell: Sequence[int] | None = None,
    order: str = "GRB",
    prefix: int = 0,
    pin: str = "D10",
    spi_device: str = "/dev/spidev0.0",
) -> LedStrip:
    """Open the lights.

    Args:
        driver: `neopixel` (Adafruit's library), `spi` (the kernel's device), `none`, `simulated`,
            or `auto`: the library where it works, else the device.
        led_of_cell: the LED under each cell; None: a serpentine that begins under a1.
        order: the order of colours in a LED.
        prefix: LEDs at the start of the chain that stay dark.
        pin: the data pin of `neopixel`.
        spi_device: the device of `spi`.

    Raises:
        HardwareError: the lights cannot be opened.
        WiringError: an unknown order.
        KeyError: an unknown driver.
    """
    leds = led_order("serpentine") if led_of_cell is None else led_of_cell
    chain = Chain([led + prefix for led in leds], order=order)
    openers: dict[str, tuple[Callable[[], LedStrip], ...]] = {
        "neopixel": (lambda: NeoPixelStrip(chain, pin=pin),),
        "spi": (lambda: SpiStrip(chain, device=spi_device),),
        "none": (NoStrip,),
        "simulated": (lambda: RecordingStrip(keep=1),),
    }
    openers["auto"] = (*openers["neopixel"], *openers["spi"])
    return _first_that_opens(openers[driver])


def open_buttons(
    *, pins: Mapping[str, int], hold_s: Mapping[str, float], bounce_s: float
) -> Buttons:
    """Open the buttons: GPIO number by name, and how long the ones that must be held are held.

    Raises:
        HardwareError: a pin cannot be used.
    """
    # gpiozero takes a fifth of a second of a Pi to import, and many tables have no button.
    from hardware.buttons import Buttons  # noqa: PLC0415

    return Buttons(pins, hold_s=hold_s, bounce_s=bounce_s)


def open_buzzer(pin: int) -> Buzzer:
    """Open the buzzer on a GPIO.

    Raises:
        HardwareError: the pin cannot be used.
    """
    from hardware.buzzer import Buzzer  # noqa: PLC0415 # as above

    return Buzzer(pin)


def open_reset_line(pin: int) -> ResetLine:
    """Open the wire to the RESET pins of the chips; pass it to `open_scanner` as `reset`.

    Raises:
        HardwareError: the pin cannot be used.
    """
    from hardware.lines import ResetLine  # noqa: PLC0415 # as above

    return ResetLine(pin)


def open_interrupt_line(pin: int) -> InterruptLine:
    """Open the wire to the INT pins of the chips, for a scanner with `interrupts`.

    Raises:
        HardwareError: the pin cannot be used.
    """
    from hardware.lines import InterruptLine  # noqa: PLC0415 # as above

    return InterruptLine(pin)


def _first_that_opens(openers: Sequence[Callable[[], LedStrip]]) -> LedStrip:
    """Return the first strip that opens; fail with the reasons of all when none does."""
    reasons: list[HardwareError] = []
    for opener in openers:
        try:
            return opener()
        except HardwareError as error:
            reasons.append(error)
    text = "; ".join(reason.strerror or str(reason) for reason in reasons)
    raise HardwareError(reasons[-1].errno, text) from reasons[-1]


def open_simulation(
    *,
    seed: int,
    wiring: Wiring = DIRECT,
    real_wiring: Wiring | None = None,
    keep_frames: int = 10_000,
    interrupts: bool = False,
) -> Simulation:
    """Build a simulated board and the real driver on it.

    Args:
        seed: decides every random fault.
        wiring: how the driver believes the board is wired.
        real_wiring: how it is wired; None: as the driver believes.
        keep_frames: how many pictures the strip remembers, 6 kB each.
        interrupts: let the chips pull their INT line when a switch changes.
    """
    rng = random.Random(seed)  # noqa: S311 # simulated faults, no secret
    board = MockBoard(wiring=wiring if real_wiring is None else real_wiring, rng=rng)
    bus = open_bus("simulated board", new_bus=board.bus.new_bus, ioctl=board.bus.ioctl)
    scanner = McpScanner(
        bus,
        wiring,
        device="the simulated bus",
        interrupts=interrupts,
        reset=board.reset_line,
    )
    hands = NoisyHands(board, random.Random(seed))  # noqa: S311 # as above
    return Simulation(board, hands, scanner, RecordingStrip(keep=keep_frames))
