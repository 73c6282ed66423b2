"""Prometheus text made of the board's health message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from boardctl.web.events import SQUARES

_HELP: Mapping[str, str] = {
    "reliability": "Share of a square's raw changes that proved true, 0 to 1.",
    "scan_hz": "Scans of the switches in the last second.",
    "scan_lateness_p99_ms": "Lateness of the scans, 99th percentile of the last minute.",
    "uptime_s": "Seconds since the board process started.",
}


class _Health(Collector):
    """One gauge per number of the health message; nested objects become labels."""

    def __init__(self, health: Mapping[str, Any] | None, *, up: bool, streams: int) -> None:
        self._health = health if up and health is not None else {}
        self._up = up
        self._streams = streams

    def collect(self) -> Iterable[GaugeMetricFamily]:
        yield GaugeMetricFamily("boardctl_up", "Whether the board process answers.", self._up)
        yield GaugeMetricFamily("boardctl_web_streams", "Open event streams.", self._streams)
        for name, value in self._health.items():
            yield from _families(name, value)


def _families(name: str, value: Any) -> Iterator[GaugeMetricFamily]:
    metric, text = f"boardctl_{name}", _HELP.get(name, f"Health figure '{name}' of the board.")
    if isinstance(value, list) and len(value) == len(SQUARES):
        value = dict(zip(SQUARES, value, strict=True))
    if isinstance(value, bool | int | float):
        yield GaugeMetricFamily(metric, text, float(value))
    elif isinstance(value, Mapping):
        numbers = {k: v for k, v in value.items() if isinstance(v, bool | int | float)}
        if numbers:
            family = GaugeMetricFamily(metric, text, labels=["name"])
            for label, number in numbers.items():
                family.add_metric([label], float(number))
            yield family


def metrics_text(health: Mapping[str, Any] | None, *, up: bool, streams: int) -> str:
    """Return what `/metrics` answers."""
    registry = CollectorRegistry()
    registry.register(_Health(health, up=up, streams=streams))
    return generate_latest(registry).decode()
