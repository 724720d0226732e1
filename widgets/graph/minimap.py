"""The whole graph in a corner, with a frame round what is in sight."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from widgets.graph.canvas import GraphCanvas
from widgets.graph.look import NodeLook
from widgets.graph.scene import GraphScene
from widgets.look.language import tr
from widgets.look.theme import blend, theme, theme_notifier

WIDEST, HIGHEST, NARROWEST = 160, 200, 40
INSET = 4
REDRAW_MS = 250


class Minimap(QWidget):
    """An overview; a click or drag moves the canvas there. Hidden where all is in sight."""

    def __init__(self, canvas: GraphCanvas, scene: GraphScene, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._scene = scene
        self._picture: QPixmap | None = None
        self._timer = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._timer.timeout.connect(self.redraw)
        scene.tints_changed.connect(self._timer.start)
        theme_notifier().changed.connect(self.redraw)
        canvas.view_changed.connect(self._follow)
        self.setToolTip(tr("Click or drag to move"))
        self.hide()

    def wanted_size(self, room: QSize) -> QSize:
        """The size that suits the graph's proportions, within a third of `room`."""
        content = self._scene.content
        widest, highest = min(WIDEST, room.width() // 3), min(HIGHEST, room.height() * 2 // 5)
        scale = min(widest / max(1.0, content.width()), highest / max(1.0, content.height()))
        width = max(NARROWEST, round(content.width() * scale) + 2 * INSET)
        return QSize(width, max(NARROWEST, round(content.height() * scale) + 2 * INSET))

    def redraw(self) -> None:
        """Forget the picture; the next paint makes it anew."""
        self._picture = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.size() != self.size() * ratio:
            self._picture = self._draw(ratio)
        painter.drawPixmap(0, 0, self._picture)
        seen = self._to_map().mapRect(self._canvas.visible())
        frame = seen.intersected(QRectF(self.rect()).adjusted(0.5, 0.5, -1.5, -1.5))
        painter.setPen(QPen(theme().accent, 1.5))
        painter.drawRect(frame)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._canvas.leave()
        self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def _follow(self) -> None:
        content = self._scene.content
        self.setVisible(not content.isEmpty() and not self._canvas.visible().contains(content))
        self.update()

    def _go(self, at: QPointF) -> None:
        self._canvas.go_to(self._to_map().inverted()[0].map(at))

    def _to_map(self) -> QTransform:
        """From the scene to this widget; a graph too slim to be seen is drawn wider."""
        content = self._scene.content
        across = (self.width() - 2 * INSET) / max(1.0, content.width())
        down = (self.height() - 2 * INSET) / max(1.0, content.height())
        return QTransform.fromTranslate(INSET, INSET).scale(across, down)

    def _draw(self, ratio: float) -> QPixmap:
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        colors = theme()
        picture.fill(colors.surface)
        painter = QPainter(picture)
        to_map = self._to_map()
        empty = blend(colors.muted, colors.surface, 0.5)
        tints: dict[NodeLook, QColor] = {}
        for node in self._scene.nodes.values():
            spot = to_map.mapRect(node.body)
            spot.setHeight(max(1.0, spot.height()))
            look = node.look
            if look not in tints:
                tints[look] = look.tint() if look.is_tinted else empty
            painter.fillRect(spot, tints[look])
        painter.setPen(colors.border)
        painter.drawRect(QRectF(self.rect()).adjusted(0, 0, -1, -1))
        painter.end()
        return picture
