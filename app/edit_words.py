"""What an edit is called: "Undo pin fused_conv2d3"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.allocation.wishes import Wishes
from engine.jobs.settings import RunSettings
from engine.passes.clustering import Clustering
from engine.project.labels import Subject, SubjectKind
from widgets.run_dialog import budget_text

Name = Callable[[int], str]


def wishes_edit(before: Wishes, after: Wishes, name: Name) -> str:
    """What changed of the wishes; the first of several tasks is named."""
    changes = (
        ("pin", after.pinned - before.pinned),
        ("skip", after.skipped - before.skipped),
        ("unpin", before.pinned - after.pinned),
        ("skip no more", before.skipped - after.skipped),
    )
    for word, tasks in changes:
        if tasks:
            return f"{word} {_first(tasks, name)}"
    floors = {
        task
        for task in {*before.floors, *after.floors}
        if before.floors.get(task, 0) != after.floors.get(task, 0)
    }
    return f"least slots of {_first(floors, name)}" if floors else "wishes"


def settings_edit(before: RunSettings, after: RunSettings) -> str:
    """What changed of the settings of the next run."""
    if replace(before, budget=after.budget) == after:
        return f"budget {budget_text(after.budget)}"
    return "run settings"


def clusters_edit(before: Clustering, after: Clustering, name: Name) -> str:
    """What changed of the clusters."""
    if before.metric != after.metric:
        return f"clusters by {after.metric}"
    if before.threshold != after.threshold:
        return f"threshold {after.threshold:.2f}"
    if before.edited and not after.edited:
        return "reset clusters"
    places = {task: item.members for item in before.clusters for task in item.members}
    moved = [
        task for item in after.clusters for task in item.members if places.get(task) != item.members
    ]
    if moved:
        return f"move {name(_mover(before, after, moved))}"
    chosen = {item.representative for item in after.clusters}
    chosen -= {item.representative for item in before.clusters}
    return f"representative {_first(chosen, name)}" if chosen else "clusters"


def label_edit(subject: Subject, part: str, name: Name) -> str:
    """A name or a note that was given to something."""
    if subject.kind is SubjectKind.PROJECT:
        return "title" if part == "name" else "project's note"
    what = f"run {subject.number}" if subject.kind is SubjectKind.RUN else name(subject.number)
    return f"{part} of {what}"


def used_edit(run: int, used: bool) -> str:
    """A run whose results count, or do not."""
    return f"use of run {run}" if used else f"leaving out run {run}"


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
    rest = len(tasks) - 1
    return f"{name(min(tasks))}{f' and {rest} more' if rest else ''}"
