"""The model's graph: what is slow, what is being worked on, what is selected."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.events import Event
from engine.graph.layout import Layout
from engine.graph.network import Operator, to_networkx
from engine.history import History
from engine.project.snapshot import Snapshot
from widgets.graph_canvas import STEP, GraphCanvas
from widgets.graph_items import NodeFonts
from widgets.graph_layout_job import LayoutJob
from widgets.graph_legend import GraphLegend
from widgets.graph_look import tooltip
from widgets.graph_minimap import Minimap
from widgets.graph_scene import GraphScene
from widgets.notice import NO_MODEL
from widgets.theme import theme_notifier
from widgets.view import View

INSET = 8


class GraphView(View):
    """Operators as nodes, tinted by their share of the model's latency."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history = History()
        self._operators: dict[int, Operator] = {}
        self._sizes: dict[int, tuple[float, float]] = {}
        self._selected: int | None = None
        self._narrowed: frozenset[int] = frozenset()
        self.scene = GraphScene(self)
        self.canvas = GraphCanvas(self.scene, self)
        self.canvas.explain = self._explain
        self.legend = GraphLegend(self)
        self.minimap = Minimap(self.canvas, self.scene, self)
        self.notice = QLabel(NO_MODEL, self.canvas, alignment=Qt.AlignmentFlag.AlignCenter)
        self.notice.setProperty("role", "muted")
        self.notice.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._job = LayoutJob(self)
        self._job.done.connect(self._show_layout)
        self.canvas.picked.connect(self._pick)
        theme_notifier().changed.connect(self.scene.update)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)
        self.setFocusProxy(self.canvas)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Lay the project's graph out and show it from its beginning.

        A graph that is shown already keeps its place: the same project, known better.
        """
        self._history.reset(snapshot)
        operators = {operator.id: operator for operator in snapshot.operators}
        if operators and operators == self._operators and self.scene.nodes:
            self._show_figures()
            return
        self._operators = operators
        self._selected, self._narrowed = None, frozenset()
        self.scene.forget()
        count = len(self._operators)
        self._say(f"Laying out {count:,} operators…" if count else NO_MODEL)
        if not count:
            self._job.cancel()
            return
        fonts = NodeFonts(self.font())
        self._sizes = {key: fonts.size(operator) for key, operator in self._operators.items()}
        self._job.start(to_networkx(snapshot.operators), self._sizes)

    def apply(self, events: Sequence[Event]) -> None:
        """Bring the nodes of changed tasks up to date."""
        if self._history.apply(events):
            self._show_figures()

    def select_task(self, task: int | None) -> None:
        """Ring the task's operators; bring one into sight if none is."""
        self._selected, self._narrowed = task, frozenset()
        self.scene.select(task)
        self._seek()

    def select_operators(self, operators: frozenset[int]) -> None:
        """Ring these operators alone; bring one into sight if none is."""
        self._narrowed = operators
        self.scene.select_operators(operators)
        self._seek()

    def _seek(self) -> None:
        nodes = self.scene.selected_nodes()
        seen = self.canvas.visible()
        if nodes and not any(seen.intersects(node.sceneBoundingRect()) for node in nodes):
            self.canvas.show_node(nodes[0])

    def fit(self) -> None:
        """Show the whole graph."""
        self.canvas.fit()

    def zoom_in(self) -> None:
        """One step nearer."""
        self.canvas.zoom_by(STEP)

    def zoom_out(self) -> None:
        """One step away."""
        self.canvas.zoom_by(1 / STEP)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._job.close()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the overlays in their corners."""
        super().resizeEvent(event)
        self._place_overlays()

    def _show_layout(self, layout: Layout) -> None:
        self.scene.build(self._operators.values(), layout, self._sizes, self.font())
        self._say("")
        self._show_figures()
        self.scene.select(self._selected)
        if self._narrowed:
            self.scene.select_operators(self._narrowed)
        self._place_overlays()
        self.minimap.redraw()
        self.canvas.start_view()

    def _show_figures(self) -> None:
        self.scene.show_figures(self._history)
        self.legend.set_end(self.scene.scale)

    def _pick(self, operator: int | None) -> None:
        task = self._operators[operator].task if operator is not None else None
        self._selected, self._narrowed = task, frozenset()
        self.scene.select(task)
        self.task_picked.emit(task)

    def _explain(self, operator: int) -> str:
        return tooltip(self._history, self._operators[operator])

    def _say(self, text: str) -> None:
        self.notice.setText(text)
        self.notice.setVisible(bool(text))
        self.legend.setVisible(not text)
        if text:
            self.minimap.hide()

    def _place_overlays(self) -> None:
        room = self.size()
        self.notice.setGeometry(self.canvas.rect())
        self.legend.resize(self.legend.wanted_size(room))
        self.legend.move(INSET, room.height() - self.legend.height() - INSET)
        self.minimap.resize(self.minimap.wanted_size(room))
        corner = QPoint(self.minimap.width() + INSET, self.minimap.height() + INSET)
        self.minimap.move(QPoint(room.width(), room.height()) - corner)
        self.minimap.raise_()
