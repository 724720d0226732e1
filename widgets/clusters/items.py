"""The graphics items of the clusters: a disc a task, and lines between tasks that are alike."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from engine.records.network import Operator
from engine.records.task import Task, TensorSpec
from widgets.graph.painter import OUTLINED, NodeFonts
from widgets.look.theme import blend, text_on, theme

SMALLEST, LARGEST = 20.0, 40.0
FULL_SHARE = 0.2
RING = 9.0
LABEL = 20.0
READABLE, LARGEST_TYPE = 0.9, 1.5
LONGEST_LABEL = 20
NUMBERED = 0.35
LEVELS = 5


class Role(StrEnum):
    """What a task is to its cluster."""

    REPRESENTATIVE = "representative"
    DEPENDANT = "dependant"
    ALONE = "on its own"


@dataclass(frozen=True, slots=True)
class DotLook:
    """The parts of a disc that change. `number` counts the clusters of several tasks from 1."""

    role: Role = Role.ALONE
    number: int = 0
    share: float = 0.0

    @property
    def radius(self) -> float:
        """The area follows the share of latency, within bounds."""
        scale = math.sqrt(min(max(self.share, 0.0) / FULL_SHARE, 1.0))
        return max(SMALLEST, LARGEST * scale) / 2

    @property
    def color(self) -> QColor:
        """The colour of the cluster; a task on its own has none."""
        return theme().category(self.number - 1) if self.number else theme().surface


@dataclass(frozen=True, slots=True)
class Link:
    """A line between two places: how alike their tasks are, and their cluster's number if one."""

    start: QPointF
    end: QPointF
    similarity: float
    number: int
    joined: bool


def label_of(task: Task) -> str:
    """The task's name without "fused_", its middle left out where it is long."""
    name = task.name.removeprefix("fused_")
    half = LONGEST_LABEL // 2
    return name if len(name) <= LONGEST_LABEL else f"{name[: half - 1]}…{name[-half:]}"


def dot_size(task: Task, fonts: NodeFonts) -> tuple[float, float]:
    """The room that a task needs whatever its share."""
    width = QFontMetricsF(fonts.detail).horizontalAdvance(label_of(task)) + 12
    return max(width, LARGEST + 2 * RING), LARGEST + 2 * RING + LABEL


class DotItem(QGraphicsItem):
    """A task as a node of its own: the canvas treats it as it does an operator of the graph.

    It stands on the centre of its room; the disc is above, the label below.
    """

    def __init__(self, task: Task, size: tuple[float, float], fonts: NodeFonts) -> None:
        output = task.args[-1] if task.args else TensorSpec((), "")
        super().__init__()
        self.operator = Operator(
            task.index, task.name, task.op_class, task.index, (), output, task.flops
        )
        self.key = task.index
        self.selected = self.current = False
        width, height = size
        self.body = QRectF(-width / 2, -height / 2, width, height)
        self.setZValue(2)
        self.dot = DotLook()
        self._label = label_of(task)
        self._label_font = fonts.detail
        self.centre = QPointF(0.0, -LABEL / 2)

    def boundingRect(self) -> QRectF:
        return self.body

    def shape(self) -> QPainterPath:
        """What a click meets: the disc and its label."""
        path = QPainterPath()
        radius = self.dot.radius + 4
        path.addEllipse(self.centre, radius, radius)
        path.addRect(self._label_room())
        return path

    @property
    def area(self) -> QRectF:
        """Its room in the scene."""
        return self.sceneBoundingRect()

    @property
    def middle(self) -> QPointF:
        """Where it stands in the scene."""
        return self.pos()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw as much as can be read at this zoom."""
        zoom = QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())
        font = QFont(self._label_font)
        font.setPixelSize(round(font.pixelSize() * min(max(READABLE / zoom, 1.0), LARGEST_TYPE)))
        paint_dot(painter, self.centre, self.dot, font if zoom > NUMBERED else None, zoom)
        if self.selected or self.current:
            self._paint_rings(painter)
        if zoom > NUMBERED:
            self._paint_label(painter, font)

    def _paint_label(self, painter: QPainter, font: QFont) -> None:
        """The name on a plate over the lines; in larger type, and shorter, where it is far."""
        room = self._label_room()
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(self._label, Qt.TextElideMode.ElideMiddle, room.width() - 4)
        plate = metrics.boundingRect(room, Qt.AlignmentFlag.AlignCenter, text)
        painter.fillRect(plate.adjusted(-2, 0, 2, 0) & room, theme().surface)
        painter.setFont(font)
        painter.setPen(theme().text)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_rings(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        rings = (
            (self.selected, theme().accent, 2.5, Qt.PenStyle.SolidLine, 6.5),
            (self.current, theme().text, 1.0, Qt.PenStyle.DashLine, 8.5),
        )
        for shown, color, width, style, room in rings:
            if shown:
                painter.setPen(QPen(color, width, style))
                radius = self.dot.radius + room
                painter.drawEllipse(self.centre, radius, radius)

    def _label_room(self) -> QRectF:
        """Right below the disc and its rings."""
        top = self.centre.y() + self.dot.radius + RING
        return QRectF(self.body.left(), top, self.body.width(), LABEL)


class LinksItem(QGraphicsItem):
    """All lines of one look as one item each level of similarity; the more alike, the stronger."""

    def __init__(self, links: Iterable[Link], accented: bool = False) -> None:
        super().__init__()
        self._paths: dict[tuple[bool, int, int], QPainterPath] = {}
        self._accented = accented
        bounds = QRectF()
        for link in links:
            level = min(round(link.similarity * LEVELS), LEVELS)
            path = self._paths.setdefault((link.joined, link.number, level), QPainterPath())
            path.moveTo(link.start)
            path.lineTo(link.end)
        for path in self._paths.values():
            bounds |= path.boundingRect()
        self._bounds = bounds.adjusted(-3, -3, 3, 3)
        self.setZValue(1 if accented else 0)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        zoom = QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= OUTLINED)
        for key in sorted(self._paths):
            painter.setPen(self._pen(*key))
            painter.drawPath(self._paths[key])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _pen(self, joined: bool, number: int, level: int) -> QPen:
        strength = level / LEVELS
        if self._accented:
            return QPen(theme().text, 1.0 + 2.0 * strength)
        if not joined:
            return QPen(blend(theme().surface, theme().muted, 0.15 + 0.45 * strength), 1.0)
        color = theme().category(number - 1) if number else theme().muted
        color = QColor(color)
        color.setAlphaF(0.25 + 0.65 * strength)
        return QPen(color, 1.0 + 2.5 * strength)


def paint_dot(
    painter: QPainter, centre: QPointF, look: DotLook, font: QFont | None, zoom: float = 1.0
) -> None:
    """A disc: hollow where a task is on its own, with a second ring where it represents others."""
    colors, radius = theme(), look.radius
    fill = look.color
    edge = colors.muted if look.role is Role.ALONE else blend(fill, colors.text, 0.35)
    if look.role is Role.REPRESENTATIVE:
        ring = radius + min(3.5 / min(zoom, 1.0), RING - 2)
        painter.setBrush(colors.surface)
        painter.setPen(QPen(edge, ring / 8))
        painter.drawEllipse(centre, ring, ring)
    painter.setBrush(fill)
    painter.setPen(QPen(edge, 1.5))
    painter.drawEllipse(centre, radius, radius)
    if font is not None and look.number:
        room = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        painter.setFont(font)
        painter.setPen(text_on(fill))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(look.number))
