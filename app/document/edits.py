"""Every edit of the open project, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject

from app.document.document import Document
from app.document.edit_words import clusters_edit, label_edit, settings_edit, used_edit, wishes_edit
from app.document.undo import Edit, Undo
from app.process.bridge import Bridge
from engine.allocation.wishes import Wishes
from engine.jobs.commands import EngineCommands
from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError
from engine.records.labels import NO_LABEL, Label, Subject
from engine.records.settings import RunSettings


class Keeper(Protocol):
    """Who keeps the settings of the next run."""

    run_settings: RunSettings

    def keep_settings(self, settings: RunSettings) -> None:
        """Use these from now on."""
        ...


class Edits(QObject):
    """Turns wishes of a person into edits that the engine, or the document, carries out."""

    def __init__(
        self,
        engine: Callable[[], EngineCommands],
        bridge: Bridge,
        document: Document,
        keeper: Keeper,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._document, self._keeper = engine, document, keeper
        self._watch = bridge.watch
        self.undo = Undo(bridge.watch, self)
        document.opened.connect(lambda: None if document.is_refresh else self.undo.clear())
        document.closed.connect(self.undo.clear)

    def set_wishes(self, wishes: Wishes) -> None:
        """What the next run shall do with tasks."""
        before = self._document.wishes
        text = wishes_edit(before, wishes, self._name)
        self.undo.do_now(Edit(text, before, wishes, self._document.set_wishes))

    def set_settings(self, settings: RunSettings) -> None:
        """How the next run goes."""
        before = self._keeper.run_settings
        text = settings_edit(before, settings)
        self.undo.do_now(Edit(text, before, settings, self._keeper.keep_settings))

    def set_clustering(self, clustering: Clustering, before: Clustering | None) -> None:
        """The clusters; `before` are those that were shown until now."""
        if before is None or before == clustering:  # shown already, and to be stored
            self._watch(self._engine().set_clustering(clustering))
            return
        text = clusters_edit(before, clustering, self._name)
        edit = Edit(text, before, clustering, lambda value: self._engine().set_clustering(value))
        self.undo.do(lambda: edit)

    def set_used(self, run: int, used: bool) -> None:
        """Whether a run's results count."""
        edit = Edit(
            used_edit(run, used), not used, used, lambda value: self._engine().set_used(run, value)
        )
        self.undo.do(lambda: edit)

    def set_name(self, subject: Subject, name: str) -> None:
        """The name of the project, a task or a run."""
        self._set_label(subject, "name", " ".join(name.split()))

    def set_note(self, subject: Subject, note: str) -> None:
        """The note on it; what is typed in one go is one edit."""
        self._set_label(subject, "note", note.rstrip())

    def _set_label(self, subject: Subject, part: str, value: str) -> None:
        path = self._document.path

        def ask(label: Label) -> Future[Any]:
            return self._engine().set_label(subject, label)

        def make() -> Edit | None:
            before = self._document.head.labels.get(subject, NO_LABEL)
            if path != self._document.path:
                return None
            try:
                after = replace(before, **{part: value})
            except TunewrightError as error:
                self._document.failed.emit(error.what, error.todo)
                self.undo.refused.emit()
                return None
            merges = f"{subject.kind} {subject.number}" if part == "note" else ""
            return Edit(label_edit(subject, part, self._name), before, after, ask, merges)

        self.undo.do(make)

    def _name(self, task: int) -> str:
        return self._document.project.history.name(task)
