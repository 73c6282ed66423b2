"""Errors of switches and lights."""

from __future__ import annotations

import errno


class HardwareError(OSError):
    """A device that is absent or refuses to work; the text names it and the remedy."""

    def __str__(self) -> str:
        """Return the text alone: the number in front means nothing to the person who reads it."""
        return self.strerror or super().__str__()


class WiringError(ValueError):
    """A wiring map that cannot be built; `problems` lists every fault, one line each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def pin_error(what: str, pin: int, error: Exception) -> HardwareError:
    """Return the error of something on a GPIO that cannot be used, with its remedy."""
    return HardwareError(
        errno.ENODEV,
        f"{what} cannot use GPIO {pin} ({error}); check that nothing else uses the pin, the group"
        " gpio, and the pin library (GPIOZERO_PIN_FACTORY=lgpio)",
    )
