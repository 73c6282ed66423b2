from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hardware.chain import Chain
from hardware.errors import HardwareError
from hardware.neopixel import NeoPixelStrip
from hardware.wiring import led_order
from tests.support.neopixels import Wire

FRAME = [(n, 255 - n, n * 3) for n in range(81)]
PIN = "NEOPIXEL"


@pytest.mark.parametrize("order", ["GRB", "RGB", "GRBW", "RGBW"])
def test_the_genuine_library_sends_the_bytes_of_the_chain(
    order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire(monkeypatch)
    chain = Chain(led_order("serpentine"), order=order)
    strip = NeoPixelStrip(chain, pin=PIN)
    strip.show(FRAME)
    strip.close()
    assert wire.frames[-2] == chain.wire_bytes(FRAME)


def test_the_golden_bytes_of_the_first_lights(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire(monkeypatch)
    strip = NeoPixelStrip(Chain(range(81), order="GRB"), pin=PIN)
    strip.show([(0xFF, 0x80, 0x01), (1, 2, 3), *[(0, 0, 0)] * 79])
    assert wire.frames[-1].hex() == "80ff01" + "020103" + "00" * 79 * 3


def test_the_strip_is_dark_when_opened_and_when_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire(monkeypatch)
    strip = NeoPixelStrip(Chain(range(81)), pin=PIN)
    strip.show(FRAME)
    strip.close()
    strip.close()
    assert wire.frames[0] == wire.frames[-1] == bytes(243)
    assert len(wire.frames) == 3


def test_a_pin_the_board_lacks_is_named() -> None:
    with pytest.raises(HardwareError, match="no pin 'D99'"):
        NeoPixelStrip(Chain(range(81)), pin="D99")


def test_a_missing_privilege_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire(monkeypatch)
    wire.error = RuntimeError("NeoPixel support requires running with sudo, please try again!")
    with pytest.raises(HardwareError, match="sudo"):
        NeoPixelStrip(Chain(range(81)), pin=PIN)


def test_a_refused_frame_is_an_error_and_closing_still_releases_the_pin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wire = Wire(monkeypatch)
    strip = NeoPixelStrip(Chain(range(81)), pin=PIN)
    wire.error = RuntimeError("ws2811_render failed")
    with pytest.raises(HardwareError, match="refuse a frame: ws2811_render"):
        strip.show(FRAME)
    strip.close()
    wire.error = None
    NeoPixelStrip(Chain(range(81)), pin=PIN).close()


def test_a_missing_library_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "neopixel", None)
    with pytest.raises(HardwareError, match=r"pip install 'boardctl\[pi\]'"):
        NeoPixelStrip(Chain(range(81)))


def test_on_a_machine_that_is_no_pi_the_error_says_so() -> None:
    program = (
        "from hardware.chain import Chain; from hardware.neopixel import NeoPixelStrip\n"
        "try: NeoPixelStrip(Chain(range(81)))\n"
        "except OSError as error: print(error)\n"
    )
    environment = {key: value for key, value in os.environ.items() if "BLINKA" not in key}
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    assert "it is no Raspberry Pi" in answer.stdout
