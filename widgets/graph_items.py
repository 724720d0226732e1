"""The graphics items of the graph: nodes, and edges in bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from engine.graph.layout import Point
from engine.graph.network import Operator
from engine.tasks.task import TaskState
from widgets.graph_look import LEVELS, NodeLook, shape_text, short_name
from widgets.states import state_color, state_label
from widgets.theme import TEXT_PIXELS, blend, tabular, text_on, theme

PADDING = 8.0
LINE = 16.0
NODE_HEIGHT = 2 * LINE + PADDING
NARROWEST = 96.0
RADIUS = 4.0
RING = 6.0
DETAILED = 0.5
OUTLINED = 0.2


class NodeFonts:
    """The fonts of nodes and the sizes that texts need in them."""

    def __init__(self, base: QFont) -> None:
        self.name = tabular(base, TEXT_PIXELS)
        self.name.setWeight(QFont.Weight.Medium)
        self.detail = tabular(base, TEXT_PIXELS - 1)
        self._name = QFontMetricsF(self.name)
        self._detail = QFontMetricsF(self.detail)

    def size(self, operator: Operator) -> tuple[float, float]:
        """Width and height of an operator's node; room for a share is always kept."""
        name = self._name.horizontalAdvance(short_name(operator)) + LINE
        detail = self._detail.horizontalAdvance(shape_text(operator) + "  <0.1 %")
        width = max(name, detail, NARROWEST - 2 * PADDING) + 2 * PADDING
        return 4.0 * -(-width // 4), NODE_HEIGHT


class NodeItem(QGraphicsItem):
    """One operator: its name, output shape and share, tinted by share, outlined by state."""

    def __init__(self, operator: Operator, size: tuple[float, float], fonts: NodeFonts) -> None:
        super().__init__()
        self.operator = operator
        self.look = NodeLook()
        self.selected = False
        self.current = False
        self._fonts = fonts
        self._name = short_name(operator)
        self._shape = shape_text(operator)
        width, height = size
        self.body = QRectF(-width / 2, -height / 2, width, height)
        self.setZValue(2)

    def boundingRect(self) -> QRectF:
        """The body and the rings of selection round it."""
        return self.body.adjusted(-RING, -RING, RING, RING)

    def tint(self) -> QColor:
        """The colour of the body."""
        level = self.look.level
        return theme().raised if level is None else theme().ramp(level / LEVELS)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw as much as can be read at this zoom."""
        zoom = QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())
        if zoom < OUTLINED:
            painter.fillRect(self.body, self.tint())
        else:
            self._paint_body(painter)
            if zoom >= DETAILED:
                self._paint_texts(painter)
        if self.selected or self.current:
            self._paint_rings(painter)

    def _paint_body(self, painter: QPainter) -> None:
        state = self.look.state
        pen = QPen(theme().border if state is None else state_color(state), 1.5)
        if state is None:
            pen.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.setBrush(self.tint())
        painter.drawRoundedRect(self.body, RADIUS, RADIUS)

    def _paint_texts(self, painter: QPainter) -> None:
        first = self.body.adjusted(PADDING, PADDING / 2, -PADDING, 0)
        first.setHeight(LINE)
        second = first.translated(0, LINE)
        middle, left = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignLeft
        right = middle | Qt.AlignmentFlag.AlignRight
        tinted = self.look.level is not None
        ink = text_on(self.tint()) if tinted else theme().text
        painter.setPen(ink)
        painter.setFont(self._fonts.name)
        painter.drawText(first, middle | left, self._name)
        if self.look.state not in (None, TaskState.WAITING):
            painter.drawText(first, right, state_label(self.look.state)[0])
        painter.setFont(self._fonts.detail)
        painter.drawText(second, right, self.look.share)
        painter.setPen(ink if tinted else theme().muted)
        painter.drawText(second, middle | left, self._shape)

    def _paint_rings(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.selected:
            pen = QPen(theme().accent, 2.0)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawRoundedRect(self.body.adjusted(-3, -3, 3, 3), RADIUS + 2, RADIUS + 2)
        if self.current:
            pen = QPen(theme().text, 1.0, Qt.PenStyle.DashLine)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawRoundedRect(self.body.adjusted(-5, -5, 5, 5), RADIUS + 3, RADIUS + 3)


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
        """All edges of this band."""
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw all of them in one call."""
        zoom = QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())
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
    """The two ends of an edge that is too long to draw, each with the name at its other end."""

    def __init__(self, start: Point, end: Point, text: str, font: QFont, leaves: bool) -> None:
        super().__init__()
        self._start, self._end = QPointF(*start), QPointF(*end)
        self._text = f"to {text}" if leaves else f"from {text}"
        self._font = font
        top = min(start[1], end[1])
        width = QFontMetricsF(font).horizontalAdvance(self._text) + PADDING
        self._room = QRectF(start[0] + 4, top, width, abs(end[1] - start[1]))

    def boundingRect(self) -> QRectF:
        """The line and its label."""
        return self._room.adjusted(-6, -1, 1, 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """A short dashed line; the label where it can be read."""
        zoom = QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())
        if zoom < OUTLINED:
            return
        pen = QPen(theme().muted, 1.0, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLine(self._start, self._end)
        if zoom >= DETAILED:
            painter.setFont(self._font)
            painter.drawText(self._room, Qt.AlignmentFlag.AlignVCenter, self._text)


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
