"""Curves over a logarithmic axis as SVG, two beside each other."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from engine.report.look import colors
from engine.report.markup import node

_WIDTH, _HEIGHT = 470, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 26, 34, 40
_LEGEND = 30
_INKS = {
    "sequential": ("muted", "2 3"),
    "parallel": ("error", "7 4"),
    "interleaved": ("accent", ""),
    "predictive": ("good", "10 3 2 3"),
}


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines by the policy's name over `axis`, which is logarithmic; so is the height if it says."""

    title: str
    axis: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    logarithmic: bool


def picture(plots: Sequence[Curves]) -> str:
    """All plots, two a row, under one legend."""
    rows = math.ceil(len(plots) / 2)
    width, height = 2 * _WIDTH, rows * _HEIGHT + _LEGEND
    root = node("svg", width=width, height=height, viewBox=f"0 0 {width} {height}", role="img")
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.append(node("rect", width=width, height=height, fill=colors()["surface"]))
    for place, name in enumerate(_INKS):
        x = 60 + place * 200
        root.append(_line(name, f"M{x},15H{x + 40}"))
        root.append(_words(name, x + 48, 19, "start"))
    for place, plot in enumerate(plots):
        across, down = place % 2, place // 2
        part = node("g", transform=f"translate({across * _WIDTH},{_LEGEND + down * _HEIGHT})")
        part.extend(_plot(plot))
        root.append(part)
    return f"{tostring(root, encoding='unicode')}\n"


def save(svg: str, path: Path) -> None:
    """Write a picture; a name that ends in .png makes it one of pixels, for the help's pages."""
    if path.suffix != ".png":
        path.write_text(svg, "utf-8")
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    from app.process.main import application

    application()  # text needs its fonts
    renderer = QSvgRenderer(svg.encode())
    image = QImage(renderer.defaultSize(), QImage.Format.Format_RGB888)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    image.save(str(path), quality=0)  # packed as tightly as PNG allows


def _plot(plot: Curves) -> list[Element]:
    points = [point for line in plot.lines.values() for point in line]
    xs = _Scale([x for x, _ in points], _LEFT, _WIDTH - _RIGHT, True)
    heights = [y for _, y in points] if plot.logarithmic else [0.0, 1.0]
    ys = _Scale(heights, _HEIGHT - _BOTTOM, _TOP, plot.logarithmic)
    made = [_words(plot.title, _LEFT, 22, "start", 14)]
    for value in xs.ticks():
        made.append(_grid(f"M{xs.of(value):.1f},{_TOP}V{_HEIGHT - _BOTTOM}"))
        made.append(_words(f"{value:,.0f}", xs.of(value), _HEIGHT - _BOTTOM + 16, "middle"))
    for value in ys.ticks():
        shown = f"{value:,g}" if plot.logarithmic else f"{value:.0%}"
        made.append(_grid(f"M{_LEFT},{ys.of(value):.1f}H{_WIDTH - _RIGHT}"))
        made.append(_words(shown, _LEFT - 6, ys.of(value) + 4, "end"))
    made.append(_words(plot.axis, _WIDTH - _RIGHT, _HEIGHT - 8, "end"))
    for name, line in plot.lines.items():
        places = " L".join(f"{xs.of(x):.1f},{ys.of(y):.1f}" for x, y in line)
        made.append(_line(name, f"M{places}"))
        ink = colors()[_INKS[name][0]]
        made += [node("circle", cx=xs.of(x), cy=ys.of(y), r=2.5, fill=ink) for x, y in line]
    return made


class _Scale:
    """From values to places on the drawing."""

    def __init__(self, values: Sequence[float], start: float, end: float, log: bool) -> None:
        low, high = min(values), max(values)
        self._log, self._start, self._length = log, start, end - start
        if log:
            low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
        self._low, self._high = low, high if high > low else low * 10 or 1.0

    def of(self, value: float) -> float:
        low, high = self._low, self._high
        share = (
            math.log(value / low) / math.log(high / low)
            if self._log
            else (value - low) / (high - low)
        )
        return self._start + self._length * share

    def ticks(self) -> list[float]:
        if not self._log:
            return [self._low + (self._high - self._low) * part / 4 for part in range(5)]
        first, last = round(math.log10(self._low)), round(math.log10(self._high))
        return [10.0**power for power in range(first, last + 1)]


def _line(name: str, path: str) -> Element:
    token, dashes = _INKS[name]
    made = node("path", d=path, fill="none", stroke=colors()[token], stroke_width=2)
    if dashes:
        made.set("stroke-dasharray", dashes)
    return made


def _grid(path: str) -> Element:
    return node("path", d=path, fill="none", stroke=colors()["grid"])


def _words(text: str, x: float, y: float, anchor: str, size: int = 12) -> Element:
    made = node("text", text, x=x, y=y, fill=colors()["text"], text_anchor=anchor)
    made.set("font-size", str(size))
    made.set("font-family", "sans-serif")
    return made
