"""Errors of switches and lights."""

from __future__ import annotations


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
