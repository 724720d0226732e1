"""The scene of the clusters: discs stay where they are; a threshold changes their looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QFont

from engine.records.clustering import Clustering
from engine.records.task import Task
from widgets.clusters.items import DotItem, DotLook, Link, LinksItem, Role, dot_size
from widgets.clusters.layout import Floats
from widgets.graph.canvas_scene import MARGIN, CanvasNode, CanvasScene
from widgets.graph.painter import NodeFonts

FAINTEST = 0.05
NEAREST = 5
LEAST = 0.009  # less than two similarities differ after rounding
SIDEWAYS = 2.0


class ClusterScene(CanvasScene):
    """Tasks as discs, similarities as lines; selection and the keyboard's ring as in the graph."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dots: dict[int, DotItem] = {}
        self._links: LinksItem | None = None
        self._spokes: LinksItem | None = None
        self._known: list[Link] = []

    @property
    def nodes(self) -> dict[int, DotItem]:
        return self._dots

    def select(self, task: int | None) -> None:
        """Ring a task and colour the lines to its cluster."""
        self.ring([] if task is None else [task])

    def node_at(self, point: QPointF) -> DotItem | None:
        """The task whose disc or label is under a point."""
        found = (item for item in self.items(point) if isinstance(item, DotItem))
        return next(found, None)

    def redraw(self, nodes: Sequence[CanvasNode]) -> None:
        """Discs paint their own rings."""
        for node in nodes:
            self._dots[node.key].update()

    def place(self, tasks: Sequence[Task], places: Floats, font: QFont) -> None:
        """Put a disc at each task's place (n, 2)."""
        self.forget()
        fonts = NodeFonts(font)
        for task, (x, y) in zip(tasks, places, strict=True):
            dot = DotItem(task, dot_size(task, fonts), fonts)
            dot.setPos(x, y)
            self.addItem(dot)
            self._dots[task.index] = dot
        rooms = QRectF()
        for dot in self._dots.values():
            rooms |= dot.sceneBoundingRect()
        self.content = rooms
        self.setSceneRect(rooms.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN))

    def show_clusters(self, clustering: Clustering, matrix: Floats) -> None:
        """Colour the discs and draw the lines, by similarities (n, n) in the order of the tasks."""
        numbers = numbered(clustering)
        representatives = {c.representative for c in clustering.clusters if len(c.members) > 1}
        for task, dot in self._dots.items():
            role = Role.DEPENDANT if task in numbers else Role.ALONE
            role = Role.REPRESENTATIVE if task in representatives else role
            self._dress(dot, DotLook(role, numbers.get(task, 0), dot.dot.share))
        if self._links is not None:
            self.removeItem(self._links)
        self._known = self._measure(matrix, numbers, representatives)
        self._links = LinksItem(self._known)
        self.addItem(self._links)
        self.accent_edges({node.key for node in self.selected_nodes()})

    def show_shares(self, shares: Mapping[int, float]) -> None:
        """Give the discs their sizes."""
        for task, dot in self._dots.items():
            look = DotLook(dot.dot.role, dot.dot.number, shares.get(task, 0.0))
            self._dress(dot, look)

    def dot(self, task: int) -> DotItem:
        """The disc of a task."""
        return self._dots[task]

    def links(self) -> list[Link]:
        return self._known

    def neighbour(self, key: int, down: int, right: int) -> int | None:
        """The nearest task that way; one that is off to the side counts as further."""
        here = self._dots[key].pos()
        found: list[tuple[float, int]] = []
        for task, dot in self._dots.items():
            apart = dot.pos() - here
            ahead, across = (
                (apart.x() * right, apart.y()) if right else (apart.y() * down, apart.x())
            )
            if ahead > 0 and abs(across) <= SIDEWAYS * ahead:
                found.append((ahead + SIDEWAYS * abs(across), task))
        return min(found, default=(0.0, None))[1]

    def forget(self) -> None:
        super().forget()
        self._dots, self._known = {}, []
        self._links = self._spokes = None

    def _dress(self, dot: DotItem, look: DotLook) -> None:
        if dot.dot != look:
            dot.dot = look
            dot.update()

    def _measure(
        self, matrix: Floats, numbers: Mapping[int, int], representatives: set[int]
    ) -> list[Link]:
        """Lines to representatives, and from each task to those that are most like it."""
        tasks = list(self._dots)
        cluster = np.array([numbers.get(task, 0) for task in tasks])
        joined = (cluster[:, None] == cluster[None]) & (cluster[:, None] > 0)
        places = np.array([dot.pos().toTuple() for dot in self._dots.values()])
        leads = np.isin(tasks, sorted(representatives))
        drawn = (joined & (leads[:, None] | leads[None])) | (
            nearest(matrix, places) & (joined | (matrix >= FAINTEST))
        )
        middles = [self._middle(task) for task in tasks]
        return [
            Link(
                middles[row],
                middles[column],
                float(matrix[row, column]),
                int(cluster[row]) if joined[row, column] else 0,
                bool(joined[row, column]),
            )
            for row, column in np.argwhere(np.triu(drawn, 1))
        ]

    def _middle(self, task: int) -> QPointF:
        dot = self._dots[task]
        return dot.pos() + dot.centre

    def accent_edges(self, ends: set[int]) -> None:
        """Colour the lines from the selected task to its cluster."""
        if self._spokes is not None:
            self.removeItem(self._spokes)
            self._spokes = None
        middles = [self._middle(task) for task in ends if task in self._dots]
        met = [k for k in self._known if k.joined and (k.start in middles or k.end in middles)]
        if met:
            self._spokes = LinksItem(met, accented=True)
            self.addItem(self._spokes)


def numbered(clustering: Clustering) -> dict[int, int]:
    """The cluster of each task that shares with others, counted from 1 in their order."""
    shared = [cluster for cluster in clustering.clusters if len(cluster.members) > 1]
    return {task: place for place, c in enumerate(shared, 1) for task in c.members}


def nearest(matrix: Floats, places: Floats) -> NDArray[np.bool_]:
    """The pairs of which one is among the NEAREST that are most like the other.

    Of equally similar ones the nearest on the plane (`places`: (n, 2)) count.
    """
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    rank = apart / max(float(apart.max()), 1.0) * LEAST - np.round(matrix, 2)
    np.fill_diagonal(rank, np.inf)
    first = np.argsort(rank, axis=1, kind="stable")[:, : min(NEAREST, len(matrix) - 1)]
    found: NDArray[np.bool_] = np.zeros(matrix.shape, dtype=bool)
    np.put_along_axis(found, first, True, axis=1)
    return found | found.T
