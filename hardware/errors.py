"""Errors of switches and lights."""

from __future__ import annotations


class HardwareError(OSError):
    """A device that is absent or refuses to work; the text names it and the remedy."""


class WiringError(ValueError):
    """A wiring map that cannot be built; `problems` lists every fault, one line each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
