"""The canvas of the graph: pan, zoom, keys and clicks over the scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsView, QToolTip, QWidget

from widgets.graph.canvas_scene import MARGIN, CanvasNode, CanvasScene
from widgets.look.language import tr

STEP = 1.25
NEAREST, FARTHEST = 3.0, 0.002
READABLE = 0.6
REACH = 5.0
LEGEND_ROOM = 32

_ARROWS = {
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Left: (0, -1),
}


class GraphCanvas(QGraphicsView):
    """Shows a scene of nodes. `picked` carries the node that a person chose, or None; `opened` one
    that was double-clicked; `places_changed` follows jumps.

    `explain` is asked for a tooltip: a node's id goes in, rich text comes out.
    """

    picked = Signal(object)
    opened = Signal(int)
    view_changed = Signal()
    places_changed = Signal()

    def __init__(self, scene: CanvasScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self._scene = scene
        self._pressed: QPoint | None = None
        self._own_view = False
        self.places = Places()
        self.explain: Callable[[int], str] = str
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.horizontalScrollBar().valueChanged.connect(self.view_changed)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)
        self.setAccessibleName(tr("Model graph"))

    # What is seen

    def visible(self) -> QRectF:
        """The part of the scene in sight."""
        return self.mapToScene(self.viewport().rect()).boundingRect()

    def zoom(self) -> float:
        """Screen pixels for one unit of the scene."""
        return self.transform().m11()

    def fit(self) -> None:
        """Show the whole graph, never larger than life."""
        self.leave()
        self._own_view = True
        self._fit()

    def start_view(self) -> None:
        """Show all of a graph that stays readable so, or else the beginning of it."""
        self._own_view = False
        self._fit()
        if self.zoom() < READABLE:
            width = self.viewport().width() / max(1.0, self._scene.sceneRect().width())
            self._set_zoom(min(1.0, max(READABLE, width)))
            self._allow_panning(self.zoom())
            nodes = self._scene.nodes.values()
            first = next((node.middle.x() for node in nodes), 0.0)
            below = (self.viewport().height() / 2 - MARGIN) / self.zoom()
            self.centerOn(first, self._scene.content.top() + below)
        self.view_changed.emit()

    def zoom_by(self, factor: float) -> None:
        anchor = self.transformationAnchor()
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self._zoom_by(factor)
        self.setTransformationAnchor(anchor)

    def go_to(self, place: QPointF) -> None:
        """Put a place of the scene in the middle."""
        self._own_view = True
        self.centerOn(place)
        self.view_changed.emit()

    def show_node(self, node: CanvasNode) -> None:
        """Bring a node into sight, if it is not, by the shortest way."""
        if not self.visible().contains(node.area):
            self._own_view = True
            self.ensureVisible(node.area, 40, 40)

    def jump_to(self, node: CanvasNode) -> None:
        """Put a node in the middle, large enough to be read; "back" returns."""
        self.leave()
        if self.zoom() < READABLE:
            self._set_zoom(READABLE)
            self._allow_panning(READABLE)
        self.go_to(node.middle)

    def look_at(self, node: CanvasNode, zoom: float) -> None:
        """Put a node in the middle at a zoom."""
        self._set_zoom(zoom)
        self._allow_panning(zoom)
        self.go_to(node.middle)

    def leave(self) -> None:
        """Remember what is in sight, before a jump."""
        self.places.leave(self._place())
        self.places_changed.emit()

    def back(self) -> None:
        """Return to where the last jump began."""
        self._return_to(self.places.back(self._place()))

    def forward(self) -> None:
        """Undo the last "back"."""
        self._return_to(self.places.forward(self._place()))

    # What a person does

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._zoom_by(1.0015 ** event.angleDelta().y())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a pan; the release tells which."""
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a pan, or pick what was clicked."""
        super().mouseReleaseEvent(event)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        at, pressed = event.position().toPoint(), self._pressed
        self._pressed = None
        if pressed is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        if (at - pressed).manhattanLength() >= QApplication.startDragDistance():
            self._own_view = True
            return
        node = self.node_at(at)
        if node is None and self._follow(at, event.modifiers()):
            return
        self._scene.move_to(node.key if node else None)
        self.picked.emit(node.key if node else None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what is folded, or fold what is open: a node, or the row in whose frame it is."""
        at = event.position().toPoint()
        node = self.node_at(at)
        key = self._scene.frame_at(self.mapToScene(at)) if node is None else node.key
        if key is not None and event.button() is Qt.MouseButton.LeftButton:
            self.opened.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Enter picks, Space opens or folds, Escape clears, F fits, + and - zoom."""
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self._walk(*_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._scene.current is not None:
            self.picked.emit(self._scene.current)
        elif key == Qt.Key.Key_Space and self._scene.current is not None:
            self.opened.emit(self._scene.current)
        elif key == Qt.Key.Key_Escape:
            self._scene.move_to(None)
            self.picked.emit(None)
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(1 / STEP)
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips are made when they are asked for."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            node = self.node_at(event.pos())
            if node is not None:
                QToolTip.showText(event.globalPos(), self.explain(node.key), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the first view fitting until a person changes it."""
        super().resizeEvent(event)
        self._allow_panning(self.zoom())
        if not self._own_view:
            self.start_view()
        self.view_changed.emit()

    def node_at(self, at: QPoint) -> CanvasNode | None:
        """The node under a point of the viewport."""
        return self._scene.node_at(self.mapToScene(at))

    def _follow(self, at: QPoint, keys: Qt.KeyboardModifier) -> bool:
        """Go to the other end of a long edge by its label, of any edge with Ctrl."""
        any_edge = bool(keys & Qt.KeyboardModifier.ControlModifier)
        end = self._scene.other_end(self.mapToScene(at), REACH / self.zoom(), any_edge)
        if end is None:
            return False
        self._scene.move_to(end)
        self.jump_to(self._scene.nodes[end])
        return True

    def _place(self) -> Place:
        middle = self.visible().center()
        return Place(middle.x(), middle.y(), self.zoom())

    def _return_to(self, place: Place | None) -> None:
        if place is None:
            return
        self._set_zoom(place.zoom)
        self._allow_panning(place.zoom)
        self.go_to(QPointF(place.x, place.y))
        self.places_changed.emit()

    def _walk(self, down: int, right: int) -> None:
        here = self._scene.current
        if here is None:
            chosen = self._scene.selected_nodes() or list(self._scene.nodes.values())
            there = chosen[0].key if chosen else None
        else:
            there = self._scene.neighbour(here, down, right)
        if there is not None:
            self._scene.move_to(there)
            self.show_node(self._scene.nodes[there])

    def legend_room(self) -> int:
        """What the legend takes of the height."""
        return LEGEND_ROOM

    def _fit(self) -> None:
        """Centre the graph in what the legend leaves free."""
        area, room = self._scene.sceneRect(), self.legend_room()
        width, height = self.viewport().width(), self.viewport().height() - room
        zoom = min(width / max(1.0, area.width()), height / max(1.0, area.height()), 1.0)
        self._set_zoom(max(zoom, FARTHEST))
        self._allow_panning(self.zoom())
        self.centerOn(area.center() + QPointF(0, room / 2 / self.zoom()))
        self.view_changed.emit()

    def _zoom_by(self, factor: float) -> None:
        self._own_view = True
        now = self.zoom()
        allowed = min(max(now * factor, FARTHEST), NEAREST) / now
        self._allow_panning(min(now, now * allowed))
        self.scale(allowed, allowed)
        self.view_changed.emit()

    def _set_zoom(self, zoom: float) -> None:
        self.resetTransform()
        self.scale(zoom, zoom)

    def _allow_panning(self, zoom: float) -> None:
        """Let a person drag any part of the graph to the middle."""
        across = self.viewport().width() / 2 / zoom
        down = self.viewport().height() / 2 / zoom
        self.setSceneRect(self._scene.content.adjusted(-across, -down, across, down))


MOST = 100


@dataclass(frozen=True, slots=True)
class Place:
    """The middle of what is in sight, in the scene, and the zoom."""

    x: float
    y: float
    zoom: float


class Places:
    """The places that jumps led away from, and those that "back" led away from."""

    def __init__(self) -> None:
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier place."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether a place was left by going back."""
        return bool(self._forward)

    def leave(self, here: Place) -> None:
        """A jump leads away from here."""
        if not self._back or self._back[-1] != here:
            self._back = [*self._back[1 - MOST :], here]
        self._forward.clear()

    def back(self, here: Place) -> Place | None:
        """The place before, None at the first."""
        return self._move(self._back, self._forward, here)

    def forward(self, here: Place) -> Place | None:
        """The place that was left by going back."""
        return self._move(self._forward, self._back, here)

    def clear(self) -> None:
        """Forget all: another drawing."""
        self._back.clear()
        self._forward.clear()

    def _move(self, source: list[Place], other: list[Place], here: Place) -> Place | None:
        if not source:
            return None
        other.append(here)
        return source.pop()
