"""The model's graph: what is slow, what is worked on, what is selected, where it came from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QWidget

from engine.graph.layout import Layout, layered_layout
from engine.graph.links import Links
from engine.graph.shown import ShownNode
from engine.graph.wrapping import wrapped
from engine.history.open_project import OpenProject
from engine.records.events import ClustersChanged, Event, ModelSeen, ScheduleFound
from widgets.graph.bar import GraphBar, explain, trail
from widgets.graph.canvas import GraphCanvas
from widgets.graph.drawing import Drawing, Side
from widgets.graph.legend import GraphLegend
from widgets.graph.look import ColorBy
from widgets.graph.looks import Looks
from widgets.graph.minimap import Minimap
from widgets.graph.painter import NodeFonts
from widgets.graph.scene import GraphScene
from widgets.graph.tools import GraphSearch, GraphTools
from widgets.look.language import tr
from widgets.look.plain_label import PlainLabel
from widgets.look.theme import theme_notifier
from widgets.parts.notice import NO_MODEL
from widgets.parts.pieces import stacked
from widgets.parts.view import View

INSET = 8
FIRST = 120


class GraphView(View):
    """Fused operators, or the nodes of the file; each side shows the other's selection.

    `operators_picked` carries the operators of a node of the file that a person chose.
    """

    operators_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self.drawing = Drawing()
        self.looks = Looks(self._history)
        self._sizes: dict[int, tuple[float, float]] = {}
        self._laid_out: tuple[ShownNode, ...] = ()
        self._selected: int | None = None
        self._said: int | None = None  # the node that the line is about
        self._narrowed: frozenset[int] = frozenset()
        self._focus: frozenset[int] = frozenset()
        self._then: Callable[[], object] | None = None
        self.scene = GraphScene(self)
        self.canvas = GraphCanvas(self.scene, self)
        self.canvas.explain = self._explain
        self.tools = GraphTools(self.canvas, self.scene)
        self.bar = GraphBar(self)
        self.search = GraphSearch(self.bar, self.drawing, self.go_to_node)
        self.legend = GraphLegend(self.canvas)
        self.minimap = Minimap(self.canvas, self.scene, self.canvas)
        self.notice = PlainLabel(tr(NO_MODEL), self.canvas, alignment=Qt.AlignmentFlag.AlignCenter)
        self.notice.setProperty("role", "muted")
        self.notice.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._job = LayoutJob(self)
        self._start = QTimer(self, singleShot=True, interval=0)
        self._join()
        stacked(self.bar, self.canvas, on=self, margins=0, spacing=0)
        self.setFocusProxy(self.canvas)
        self.bar.hide()

    def show_project(self) -> None:
        """Lay the project's graph out and show it from its beginning.

        A graph that is shown already keeps its place: the same project, known better.
        """
        head = self.project.head
        self.looks.set_project(head.operators, head.clustering, head.schedule)
        known = tuple(self.drawing.operators.values()), self.drawing.files
        same = known == (head.operators, head.file_nodes)
        if head.operators and same and self.scene.nodes:
            self._show_looks()
            return
        self.drawing.set_project(head.operators, head.file_nodes)
        self.looks.by = ColorBy(self.bar.colors.currentData())
        self._forget_selection()
        self.tools.name = f"{head.model_name or 'model'} graph"
        self._show_switches()
        self.scene.forget()
        self._lay_out()

    def _forget_selection(self) -> None:
        self._selected, self._narrowed, self._focus = None, frozenset(), frozenset()
        self._said = None
        self.bar.say("")
        self.search.clear()

    def show_look(self, seen: ModelSeen | None) -> None:
        """Show a model's file while the model is opened; with None what was shown before."""
        if seen is None:
            if self.drawing.is_look:
                self.show_project()
            return
        self.drawing.set_look(seen.nodes)
        self.looks.by = ColorBy.KIND
        self._forget_selection()
        self.tools.name = f"{seen.name} graph"
        self._show_switches()
        count, weights = f"{len(seen.nodes):,}", f"{seen.parameters:,}"
        self.bar.say(
            tr(
                "{name}: {count} nodes, {weights} weights, being lowered",
                name=seen.name,
                count=count,
                weights=weights,
            )
        )
        self.scene.forget()
        self._lay_out()

    def apply(self, events: Sequence[Event]) -> None:
        """Bring the nodes of changed tasks up to date."""
        changed = bool(self.project.changed)
        for event in events:
            if isinstance(event, ClustersChanged):
                self.looks.set_clustering(event.clustering)
            elif isinstance(event, ScheduleFound):
                self.looks.set_schedule(event.found)
            else:
                continue
            changed = True
        if changed:
            self._show_looks()

    def select_task(self, task: int | None) -> None:
        """Ring the task's operators; bring one into sight if none is."""
        if task != self._selected or self._narrowed:
            self._focus = frozenset() if task != self._selected else self._focus
            self._selected, self._narrowed = task, frozenset()
        if task is None:
            self._focus = frozenset()
        self._ring()
        self._say_selected()
        self._seek()

    def select_operators(self, operators: frozenset[int]) -> None:
        """Ring these operators alone; bring one into sight if none is."""
        self._narrowed = self._focus = operators
        self._ring()
        self._say_selected()
        self._seek()

    def fit(self) -> None:
        self.canvas.fit()

    def start_search(self) -> None:
        """Put the keyboard on the search field."""
        self.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.search.selectAll()

    def show_side(self, side: Side) -> None:
        """Show the operators or the file, with what is selected in sight."""
        if side is self.drawing.side or (side is Side.FILE and not self.drawing.files):
            return
        current = self.scene.current
        if current is not None and current >= 0 and not self._focus:
            self._focus = frozenset(self.drawing.node(current).operators)
        self.drawing.show_side(side)
        self.search.again()
        self._show_switches()
        self.scene.forget()
        self._lay_out(self._after_switch)

    def show_file_node(self, node: int) -> None:
        """Show the file's side with a node of it selected, in the middle."""
        if node >= len(self.drawing.files):
            return

        def pick() -> None:
            self.go_to_node(node)
            self._pick(node)

        def begin() -> None:
            self.canvas.start_view()
            pick()

        if self.drawing.side is Side.FILE:
            pick()
            return
        self.drawing.show_side(Side.FILE)
        self.drawing.reveal(node)
        self.search.again()
        self._show_switches()
        self.scene.forget()
        self._lay_out(begin)

    def show_other_side(self) -> None:
        """The file instead of the operators, or back."""
        file = self.drawing.side is Side.FILE
        self.show_side(Side.OPERATORS if file else Side.FILE)

    def color_by(self, by: ColorBy) -> None:
        self.bar.colors.setCurrentIndex(self.bar.colors.findData(by.value))

    def go_to_node(self, node: int) -> None:
        """Jump to a node, opening what it is folded into."""

        def jump() -> None:
            if node in self.scene.nodes:
                self.scene.move_to(node)
                self.canvas.jump_to(self.scene.nodes[node])
                self._say_about(node)

        if self.drawing.reveal(node):
            self._lay_out(jump)
        else:
            jump()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._start.stop()
        self._job.close()
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_overlays()

    def _join(self) -> None:
        self._job.done.connect(self._show_layout)
        self._start.timeout.connect(self._begin)
        self.canvas.picked.connect(self._pick)
        self.canvas.opened.connect(self._toggle)
        self.canvas.places_changed.connect(self._show_places)
        theme_notifier().changed.connect(self.scene.retint)
        bar = self.bar
        bar.side_changed.connect(lambda on: self.show_side(Side.FILE if on else Side.OPERATORS))
        bar.colors_changed.connect(self._color_by)
        bar.fold_changed.connect(self._fold_all)
        bar.back.clicked.connect(self.canvas.back)
        bar.forward.clicked.connect(self.canvas.forward)
        bar.save_wanted.connect(self.tools.ask)
        bar.left.connect(self.canvas.setFocus)
        for keys, slot in (("Alt+Left", self.canvas.back), ("Alt+Right", self.canvas.forward)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    # Laying out

    def _lay_out(self, then: Callable[[], object] | None = None) -> None:
        """Draw what is shown now; `then` happens once it is there, else it starts at the top."""
        self._then = then
        shown = self.drawing.shown
        with_fates = self.drawing.side is Side.FILE and not self.drawing.is_look
        self.looks.set_shown(shown, self.drawing.files if with_fates else ())
        self.bar.setVisible(bool(shown))
        self._start.stop()
        if not shown:
            self._job.cancel()
            self.scene.forget()
            self._say(tr(NO_MODEL))
            return
        self._job.cancel()
        self._laid_out = shown
        if len(shown) <= AT_ONCE:
            self._begin()
            return
        if not self.scene.nodes:
            self._show_first(shown[:FIRST])
        self._say(tr("Laying out %n nodes…", "", len(shown)))
        self._start.start()

    def _show_first(self, nodes: tuple[ShownNode, ...]) -> None:
        """The beginning of a large graph: something to see while the rest comes."""
        sizes = self._measure(nodes)
        self._put(nodes, layered_layout(Links(nodes), sizes), sizes)
        self.canvas.start_view()

    def _begin(self) -> None:
        """Lay out all of it."""
        self._sizes = self._measure(self._laid_out)
        self._job.start(self._laid_out, self._sizes)

    def _measure(self, nodes: Sequence[ShownNode]) -> dict[int, tuple[float, float]]:
        fonts = NodeFonts(self.font())
        return {node.id: fonts.size(node) for node in nodes}

    def _show_layout(self, layout: Layout) -> None:
        self._put(self._laid_out, layout, self._sizes)
        self._say("")
        self.canvas.places.clear()
        self._show_places()
        self.minimap.redraw()
        if self._then is None:
            self.canvas.start_view()
        else:
            self._then()
        self._then = None

    def _put(
        self,
        nodes: Sequence[ShownNode],
        layout: Layout,
        sizes: dict[int, tuple[float, float]],
    ) -> None:
        repeats = self.drawing.repeats if len(nodes) == len(self.drawing.shown) else ()
        self.scene.build(nodes, layout, sizes, self.font(), repeats)
        self._show_looks(anew=True)
        self._ring()
        self._place_overlays()

    def _toggle(self, node: int) -> None:
        """Open a block or fold the one round a node, and stay there."""
        zoom = self.canvas.zoom()
        look_at = self.drawing.toggle(node) if self.drawing.knows(node) else None
        if look_at is not None:
            self.bar.show_fold(self.drawing.is_folded)
            self._lay_out(lambda: self._stay_at(look_at, zoom))

    def _stay_at(self, node: int, zoom: float) -> None:
        if node in self.scene.nodes:
            self.scene.move_to(node)
            self.canvas.look_at(self.scene.nodes[node], zoom)
            self._say_about(node)

    def _fold_all(self, folded: bool) -> None:
        self.drawing.fold_all(folded)
        self._lay_out()

    def _after_switch(self) -> None:
        self.canvas.start_view()
        nodes = self.scene.selected_nodes()
        if nodes:
            self.scene.move_to(nodes[0].key)
            self._say_about(nodes[0].key)
        self._seek()

    # What nodes say

    def _show_looks(self, anew: bool = False) -> None:
        self.scene.show_looks(self.looks, anew)
        self.legend.show_scale(self.looks.by, self.looks.scale, self.looks.entries())
        self._place_overlays()

    def _color_by(self, by: ColorBy) -> None:
        self.looks.by = by
        self._show_looks(anew=True)

    def _show_switches(self) -> None:
        look = self.drawing.is_look
        self.bar.allow(bool(self.drawing.files), self.drawing.has_blocks, look)
        self.bar.show_side(self.drawing.side is Side.FILE)
        self.bar.show_fold(self.drawing.has_blocks and self.drawing.is_folded)
        self.bar.say("")

    def _show_places(self) -> None:
        places = self.canvas.places
        self.bar.show_places(places.can_go_back, places.can_go_forward)

    def _explain(self, node: int) -> str:
        if not self.drawing.knows(node):
            return ""
        return explain(self.drawing, self.drawing.node(node), self._history, self.looks)

    def _say_about(self, node: int | None) -> None:
        self._said = node
        self.bar.say("" if node is None else trail(self.drawing, self.drawing.node(node)))

    def _say_selected(self) -> None:
        """The line names what is selected, wherever that was done."""
        chosen = self.drawing.standing_for(self._chosen())
        if self._said is not None and self._said in chosen:
            return
        self._say_about(next(iter(chosen)) if len(chosen) == 1 else None)
        if len(chosen) > 1 and self._selected is not None:
            self.bar.say(self._task_name(self._selected))

    # The selection

    def _pick(self, node: int | None) -> None:
        """A person chose a node: an operator means its task, a node of the file its operators."""
        if node is not None and not self.drawing.knows(node):
            return  # it was folded or opened, and the new picture is not there yet
        shown = None if node is None else self.drawing.node(node)
        self._say_about(node)
        if self.drawing.is_look:
            return  # nothing has a task yet
        self._focus = frozenset(shown.operators) if shown else frozenset()
        tasks = self.looks.tasks_of(shown) if shown else ()
        alike = shown is not None and (not shown.folded or len(tasks) == 1)
        if shown is None or (self.drawing.side is Side.OPERATORS and alike):
            if shown and not tasks:  # an operator that is no task is selected as such
                self._selected, self._narrowed = None, self._focus
                self._ring()
                self.operators_picked.emit(self._focus)
                return
            self._selected, self._narrowed = (tasks[0] if tasks else None), frozenset()
            self._ring()
            self.task_picked.emit(self._selected)
        else:
            self._narrowed = self._focus
            self._ring()
            self.operators_picked.emit(self._focus)

    def _ring(self) -> None:
        self.scene.ring(self.drawing.standing_for(self._chosen()))

    def _chosen(self) -> frozenset[int]:
        """The operators that are selected; on the file's side, those that a click meant."""
        if self._narrowed:
            return self._narrowed
        if self._focus and self.drawing.side is Side.FILE:
            return self._focus
        if self._selected is None:
            return frozenset()
        operators = self.drawing.operators.values()
        return frozenset(item.id for item in operators if item.task == self._selected)

    def _seek(self) -> None:
        nodes = self.scene.selected_nodes()
        seen = self.canvas.visible()
        if nodes and not any(seen.intersects(node.area) for node in nodes):
            self.canvas.show_node(nodes[0])

    # Overlays

    def _say(self, text: str) -> None:
        self.notice.setText(text)
        self.notice.setVisible(bool(text))
        self.legend.setVisible(not text)
        self._place_overlays()
        if text:
            self.minimap.hide()

    def _place_overlays(self) -> None:
        room = self.canvas.size()
        area = self.canvas.rect()
        if self.scene.nodes:
            area.setTop(area.bottom() - self.legend.height() - 2 * INSET)
        self.notice.setGeometry(area)
        self.legend.resize(self.legend.wanted_size(room))
        self.legend.move(INSET, room.height() - self.legend.height() - INSET)
        self.minimap.resize(self.minimap.wanted_size(room))
        below = self.legend.height() + INSET if self._is_legend_under_minimap() else 0
        corner = QPoint(self.minimap.width() + INSET, self.minimap.height() + INSET + below)
        self.minimap.move(QPoint(room.width(), room.height()) - corner)
        self.minimap.raise_()

    def _is_legend_under_minimap(self) -> bool:
        reach = self.legend.geometry().right() + INSET
        return reach > self.canvas.width() - self.minimap.width() - INSET


AT_ONCE = 150

Sizes = Mapping[int, tuple[float, float]]


class LayoutJob(QObject):
    """One layout at a time; `done` carries the last one asked for, in the GUI's thread."""

    done = Signal(object)
    _finished = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._finished.connect(self._hand_over)

    def start(self, nodes: Sequence[ShownNode], sizes: Sizes) -> None:
        """Begin; a hundred nodes take milliseconds and are done before this returns."""
        self.cancel()
        if len(nodes) <= AT_ONCE:
            self.done.emit(wrapped(layered_layout(Links(nodes), sizes), sizes))
            return
        self._thread = threading.Thread(
            target=self._work, args=(nodes, sizes, self._stop), daemon=True
        )
        self._thread.start()

    def cancel(self) -> None:
        """Drop a layout under way: it ends soon and is not handed over."""
        self._stop.set()
        self._stop = threading.Event()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _work(self, nodes: Sequence[ShownNode], sizes: Sizes, stop: threading.Event) -> None:
        layout = layered_layout(Links(nodes), sizes, cancelled=stop.is_set)
        if not stop.is_set():
            self._finished.emit(wrapped(layout, sizes), stop)

    def _hand_over(self, layout: object, stop: threading.Event) -> None:
        if not stop.is_set():
            self.done.emit(layout)
