"""Tasks that can use one schedule: near where they are alike, coloured by cluster."""

from __future__ import annotations

import html
from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from engine.history.open_project import OpenProject
from engine.passes.clusters import cluster
from engine.passes.similarity import DEFAULT_METRIC, METRICS, find_metric
from engine.records.clustering import Clustering
from engine.records.events import (
    ClustersChanged,
    Event,
    Failure,
    RunChanged,
    SlotStarted,
    SpacesFound,
    TrialConfirmed,
    TrialDone,
)
from engine.records.space import DesignSpace
from widgets.clusters.bar import ClusterBar
from widgets.clusters.canvas import ClusterCanvas, ClusterMenu
from widgets.clusters.items import dot_size
from widgets.clusters.scene import ClusterScene
from widgets.clusters.series import Likeness, aligned, likeness, role_text, summary
from widgets.clusters.weak import WeakTable
from widgets.graph.look import tooltip
from widgets.graph.painter import NodeFonts
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme_notifier
from widgets.parts.background import Background
from widgets.parts.notice import NO_MODEL, Notice
from widgets.parts.pieces import divide, pages, stacked, surface, text_label
from widgets.parts.view import View, identity

LOW = 320  # pixels of height


class Change(IntEnum):
    """What an event changes here, each with all that comes before it."""

    NOTHING = 0
    SIZES = 1
    FIGURES = 2
    CLUSTERS = 3


