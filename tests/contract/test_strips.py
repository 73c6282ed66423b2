"""What every LedStrip promises; the wooden board's own too with BOARDCTL_REAL=1."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boardctl.app import open_strip as configured_strip
from boardctl.config import DEFAULT_FILE, load
from hardware.backends import open_simulation, open_strip
from hardware.chain import Chain
from hardware.errors import HardwareError
from hardware.spi import SpiStrip
from tests.support.neopixels import Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hardware.strip import LedStrip

real = pytest.mark.skipif(
    os.environ.get("BOARDCTL_REAL") != "1", reason="set BOARDCTL_REAL=1 on a Pi with lights"
)
DARK = [(0, 0, 0)] * 81
FRAMES = [[(n, n, n)] * 81 for n in (0, 1, 127, 255)]


def recording(_folder: Path, _patch: pytest.MonkeyPatch) -> LedStrip:
    return open_simulation(seed=0).strip


def spi(folder: Path, _patch: pytest.MonkeyPatch) -> LedStrip:
    node = folder / "spidev0.0"
    node.touch()
    return SpiStrip(Chain(range(81)), device=str(node), ioctl=lambda *_: None)


def neopixel(_folder: Path, patch: pytest.MonkeyPatch) -> LedStrip:
    Wire(patch)
    return open_strip(driver="neopixel", pin="NEOPIXEL")


def none(_folder: Path, _patch: pytest.MonkeyPatch) -> LedStrip:
    return open_strip(driver="none")


def on_the_pi(_folder: Path, _patch: pytest.MonkeyPatch) -> LedStrip:
    config = load(Path(os.environ.get("BOARDCTL_CONFIG", DEFAULT_FILE))).config
    return configured_strip(config.leds)


@pytest.fixture(params=[recording, spi, neopixel, none, pytest.param(on_the_pi, marks=real)])
def strip(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LedStrip]:
    opener: Callable[[Path, pytest.MonkeyPatch], LedStrip] = request.param
    opened = opener(tmp_path, monkeypatch)
    yield opened
    opened.close()


def test_every_frame_of_81_colours_is_taken(strip: LedStrip) -> None:
    for frame in FRAMES:
        strip.show(frame)
        strip.show(tuple(frame))


def test_closing_twice_is_allowed(strip: LedStrip) -> None:
    strip.show(FRAMES[1])
    strip.close()
    strip.close()


def test_a_device_that_refuses_frames_says_so_in_a_hardware_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = open_simulation(seed=0).strip
    simulated.failing = True
    wire = Wire(monkeypatch)
    library = open_strip(driver="neopixel", pin="NEOPIXEL")
    wire.error = RuntimeError("gone")
    device = spi(tmp_path, monkeypatch)
    device.close()
    for one in (simulated, library, device):
        with pytest.raises(HardwareError):
            one.show(DARK)
    wire.error = None
    library.close()
