"""What reads the switches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from hardware.cells import CellSet, Frame, Instant


@dataclass(frozen=True, slots=True)
class Fault:
    """Something on the bus that does not do as it should.

    Attributes:
        source: what it is, such as `chip 0x21` or `/dev/i2c-1`.
        reason: one line for a person: what was seen and what to check.
        cells: the cells that cannot be read because of it.
        since: when it was first seen.
    """

    source: str
    reason: str
    cells: CellSet
    since: Instant


class Scanner(Protocol):
    """Reads all 81 switches in one pass. One thread owns it.

    A chip that does not answer is no exception: its cells are `unknown` in the frame and the
    reason stands in `faults` until it answers again.

    Attributes:
        retries: readings that were repeated or passed over because they came damaged.
        losses: how often chips were given up until they answer again.
        errors: by chip, such as `0x21`: how often it was given up, did not come back when tried
            again, or had lost its settings.
    """

    retries: int
    losses: int
    errors: Counter[str]

    def scan(self, now: Instant) -> Frame:
        """Read every switch once."""

    @property
    def faults(self) -> Sequence[Fault]:
        """What is wrong now, oldest first; empty when all is well."""

    def close(self) -> None:
        """Release the bus. Closing twice is allowed."""
