"""What a window's command palette offers: actions, tasks, views, samples and recent files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from app.document.document import Document
from app.process.settings import Settings
from app.window.console import Console
from engine.records.labels import task_subject
from widgets.look.language import tr
from widgets.window.palette import Offer, action_offer

USED = "palette/used"
USED_KEPT = 20


def offers(console: Console) -> list[Offer]:
    """All of them, in the order of the menus; commands are found by their English names, too."""
    return [
        *(action_offer(id, action, action.data()) for id, action in console.actions.items()),
        *(action_offer(action.text(), action) for action in console.samples),
        *_recent_files(console),
        *_tasks(console.document),
    ]


def used(settings: Settings) -> list[str]:
    """The keys of what was taken, the last one first."""
    return [key for key in settings.get(USED, [""]) if isinstance(key, str) and key]


def note_used(settings: Settings, key: str) -> None:
    """Offer this first the next time."""
    kept = [key, *(other for other in used(settings) if other != key)]
    settings.set(USED, kept[:USED_KEPT])


def _recent_files(console: Console) -> list[Offer]:
    idle, here = console.document.idle, console.document.path
    return [
        Offer(
            f"file {path}",
            tr("Open recent: {name}", name=Path(path).name),
            partial(console.commands.open_path, Path(path)),
            hint=Path(path).parent.name,
            tip=path,
            enabled=idle,
        )
        for path in console.commands.recent()
        if path != here
    ]


def _tasks(document: Document) -> list[Offer]:
    tasks = document.head.tasks
    found = []
    for task in tasks:
        own = document.label(task_subject(task.index)).name
        name = f"{task.name} ({own})" if own else task.name
        found.append(
            Offer(
                f"task {document.path} {task.name}",
                tr("Go to task {name}", name=name),
                partial(document.select_task, task.index),
                hint=task.op_class,
                quiet=True,
            )
        )
    return found
