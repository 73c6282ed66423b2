"""Write simulated games as trace files with their true moves: `NAME.jsonl` and `NAME.moves`.

    PYTHONPATH=. python benchmarks/make_traces.py OUT --seeds 1:21 --scenario S3 --variant market

`boardctl replay --moves NAME.jsonl` should print `NAME.moves`. A trace knows no power cuts: in
those of S7 the reader sees what happened meanwhile.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from boardctl.simulate import Recording, record
from boardctl.trace import Header, Sample, Trace, write_trace
from engine import VARIANTS
from hardware.mock.effects import SCENARIOS


def trace_of(recording: Recording) -> Trace:
    """Return a recording as a trace."""
    header = Header(
        variant=recording.variant,
        first=recording.start.position.side,
        scan_ms=1000 * recording.scan_s,
    )
    samples = [Sample(round(1000 * timed.at), timed.frame) for timed in recording.frames]
    return Trace(header, tuple(samples), round(1000 * recording.end))


def write(recording: Recording, stem: Path) -> None:
    """Write one recording and its moves."""
    with stem.with_suffix(".jsonl").open("w", encoding="utf-8") as out:
        write_trace(out, trace_of(recording))
    moves = "".join(f"{done.ply}\n" for done in recording.truth.plies)
    stem.with_suffix(".moves").write_text(moves, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="simulated games as trace files")
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
