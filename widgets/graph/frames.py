"""Frames round blocks that repeat and are shown once: how often, and their share of the latency."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from engine.graph.folding import Repeat
from engine.records.units import format_share
from widgets.graph.painter import DETAILED, Node
from widgets.look.language import tr
from widgets.look.theme import blend, tabular, theme

ROOM = 10.0
LABEL_PIXELS = 20
_TINT = 0.94


class FrameItem(QGraphicsItem):
    """A frame round the nodes of one block, in each column that it is in, with its label."""

    def __init__(self, repeat: Repeat, areas: Sequence[QRectF], font: QFont) -> None:
        super().__init__()
        self._repeat, self._areas = repeat, areas
        self._font = tabular(font, LABEL_PIXELS, bold=True)
        self._metrics = QFontMetricsF(self._font)
        self._share: float | None = None
        self.setZValue(-1)

    @property
    def members(self) -> tuple[int, ...]:
        """The nodes within."""
        return self._repeat.members

    @property
    def row(self) -> int:
        """The row that it is about."""
        return self._repeat.row

    def holds(self, point: QPointF) -> bool:
        """Whether a point of the scene is within."""
        return any(area.contains(point) for area in (*self._areas, self._label_room()))

    @property
    def label(self) -> str:
        """How often it is there, "×12", or how many blocks are shown, and the share of all of them,
        where that is known."""
        times = self._times()
        return times if self._share is None else f"{times}  {format_share(self._share)}"

    def show_share(self, share: float | None) -> None:
        """The blocks take this part of the latency, all together."""
        if share != self._share:
            self.prepareGeometryChange()
            self._share = share
            self.update()

    def boundingRect(self) -> QRectF:
        bounds = self._label_room()
        for area in self._areas:
            bounds = bounds.united(area)
        return bounds.adjusted(-1, -1, 1, 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        colors = theme()
        pen = QPen(blend(colors.accent, colors.surface, 0.5), 1.0)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(blend(colors.accent, colors.surface, _TINT))
        for area in self._areas:
            painter.drawRoundedRect(area, ROOM, ROOM)
        if painter.worldTransform().m11() >= DETAILED / 2:
            painter.setFont(self._font)
            painter.setPen(colors.text)
            middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(self._label_room(), middle, self.label)

    def _times(self) -> str:
        count = f"{self._repeat.count:,}"
        return tr("{count} blocks", count=count) if self._repeat.is_open else f"×{count}"

    def _label_room(self) -> QRectF:
        """Right of the first frame's upper corner."""
        corner = self._areas[0].topRight() + QPointF(ROOM / 2, 0)
        width = self._metrics.horizontalAdvance(f"{self._times()}  100 %")
        return QRectF(corner, QPointF(corner.x() + width, corner.y() + self._metrics.height()))


def areas_of(
    members: Collection[int], nodes: Mapping[int, Node], layers: Sequence[Sequence[int]]
) -> list[QRectF]:
    """Where these nodes stand, with room for a frame: a rectangle a column of the drawing."""
    inside = frozenset(members)
    return [area.adjusted(-ROOM, -ROOM, ROOM, ROOM) for area in _columns(inside, nodes, layers)]


def _columns(
    inside: frozenset[int], nodes: Mapping[int, Node], layers: Sequence[Sequence[int]]
) -> Iterator[QRectF]:
    area = QRectF()
    for layer in layers:
        bodies = [nodes[key].body for key in layer if key in inside]
        if not bodies:
            continue
        if not area.isNull() and bodies[0].top() < area.top():  # the next column begins
            yield area
            area = QRectF()
        for body in bodies:
            area = area.united(body)
    if not area.isNull():
        yield area
