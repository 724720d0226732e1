"""Joins the names and notes on screen to the document and to the edits that keep them."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.document.document import Document
from app.document.edits import Edits
from widgets.tasks.inspector import Inspector
from widgets.tasks.task_table import TaskTable
from widgets.window.project_tree import ProjectTree


class Labels(QObject):
    """What a person types is an edit; what is kept is shown wherever it is asked for."""

    def __init__(
        self,
        project: ProjectTree,
        inspector: Inspector,
        tasks: TaskTable,
        document: Document,
        edits: Edits,
    ) -> None:
        super().__init__(document)
        self._document, self._views = document, (project, inspector, tasks)
        self._boxes = project.labels, inspector.labels
        for box in self._boxes:
            box.named.connect(edits.set_name)
            box.noted.connect(edits.set_note)
            box.left.connect(edits.undo.seal)
        document.labels_changed.connect(self._show)
        edits.undo.refused.connect(self._retry)

    def flush(self) -> None:
        """Keep what is being typed: the project is about to be left."""
        for box in self._boxes:
            box.flush()

    def _retry(self) -> None:
        for box in self._boxes:
            box.keep_trying()

    def _show(self) -> None:
        for view in self._views:
            view.show_labels(self._document.labels)
