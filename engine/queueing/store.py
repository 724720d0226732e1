"""The queue on the disk: what any process may ask of it, and what only its runner writes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from engine.queueing.rows import COLUMNS, job_row, read_any
from engine.records.errors import Hint, UsageError
from engine.records.job import JobState, QueuedJob
from engine.records.sentences import Sentence
from engine.scheduling.stage_times import StageTimes
from engine.storage.failures import own_folder
from engine.storage.fields import Malformed, dump
from engine.storage.lock import is_held
from engine.storage.sqlite_file import FileKind, OpenFile, immediate, located

if TYPE_CHECKING:
    from sqlite_utils import Database


_JOBS = """
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  title TEXT NOT NULL,
  project TEXT NOT NULL,
  source TEXT,
  target TEXT NOT NULL,
  settings TEXT NOT NULL,
  paused INTEGER NOT NULL,
  cancel INTEGER NOT NULL,
  state TEXT NOT NULL,
  message TEXT NOT NULL,
  run INTEGER NOT NULL,
  progress REAL,
  best_s REAL,
  untuned_s REAL,
  left_s REAL,
  created REAL,
  started REAL,
  ended REAL
) STRICT
"""
_TIMES = "stage times"
_TASKS = 2000  # of each kind of stage whose seconds are kept
_ACTIVE = ", ".join(f"'{state}'" for state in JobState if state.active)


def default_path() -> Path:
    """The queue in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("tunewright") / "queue.db"


def create_tables(db: Database) -> None:
    """The first version. Never change it; add a step instead."""
    db.execute(_JOBS)
    db.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")


QUEUE_FILE = FileKind(
    Sentence("The queue {path}"),
    Sentence("{path} is not a queue of Tunewright."),
    Sentence("Move it away, or name another file."),
    Sentence("Move it away; a new one is made then, and the projects of its jobs stay."),
    Sentence("Update Tunewright to use it."),
    int.from_bytes(b"TWJQ"),
    (create_tables,),
)


def require_priority(priority: int) -> None:
    """UsageError where no job can have it."""
    if not -1000 <= priority <= 1000:
        raise UsageError(
            Sentence("A priority of {priority} does not fit.", priority=priority),
            "Give -1000 to 1000.",
        )


