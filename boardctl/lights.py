"""From snapshots to light: when a picture is made, sent to the strip, and told to observers."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from boardctl.core.occupancy import Instant
from boardctl.core.scene import scene, sign_scene
from hardware.errors import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardctl.core.snapshot import Sign, Snapshot
    from hardware.light import Dimmer
    from hardware.strip import LedStrip, Rgb

RETRY_S: Final = 1.0
"""A strip that refused a picture is tried again after so long."""

_AT_ONCE: Final = Instant(float("-inf"))


class Lights:
    """The lights of one table.

    A change of the snapshot is lit at once, motion at `fps`. A picture equal to the last is not
    sent again, so an idle table is silent. Observers are told at most `fps` pictures a second.

    Attributes:
        fault: why the strip shows nothing; None while it does.
        sent: pictures that the strip has taken.
    """

    def __init__(
        self,
        strip: LedStrip,
        new_dimmer: Callable[[float], Dimmer],
        *,
        brightness: float,
        fps: float,
    ) -> None:
        self._strip = strip
        self._new_dimmer = new_dimmer
        self._dimmer = new_dimmer(brightness)
        self._frame_s = 1.0 / fps
        self._version = -1
        self._lit: tuple[Rgb, ...] = ()
        self._due = _AT_ONCE
        self._send_at: Instant | None = None
        self._told = True
        self._tell_at = _AT_ONCE
        self.fault: str | None = None
        self.sent = 0

    def dim(self, brightness: float) -> None:
        """Use another brightness, from the next turn on."""
        self._dimmer = self._new_dimmer(brightness)
        self._send_at = self._due

    def show(
        self, snapshot: Snapshot, now: Instant, instead: tuple[Rgb, ...] | None = None
    ) -> None:
        """Light *snapshot* if it is new, or if the next picture of its motion is due.

        *instead* are colours that take the place of its scene: a self test's, a calibration's.
        """
        if snapshot.version != self._version or now >= self._due:
            self._version = snapshot.version
            self._due = Instant(now + self._frame_s)
            colours = scene(snapshot, now) if instead is None else instead
            if colours != self._lit:
                self._lit = colours
                self._told = False
                self._send_at = now
        if self._send_at is not None and now >= self._send_at:
            self._send(now)

    def news(self, now: Instant) -> list[str] | None:
        """Return the 81 colours as `#rrggbb` when observers are to be told of them now."""
        if self._told or now < self._tell_at:
            return None
        self._told = True
        self._tell_at = Instant(now + self._frame_s)
        digits = bytes(chain.from_iterable(self._lit)).hex()
        return ["#" + digits[at : at + 6] for at in range(0, len(digits), 6)]

    def _send(self, now: Instant) -> None:
        try:
            self._strip.show(self._dimmer.apply(self._lit))
        except HardwareError as error:
            self._send_at = Instant(now + RETRY_S)
            self.fault = f"lights: {error.strerror or error}"
        else:
            self._send_at = None
            self.fault = None
            self.sent += 1


class SignLights:
    """A sign of the daemon while it has no session: before the first scan, or instead of one."""

    def __init__(
        self, strip: LedStrip, dimmer: Dimmer, sign: Sign, palette: str, now: Instant
    ) -> None:
        self._strip = strip
        self._dimmer = dimmer
        self._sign = sign
        self._palette = palette
        self._since = now
        self._due = _AT_ONCE
        self.lit = False

    def show(self, now: Instant) -> None:
        """Show the sign as it is at *now*; `lit` then says whether the strip has taken it."""
        if now < self._due:
            return
        colours = sign_scene(self._sign, now - self._since, self._palette)
        try:
            self._strip.show(self._dimmer.apply(colours))
        except HardwareError:
            # Told as a fault by the session, once there is one.
            self._due = Instant(now + RETRY_S)
            self.lit = False
        else:
            self.lit = True
