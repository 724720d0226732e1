"""Joins the names and notes on screen to the document and to the edits that keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.document.document import Document
from app.document.edits import Edits

if TYPE_CHECKING:
    from app.window.views import Views


class Labels(QObject):
    """What a person types is an edit; what is kept is shown wherever it is asked for."""

    def __init__(self, views: Views, document: Document, edits: Edits) -> None:
        super().__init__(document)
        self._views, self._document = views, document
        for box in (views.project.labels, views.inspector.labels):
            box.named.connect(edits.set_name)
            box.noted.connect(edits.set_note)
            box.left.connect(edits.undo.seal)
        document.labels_changed.connect(self._show)
        edits.undo.refused.connect(self._retry)

    def flush(self) -> None:
        """Keep what is being typed: the project is about to be left."""
        for box in (self._views.project.labels, self._views.inspector.labels):
            box.flush()

    def _retry(self) -> None:
        for box in (self._views.project.labels, self._views.inspector.labels):
            box.keep_trying()

    def _show(self) -> None:
        labels = self._document.labels
        for view in (self._views.project, self._views.inspector, self._views.tasks):
            view.show_labels(labels)
