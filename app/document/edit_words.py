"""What an edit is called: "Undo pin fused_conv2d3"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.allocation.wishes import Wishes
from engine.records.clustering import Clustering
from engine.records.labels import Subject, SubjectKind
from engine.records.settings import RunSettings
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.run_dialog import budget_text

Name = Callable[[int], str]


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
