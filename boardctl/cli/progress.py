"""Progress of long work: shown on a terminal, silent when piped."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T")


def progress(items: Sequence[T], *, label: str) -> Iterator[T]:
    """Yield *items*; on a terminal a line on standard error says how many are done."""
    shown = sys.stderr.isatty()
    for number, item in enumerate(items):
        if shown:
            sys.stderr.write(f"\r{label}: {number}/{len(items)}")
            sys.stderr.flush()
        yield item
    if shown:
        sys.stderr.write("\r\033[K")
