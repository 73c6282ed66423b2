"""Draw the benchmark's results as SVG: how many games each method follows, and S5's curve.

    PYTHONPATH=. python benchmarks/plot.py SCORES.json... --out docs/images

A score file is what `benchmarks/recogniser.py --out` writes. Later files win.
"""

from __future__ import annotations

import argparse
import json
from html import escape
from pathlib import Path
from typing import Any

Scores = dict[str, dict[str, dict[str, Any]]]

_FONT = 'font-family="sans-serif" font-size="13"'
_INK = "#222"
_BAR = "#4878a8"
_OURS = "#c06020"
_LEFT, _TOP, _ROW, _COLUMN = 225, 34, 24, 92


def bars(scores: Scores, scenarios: list[str]) -> str:
    """Return a table of bars: a row for each method, a column for each scenario."""
    width = _LEFT + _COLUMN * len(scenarios)
    height = _TOP + _ROW * len(scores) + 10
    parts = [_head(width, height, "Games followed exactly, in per cent")]
    for place, scenario in enumerate(scenarios):
        parts.append(_text(_LEFT + _COLUMN * place, 20, scenario, "bold"))
    for row, (method, found) in enumerate(scores.items()):
        y = _TOP + _ROW * row
        colour = _OURS if row == 0 else _BAR
        parts.append(_text(4, y + 15, method, "bold" if row == 0 else "normal"))
        for place, scenario in enumerate(scenarios):
            if scenario in found:
                parts.append(_bar(_LEFT + _COLUMN * place, y, found[scenario], colour))
    return "\n".join([*parts, "</svg>\n"])


def _bar(x: int, y: int, score: dict[str, Any], colour: str) -> str:
    """Return one bar with its number and, as a line, its 95 % interval."""
    full = _COLUMN - 46
    share = score["followed"] / score["games"]
    low, high = x + full * score["low"], x + full * score["high"]
    return (
        f'<rect x="{x}" y="{y + 3}" width="{full}" height="{_ROW - 8}" fill="#eee"/>'
        f'<rect x="{x}" y="{y + 3}" width="{full * share:.1f}" height="{_ROW - 8}" '
        f'fill="{colour}"/>'
        f'<path d="M{low:.1f} {y + 11}H{high:.1f}" stroke="{_INK}" stroke-width="1.5"/>'
        + _text(x + full + 4, y + 15, f"{100 * share:.1f}".removesuffix(".0"))
    )


def curve(scores: Scores, methods: list[str]) -> str:
    """Return S5: share of games followed against the speed of the slides (logarithmic)."""
    width, height, left, bottom = 700, 330, 50, 280
    parts = [_head(width, height, "Games followed exactly against the speed of the slides")]
    for percent in (0, 25, 50, 75, 100):
        y = bottom - 2.4 * percent
        parts.append(f'<path d="M{left} {y}H480" stroke="#ddd"/>' + _text(8, y + 4, f"{percent} %"))
    speeds = [float(name.partition("@")[2]) for name in scores[methods[0]] if "@" in name]
    place = {speed: left + 15 + 400 * n / (len(speeds) - 1) for n, speed in enumerate(speeds)}
    parts += [_text(x - 12, bottom + 20, f"{speed:g}") for speed, x in place.items()]
    parts.append(_text(left + 130, bottom + 42, "mean speed of the slide, m/s"))
    dashes = ("", "7 3", "2 3", "9 3 2 3", "4 4", "12 4")
    for number, method in enumerate(methods):
        line = [
            f"{place[speed]:.0f} {bottom - 240 * score['followed'] / score['games']:.1f}"
            for speed, score in (
                (speed, scores[method][f"S5@{speed}"])
                for speed in speeds
                if f"S5@{speed}" in scores[method]
            )
        ]
        colour = _OURS if number == 0 else f"hsl({200 + 35 * number} 45% 42%)"
        style = f'fill="none" stroke="{colour}" stroke-width="{3 if number == 0 else 2}"'
        y = 40 + 22 * number
        parts.append(
            f'<polyline points="{" ".join(line)}" {style} stroke-dasharray="{dashes[number]}"/>'
            f'<path d="M490 {y - 4}h24" {style} stroke-dasharray="{dashes[number]}"/>'
            + _text(520, y, method)
        )
    return "\n".join([*parts, "</svg>\n"])


def _head(width: int, height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
    )


def _text(x: float, y: float, text: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" {_FONT} font-weight="{weight}" fill="{_INK}">'
        f"{escape(text)}</text>"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="draw the benchmark's results")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    scores: Scores = {}
    for path in asked.files:
        for method, found in json.loads(path.read_text(encoding="utf-8")).items():
            scores.setdefault(method, {}).update(found)
    scenarios = sorted({name for found in scores.values() for name in found if "@" not in name})
    (asked.out / "recognition-methods.svg").write_text(bars(scores, scenarios), encoding="utf-8")
    swept = [method for method, found in scores.items() if any("@" in name for name in found)]
    if swept:
        (asked.out / "recognition-speed.svg").write_text(curve(scores, swept), encoding="utf-8")


if __name__ == "__main__":
    main()
