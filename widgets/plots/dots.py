"""Thousands of equal small marks, stamped into a picture: a hundred times faster to change."""

from __future__ import annotations

from math import ceil

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from engine.history.history import Floats
from widgets.parts.column_model import Array


def square() -> QPainterPath:
    """A symbol that is filled."""
    path = QPainterPath()
    path.addRect(QRectF(-0.5, -0.5, 1.0, 1.0))
    return path


class Dots(pg.GraphicsObject):  # type: ignore[misc]
    """Marks of `size` pixels at places of the plot, whatever the zoom; `symbol` is of size one."""

    def __init__(self, symbol: QPainterPath, size: float) -> None:
        super().__init__()
        self._symbol, self._size = symbol, size
        self._x, self._y = np.empty(0), np.empty(0)
        self._pen, self._brush = QPen(Qt.PenStyle.NoPen), QBrush()
        self._stamps: dict[float, tuple[Array, Array, Array]] = {}

    def show_at(self, x: Floats, y: Floats) -> None:
        """Draw these marks, and no others."""
        self._x, self._y = x, y
        self.update()

    def recolor(self, pen: QPen | None, brush: QColor | None) -> None:
        """Outline and filling; None leaves one out."""
        self._pen = QPen(Qt.PenStyle.NoPen) if pen is None else pen
        self._brush = QBrush() if brush is None else QBrush(brush)
        self._stamps.clear()
        self.update()

    def boundingRect(self) -> QRectF:
        rect: QRectF = self.viewRect()
        return rect

    def viewTransformChanged(self) -> None:
        """Another part is in sight."""
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        area = painter.transform().mapRect(self.viewRect())
        x, y = pg.functions.transformCoordinates(painter.transform(), np.array([self._x, self._y]))
        reach = self._size
        inside = (x > area.left() - reach) & (x < area.right() + reach)
        inside &= (y > area.top() - reach) & (y < area.bottom() + reach)
        if not inside.any():
            return
        painter.save()
        painter.resetTransform()
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            self._stamp(painter, area, x[inside], y[inside])
        else:
            self._draw(painter, x[inside], y[inside])
        painter.restore()

    def _draw(self, painter: QPainter, x: Floats, y: Floats) -> None:
        """As shapes, for a device without pixels."""
        painter.setPen(self._pen)
        painter.setBrush(self._brush)
        symbol = painter.transform().scale(self._size, self._size).map(self._symbol)
        for left, top in zip(x.tolist(), y.tolist(), strict=True):
            painter.drawPath(symbol.translated(QPointF(left, top)))

    def _stamp(self, painter: QPainter, area: QRectF, x: Floats, y: Floats) -> None:
        ratio = painter.device().devicePixelRatio()
        stamp_x, stamp_y, colors = self._stamp_of(ratio)
        margin = int(np.max(stamp_x, initial=0)) + 1
        width, height = (
            ceil(side * ratio) + 2 * margin + 2 for side in (area.width(), area.height())
        )
        corner = QPoint(int(area.left()), int(area.top()))
        left = np.rint((x - corner.x()) * ratio).astype(np.int64) + margin
        top = np.rint((y - corner.y()) * ratio).astype(np.int64) + margin
        known = (left >= margin) & (left < width - margin)
        known &= (top >= margin) & (top < height - margin)
        at = top[known] * width + left[known]
        pixels = np.zeros(height * width, np.uint32)
        offsets = (stamp_y * width + stamp_x).tolist()
        for offset, color in zip(offsets, colors.tolist(), strict=True):
            pixels[at + offset] = color
        image = QImage(
            pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied
        )
        image.setDevicePixelRatio(ratio)
        painter.setClipRect(area)
        painter.drawImage(QPointF(corner) - QPointF(margin, margin) / ratio, image)

    def _stamp_of(self, ratio: float) -> tuple[Array, Array, Array]:
        """The pixels of one mark: their places from its middle, and their colours."""
        if ratio not in self._stamps:
            half = ceil((self._size / 2 + 1) * ratio)
            image = QImage(2 * half + 1, 2 * half + 1, QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(0)
            painter = QPainter(image)
            painter.translate(half, half)
            painter.scale(ratio * self._size, ratio * self._size)
            pen = QPen(self._pen)
            pen.setWidthF(pen.widthF() * ratio)
            painter.setPen(pen)
            painter.setBrush(self._brush)
            painter.drawPath(self._symbol)
            painter.end()
            pixels = np.frombuffer(image.constBits(), np.uint32).reshape(2 * half + 1, -1)
            rows, columns = np.nonzero(pixels)
            self._stamps[ratio] = columns - half, rows - half, pixels[rows, columns].copy()
        return self._stamps[ratio]
