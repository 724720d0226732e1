"""The canvas of the clusters: that of the graph, with a menu over each task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from engine.passes.clusters import move, represent
from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError
from engine.records.task import Task
from widgets.clusters.items import SMALLEST, DotLook, Role, label_of, paint_dot
from widgets.clusters.layout import Floats
from widgets.clusters.scene import ClusterScene
from widgets.clusters.series import cluster_of
from widgets.graph.canvas import GraphCanvas
from widgets.look.language import QT_TR_NOOP, refusal, tr
from widgets.look.theme import TEXT_PIXELS, tabular, theme, theme_notifier

INSET = 8
LOW = 160


class ClusterCanvas(GraphCanvas):
    """Shows a ClusterScene and its legend.

    `menu_wanted` carries a task and where on screen its menu opens. `describe` is asked what a
    task is, in plain words.
    """

    menu_wanted = Signal(int, QPoint)

    def __init__(self, scene: ClusterScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self._dots = scene
        self.describe: Callable[[int], str] = str
        self.legend = ClusterLegend(self)
        self.setAccessibleName(tr("Tasks by similarity"))

    def start_view(self) -> None:
        self.fit()
        self._own_view = False

    def legend_room(self) -> int:
        """None where the legend has made room."""
        return super().legend_room() if self.height() >= LOW else 0

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the task under the pointer, or of the one that the keys are at."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            task = self.task_at_keys()
            if task is not None:
                dot = self._dots.dot(task)
                at = self.mapFromScene(dot.pos() + dot.centre)
                self.menu_wanted.emit(task, self.viewport().mapToGlobal(at))
        elif (node := self.node_at(event.pos())) is not None:
            self.menu_wanted.emit(node.key, event.globalPos())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """As over the graph; what the keys are at is told to those who cannot see it."""
        super().keyPressEvent(event)
        task = self._dots.current
        self.setAccessibleDescription("" if task is None else self.describe(task))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the legend in its corner; a low view is for the tasks alone."""
        super().resizeEvent(event)
        self.legend.setVisible(self.height() >= LOW)
        self.legend.resize(self.legend.wanted_size(self.size()))
        self.legend.move(INSET, self.height() - self.legend.height() - INSET)

    def task_at_keys(self) -> int | None:
        """The task with the keyboard's ring, or the selected one."""
        if self._dots.current is not None:
            return self._dots.current
        return next((node.key for node in self._dots.selected_nodes()), None)


PADDING, GAP, LINE, SWATCH = 8.0, 12.0, 20.0, 18.0
ROOM_FOR_SIZES = 640
ENTRIES = (
    (Role.REPRESENTATIVE, QT_TR_NOOP("representative: tuned")),
    (Role.DEPENDANT, QT_TR_NOOP("dependant: takes its schedules")),
    (Role.ALONE, QT_TR_NOOP("on its own: tuned")),
)
SIZES = QT_TR_NOOP("area: share of latency")


class ClusterLegend(QWidget):
    """One line: a swatch and a word for each role; the sizes where there is room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._with_sizes = True
        self._entries = tuple((role, tr(text)) for role, text in ENTRIES)
        self._sizes = tr(SIZES)
        self._font = tabular(self.font(), TEXT_PIXELS - 1)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme_notifier().changed.connect(self.update)

    def wanted_size(self, room: QSize) -> QSize:
        """The size for a view of this size."""
        self._with_sizes = room.width() >= ROOM_FOR_SIZES
        width = PADDING + sum(SWATCH + self._advance(text) + GAP for _, text in self._entries)
        width += self._advance(self._sizes) + PADDING if self._with_sizes else 0.0
        return QSize(min(round(width), room.width() - 16), round(LINE + PADDING))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme().border)
        painter.setBrush(theme().surface)
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        x, middle = PADDING, self.height() / 2
        for role, text in self._entries:
            painter.save()
            painter.translate(x + SMALLEST / 4 + 2, middle)
            painter.scale(0.5, 0.5)
            number = 0 if role is Role.ALONE else 1
            paint_dot(painter, QPointF(0, 0), DotLook(role, number), None)
            painter.restore()
            x = self._text(painter, x + SWATCH, text) + GAP
        if self._with_sizes:
            self._text(painter, x, self._sizes)

    def _text(self, painter: QPainter, x: float, text: str) -> float:
        width = self._advance(text)
        painter.setFont(self._font)
        painter.setPen(theme().muted)
        room = QRectF(x, 0, width + 2, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        return x + width

    def _advance(self, text: str) -> float:
        return QFontMetricsF(self._font).horizontalAdvance(text)


OFFERED = 12


class ClusterMenu(QObject):
    """Offers edits of the clusters; `edited` carries the new ones, `refused` why not."""

    edited = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent

    def menu(
        self, task: int, clustering: Clustering, tasks: Sequence[Task], matrix: Floats
    ) -> QMenu:
        """The menu for one task; it deletes itself when it is closed."""
        menu = QMenu(self._over)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        here = cluster_of(clustering, task)
        first = menu.addAction(tr("Make &representative"))
        first.setToolTip(tr("Tune this task, and give the others of its cluster its schedules"))
        first.setEnabled(task != here.representative)
        first.triggered.connect(partial(self._try, lambda: represent(clustering, task)))
        self._add_moves(menu, task, clustering, tasks, matrix)
        own = menu.addAction(tr("&Own cluster"))
        own.setToolTip(tr("Tune this task for itself alone"))
        own.setEnabled(len(here.members) > 1)
        own.triggered.connect(partial(self._try, lambda: move(clustering, task, task, matrix)))
        return menu

    def _add_moves(
        self, menu: QMenu, task: int, clustering: Clustering, tasks: Sequence[Task], matrix: Floats
    ) -> None:
        moves = menu.addMenu(tr("&Move to cluster of"))
        rows = {known.index: row for row, known in enumerate(tasks)}
        found = []
        for cluster in clustering.clusters:
            near = float(matrix[rows[task], rows[cluster.representative]])
            if task not in cluster.members and near > 0:
                found.append((-near, cluster.representative))
        for less, other in sorted(found)[:OFFERED]:
            name, alike = label_of(tasks[rows[other]]), f"{-less:.2f}"
            action = moves.addAction(tr("{task}, similarity {value}", task=name, value=alike))
            action.triggered.connect(
                partial(self._try, partial(move, clustering, task, other, matrix))
            )
        moves.setEnabled(bool(found))
        moves.setToolTip(tr("Clusters whose schedules replay on this task, the most alike first"))

    def _try(self, change: Callable[[], Clustering], _: bool = False) -> None:
        try:
            changed = change()
        except TunewrightError as error:
            self.refused.emit(refusal(error))
        else:
            self.edited.emit(changed)
