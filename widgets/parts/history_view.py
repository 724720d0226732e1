"""What all views have that read a history: one of their own, or one that another keeps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from engine.history.history import History
from engine.records.events import Event
from engine.records.snapshot import Snapshot
from widgets.look.language import tr
from widgets.parts.view import View


class HistoryView(View):
    """A view over `history`, which another keeps, or over its own where there is none.

    Nothing is worked out while it is hidden: `_refresh` begins with `if self._is_hidden(): return`
    and is called again when it is shown.
    """

    def __init__(self, history: History | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._owned = History() if history is None else None
        self._history = history or self._owned or History()
        self._late = False

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while hidden."""
        super().showEvent(event)
        if self._late:
            self._refresh()

    def _begin_history(self, snapshot: Snapshot) -> None:
        if self._owned is not None:
            self._owned.reset(snapshot)

    def _follow_history(self, events: Sequence[Event]) -> bool:
        """Whether a history of its own changed."""
        return self._owned is not None and bool(self._owned.apply(events))

    def _is_hidden(self) -> bool:
        self._late = not self.isVisible()
        return self._late

    def _task_name(self, task: int) -> str:
        """The task's name; its number where the project has no such task."""
        known = 0 <= task < len(self._history.tasks)
        return self._history.name(task) if known else tr("task {number}", number=task)

    def _refresh(self) -> None:
        """Show what is known now."""
