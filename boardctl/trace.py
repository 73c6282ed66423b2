"""Recorded sensor frames: the file format `boardctl-trace/1`.

JSON lines: a header, one line for each change of the raw scan before any debouncing, an end line.

    {"format":"boardctl-trace/1","variant":"market","first":"defenders","scan_ms":5}
    {"t":0,"cells":"380804223ff888402038"}
    {"t":3810,"cells":"0","unknown":"3fff"}
    {"t":91210,"end":true}

`t` counts milliseconds from the start; `cells` is the 81 switches as a hexadecimal number, bit n
being cell n (a1 = 0, b1 = 1 ... i9 = 80) and 1 a piece that is felt; `unknown` are the cells that
could not be read in that scan. The header may carry `options`, and `position` with `side` for a
start other than the variant's own. Other keys are ignored.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeGuard

from boardctl.errors import BadRequestError
from engine.pieces import Side
from hardware.cells import ALL_CELLS, CellSet, Frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hardware.cells import Instant

FORMAT: Final = "boardctl-trace/1"
DEFAULT_SCAN_MS: Final = 5
MIN_SCAN_MS: Final = 0.01
MAX_SCAN_MS: Final = 60_000
"""A table that looked less than once a minute could follow no game."""
MAX_T_MS: Final = 100 * 24 * 3600 * 1000
"""A hundred days: no recording lasts as long, and a damaged time must not replay for ever."""
_SCAN_RANGE: Final = f"milliseconds, {MIN_SCAN_MS} to {MAX_SCAN_MS}"
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")


class TraceError(BadRequestError):
    """A trace that cannot be read; the message names the file and the line."""

    def __init__(self, name: str, line: int, problem: str) -> None:
        super().__init__(f"{name}: line {line}: {problem}")
        self.name = name
        self.line = line
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Header:
    """What game the frames are of.

    Attributes:
        variant: name of the game, or path of its ruleset.
        first: who moves first; None where the header does not say (the variant's own rule).
        scan_ms: time between two scans, for the record.
        options: options of the variant, as on the command line.
        position: OpenTafl record of the start, None for the variant's own.
        side: who moves first from `position`.
    """

    variant: str
    first: Side | None = None
    scan_ms: float = DEFAULT_SCAN_MS
    options: Mapping[str, str] = field(default_factory=dict)
    position: str | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A raw scan that differs from the one before; `t_ms` since the start of the trace."""

    t_ms: float
    frame: Frame


@dataclass(frozen=True, slots=True)
class Trace:
    """A recording: its header, its samples in order of time, and when it ended (ms)."""

    header: Header
    samples: tuple[Sample, ...]
    end_ms: float


def read_trace(lines: Iterable[str], name: str = "trace") -> Trace:
    """Read a trace; `name` is what an error calls it.

    A recording cut off by a power failure has no end line; it ends with its last frame. Whatever
    follows an end line is an error.

    Raises:
        TraceError: a line is damaged, out of order, or there is none.
    """
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise TraceError(name, 1, f"the file is empty; a header with format {FORMAT!r} is needed")
    header = _header(_object(first[1], name, first[0]), name, first[0])
    samples: list[Sample] = []
    end: float | None = None
    for number, line in numbered:
        if end is not None:
            raise TraceError(name, number, "there is something after the end line")
        found = _object(line, name, number)
        t_ms = _time(found, samples[-1].t_ms if samples else 0.0, name, number)
        if found.get("end"):
            end = t_ms
        else:
            samples.append(Sample(t_ms, _frame(found, name, number)))
    if not samples:
        raise TraceError(name, first[0], "no frame follows the header")
    return Trace(header, tuple(samples), samples[-1].t_ms if end is None else end)


def _object(line: str, name: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise TraceError(name, number, f"not JSON: {error}") from None
    except RecursionError:
        raise TraceError(name, number, "not JSON of a trace: nested too deeply") from None
    if not isinstance(found, dict):
        raise TraceError(name, number, f"not a JSON object: {line.strip()[:40]!r}")
    return found


def _header(found: Mapping[str, Any], name: str, number: int) -> Header:
    if found.get("format") != FORMAT:
        problem = f"format {found.get('format')!r}; this program reads {FORMAT!r}"
        raise TraceError(name, number, problem)
    variant = found.get("variant")
    if not isinstance(variant, str):
        raise TraceError(name, number, f"variant {variant!r}; the name of a game is needed")
    scan_ms = found.get("scan_ms", DEFAULT_SCAN_MS)
    if not _is_number(scan_ms) or not MIN_SCAN_MS <= scan_ms <= MAX_SCAN_MS:
        raise TraceError(name, number, f"scan_ms {scan_ms!r}; {_SCAN_RANGE}")
    options = found.get("options", {})
    if not isinstance(options, dict):
        raise TraceError(name, number, f"options {options!r}; an object of texts is needed")
    position = found.get("position")
    if position is not None and not isinstance(position, str):
        raise TraceError(name, number, f"position {position!r}; an OpenTafl record is needed")
    return Header(
        variant=variant,
        first=_side(found, "first", name, number),
        scan_ms=scan_ms,
        options={str(key): str(value) for key, value in options.items()},
        position=position,
        side=_side(found, "side", name, number),
    )


def _side(found: Mapping[str, Any], key: str, name: str, number: int) -> Side | None:
    value = found.get(key)
    if value is None:
        return None
    for side in Side:
        if side.value == value:
            return side
    raise TraceError(name, number, f"{key} {value!r}; 'attackers' or 'defenders'")


def _time(found: Mapping[str, Any], last_ms: float, name: str, number: int) -> float:
    t_ms = found.get("t")
    if not _is_number(t_ms) or not 0 <= t_ms <= MAX_T_MS:
        given = repr(t_ms)[:40]
        problem = f"t {given}; milliseconds from the start, 0 to {MAX_T_MS} (100 days)"
        raise TraceError(name, number, problem)
    if t_ms < last_ms:
        raise TraceError(name, number, f"t {t_ms:g} is earlier than {last_ms:g} before it")
    return t_ms


def _frame(found: Mapping[str, Any], name: str, number: int) -> Frame:
    if "cells" not in found:
        raise TraceError(name, number, "neither 'cells' nor 'end' is given")
    closed = _cells(found["cells"], "cells", name, number)
    return Frame(closed, _cells(found.get("unknown", "0"), "unknown", name, number))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cells(text: object, key: str, name: str, number: int) -> CellSet:
    # int() alone would let pass what no other reader of the format does: '0x1f', '1_0', '+1'.
    plain = isinstance(text, str) and text != "" and _HEX_DIGITS.issuperset(text)
    bits = int(str(text), 16) if plain else -1
    if not 0 <= bits <= ALL_CELLS:
        given = repr(text)[:40]
        raise TraceError(name, number, f"{key} {given}; 81 bits as a hexadecimal number")
    return CellSet(bits)


class TraceWriter:
    """Writes a trace line by line; what has been written is whole if the power fails."""

    def __init__(self, out: TextIO, header: Header, started_at: Instant) -> None:
        """Write the header; times are counted from *started_at*."""
        self._out = out
        self._started_at = started_at
        self._last: Frame | None = None
        self._write(_header_json(header))

    def frame(self, frame: Frame, now: Instant) -> None:
        """Write a raw scan, if it differs from the one before."""
        if frame == self._last:
            return
        self._last = frame
        line: dict[str, Any] = {"t": self._t_ms(now), "cells": f"{frame.closed:x}"}
        if frame.unknown:
            line["unknown"] = f"{frame.unknown:x}"
        self._write(line)

    def end(self, now: Instant) -> None:
        """Write the end line."""
        self._write({"t": self._t_ms(now), "end": True})

    def _t_ms(self, now: Instant) -> int:
        return round((now - self._started_at) * 1000)

    def _write(self, line: Mapping[str, Any]) -> None:
        self._out.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._out.flush()


def write_trace(out: TextIO, trace: Trace) -> None:
    """Write a whole recording."""
    out.writelines(line + "\n" for line in _lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    yield json.dumps(_header_json(trace.header), separators=(",", ":"))
    for sample in trace.samples:
        line: dict[str, Any] = {"t": _number(sample.t_ms), "cells": f"{sample.frame.closed:x}"}
        if sample.frame.unknown:
            line["unknown"] = f"{sample.frame.unknown:x}"
        yield json.dumps(line, separators=(",", ":"))
    yield json.dumps({"t": _number(trace.end_ms), "end": True}, separators=(",", ":"))


def _header_json(header: Header) -> dict[str, Any]:
    line: dict[str, Any] = {"format": FORMAT, "variant": header.variant}
    if header.first is not None:
        line["first"] = header.first.value
    line["scan_ms"] = _number(header.scan_ms)
    if header.options:
        line["options"] = dict(header.options)
    if header.position is not None:
        line["position"] = header.position
    if header.side is not None:
        line["side"] = header.side.value
    return line


def _number(value: float) -> float:
    return int(value) if value == int(value) else value
