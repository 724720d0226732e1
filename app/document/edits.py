"""Every edit of the open project, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject

from app.document.document import Document
from app.document.undo import Edit, Undo
from app.process.bridge import Bridge
from engine.allocation.wishes import Wishes
from engine.jobs.commands import EngineCommands
from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError
from engine.records.labels import NO_LABEL, Label, Subject, SubjectKind
from engine.records.settings import RunSettings
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.run_dialog import budget_text

Name = Callable[[int], str]


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
        """The clusters; `before` are those that were shown until now. A project that is only
        shown keeps none: trying thresholds changes the view alone."""
        if self._document.read_only:
            return
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


def wishes_edit(before: Wishes, after: Wishes, name: Name) -> str:
    """What changed of the wishes; the first of several tasks is named."""
    changes = (
        (QT_TR_NOOP("pin {task}"), after.pinned - before.pinned),
        (QT_TR_NOOP("skip {task}"), after.skipped - before.skipped),
        (QT_TR_NOOP("unpin {task}"), before.pinned - after.pinned),
        (QT_TR_NOOP("skip no more {task}"), before.skipped - after.skipped),
    )
    for words, tasks in changes:
        if tasks:
            return tr(words, task=_first(tasks, name))
    floors = {
        task
        for task in {*before.floors, *after.floors}
        if before.floors.get(task, 0) != after.floors.get(task, 0)
    }
    return tr("least slots of {task}", task=_first(floors, name)) if floors else tr("wishes")


def settings_edit(before: RunSettings, after: RunSettings) -> str:
    """What changed of the settings of the next run."""
    if replace(before, budget=after.budget) == after:
        return tr("budget {budget}", budget=budget_text(after.budget))
    return tr("run settings")


def clusters_edit(before: Clustering, after: Clustering, name: Name) -> str:
    """What changed of the clusters."""
    if before.metric != after.metric:
        return tr("clusters by {metric}", metric=after.metric)
    if before.threshold != after.threshold:
        return tr("threshold {value:.2f}", value=after.threshold)
    if before.edited and not after.edited:
        return tr("reset clusters")
    places = {task: item.members for item in before.clusters for task in item.members}
    moved = [
        task for item in after.clusters for task in item.members if places.get(task) != item.members
    ]
    if moved:
        return tr("move {task}", task=name(_mover(before, after, moved)))
    chosen = {item.representative for item in after.clusters}
    chosen -= {item.representative for item in before.clusters}
    if not chosen:
        return tr("clusters")
    return tr("representative {task}", task=_first(chosen, name))


def label_edit(subject: Subject, part: str, name: Name) -> str:
    """A name or a note that was given to something."""
    if subject.kind is SubjectKind.PROJECT:
        return tr("title") if part == "name" else tr("project's note")
    run = subject.kind is SubjectKind.RUN
    what = tr("run {number}", number=subject.number) if run else name(subject.number)
    return tr("name of {what}", what=what) if part == "name" else tr("note of {what}", what=what)


def used_edit(run: int, used: bool) -> str:
    """A run whose results count, or do not."""
    return (
        tr("use of run {number}", number=run)
        if used
        else tr("leaving out run {number}", number=run)
    )


def _mover(before: Clustering, after: Clustering, changed: list[int]) -> int:
    """The task whose leaving, and joining, makes one partition of the other; of two that do, the
    one that others did not depend on."""
    leaders = {item.representative for item in before.clusters}
    for task in sorted(changed, key=lambda task: task in leaders):
        left = {_partners(item.members, task) for item in before.clusters} - {()}
        right = {_partners(item.members, task) for item in after.clusters} - {()}
        if left == right:
            return task
    return changed[0]


def _partners(members: tuple[int, ...], task: int) -> tuple[int, ...]:
    return tuple(other for other in members if other != task)


def _first(tasks: set[int] | frozenset[int], name: Name) -> str:
    first, rest = name(min(tasks)), len(tasks) - 1
    return tr("{task} and %n more", "", rest, task=first) if rest else first
