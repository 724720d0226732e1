"""The protocol of every view over a project: show, follow, select, tell what a person picked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from engine.records.events import Event
from engine.records.snapshot import Snapshot


class View(QWidget):
    """A widget that shows the tasks of a project in one way.

    `task_picked` carries a task's index or None, and is emitted only when a person acts: a view
    never answers `select_task` with it, so that the one selection cannot echo.
    """

    task_picked = Signal(object)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show this project from the beginning; what was shown before is gone."""
        raise NotImplementedError

    def apply(self, events: Sequence[Event]) -> None:
        """Follow a batch of events, with one repaint; kinds that do not concern it are skipped."""
        raise NotImplementedError

    def select_task(self, task: int | None) -> None:
        """Show the selection made elsewhere; None clears it."""
        raise NotImplementedError

    def select_operators(self, operators: frozenset[int]) -> None:
        """Show operators selected elsewhere, after `select_task` with the task that all of them
        have, or None; a view that knows no operators shows that."""