class QueueStore(OpenFile):
    """The queue, which any number of processes may have open at once.

    What a person asks for is written here and carried out by the process that runs the queue,
    which holds the file's lock meanwhile. All methods raise ProjectError, StorageError, or
    UsageError where there is no such job.
    """

    @classmethod
    def open(cls, path: str | Path | None = None) -> Self:
        """The queue at `path`, by default in the user's data folder; made where there is none."""
        place = located(path or default_path())
        if path is None:
            own_folder(place.parent)
        with QUEUE_FILE.storage(place):
            # No log written ahead: processes would share memory, which a network drive has not.
            return cls(place, QUEUE_FILE.make(place, "journal_mode = delete"))

    @property
    def is_run(self) -> bool:
        """Whether a living process, this one perhaps, runs the queue."""
        return is_held(self._path)

    def version(self) -> int:
        """A number that changes when another connection has changed the file."""
        with QUEUE_FILE.storage(self._path):
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    # For everyone

    def jobs(self) -> tuple[QueuedJob, ...]:
        """All jobs in their order. What a killed process left is interrupted."""
        with QUEUE_FILE.storage(self._path):
            rows = list(self._db.query(f"SELECT {COLUMNS} FROM jobs ORDER BY priority, place, id"))
        jobs = tuple(map(read_any, rows))
        return jobs if self.is_run else tuple(map(_interrupted, jobs))

    def job(self, number: int) -> QueuedJob:
        for job in self.jobs():
            if job.id == number:
                return job
        raise UsageError(
            Sentence("The queue has no job {number}.", number=number),
            "Choose one that is in its list.",
            Hint.QUEUE,
        )

    def add(self, job: QueuedJob) -> QueuedJob:
        """Put a job at the end; it with its number and place."""
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            last = self._db.execute("SELECT max(place) FROM jobs").fetchone()[0]
            place = 0 if last is None else int(last) + 1
            made = replace(job, place=place, created=time.time(), state=JobState.WAITING)
            row = job_row(made)
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            sql = f"INSERT INTO jobs ({names}) VALUES ({marks})"
            number = self._db.execute(sql, list(row.values())).lastrowid
        assert number is not None
        return self.job(number)

    def set_paused(self, number: int, paused: bool) -> None:
        """Ask that a job is held, or goes on."""
        paused_now = Sentence("Job {number} is over and cannot be paused.")
        unpaused = Sentence("Job {number} is over and cannot be unpaused.")
        self._require(number, paused_now if paused else unpaused)
        self._set(number, {"paused": int(paused)})

    def set_priority(self, number: int, priority: int) -> None:
        """Make a job more urgent (a lower number) or less."""
        require_priority(priority)
        self._require(number, Sentence("Job {number} is over and cannot be given a priority."))
        self._set(number, {"priority": priority})

    def cancel(self, number: int) -> None:
        """Ask that a job ends; every result of it is kept."""
        job = self._require(number, Sentence("Job {number} is over and cannot be cancelled."))
        if job.state.active:
            self._set(number, {"cancel": 1})
        else:
            # It may begin now, and its runner write its state over this one.
            over = {"state": str(JobState.CANCELLED), "ended": time.time(), "cancel": 1}
            self._set(number, over)

    def remove(self, number: int) -> None:
        """Take a job off the list; its project stays. UsageError while it runs."""
        if self.job(number).state.active:
            raise UsageError(Sentence("Job {number} runs.", number=number), "Cancel it first.")
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            self._db.execute("DELETE FROM jobs WHERE id = ?", [number])

    def reorder(self, numbers: Sequence[int]) -> None:
        """Give these jobs each other's places, in this order."""
        known = {job.id: job for job in self.jobs()}
        missing = [number for number in numbers if number not in known]
        if missing or len(set(numbers)) < len(numbers):
            raise UsageError(
                Sentence(
                    "The queue cannot be put in the order {names}.",
                    names=", ".join(map(str, numbers)),
                ),
                "Name jobs of the queue, each once.",
            )
        places = sorted(known[number].place for number in numbers)
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            for number, place in zip(numbers, places, strict=True):
                self._db.execute("UPDATE jobs SET place = ? WHERE id = ?", [place, number])

    def move(self, number: int, place: int) -> None:
        """Put a job at a place, from 1, among those of its priority that are not over."""
        job = self._require(number, Sentence("Job {number} is over and cannot be moved."))
        others = [
            other.id
            for other in self.jobs()
            if not other.state.over and other.priority == job.priority and other.id != number
        ]
        at = min(max(place, 1), len(others) + 1) - 1
        self.reorder([*others[:at], number, *others[at:]])

    # For the process that runs the queue

    def cancelled(self) -> frozenset[int]:
        """The jobs that shall end."""
        with QUEUE_FILE.storage(self._path):
            sql = "SELECT id FROM jobs WHERE cancel != 0 AND state != ?"
            rows = self._db.execute(sql, [str(JobState.CANCELLED)]).fetchall()
        return frozenset(int(row[0]) for row in rows)

    def interrupt(self) -> None:
        """What a killed process left waits again."""
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            sql = f"UPDATE jobs SET state = ?, cancel = 0, message = '' WHERE state IN ({_ACTIVE})"
            self._db.execute(f"{sql} AND cancel != 0", [str(JobState.CANCELLED)])
            self._db.execute(sql, [str(JobState.INTERRUPTED)])

    def put(self, changes: dict[int, dict[str, Any]]) -> None:
        """Write what became of jobs, by number: columns and their values."""
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            for number, values in changes.items():
                self._update(number, values)

    def stage_times(self) -> StageTimes:
        """What was learned of stages' seconds; nothing where that cannot be read."""
        with QUEUE_FILE.storage(self._path):
            sql = "SELECT value FROM notes WHERE name = ?"
            row = self._db.execute(sql, [_TIMES]).fetchone()
        try:
            return StageTimes.from_dict(json.loads(row[0])) if row else StageTimes()
        except (ValueError, RecursionError, Malformed):
            return StageTimes()

    def put_stage_times(self, times: StageTimes) -> None:
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            sql = "INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)"
            self._db.execute(sql, [_TIMES, dump(_newest(times.as_dict()))])

    def _require(self, number: int, over: Sentence) -> QueuedJob:
        """The job; UsageError, which says so by `over`, where it is."""
        job = self.job(number)
        if job.state.over:
            raise UsageError(over.filled(number=number), "Add it again.")
        return job

    def _set(self, number: int, values: dict[str, Any]) -> None:
        with QUEUE_FILE.storage(self._path), immediate(self._db):
            self._update(number, values)

    def _update(self, number: int, values: dict[str, Any]) -> None:
        names = ", ".join(f"{name} = ?" for name in values)
        sql = f"UPDATE jobs SET {names} WHERE id = ?"
        self._db.execute(sql, [*values.values(), number])


def _newest(times: dict[str, Any]) -> dict[str, Any]:
    """What was learned, without the tasks of long ago."""
    tasks = {kind: dict([*found.items()][-_TASKS:]) for kind, found in times["tasks"].items()}
    return {**times, "tasks": tasks}


def _interrupted(job: QueuedJob) -> QueuedJob:
    return replace(job, state=JobState.INTERRUPTED, message="") if job.state.active else job


def changes_of(jobs: Iterable[QueuedJob]) -> dict[int, dict[str, Any]]:
    """The columns that a runner writes of jobs."""
    names = [
        "project",
        "state",
        "message",
        "run",
        "progress",
        "best_s",
        "untuned_s",
        "left_s",
        "started",
        "ended",
    ]
    rows = {job.id: job_row(job) for job in jobs}
    return {number: {name: row[name] for name in names} for number, row in rows.items()}
