"""The protocol of every view over a project: show, follow, select, tell what a person picked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from engine.history.open_project import OpenProject
from engine.records.events import Event, TrialConfirmed, TrialDone
from engine.records.snapshot import Snapshot
from widgets.look.language import tr


def identity(head: Snapshot) -> tuple[str, ...]:
    """What differs once another project is shown, or another model's tasks."""
    return (head.path, *(task.fingerprint for task in head.own_tasks))


class View(QWidget):
    """A widget that shows an open project in one way.

    It reads `project`, which another feeds before views are told, and keeps only what it draws.
    `task_picked` carries a task's index or None, and is emitted only when a person acts: a view
    never answers `select_task` with it, so that the one selection cannot echo.

    What takes long is not worked out while it is hidden: `_refresh` then begins with
    `if self._is_hidden(): return`, and is called again when it is shown.
    """

    task_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.project, self._history = project, project.history
        self._late = False

    def show_project(self) -> None:
        """Show the project from the beginning; what was shown before is gone."""
        raise NotImplementedError

    def apply(self, events: Sequence[Event]) -> None:
        """Follow a batch of events that the project has taken in, with one repaint; kinds that do
        not concern the view are skipped."""
        raise NotImplementedError

    def select_task(self, task: int | None) -> None:
        """Show the selection made elsewhere; None clears it."""
        raise NotImplementedError

    def select_operators(self, operators: frozenset[int]) -> None:
        """Show operators selected elsewhere, after `select_task` with the task that all of them
        have, or None; a view that knows no operators shows that."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._late:
            self._refresh()

    def _is_hidden(self) -> bool:
        self._late = not self.isVisible()
        return self._late

    def _task_name(self, task: int) -> str:
        """The task's name; its number where the project has no such task."""
        known = 0 <= task < len(self._history.tasks)
        return self._history.name(task) if known else tr("task {number}", number=task)

    def _refresh(self) -> None:
        """Show what is known now."""


class FiguresView(View):
    """A view of what all trials add up to: worked out anew where `_state` tells that it changed."""

    _state: tuple[int, ...] | None = None

    def _forget(self) -> None:
        """Show nothing of the project before."""
        raise NotImplementedError

    def show_project(self) -> None:
        self._forget()
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch; what is not in sight is worked out when it is."""
        kinds = {type(event) for event in events}
        if TrialConfirmed in kinds:
            self._state = None  # it may change what earlier trials count for
        if kinds & {TrialDone, TrialConfirmed}:
            self._refresh()
