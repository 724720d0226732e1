"""A pattern of strokes for each line of the comparison, beside its colour."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

WIDTH, HEIGHT = 36, 14
# Long strokes are of runs, short ones of replays; in the order in which they come.
RUNS: tuple[tuple[float, ...], ...] = ((), (14, 3), (14, 3, 2, 3))
REPLAYS: tuple[tuple[float, ...], ...] = (
    *((6, 2), (2, 2), (6, 2, 2, 2)),
    *((6, 2, 2, 2, 2, 2), (4, 5), (1, 4)),
)


def line_pen(color: QColor, place: int, replayed: bool) -> QPen:
    """The pen of the line at `place` among all lines."""
    patterns = REPLAYS if replayed else RUNS
    pattern, pen = patterns[place % len(patterns)], QPen(color, 1)
    pen.setCosmetic(True)
    if pattern:
        pen.setDashPattern(pattern)
    return pen


def line_swatch(pen: QPen, ratio: float = 1.0) -> QPixmap:
    """A piece of the line, thicker; `ratio` is of device pixels to pixels."""
    picture = QPixmap(round(WIDTH * ratio), round(HEIGHT * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    color = pen.color()
    painter.fillRect(QRectF(0, 0, 8, HEIGHT), color)
    painter.setPen(pen)
    for y in (HEIGHT / 2 - 1, HEIGHT / 2):
        painter.drawLine(QPointF(10, y), QPointF(WIDTH, y))
    painter.end()
    return picture
