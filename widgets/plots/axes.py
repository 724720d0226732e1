"""Axes that speak our units: latency upwards, seconds or trials across."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from engine.records.units import time_unit
from widgets.plots.ticks import ROUND, ticks, time_texts, time_ticks

PIXELS_A_TICK = 36
PIXELS_A_TIME = 80
PIXELS_BETWEEN = 8
NARROW = 0.7  # decades


class LatencyAxis(pg.AxisItem):  # type: ignore[misc]
    """Latencies; where `log` is set, values are powers of ten of seconds."""

    log = False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Round values that are far enough from each other to be read."""
        low, high = sorted((low, high))
        wanted = max(2, int(size / PIXELS_A_TICK))
        return [(1.0, log_ticks(low, high, wanted) if self.log else ticks(low, high, wanted))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Each with its unit; a linear axis keeps to one unit."""
        if self.log:
            return [latency_text(10.0**value) for value in values]
        largest = max((abs(value) for value in values), default=0.0)
        return [latency_text(value, largest) for value in values]


class ProgressAxis(pg.AxisItem):  # type: ignore[misc]
    """Tuning time, or trials where `trials` is set."""

    trials = False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Whole seconds, minutes or hours; or round counts."""
        low, high = sorted((low, high))
        wanted = max(2, int(size / PIXELS_A_TIME))
        if self.trials:
            return [(1.0, [value for value in ticks(low, high, wanted) if value.is_integer()])]
        return [(1.0, time_ticks(low, high, wanted))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Counts, seconds, or minutes and seconds once there are minutes."""
        if self.trials:
            return [f"{value:,.0f}" for value in values]
        return time_texts(values)


class LevelAxis(ProgressAxis):
    """Words at 0, 1, 2 ...: `texts` names what stands there, those that have room are written."""

    texts: tuple[str, ...] = ()

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Every place in sight, or every second, third ... where all would run together."""
        low, high = sorted((low, high))
        seen = [place for place in range(len(self.texts)) if low <= place <= high]
        metrics = QFontMetricsF(self.style["tickFont"] or self.font())
        widest = max((metrics.horizontalAdvance(self.texts[place]) for place in seen), default=0.0)
        every = max(1, math.ceil((high - low) * (widest + PIXELS_BETWEEN) / max(size, 1.0)))
        return [(1.0, [float(place) for place in seen[::every]])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """What stands there."""
        return [self.texts[round(value)] for value in values]


def log_ticks(low: float, high: float, wanted: int) -> list[float]:
    """Logarithms of round values in [10**low, 10**high]: decades, 1-2-5, or finer if near."""
    if not high > low:
        return []
    if high - low < NARROW:
        ends = 10.0**low, 10.0**high
        # A step that is as long as the range may have no round value in it; a half of it has.
        values = ticks(*ends, wanted) or ticks(*ends, 2 * wanted)
        return [math.log10(value) for value in values if value > 0]
    decades = range(math.floor(low), math.ceil(high) + 1)
    fine = [decade + math.log10(factor) for decade in decades for factor in ROUND]
    fine = [value for value in fine if low <= value <= high]
    coarse = [float(decade) for decade in decades if low <= decade <= high]
    if len(fine) <= wanted or len(coarse) < 2:
        return fine
    every = math.ceil(len(coarse) / wanted)
    return [value for value in coarse if round(value) % every == 0]


def latency_text(seconds: float, unit_of: float | None = None) -> str:
    """A round latency, without needless zeros, in its own unit or that of another latency."""
    if abs(seconds) < 1e-15:
        return "0"
    scale, unit = time_unit(abs(seconds) if unit_of is None else unit_of)
    return f"{seconds / scale:.6g} {unit}"
