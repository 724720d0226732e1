"""The scene of the graph: builds the items once, then changes only what an event changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGraphicsScene

from engine.graph.layout import Layout, Point
from engine.graph.network import Operator
from engine.history import History
from widgets.graph_items import EdgesItem, NodeFonts, NodeItem, StubsItem
from widgets.graph_look import NodeLook, share_scale, short_name, task_look

BAND = 1200.0
MARGIN = 24.0


class GraphScene(QGraphicsScene):
    """Operators and edges of one project; `tints_changed` follows a change of colours."""

    tints_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scale = 1.0
        self.content = QRectF()
        self._layout: Layout | None = None
        self._nodes: dict[int, NodeItem] = {}
        self._by_task: dict[int, list[NodeItem]] = defaultdict(list)
        self._looks: dict[int, NodeLook] = {}
        self._accented: EdgesItem | None = None
        self._selected: int | None = None
        self._ringed: list[NodeItem] = []
        self._current: int | None = None

    @property
    def nodes(self) -> dict[int, NodeItem]:
        """The node items by operator id."""
        return self._nodes

    @property
    def current(self) -> int | None:
        """The operator that the keyboard is at."""
        return self._current

    def forget(self) -> None:
        """Remove all items."""
        self.clear()
        self._nodes, self._looks, self._ringed = {}, {}, []
        self._by_task.clear()
        self._layout = self._accented = self._selected = self._current = None
        self.content = QRectF()

    def build(
        self, operators: Iterable[Operator], layout: Layout, sizes: dict[int, Point], font: QFont
    ) -> None:
        """Make the items of a laid out graph."""
        self.forget()
        self._layout = layout
        fonts = NodeFonts(font)
        for operator in operators:
            node = NodeItem(operator, sizes[operator.id], fonts)
            node.setPos(*layout.positions[operator.id])
            self.addItem(node)
            self._nodes[operator.id] = node
            if operator.task is not None:
                self._by_task[operator.task].append(node)
        self._add_edges(layout, fonts)
        self.content = QRectF(0, 0, layout.width, layout.height)
        self.setSceneRect(self.content.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN))

    def show_figures(self, history: History) -> int:
        """Bring nodes up to date; how many changed."""
        self.scale = share_scale(history)
        changed = 0
        for task, nodes in self._by_task.items():
            look = task_look(history, task, self.scale)
            if look == self._looks.get(task):
                continue
            self._looks[task] = look
            changed += len(nodes)
            for node in nodes:
                node.look = look
                node.update()
        if changed:
            self.tints_changed.emit()
        return changed

    def select(self, task: int | None) -> None:
        """Ring all the operators of a task and colour the edges that meet them."""
        self._selected = task
        self._ring(self._by_task.get(task, []) if task is not None else [])

    def select_operators(self, operators: frozenset[int]) -> None:
        """Ring these operators and colour the edges that meet them."""
        self._ring([node for key, node in self._nodes.items() if key in operators])

    def selected_nodes(self) -> list[NodeItem]:
        """The nodes that are ringed."""
        return self._ringed

    def _ring(self, nodes: list[NodeItem]) -> None:
        if nodes == self._ringed:
            return
        for which, selected in ((self._ringed, False), (nodes, True)):
            for node in which:
                node.selected = selected
                node.update()
        self._ringed = list(nodes)
        self._accent_edges({node.operator.id for node in nodes})

    def move_to(self, operator: int | None) -> None:
        """Put the keyboard's ring round an operator."""
        for which, current in ((self._current, False), (operator, True)):
            if which in self._nodes:
                self._nodes[which].current = current
                self._nodes[which].update()
        self._current = operator

    def neighbour(self, operator: int, down: int, right: int) -> int | None:
        """The operator next to one: along an edge (down is 1 or -1), or in its layer."""
        if self._layout is None:
            return None
        if right:
            layer = next(layer for layer in self._layout.layers if operator in layer)
            place = layer.index(operator) + right
            return layer[place] if 0 <= place < len(layer) else None
        here, there = (0, 1) if down > 0 else (1, 0)
        stubs = ((stub.source, stub.target) for stub in self._layout.stubs)
        ends = [edge[there] for edge in (*self._layout.edges, *stubs) if edge[here] == operator]
        x, y = self._layout.positions[operator]
        places = self._layout.positions
        return min(
            ends,
            key=lambda end: (abs(places[end][1] - y), abs(places[end][0] - x), end),
            default=None,
        )

    def _accent_edges(self, ends: set[int]) -> None:
        if self._accented is not None:
            self.removeItem(self._accented)
            self._accented = None
        if self._layout is None or not ends:
            return
        met = [points for edge, points in self._layout.edges.items() if ends & set(edge)]
        if met:
            self._accented = EdgesItem(met, accented=True)
            self.addItem(self._accented)

    def _add_edges(self, layout: Layout, fonts: NodeFonts) -> None:
        """Edges go in bands, so that a repaint of a few nodes draws few edges."""
        bands: dict[int, list[tuple[Point, ...]]] = defaultdict(list)
        for points in layout.edges.values():
            bands[int(points[0][1] // BAND)].append(points)
        for band in bands.values():
            self.addItem(EdgesItem(band))
        for stub in layout.stubs:
            source, target = (
                short_name(self._nodes[end].operator) for end in (stub.source, stub.target)
            )
            self.addItem(StubsItem(*stub.leaves, target, fonts.detail, leaves=True))
            self.addItem(StubsItem(*stub.enters, source, fonts.detail, leaves=False))
