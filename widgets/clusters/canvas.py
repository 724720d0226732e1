"""The canvas of the clusters: that of the graph, with a menu over each task."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from widgets.clusters.legend import ClusterLegend
from widgets.clusters.scene import ClusterScene
from widgets.graph.canvas import GraphCanvas
from widgets.look.language import tr

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
        """Show all the tasks."""
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
