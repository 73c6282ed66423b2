from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

from hardware.chain import Chain
from hardware.errors import HardwareError
from hardware.spi import SPI_HZ, SpiStrip, encode, spi_bits

FRAME = [(n, 255 - n, n * 3) for n in range(81)]


class Device:
    """A file in place of the device node, and what the driver asked of the kernel."""

    def __init__(self, folder: Path, *, bufsiz: str = "4096\n") -> None:
        self.node = folder / "spidev0.0"
        self.node.touch()
        self.bufsiz = folder / "bufsiz"
        self.bufsiz.write_text(bufsiz)
        self.requests: list[tuple[int, bytes]] = []

    def open(self, chain: Chain) -> SpiStrip:
        return SpiStrip(
            chain,
            device=str(self.node),
            bufsiz=self.bufsiz,
            ioctl=lambda _fd, request, value: self.requests.append((request, value)),
        )

    def sent(self) -> bytes:
        return self.node.read_bytes()


def highs(bits: str) -> list[int]:
    """How many SPI bits the line is high, for each bit of a LED."""
    return [len(bits[at : at + 8].rstrip("0")) for at in range(0, len(bits), 8)]


def test_every_bit_keeps_the_times_of_the_led() -> None:
    period_ns = 1e9 / SPI_HZ
    for value in range(256):
        bits = "".join(f"{byte:08b}" for byte in spi_bits(value))
        for index, high in enumerate(highs(bits)):
            is_one = value >> (7 - index) & 1
            assert bits[index * 8 : index * 8 + 8] == "1" * high + "0" * (8 - high)
            assert abs(high * period_ns - (800 if is_one else 400)) <= 150
            assert abs((8 - high) * period_ns - (450 if is_one else 850)) <= 150


def test_a_frame_is_a_zero_the_bits_and_300_microseconds_of_low() -> None:
    data = Chain(range(81), order="GRB").wire_bytes(FRAME)
    frame = encode(data)
    assert frame[0] == 0
    bits = "".join(f"{byte:08b}" for byte in frame[1 : 1 + 81 * 24])
    values = "".join("1" if high > 3 else "0" for high in highs(bits))
    seen = [int(values[at : at + 8], 2) for at in range(0, len(values), 8)]
    assert seen == [v for r, g, b in FRAME for v in (g, r, b)]
    reset = frame[1 + 81 * 24 :]
    assert set(reset) == {0}
    assert len(reset) * 8 / SPI_HZ >= 300e-6


def test_the_golden_bytes_of_one_orange_light() -> None:
    orange = Chain([0], order="GRB").wire_bytes([(0xFF, 0x80, 0x01)])
    one, zero = "f8", "c0"
    green = one + zero * 7
    red = one * 8
    blue = zero * 7 + one
    assert encode(orange).hex() == "00" + green + red + blue + "00" * 240


def test_frames_of_81_lights_fit_into_one_write() -> None:
    for order in ("GRB", "GRBW"):
        assert len(encode(Chain(range(8, 89), order=order).wire_bytes(FRAME))) <= 4096


def test_the_device_is_set_up_and_dark_before_the_first_frame(tmp_path: Path) -> None:
    device = Device(tmp_path)
    chain = Chain(range(81))
    strip = device.open(chain)
    dark = encode(bytes(243))
    assert device.requests == [
        (0x40016B01, b"\0"),
        (0x40016B03, b"\x08"),
        (0x40046B04, struct.pack("=I", 6_400_000)),
    ]
    assert device.sent() == dark
    strip.show(FRAME)
    strip.close()
    strip.close()
    assert device.sent() == dark + encode(chain.wire_bytes(FRAME)) + dark


def test_a_frame_too_long_for_the_kernel_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match=r"2185 bytes.*2048 at once.*spidev.bufsiz=8192"):
        Device(tmp_path, bufsiz="2048\n").open(Chain(range(81)))


@pytest.mark.parametrize("content", ["", "many\n"])
def test_an_unreadable_limit_is_no_obstacle(tmp_path: Path, content: str) -> None:
    Device(tmp_path, bufsiz=content).open(Chain(range(81))).close()


def test_an_absent_device_is_named_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="is absent; enable SPI") as caught:
        SpiStrip(Chain(range(81)), device=str(tmp_path / "spidev9.9"))
    assert caught.value.errno == errno.ENOENT


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.EACCES, "group spi"), (errno.EINVAL, "boardctl doctor")]
)
def test_a_device_that_refuses_its_settings_is_closed(
    tmp_path: Path, number: int, remedy: str
) -> None:
    device = Device(tmp_path)

    def refuse(_fd: int, _request: int, _value: bytes) -> None:
        raise OSError(number, os.strerror(number))

    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(HardwareError, match=remedy):
        SpiStrip(Chain(range(81)), device=str(device.node), bufsiz=device.bufsiz, ioctl=refuse)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_frame_that_does_not_arrive_whole_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strip = Device(tmp_path).open(Chain(range(81)))
    with monkeypatch.context() as patch:
        patch.setattr("hardware.spi.os.write", lambda _fd, _data: 7)
        with pytest.raises(HardwareError, match="took 7 of 2185 bytes"):
            strip.show(FRAME)
    with monkeypatch.context() as patch:
        patch.setattr("hardware.spi.os.write", _gone)
        with pytest.raises(HardwareError, match="is absent"):
            strip.show(FRAME)
        with pytest.raises(HardwareError, match="is absent"):
            strip.close()
    strip.close()


def _gone(_fd: int, _data: bytes) -> int:
    raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
