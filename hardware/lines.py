"""The two wires that the port expanders may have beside the bus: INT and RESET. Both optional."""

from __future__ import annotations

from typing import Any

import gpiozero

from hardware.errors import pin_error


class InterruptLine:
    """The INT pins of all chips, open drain, joined on one GPIO: low while a change is unread.

    It may end the sleep of an idle table early. What the switches say is always polled: a line that
    is broken, or stays low, costs a little time and never a move.
    """

    def __init__(self, pin: int) -> None:
        """Listen on GPIO *pin*, pulled up.

        Raises:
            HardwareError: the pin cannot be used.
        """
        try:
            self._device: Any = gpiozero.DigitalInputDevice(pin, pull_up=True)
        except (gpiozero.GPIOZeroError, OSError, ImportError) as error:
            raise pin_error("the interrupt line", pin, error) from error

    def wait(self, timeout_s: float) -> bool:
        """Wait until a chip reports a change, at most *timeout_s*; tell whether one did."""
        return bool(self._device.wait_for_active(timeout_s))

    def close(self) -> None:
        """Release the pin."""
        self._device.close()


class ResetLine:
    """The RESET pins of all chips on one GPIO. Calling it pulls them low for a moment.

    The data sheet asks for 1 us; two calls of gpiozero take longer.
    """

    def __init__(self, pin: int) -> None:
        """Claim GPIO *pin* and hold it high.

        Raises:
            HardwareError: the pin cannot be used.
        """
        try:
            self._device: Any = gpiozero.DigitalOutputDevice(pin, active_high=False)
        except (gpiozero.GPIOZeroError, OSError, ImportError) as error:
            raise pin_error("the reset line", pin, error) from error

    def __call__(self) -> None:
        """Reset all chips."""
        self._device.on()
        self._device.off()

    def close(self) -> None:
        """Release the pin."""
        self._device.close()
