"""Round places on an axis, and what is written there."""

from __future__ import annotations

import math

from engine.records.units import format_duration

ROUND = (1.0, 2.0, 5.0)
_TIMES = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)


def ticks(low: float, high: float, wanted: int) -> list[float]:
    """At most about `wanted` multiples of 1, 2 or 5 times a power of ten in [low, high]."""
    span = high - low
    if not span > 0 or not math.isfinite(span):
        return []
    power = 10.0 ** math.floor(math.log10(span / wanted))
    step = next((r * power for r in (*ROUND, 10.0) if span / (r * power) <= wanted), 10 * power)
    return multiples(low, high, step)


def time_ticks(low: float, high: float, wanted: int) -> list[float]:
    """Whole seconds, minutes or hours in [low, high]; parts of a second where that is short."""
    if high - low < 1.0:
        return ticks(low, high, wanted)
    step = next((size for size in _TIMES if (high - low) / size <= wanted), _TIMES[-1])
    return multiples(low, high, float(step))


def time_texts(values: list[float]) -> list[str]:
    """Seconds, or minutes and seconds once there are minutes."""
    minutes = max(values, default=0.0) >= 60
    return [format_duration(value) if minutes else f"{value:.6g} s" for value in values]


def multiples(low: float, high: float, step: float) -> list[float]:
    """All multiples of `step` in [low, high]."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [step * number for number in range(first, last + 1)]
