"""Jobs as rows of the queue's file, which may be a stranger's: every value is checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.project.rows import read_settings, read_source
from engine.records.job import JobState, QueuedJob
from engine.records.sentences import Sentence, restored, stored
from engine.storage.fields import Malformed, Row, clean, dump, read

_LONGEST_PATH = 4096

COLUMNS = (
    "id, place, priority, title, project, source, target, settings, paused, cancel, state, "
    "message, run, progress, best_s, untuned_s, left_s, created, started, ended"
)


def job_row(job: QueuedJob) -> dict[str, Any]:
    """A job's columns without its number."""
    reals = ("progress", "best_s", "untuned_s", "left_s", "created", "started", "ended")
    numbers = {name: getattr(job, name) for name in reals}
    return {
        "place": job.place,
        "priority": job.priority,
        "title": clean(job.title),
        "project": clean(job.project),
        "source": None if job.source is None else dump(job.source),
        "target": clean(job.target),
        "settings": dump(job.settings.as_dict()),
        "paused": int(job.paused),
        "cancel": 0,
        "state": str(job.state),
        "message": clean(stored(job.message)),
        "run": job.run,
        **{name: None if value is None else float(value) for name, value in numbers.items()},
    }


def read_job(row: Row) -> QueuedJob:
    """The job of a row; Malformed where a value makes no sense."""
    settings = read_settings(row)
    source = None if row.values.get("source") is None else read_source(row)
    project = _path(row.text("project"))
    if source is None and not project:
        raise Malformed("project")
    if source is not None:
        _path(source.location)
    values = {
        **row.values,
        "project": project,
        "source": None if source is None else source.as_dict(),
        "settings": settings,
        "paused": bool(row.integer("paused")),
        "objective_s": settings.budget.latency_s,
        "wait": None,
    }
    job = read(values, QueuedJob)
    return replace(job, message=restored(job.message))


def read_any(values: dict[str, Any]) -> QueuedJob:
    """The job of a row; one that cannot be read is FAILED and says so, and stays in the file."""
    try:
        return read_job(Row(values))
    except Malformed as error:
        made = QueuedJob(int(values["id"]), f"Job {values['id']}", state=JobState.FAILED)
        text = Sentence(
            "What the queue's file says of this job cannot be read ({error}). Remove it.",
            error=error,
        )
        return replace(made, message=text)


def _path(text: str) -> str:
    """A path that the system could have."""
    if "\0" in text or len(text) > _LONGEST_PATH:
        raise Malformed("project")
    return text
