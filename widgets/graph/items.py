"""The graphics items of the graph: nodes and edges in tiles, rings, and the ends of long edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from engine.graph.layout import Point
from widgets.graph.painter import (
    DETAILED,
    LEAF,
    OUTLINED,
    PADDING,
    Node,
    NodeFonts,
    Spots,
    paint_node,
    paint_rings,
    paint_spots,
    spots_of,
)
from widgets.look.language import tr
from widgets.look.theme import blend, theme

FAINT_EDGES = 0.04
PICTURED = 0.06
HALVINGS = 4


class NodesItem(QGraphicsItem):
    """The nodes of one tile of the plane; far out, from a small picture that it keeps."""

    def __init__(self, nodes: Sequence[Node], fonts: NodeFonts) -> None:
        super().__init__()
        self._nodes, self._fonts = nodes, fonts
        bounds = QRectF()
        for node in nodes:
            bounds = bounds.united(node.body)
        self._bounds = bounds.adjusted(-2, -2, LEAF + 2, LEAF + 2)
        self._spots: Spots | None = None
        self._pictures: dict[int, QPixmap] = {}
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(2)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def forget(self, area: QRectF | None = None) -> None:
        """Colours changed, in all of the tile or in an area: paint anew."""
        self._spots = None
        self._pictures.clear()
        self.update(self._bounds if area is None else area)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw as much as can be read at this zoom."""
        zoom = zoom_of(painter)
        if zoom < PICTURED:
            picture = self._picture(int(math.log(PICTURED / zoom, HALVINGS)))
            painter.drawPixmap(self._bounds, picture, QRectF(picture.rect()))
        elif zoom < OUTLINED:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            paint_spots(painter, self._colored())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        else:
            for node in self._nodes:
                if option.exposedRect.intersects(node.area):
                    paint_node(painter, node, self._fonts, zoom >= DETAILED)

    def _colored(self) -> Spots:
        if self._spots is None:
            self._spots = spots_of(self._nodes)
        return self._spots

    def _picture(self, level: int) -> QPixmap:
        """The tile at a fraction of its size: each level is a fourth of the one before."""
        if level not in self._pictures:
            scale = PICTURED / HALVINGS**level
            width, height = (max(1, math.ceil(side * scale)) for side in self._sides())
            if level:
                keep, smooth = (
                    Qt.AspectRatioMode.IgnoreAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )
                self._pictures[level] = self._picture(level - 1).scaled(width, height, keep, smooth)
            else:
                self._pictures[level] = self._drawn(width, height)
        return self._pictures[level]

    def _drawn(self, width: int, height: int) -> QPixmap:
        picture = QPixmap(width, height)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.scale(width / self._bounds.width(), height / self._bounds.height())
        painter.translate(-self._bounds.topLeft())
        paint_spots(painter, self._colored())
        painter.end()
        return picture

    def _sides(self) -> tuple[float, float]:
        return self._bounds.width(), self._bounds.height()


class RingsItem(QGraphicsItem):
    """The rings round the nodes that are selected and the one that the keyboard is at."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__()
        self._nodes = nodes
        self._bounds = QRectF()
        for node in nodes:
            self._bounds = self._bounds.united(node.area)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(3)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        for node in self._nodes:
            if option.exposedRect.intersects(node.area):
                paint_rings(painter, node)


class EdgesItem(QGraphicsItem):
    """Many edges as one item; straight and without antialiasing where zoomed far out."""

    def __init__(self, polylines: Iterable[Sequence[Point]], accented: bool = False) -> None:
        super().__init__()
        self._curved, self._straight = QPainterPath(), QPainterPath()
        for points in polylines:
            _add_curved(self._curved, points)
            _add_straight(self._straight, points)
        self._accented = accented
        self._bounds = self._curved.controlPointRect().adjusted(-1, -1, 1, 1)
        self.setZValue(1 if accented else 0)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        zoom = zoom_of(painter)
        if zoom < FAINT_EDGES and not self._accented:
            return
        far = zoom < OUTLINED
        faint = blend(theme().muted, theme().surface, 0.3)
        pen = QPen(theme().accent if self._accented else faint, 1.0)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not far)
        painter.drawPath(self._straight if far else self._curved)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


class StubsItem(QGraphicsItem):
    """One end of an edge that is too long to draw, with the name at its other end, `other`.

    `aside` is how far to the right the name stands: those of other edges are before it.
    """

    def __init__(
        self,
        ends: tuple[Point, Point],
        other: int,
        text: str,
        font: QFont,
        leaves: bool,
        aside: float = 0.0,
    ) -> None:
        super().__init__()
        start, end = ends
        self.other = other
        self._start, self._end = QPointF(*start), QPointF(*end)
        self._text = tr("to {name}", name=text) if leaves else tr("from {name}", name=text)
        self._font = font
        top = min(start[1], end[1])
        width = QFontMetricsF(font).horizontalAdvance(self._text) + PADDING
        self._room = QRectF(start[0] + 4 + aside, top, width, abs(end[1] - start[1]))

    def boundingRect(self) -> QRectF:
        line = QRectF(self._start, self._end).normalized()
        return self._room.united(line).adjusted(-2, -1, 1, 1)

    @property
    def label(self) -> QRectF:
        """Where the name stands."""
        return self._room

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """A short dashed line; the label where it can be read."""
        zoom = zoom_of(painter)
        if zoom < OUTLINED:
            return
        pen = QPen(theme().muted, 1.0, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLine(self._start, self._end)
        if zoom >= DETAILED:
            painter.setFont(self._font)
            painter.drawText(self._room, Qt.AlignmentFlag.AlignVCenter, self._text)


def zoom_of(painter: QPainter) -> float:
    """Screen pixels for one unit of the scene."""
    return QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())


def _add_straight(path: QPainterPath, points: Sequence[Point]) -> None:
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)


def _add_curved(path: QPainterPath, points: Sequence[Point]) -> None:
    """Leave and meet every point upright, so that parts join smoothly."""
    path.moveTo(*points[0])
    for (x, y), (to_x, to_y) in pairwise(points):
        if abs(x - to_x) < 0.5:
            path.lineTo(to_x, to_y)
        else:
            middle = (y + to_y) / 2
            path.cubicTo(x, middle, to_x, middle, to_x, to_y)
