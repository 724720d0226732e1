"""When a command can be used, by the state of the document."""

from __future__ import annotations

from app.document.document import Document
from engine.jobs.steps.steps import STEPS
from engine.records.settings import RunState

CONTINUABLE = (RunState.STOPPED, RunState.INTERRUPTED, RunState.FINISHED, RunState.FAILED)


def always(document: Document) -> bool:
    return True


def can_start(document: Document) -> bool:
    """Whether a run can begin."""
    return document.has_tasks and document.idle and not document.read_only


def can_resume(document: Document) -> bool:
    """Whether the last run can go on."""
    return can_start(document) and document.state in CONTINUABLE


def can_pause(document: Document) -> bool:
    """Whether a run can be held, or let go on."""
    return document.state in (RunState.RUNNING, RunState.PAUSED) and not document.watched


def can_stop(document: Document) -> bool:
    """Whether a run or a search for stages can be ended."""
    running = document.runs_here and document.state is not RunState.STOPPING
    return running or document.searching


def can_find_stages(document: Document) -> bool:
    """Whether a search for stages may begin."""
    return can_start(document) and bool(document.path)


def can_merge(document: Document) -> bool:
    """Whether merged operators can be tuned."""
    return document.has_tasks and "merge" in STEPS and not document.read_only


def has_tasks(document: Document) -> bool:
    """Whether there is something to tune."""
    return document.has_tasks


def can_write(document: Document) -> bool:
    """Whether something can be stored in the open project."""
    return document.is_open and not document.read_only


def can_locate(document: Document) -> bool:
    """Whether the model of the open project may be looked for elsewhere."""
    return can_write(document) and document.idle


def can_export(document: Document) -> bool:
    """Whether the module can be written."""
    return can_write(document) and document.idle


def is_idle_project(document: Document) -> bool:
    """Whether a project is open and nothing goes on."""
    return document.is_open and document.idle


def can_cancel(document: Document) -> bool:
    """Whether the command in flight can be taken back."""
    return document.can_cancel


def is_saved(document: Document) -> bool:
    """Whether the open project has a file."""
    return document.is_open and bool(document.path)


def is_open(document: Document) -> bool:
    """Whether a project is open."""
    return document.is_open


def is_idle(document: Document) -> bool:
    return document.idle


def has_selection(document: Document) -> bool:
    return document.task is not None or bool(document.operators)


def has_task(document: Document) -> bool:
    """Whether a task is selected."""
    return document.task is not None
