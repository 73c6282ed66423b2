"""Write simulated games as trace files with their true moves: `NAME.jsonl` and `NAME.moves`.

    python benchmarks/make_traces.py OUT --seeds 1:21 [--scenario S3 ...] [--variant market ...]

The trace format is that of `boardctl replay`. A power cut (S7) stands in the header under
`power_cut`, in milliseconds; readers that do not know the key see the whole recording.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from boardctl.simulate import Recording, record
from engine import VARIANTS
from hardware.mock.effects import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Iterator


def lines(recording: Recording) -> Iterator[dict[str, object]]:
    """Yield the lines of a trace file."""
    truth = recording.truth
    header: dict[str, object] = {
        "format": "boardctl-trace/1",
        "variant": recording.variant,
        "first": recording.start.position.side.value,
        "scan_ms": round(recording.scan_s * 1000),
    }
    if truth.cut:
        header["power_cut"] = [round(truth.cut.off * 1000), round(truth.cut.back * 1000)]
    if truth.undecidable:
        header["undecidable"] = truth.undecidable
    yield header
    for timed in recording.frames:
        line: dict[str, object] = {
            "t": round(timed.at * 1000),
            "cells": f"{timed.frame.closed:x}",
        }
        if timed.frame.unknown:
            line["unknown"] = f"{timed.frame.unknown:x}"
        yield line
    yield {"t": round(recording.end * 1000), "end": True}


def write(recording: Recording, stem: Path) -> None:
    """Write one recording and its moves."""
    text = "".join(json.dumps(line) + "\n" for line in lines(recording))
    stem.with_suffix(".jsonl").write_text(text, encoding="utf-8")
    moves = "".join(f"{done.ply}\n" for done in recording.truth.plies)
    stem.with_suffix(".moves").write_text(moves, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", default="1:21", help="first:after-last")
    parser.add_argument("--scenario", nargs="*", default=list(SCENARIOS))
    parser.add_argument("--variant", nargs="*", default=list(VARIANTS))
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split(":"))
    asked.out.mkdir(parents=True, exist_ok=True)
    for variant in asked.variant:
        for scenario in asked.scenario:
            for seed in range(first, last):
                write(record(variant, scenario, seed), asked.out / f"{variant}-{scenario}-{seed}")


if __name__ == "__main__":
    main()
