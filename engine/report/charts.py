"""Curves of a report as SVG elements, drawn from change points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from engine.history.history import Curve
from engine.records.units import format_duration, format_seconds
from engine.report.look import colors
from engine.report.markup import node

WIDTH, HEIGHT = 960, 300
LEFT, RIGHT, TOP, BOTTOM = 76, 150, 12, 40
_SPARK = (120, 24)
_TEXT = 12
_SHORTEST_S, _LONGEST_S = 1e-12, 1e6
_SPREAD = 1.04  # room above and below the curve, as a factor
_PARTS: tuple[tuple[float, ...], ...] = (
    (1,),
    (1, 2, 5),
    (1, 1.5, 2, 3, 4, 5, 6, 8),
    tuple(tenths / 10 for tenths in range(10, 100)),
)
_TIME_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 18000, 36000, 86400)


@dataclass(frozen=True, slots=True)
class Level:
    """A latency to compare with, in seconds: a dashed line with its name."""

    name: str
    latency_s: float


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where seconds and latencies (on a logarithmic scale) are on the drawing."""

    end_s: float
    low_s: float
    high_s: float
    left: float
    right: float
    top: float
    bottom: float

    def x(self, seconds: float) -> float:
        return self.left + (self.right - self.left) * min(1.0, seconds / self.end_s)

    def y(self, latency_s: float) -> float:
        whole = math.log(self.high_s / self.low_s)
        return self.top + (self.bottom - self.top) * math.log(self.high_s / latency_s) / whole


def curve_chart(curve: Curve, end_s: float, levels: Sequence[Level]) -> Element | None:
    """The model's latency over tuning time, with levels to compare with; None without a curve."""
    points = _points(curve)
    shown = [level for level in levels if _can_be_drawn(level.latency_s)]
    if not points:
        return None
    heights = [*(latency_s for _, latency_s in points), *(level.latency_s for level in shown)]
    frame = _Frame(
        max(end_s, points[-1][0], 1.0),
        min(heights) / _SPREAD,
        max(heights) * _SPREAD,
        LEFT,
        WIDTH - RIGHT,
        TOP,
        HEIGHT - BOTTOM,
    )
    label = f"Latency over {format_duration(frame.end_s)} of tuning"
    chart = svg(WIDTH, HEIGHT, label)
    _grid(chart, frame)
    below = -math.inf
    for level in sorted(shown, key=lambda level: -level.latency_s):
        below = _level(chart, frame, level, below + _TEXT + 2)
    chart.append(_path(points, frame, 2.5))
    return chart


def spark(curve: Curve, start_s: float | None, end_s: float) -> Element | None:
    """A task's curve the size of a word, from its untuned latency on; None without one."""
    points = _points(curve)
    if not points or end_s <= 0:
        return None
    start_s = start_s if start_s and _can_be_drawn(start_s) else points[0][1]
    heights = [start_s, *(latency_s for _, latency_s in points)]
    width, height = _SPARK
    low, high = min(heights), max(heights)
    high = high if high > low else low * _SPREAD
    frame = _Frame(end_s, low, high, 1, width - 1, 2, height - 2)
    label = f"From {format_seconds(start_s)} to {format_seconds(points[-1][1])}"
    chart = svg(width, height, label)
    chart.append(_path([(0.0, start_s), *points], frame, 1.5))
    return chart


def _points(curve: Curve) -> list[tuple[float, float]]:
    """Seconds and latencies that can be drawn: a stranger's file may hold any number."""
    pairs = zip(curve.elapsed_s.tolist(), curve.latency_s.tolist(), strict=True)
    return [(at, latency_s) for at, latency_s in pairs if _can_be_drawn(latency_s)]


def _can_be_drawn(latency_s: float) -> bool:
    return _SHORTEST_S <= latency_s <= _LONGEST_S


def svg(width: int, height: int, label: str) -> Element:
    """An empty drawing; `label` says what it shows."""
    made = node("svg", width=width, height=height, role="img", aria_label=label)
    made.set("xmlns", "http://www.w3.org/2000/svg")
    made.set("viewBox", f"0 0 {width} {height}")
    return made


def _path(points: Sequence[tuple[float, float]], frame: _Frame, width: float) -> Element:
    """A step curve: each latency holds until the next."""
    (left, top), *places = [(frame.x(at), frame.y(latency_s)) for at, latency_s in points]
    steps = "".join(f"H{x:.1f}V{y:.1f}" for x, y in places)
    return node(
        "path",
        d=f"M{left:.1f},{top:.1f}{steps}H{frame.right:.1f}",
        fill="none",
        stroke=colors()["accent"],
        stroke_width=width,
    )


def _grid(chart: Element, frame: _Frame) -> None:
    ink = colors()
    for latency_s in _latencies(frame.low_s, frame.high_s):
        y = frame.y(latency_s)
        chart.append(line(frame.left, y, frame.right, y, ink["grid"]))
        text = format_seconds(latency_s, 2)
        chart.append(words(text, frame.left - 6, y + 4, ink["muted"], "end"))
    for seconds in _times(frame.end_s):
        x = frame.x(seconds)
        chart.append(line(x, frame.top, x, frame.bottom, ink["grid"]))
        text = format_duration(seconds)
        chart.append(words(text, x, frame.bottom + 16, ink["muted"], "middle"))
    chart.append(words("tuning time", frame.right, frame.bottom + 32, ink["muted"], "end"))


def _level(chart: Element, frame: _Frame, level: Level, least: float) -> float:
    """Draw a level, its name not above `least`; where the name is."""
    ink, y = colors()["warning"], frame.y(level.latency_s)
    drawn = line(frame.left, y, frame.right, y, ink)
    drawn.set("stroke-dasharray", "6 4")
    chart.append(drawn)
    text = f"{level.name} {format_seconds(level.latency_s)}"
    place = max(y + 4, least)
    chart.append(words(text, frame.right + 6, place, ink))
    return place


def line(x1: float, y1: float, x2: float, y2: float, ink: str, **more: float) -> Element:
    """A line of one colour."""
    return node("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=ink, **more)


def words(text: str, x: float, y: float, ink: str, anchor: str = "start") -> Element:
    """A text at a place, which is its start, middle or end."""
    made = node("text", text, x=x, y=y, fill=ink, text_anchor=anchor)
    made.set("font-size", str(_TEXT))
    made.set("font-family", "sans-serif")
    return made


def _latencies(low_s: float, high_s: float) -> list[float]:
    """Round latencies between two: 1, 2, 5, 10, ... or finer where those are too few."""
    powers = range(math.floor(math.log10(low_s)), math.ceil(math.log10(high_s)) + 1)
    for parts in _PARTS:
        ticks = [part * 10.0**power for power in powers for part in parts]
        found = [tick for tick in ticks if low_s <= tick <= high_s]
        if len(found) >= 3:
            return found if len(found) <= 12 else found[:: len(found) // 6]
    return [low_s, high_s]


def _times(end_s: float) -> list[float]:
    step = next((step for step in _TIME_STEPS if end_s / step <= 8), None)
    step = step or math.ceil(end_s / 8 / 86400) * 86400
    return [float(step * count) for count in range(math.floor(end_s / step) + 1)]
