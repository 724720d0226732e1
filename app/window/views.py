"""The views of a window, joined to the document's one selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from app.document.commands import Commands
from app.document.document import Document
from app.window.workspace import Page
from engine.records.events import Event
from widgets.parts.view import View
from widgets.tasks.inspector import Inspector
from widgets.tasks.task_table import TaskTable
from widgets.tasks.trial_compare import TrialCompare
from widgets.tasks.trials_table import TrialsTable
from widgets.window.log_view import LogView
from widgets.window.project_tree import ProjectTree

V = TypeVar("V", bound=View)


class Views:
    """Makes the views and keeps them together: one selection, one stream of events.

    These are there at once; `LateViews` makes the others after the first paint, and joins them.
    """

    def __init__(self, document: Document, commands: Commands) -> None:
        self._document, self._commands = document, commands
        self.project = ProjectTree()
        self.inspector = Inspector(document.project)
        self.tasks = TaskTable(document.project)
        self.trials = TrialsTable(document.project)
        self.log = LogView()
        self._label_boxes = self.project.labels, self.inspector.labels
        self.convergence_page, self.sources_page = Page(), Page()
        self._views: list[View] = []
        for view in (self.inspector, self.tasks, self.trials):
            self.join(view)
        for source in (self.trials, self.inspector):
            source.trial_picked.connect(self.pick_trial)
        self.trials.compare_wanted.connect(self.compare_trials)
        self._join_labels()
        self.tasks.wished.connect(commands.edits.set_wishes)
        document.wishes_changed.connect(lambda: self.tasks.show_wishes(document.wishes))
        document.opened.connect(self._open)
        document.closed.connect(self._open)
        document.batch.connect(self._apply)
        document.selection_changed.connect(self._select)
        document.project_changed.connect(self._show_project)

    def close(self) -> None:
        """Keep what is being typed, and end what the views do in the background."""
        self._flush_labels()
        for view in self._views:
            view.close()

    def _join_labels(self) -> None:
        """What a person types is an edit; what is kept is shown wherever it is asked for."""
        edits = self._commands.edits
        for box in self._label_boxes:
            box.named.connect(edits.set_name)
            box.noted.connect(edits.set_note)
            box.left.connect(edits.undo.seal)
            edits.undo.refused.connect(box.keep_trying)
        self._commands.leaving.connect(self._flush_labels)

    def _flush_labels(self) -> None:
        """Keep what is being typed: the project is about to be left."""
        for box in self._label_boxes:
            box.flush()

    def compare_trials(self, first: int, second: int) -> TrialCompare | None:
        """Show what differs between two trials, in a window of its own."""
        project = self._document.project
        left, right = project.trial(first), project.trial(second)
        if left is None or right is None:
            return None
        tasks = {task.index: task for task in project.head.tasks}
        dialog = TrialCompare(left, right, tasks, self.trials.window())
        commands = self._commands
        dialog.detail_wanted.connect(commands.trial_detail)
        commands.detail_ready.connect(dialog.show_detail)
        commands.detail_failed.connect(dialog.show_problem)
        dialog.show()
        dialog.ask()
        return dialog

    def join(self, view: V) -> V:
        """Let a view take part in the one selection, and hear what happens; the view."""
        self._views.append(view)
        view.task_picked.connect(self._task_picked)
        if self._document.is_open:
            view.show_project()
            self._select_in(view)
        return view

    def _task_picked(self, task: int | None) -> None:
        if self._document.follow and task != self._document.task:
            self._document.set_follow(False)
        self._document.select_task(task)

    def pick_operators(self, operators: frozenset[int]) -> None:
        """Select what a person picked in a view."""
        if self._document.follow:
            self._document.set_follow(False)
        self._document.select_operators(operators)

    def pick_trial(self, number: int | None) -> None:
        """Select what a person picked in a view."""
        if self._document.follow:
            self._document.set_follow(False)
        self._document.select_trial(number)

    def _open(self) -> None:
        if not self._document.is_refresh:
            for dialog in self.trials.window().findChildren(TrialCompare):
                dialog.close()  # its trials are another project's
        for view in self._views:
            view.show_project()

    def _apply(self, events: Sequence[Event]) -> None:
        for view in self._views:
            view.apply(events)

    def _select(self) -> None:
        trial = self._document.trial
        for view in self._views:
            self._select_in(view)
        self.trials.select_trial(trial)
        if trial is not None:
            self.inspector.select_trial(trial)

    def _select_in(self, view: View) -> None:
        view.select_task(self._document.task)
        if self._document.operators:
            view.select_operators(self._document.operators)

    def _show_project(self) -> None:
        for box in self._label_boxes:
            box.allow(not self._document.read_only)
        self.project.show_project(self._document.head if self._document.is_open else None)