class ClusterView(View):
    """Shows and edits the clusters of a project.

    `clustering_changed` carries a Clustering that a person made, by slider, metric or menu.
    `spaces_wanted` asks for the event SpacesFound, `share_wanted` for the pass.
    """

    clustering_changed = Signal(object)
    spaces_wanted = Signal()
    share_wanted = Signal()

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._identity: tuple[str, ...] = ()
        self._spaces: tuple[DesignSpace, ...] = ()
        self._likeness: Likeness | None = None
        self._selected: int | None = None
        self._wanted_metric = ""
        self._finding = self._told = False
        self.clustering: Clustering | None = None
        self.in_force: Clustering | None = None  # while a person tries others
        self.bar = ClusterBar(METRICS.values())
        self.scene = ClusterScene(self)
        self.canvas = ClusterCanvas(self.scene, self)
        self.canvas.explain = self._explain
        self.canvas.describe = self._describe
        self.menu = ClusterMenu(self.canvas)
        self.weak = WeakTable(self)
        self.problem = text_label(role="error", margins=(12, 0, 12, 4))
        self.notice = ClusterNotice()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._pages = QStackedWidget()
        self._job = Background(self)
        self._arrange()
        self._join()
        self._refresh()

    @property
    def busy(self) -> bool:
        """Whether similarities and places are being worked out."""
        return self._job.busy

    def first_part(self) -> QWidget:
        """What takes the keyboard: the clusters, or the button that has them found."""
        asking = not self._pages.currentIndex() and not self.notice.button.isHidden()
        return self.notice.button if asking else self.canvas

    # The view protocol

    def show_project(self) -> None:
        """Show this project's clusters; where tasks and spaces are the same nothing moves."""
        head, before = self.project.head, self._identity
        self._identity = identity(head)
        if self._identity != before:
            self._forget()
        self.clustering = self.in_force = head.clustering or self.clustering
        self._take_spaces(head.spaces)
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Follow spaces, clusters and trials; what is hidden is drawn when it is shown.

        A trial changes a size; figures are renewed with each slot, so that runs are not disturbed.
        """
        change = max(map(self._take, events), default=Change.NOTHING)
        if change is Change.NOTHING:
            return
        if change is Change.CLUSTERS or not self.isVisible():
            self._refresh()
        elif self.clustering is not None and self._likeness is not None:
            self.scene.show_shares(self._history.shares())
            if change is Change.FIGURES:
                self._show_figures(self.clustering)

    def select_task(self, task: int | None) -> None:
        """Ring the task's disc and bring it into sight."""
        self._selected = task
        self.weak.select(task)
        self.scene.select(task)
        for node in self.scene.selected_nodes():
            self.canvas.show_node(node)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room most of it is for the picture."""
        super().resizeEvent(event)
        self._make_room()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._job.close()
        super().closeEvent(event)

    # How it is kept up

    def _forget(self) -> None:
        self._job.cancel()
        self._spaces, self._likeness = (), None
        self.clustering = self.in_force = None
        self._wanted_metric, self._finding, self._told = "", False, False
        self.scene.forget()

    def _take(self, event: Event) -> Change:
        match event:
            case SpacesFound(spaces=spaces):
                self._take_spaces(spaces)
            case ClustersChanged(clustering=clustering):
                self.clustering = self.in_force = clustering
                self._told = False
            case Failure() if self._finding or self._told:
                self._finding = False
                if self._told:  # it was not stored: back to what is
                    self.clustering = self.project.head.clustering or self.clustering
                    self.in_force, self._told = self.clustering, False
            case SlotStarted() | RunChanged():
                return Change.FIGURES
            case TrialDone() | TrialConfirmed():
                return Change.SIZES
            case _:
                return Change.NOTHING
        return Change.CLUSTERS

    def _take_spaces(self, spaces: tuple[DesignSpace, ...]) -> None:
        if spaces and spaces != self._spaces:
            self._job.cancel()
            self._spaces, self._likeness, self._wanted_metric = spaces, None, ""
            self._finding = False

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        metric = self.clustering.metric if self.clustering else DEFAULT_METRIC
        if self._spaces and (self._likeness is None or self._likeness.metric != metric):
            self._compare(metric)
        if self._likeness is None or self.clustering is None:
            count = len(self.project.head.own_tasks)
            self.notice.say(count, self._finding, bool(self._spaces))
            self._pages.setCurrentIndex(0)
        else:
            self._pages.setCurrentIndex(1)
            self._show_clusters(self.clustering, self._likeness)

    def _show_clusters(self, clustering: Clustering, found: Likeness) -> None:
        self.bar.show_choice(clustering.metric, clustering.threshold, clustering.edited)
        self.scene.show_clusters(clustering, found.matrix)
        self.scene.show_shares(self._history.shares())
        self._show_figures(clustering)

    def _show_figures(self, clustering: Clustering) -> None:
        self.bar.summary.setText(summary(self.project.snapshot(), clustering))
        hidden = self.weak.isHidden()
        self.weak.show_tasks(self._history, clustering, self.project.head.hardware.is_cpu)
        if hidden and not self.weak.isHidden():
            self._make_room()

    def _make_room(self) -> None:
        """A low view leaves the table of weak dependants the least it needs."""
        if self.height() < LOW:
            self._split.setSizes([self.height(), 1])

    def _compare(self, metric: str) -> None:
        """Work out similarities and places in a thread."""
        if self._wanted_metric == metric:
            return
        self._wanted_metric = metric
        fonts = NodeFonts(self.font())
        spaces = aligned(self.project.head.own_tasks, self._spaces)
        sizes = np.array([dot_size(task, fonts) for task in self.project.head.own_tasks])
        self._job.start(lambda job: likeness(spaces, metric, sizes, lambda: job.stopped))

    def _take_likeness(self, found: Likeness) -> None:
        self._likeness, self._wanted_metric = found, ""
        self.scene.place(self.project.head.own_tasks, found.places, self.font())
        before = self.clustering
        if before is None or before.metric != found.metric:
            self.clustering = self._clusters(find_metric(found.metric).threshold)
        self.in_force = self.in_force or self.clustering
        self._refresh()
        self.canvas.start_view()
        self.scene.select(self._selected)
        if before is not None and before != self.clustering:
            self._settle()

    def _clusters(self, threshold: float) -> Clustering | None:
        if self._likeness is None:
            return self.clustering
        tasks, found = self.project.head.own_tasks, self._likeness
        return cluster(tasks, aligned(tasks, self._spaces), found.metric, threshold, found.matrix)

    # What a person does

    def _choose(self, threshold: float) -> None:
        """Cluster at once, with the similarities that are known."""
        self.clustering = self._clusters(threshold)
        self.problem.hide()
        self._refresh()

    def _settle(self) -> None:
        if self.clustering is not None:
            self._told = True
            self.clustering_changed.emit(self.clustering)
            self.in_force = self.clustering

    def _edit(self, clustering: Clustering) -> None:
        self.clustering = clustering
        self.problem.hide()
        self._refresh()
        self._settle()

    def _undo(self) -> None:
        if self.clustering is not None:
            self._choose(self.clustering.threshold)
            self._settle()

    def _refuse(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.show()

    def _find(self) -> None:
        self._finding = True
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)  # once it is there
        self._refresh()
        self.spaces_wanted.emit()

    def _pick(self, task: int | None) -> None:
        self._selected = task
        self.scene.select(task)
        self.weak.select(task)
        self.task_picked.emit(task)

    def _open_menu(self, task: int, at: QPoint) -> None:
        if self.clustering is not None and self._likeness is not None:
            self._pick(task)
            tasks, matrix = self.project.head.own_tasks, self._likeness.matrix
            self.menu.menu(task, self.clustering, tasks, matrix).popup(at)

    def _role(self, task: int) -> str:
        if self.clustering is None or self._likeness is None:
            return ""
        tasks, matrix = self.project.head.own_tasks, self._likeness.matrix
        return role_text(self.clustering, tasks, matrix, task)

    def _describe(self, task: int) -> str:
        role = self._role(task)
        return f"{self._history.name(task)}: {role}" if role else ""

    def _explain(self, task: int) -> str:
        role = html.escape(self._role(task))
        return f"{tooltip(self._history, self.scene.dot(task).operator)}<p>{role}</p>"

    # How it is laid out

    def _join(self) -> None:
        self._job.done.connect(self._take_likeness)
        self._job.failed.connect(self._fail)
        self.bar.metric_changed.connect(self._compare)
        self.bar.chosen.connect(self._choose)
        self.bar.settled.connect(self._settle)
        self.bar.undo_wanted.connect(self._undo)
        self.bar.share_wanted.connect(self.share_wanted)
        self.canvas.picked.connect(self._pick)
        self.canvas.menu_wanted.connect(self._open_menu)
        self.menu.edited.connect(self._edit)
        self.menu.refused.connect(self._refuse)
        self.weak.row_picked.connect(self._pick)
        self.notice.find_wanted.connect(self._find)
        theme_notifier().changed.connect(self.scene.update)

    def _fail(self, what: str, todo: str) -> None:
        self._spaces, self._wanted_metric = (), ""
        self._pages.setCurrentIndex(0)
        self.notice.say_problem(f"{what} {todo}")

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Clusters"))
        self.problem.hide()
        split = divide(self._split, self.canvas, self.weak, weights=(1,))
        page = surface(stacked(self.bar, self.problem, (split, 1), margins=0, spacing=0))
        pages(self._pages, self.notice, page, on=self)


NO_SPACES = QT_TR_NOOP("No clusters yet: Find clusters groups the tasks that can use one schedule.")


class ClusterNotice(Notice):
    """Says how far a project is; `find_wanted` asks for the design spaces."""

    def __init__(self) -> None:
        super().__init__(tr("&Find clusters"))

    def say(self, tasks: int, finding: bool, comparing: bool) -> None:
        """How far a project of so many tasks is."""
        text = tr(NO_SPACES if tasks else NO_MODEL)
        if comparing:
            text = tr("Comparing the design spaces of %n tasks …", "", tasks)
        elif finding:
            text = tr("Looking at the design spaces of %n tasks …", "", tasks)
        self.put(text, bool(tasks) and not finding and not comparing)

    def say_problem(self, text: str) -> None:
        """Something went wrong; the button tries again."""
        self.put(text, True)
