"""What a canvas needs of its scene: nodes that can be ringed, walked along, and found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtWidgets import QGraphicsScene

MARGIN = 24.0


class CanvasNode(Protocol):
    """A node: `area` is all of it, rings included, and `middle` its centre, in the scene."""

    selected: bool
    current: bool

    @property
    def key(self) -> int: ...
    @property
    def area(self) -> QRectF: ...
    @property
    def middle(self) -> QPointF: ...


class CanvasScene(QGraphicsScene):
    """Nodes by key, those that are ringed, and the one that the keyboard is at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.content = QRectF()
        self._ringed: list[CanvasNode] = []
        self._current: int | None = None

    @property
    def nodes(self) -> Mapping[int, CanvasNode]:
        raise NotImplementedError

    @property
    def current(self) -> int | None:
        """The node that the keyboard is at."""
        return self._current

    def forget(self) -> None:
        self.clear()
        self._ringed, self._current = [], None
        self.content = QRectF()

    def ring(self, keys: Collection[int]) -> None:
        """Ring these nodes and colour the edges that meet them."""
        chosen = [self.nodes[key] for key in keys if key in self.nodes]
        if chosen == self._ringed:
            return
        before = self._ringed
        for which, selected in ((before, False), (chosen, True)):
            for node in which:
                node.selected = selected
        self._ringed = chosen
        self.redraw([*before, *chosen])
        self.accent_edges({node.key for node in chosen})

    def selected_nodes(self) -> Sequence[CanvasNode]:
        """The nodes that are ringed."""
        return self._ringed

    def move_to(self, key: int | None) -> None:
        """Put the keyboard's ring round a node."""
        changed = []
        for which, current in ((self._current, False), (key, True)):
            if which is not None and which in self.nodes:
                self.nodes[which].current = current
                changed.append(self.nodes[which])
        self._current = key if key in self.nodes else None
        self.redraw(changed)

    def neighbour(self, key: int, down: int, right: int) -> int | None:
        """The node next to one, that way."""
        raise NotImplementedError

    def node_at(self, point: QPointF) -> CanvasNode | None:
        """The node under a point."""
        raise NotImplementedError

    def frame_at(self, point: QPointF) -> int | None:
        """The row of blocks in whose frame a point is, the innermost one."""
        return None

    def other_end(self, point: QPointF, reach: float, of_any: bool) -> int | None:
        """Where the edge at a point leads: one that is not drawn, or `of_any` within `reach`."""
        return None

    def redraw(self, nodes: Sequence[CanvasNode]) -> None:
        """The rings of these nodes are other ones."""
        raise NotImplementedError

    def accent_edges(self, ends: set[int]) -> None:
        """Colour the edges that meet these nodes, and no other."""
        raise NotImplementedError
