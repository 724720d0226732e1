"""The menu over a task of the clusters: represent, move, leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from engine.passes.clusters import move, represent
from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError
from engine.records.task import Task
from widgets.clusters.items import label_of
from widgets.clusters.layout import Floats
from widgets.clusters.series import cluster_of
from widgets.look.language import tr

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
            self.refused.emit(str(error))
        else:
            self.edited.emit(changed)
