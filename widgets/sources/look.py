"""A colour and a pattern for each source of improvements, beside its word."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPixmap

from engine.records.trial import Source
from widgets.look.theme import blend, theme

SOURCES = tuple(Source)
PALE = 0.55
SWATCH_WIDTH, SWATCH_HEIGHT = 24, 14


@dataclass(frozen=True, slots=True)
class Look:
    """How a source is hatched; `category` is its place among the theme's colours."""

    category: int
    pattern: Qt.BrushStyle


LOOKS = {
    Source.SEARCH: Look(0, Qt.BrushStyle.NoBrush),
    Source.SHARED: Look(1, Qt.BrushStyle.BDiagPattern),
    Source.TRANSFERRED: Look(2, Qt.BrushStyle.CrossPattern),
    Source.DROPLET: Look(3, Qt.BrushStyle.Dense5Pattern),
    Source.STARTER: Look(4, Qt.BrushStyle.VerPattern),
    Source.READY: Look(5, Qt.BrushStyle.HorPattern),
    Source.LIBRARY: Look(6, Qt.BrushStyle.FDiagPattern),
}


def source_color(source: Source) -> QColor:
    """A source's colour in the theme in force."""
    return theme().category(LOOKS[source].category)


def source_brushes(source: Source) -> tuple[QBrush, QBrush]:
    """What a source's area is filled with: a pale ground, and a hatching over it."""
    color = source_color(source)
    ground = blend(color, theme().surface, PALE)
    return QBrush(ground), QBrush(blend(color, ground, 0.25), LOOKS[source].pattern)


def swatch(source: Source, ratio: float = 1.0) -> QPixmap:
    """A piece of a source's area; `ratio` is of device pixels to pixels."""
    picture = QPixmap(round(SWATCH_WIDTH * ratio), round(SWATCH_HEIGHT * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    area = QRectF(0.5, 0.5, SWATCH_WIDTH - 1, SWATCH_HEIGHT - 1)
    for brush in source_brushes(source):
        painter.fillRect(area, brush)
    painter.setPen(source_color(source))
    painter.drawRect(area)
    painter.end()
    return picture
