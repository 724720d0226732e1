"""The views of a window, joined to the document's one selection."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.document.commands import Commands
from app.document.document import Document
from app.window.labels import Labels
from engine.records.machine import usable_cores
from engine.records.snapshot import Snapshot
from widgets.look.language import tr
from widgets.parts.view import View
from widgets.tasks.inspector import Inspector
from widgets.tasks.task_table import TaskTable
from widgets.tasks.trial_compare import TrialCompare
from widgets.tasks.trials_table import TrialsTable
from widgets.window.log_view import LogView
from widgets.window.project_tree import ProjectTree

NOTHING = Snapshot("", "", "", "", (), (), ())


class Views:
    """Makes the views and keeps them together: one selection, one stream of events.

    The graph, the curves, the allocation and the comparison load libraries that take half a second;
    until `complete` their pages are empty, so that the window can be painted first.
    """

    def __init__(self, document: Document, commands: Commands) -> None:
        self._document, self._commands = document, commands
        self.project = ProjectTree()
        self.inspector = Inspector(document.history)
        self.tasks = TaskTable(document.history)
        self.trials = TrialsTable()
        self.log = LogView()
        self.graph_page, self.convergence_page = _page(), _page()
        self.allocation_page, self.compare_page = _page(), _page()
        self.clusters_page, self.transfer_page, self.droplet_page = _page(), _page(), _page()
        self.stages_page, self.sources_page, self.jobs_page = _page(), _page(), _page()
        self.pages = {
            "graph": self.graph_page,
            "allocation": self.allocation_page,
            "clusters": self.clusters_page,
            "transfer": self.transfer_page,
            "droplet": self.droplet_page,
            "stages": self.stages_page,
            "jobs": self.jobs_page,
        }
        self.graph: Any = None
        self.convergence: Any = None
        self.allocation: Any = None
        self.comparison: Any = None
        self.clusters: Any = None
        self.transfer: Any = None
        self.droplet: Any = None
        self.stages: Any = None
        self.jobs: Any = None
        self.sources: Any = None
        self.replays: Any = None
        self._views: list[View] = []
        for view in (self.project, self.inspector, self.tasks, self.trials):
            self._join(view)
        for source in (self.trials, self.inspector):
            source.trial_picked.connect(self._trial_picked)
        self.trials.compare_wanted.connect(self.compare_trials)
        self.labels = Labels(self.project, self.inspector, self.tasks, document, commands.edits)
        commands.leaving.connect(self.labels.flush)
        self.tasks.wished.connect(commands.edits.set_wishes)
        document.wishes_changed.connect(lambda: self.tasks.show_wishes(document.wishes))
        self.inspector.detail_wanted.connect(commands.trial_detail)
        commands.detail_ready.connect(self.inspector.show_detail)
        commands.detail_failed.connect(self.inspector.show_detail_problem)
        document.opened.connect(self._open)
        document.closed.connect(lambda: self._open(NOTHING))
        document.batch.connect(self._apply)
        document.selection_changed.connect(self._select)
        document.project_changed.connect(self._show_project)

    def complete(self) -> None:
        """Make the graph and the curves."""
        if self.graph is not None:
            return
        from app.window.replays import Replays
        from widgets.allocation.view import AllocationView
        from widgets.clusters.view import ClusterView
        from widgets.comparison.view import ComparisonView
        from widgets.convergence.view import ConvergenceView
        from widgets.droplet.view import DropletView
        from widgets.graph.view import GraphView
        from widgets.jobs.view import JobView
        from widgets.sources.view import ImprovementView
        from widgets.stages.view import StageView
        from widgets.transfer.view import TransferView

        document, commands = self._document, self._commands
        self.graph, self.convergence = GraphView(), ConvergenceView(document.settings_of)
        self.allocation = AllocationView(document.history, document.settings_of)
        self.comparison = ComparisonView(document.settings_of)
        history, settings_of = document.history, document.settings_of
        self.clusters, self.transfer = ClusterView(history), TransferView(history)
        self.droplet, self.sources = DropletView(history, settings_of), ImprovementView(history)
        self.stages, self.jobs = StageView(history), JobView(usable_cores())
        _fill(self.jobs_page, self.jobs)
        for source in (self.stages, self.graph):
            source.operators_picked.connect(self._operators_picked)
        self.replays = Replays(self.comparison)
        self.clusters.spaces_wanted.connect(commands.find_spaces)
        self.clusters.clustering_changed.connect(
            lambda chosen: commands.edits.set_clustering(chosen, self.clusters.in_force)
        )
        for source in (self.transfer, self.droplet, self.sources):
            source.trial_picked.connect(self._trial_picked)
        for page, view in (
            (self.graph_page, self.graph),
            (self.convergence_page, self.convergence),
            (self.allocation_page, self.allocation),
            (self.compare_page, self.comparison),
            (self.clusters_page, self.clusters),
            (self.transfer_page, self.transfer),
            (self.droplet_page, self.droplet),
            (self.stages_page, self.stages),
            (self.sources_page, self.sources),
        ):
            _fill(page, view)
            self._join(view)

    def close(self) -> None:
        """Keep what is being typed, and end what the views do in the background."""
        self.labels.flush()
        if self.replays is not None:
            self.replays.close()
            self.jobs.close()
        for view in self._views:
            view.close()

    def fit_graph(self) -> None:
        """Show the whole graph."""
        if self.graph is not None:
            self.graph.fit()

    def pending(self) -> bool:
        """Whether the layout of the graph, or of clusters in sight, is still being made."""
        if self.graph is None:
            return False
        operators = self._document.snapshot and self._document.snapshot.operators
        return (bool(operators) and not self.graph.notice.isHidden()) or self.clusters.busy

    def compare_trials(self, first: int, second: int) -> TrialCompare | None:
        """Show what differs between two trials, in a window of its own."""
        trials = self.inspector.trial(first), self.inspector.trial(second)
        if trials[0] is None or trials[1] is None:
            return None
        dialog = TrialCompare(trials[0], trials[1], self.inspector.tasks, self.trials.window())
        commands = self._commands
        dialog.detail_wanted.connect(commands.trial_detail)
        commands.detail_ready.connect(dialog.show_detail)
        commands.detail_failed.connect(dialog.show_problem)
        dialog.show()
        dialog.ask()
        return dialog

    def focus_page(self, name: str) -> None:
        """Put the keyboard on a page of the workspace, or on the comparison."""
        if self.graph is None:
            return
        parts = {
            "graph": self.graph,
            "allocation": self.allocation.timeline,
            "compare": self.comparison.choice.policies,
            "clusters": self.clusters.first_part(),
            "transfer": self.transfer.first_part(),
            "droplet": self.droplet.first_part(),
            "stages": self.stages.first_part(),
            "jobs": self.jobs.first_part(),
        }
        parts[name].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _join(self, view: View) -> None:
        self._views.append(view)
        view.task_picked.connect(self._task_picked)
        if self._document.snapshot is not None:
            view.show_snapshot(self._document.snapshot)
            self._select_in(view)

    def _task_picked(self, task: int | None) -> None:
        if self._document.follow and task != self._document.task:
            self._document.set_follow(False)
        self._document.select_task(task)

    def _operators_picked(self, operators: frozenset[int]) -> None:
        if self._document.follow:
            self._document.set_follow(False)
        self._document.select_operators(operators)

    def _trial_picked(self, number: int | None) -> None:
        if self._document.follow:
            self._document.set_follow(False)
        self._document.select_trial(number)

    def _open(self, snapshot: Snapshot) -> None:
        for view in self._views:
            view.show_snapshot(snapshot)

    def _apply(self, events: list[Any]) -> None:
        for view in self._views:
            view.apply(events)

    def _select(self) -> None:
        trial = self._document.trial
        for view in self._views:
            self._select_in(view)
        self.trials.select_trial(trial)
        if trial is not None:
            self.inspector.select_trial(trial)
        if self.droplet is not None:
            self.droplet.select_trial(trial)
            self.transfer.select_trial(trial)

    def _select_in(self, view: View) -> None:
        view.select_task(self._document.task)
        if self._document.operators:
            view.select_operators(self._document.operators)

    def _show_project(self) -> None:
        document = self._document
        self.project.show_project(document.snapshot, document.runs, document.exports)


def _page() -> QWidget:
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    label = QLabel(tr("Loading …"))
    label.setProperty("role", "muted")
    layout.addWidget(label, alignment=Qt.AlignmentFlag.AlignCenter)
    return page


def _fill(page: QWidget, view: QWidget) -> None:
    layout = page.layout()
    if layout is None:
        return
    item = layout.takeAt(0)
    label = item.widget() if item else None
    if label is not None:
        label.deleteLater()
    layout.addWidget(view)
