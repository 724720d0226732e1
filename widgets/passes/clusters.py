"""The clusters that a sharing pass would make itself, worked out beside the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.passes.clusters import cluster
from engine.passes.similarity import Floats, similarity_matrix
from engine.records.clustering import Clustering
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace
from widgets.clusters.series import aligned
from widgets.parts.background import Background


class ClustersToBe(QObject):
    """Knows the clusters of a project by metric and threshold; `changed` where it knows more."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._spaces: tuple[DesignSpace, ...] = ()
        self._metric = ""
        self._matrix: Floats | None = None
        self._job = Background(self)
        self._job.done.connect(self._take)

    def find(self, snapshot: Snapshot, metric: str, threshold: float) -> Clustering | None:
        """The clusters; None where there are no spaces, or while they are being compared."""
        if not snapshot.spaces:
            return None
        spaces = aligned(snapshot.own_tasks, snapshot.spaces)
        if (spaces, metric) != (self._spaces, self._metric):
            self._spaces, self._metric, self._matrix = spaces, metric, None
            self._job.start(lambda job: similarity_matrix(spaces, metric))
        if self._matrix is None:
            return None
        return cluster(snapshot.own_tasks, spaces, metric, threshold, self._matrix)

    def close(self) -> None:
        """Leave no thread behind."""
        self._job.close()

    def _take(self, matrix: Floats) -> None:
        self._matrix = matrix
        self.changed.emit()
