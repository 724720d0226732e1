"""How nodes are painted: in detail where they can be read, as spots of colour where they cannot."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from engine.graph.shown import ShownNode
from engine.records.task import TaskState
from widgets.graph.look import NodeLook, shape_text, short_name
from widgets.look.language import tr
from widgets.look.states import state_color, state_label
from widgets.look.theme import TEXT_PIXELS, tabular, text_on, theme

PADDING = 8.0
LINE = 16.0
NODE_HEIGHT = 2 * LINE + PADDING
NARROWEST = 96.0
RADIUS = 4.0
RING = 6.0
DETAILED = 0.5
OUTLINED = 0.2
LEAF = 3.0

Spots = dict[int, list[QRectF]]
"""Rectangles by the colour, as a number, that fills them."""


class NodeFonts:
    """The fonts of nodes and the sizes that texts need in them."""

    def __init__(self, base: QFont) -> None:
        self.name = tabular(base, TEXT_PIXELS)
        self.name.setWeight(QFont.Weight.Medium)
        self.detail = tabular(base, TEXT_PIXELS - 1)
        self._name = QFontMetricsF(self.name)
        self._detail = QFontMetricsF(self.detail)
        self._mark_room = "  " + tr("stage {number}", number="000")
        self._widths: dict[tuple[str, str], float] = {}

    def size(self, node: ShownNode) -> tuple[float, float]:
        """Width and height of a node; room for a mark is always kept."""
        texts = short_name(title_of(node)), shape_text(node)
        if texts not in self._widths:
            name = self._name.horizontalAdvance(texts[0]) + LINE
            detail = self._detail.horizontalAdvance(texts[1] + self._mark_room)
            width = max(name, detail, NARROWEST - 2 * PADDING) + 2 * PADDING
            self._widths[texts] = 4.0 * -(-width // 4)
        return self._widths[texts], NODE_HEIGHT


class Node:
    """A box of the drawing, where it stands, and how it looks now."""

    __slots__ = ("body", "current", "look", "selected", "shown")

    def __init__(self, shown: ShownNode, body: QRectF) -> None:
        self.shown, self.body = shown, body
        self.look = NodeLook()
        self.selected = False
        self.current = False

    @property
    def key(self) -> int:
        """Its id in the drawing."""
        return self.shown.id

    @property
    def middle(self) -> QPointF:
        return self.body.center()

    @property
    def area(self) -> QRectF:
        """The body and the rings of selection round it."""
        return self.body.adjusted(-RING, -RING, RING, RING)


def title_of(node: ShownNode) -> str:
    """The first line of a box: a node of a file is known by its operator's type."""
    if node.part is not None:
        number, count = node.part
        return tr("block {number} of {count}", number=number, count=count)
    return node.name if node.name.startswith(node.kind) else node.kind


def spots_of(nodes: Iterable[Node]) -> Spots:
    """The bodies of nodes by their colour."""
    tints: dict[NodeLook, int] = {}
    spots: Spots = {}
    for node in nodes:
        color = tints.get(node.look)
        if color is None:
            color = tints[node.look] = node.look.tint().rgba()
        spots.setdefault(color, []).append(node.body)
    return spots


def paint_spots(painter: QPainter, spots: Spots) -> None:
    """Spots of colour, those of one colour at once."""
    for key, bodies in spots.items():
        color = QColor.fromRgba(key)
        painter.setPen(QPen(color, 0))
        painter.setBrush(color)
        painter.drawRects(bodies)


def paint_node(painter: QPainter, node: Node, fonts: NodeFonts, with_texts: bool) -> None:
    """A box with its outline; its texts where they can be read."""
    _paint_body(painter, node)
    if with_texts:
        _paint_texts(painter, node, fonts)


def paint_rings(painter: QPainter, node: Node) -> None:
    """A line round what is selected, dashes round what the keyboard is at."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if node.selected:
        _ring(painter, node, QPen(theme().accent, 2.0), 3)
    if node.current:
        _ring(painter, node, QPen(theme().text, 1.0, Qt.PenStyle.DashLine), 5)


def _ring(painter: QPainter, node: Node, pen: QPen, far: float) -> None:
    pen.setCosmetic(True)
    painter.setPen(pen)
    radius = RADIUS + far - 1
    painter.drawRoundedRect(node.body.adjusted(-far, -far, far, far), radius, radius)


def _paint_body(painter: QPainter, node: Node) -> None:
    state = node.look.state
    pen = QPen(theme().border if state is None else state_color(state), 1.5)
    if state is None:
        pen.setStyle(Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.setBrush(node.look.tint())
    if node.shown.folded:
        behind = node.body.translated(LEAF, LEAF)
        painter.drawRoundedRect(behind, RADIUS, RADIUS)
    painter.drawRoundedRect(node.body, RADIUS, RADIUS)


def _paint_texts(painter: QPainter, node: Node, fonts: NodeFonts) -> None:
    first = node.body.adjusted(PADDING, PADDING / 2, -PADDING, 0)
    first.setHeight(LINE)
    second = first.translated(0, LINE)
    middle, left = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignLeft
    right = middle | Qt.AlignmentFlag.AlignRight
    look = node.look
    ink = text_on(look.tint()) if look.is_tinted else theme().text
    painter.setPen(ink)
    painter.setFont(fonts.name)
    painter.drawText(first, middle | left, short_name(title_of(node.shown)))
    if look.state not in (None, TaskState.WAITING):
        painter.drawText(first, right, state_label(look.state)[0])
    painter.setFont(fonts.detail)
    painter.drawText(second, right, look.mark)
    painter.setPen(ink if look.is_tinted else theme().muted)
    painter.drawText(second, middle | left, shape_text(node.shown))
