"""The project: one file that holds a model's tasks and everything that was measured for them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from engine.project import job_rows, judged_rows, reading, writing
from engine.project.label_rows import replace_label
from engine.project.latency_rows import replace_latency
from engine.project.migrations import PROJECT_FILE, open_writer
from engine.project.reading import Header
from engine.project.rows import FAILED
from engine.records.clustering import Clustering
from engine.records.devices import Devices
from engine.records.errors import ProjectError, ProtectedFile
from engine.records.labels import Label, Subject
from engine.records.network import FileNode, Judged, Operator
from engine.records.schedule import FoundSchedule
from engine.records.sentences import Sentence, stored
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import REFERENCE, UNTUNED, ExportInfo, SlotInfo, Snapshot
from engine.records.source import ModelSource
from engine.records.space import DesignSpace, Move
from engine.records.task import Task
from engine.records.trial import Check, Measured, Trial
from engine.storage.copies import copy_to
from engine.storage.failures import shown
from engine.storage.fields import clean, dump
from engine.storage.lock import ProjectLock, is_held
from engine.storage.sqlite_file import OpenFile, located, new_file, refuse_folder

if TYPE_CHECKING:
    from sqlite_utils import Database


class Project(OpenFile):
    """An open project file. Save As changes its path.

    A writer holds the file's lock until `close`. Every change is committed before its method
    returns, so a kill loses nothing that was returned. All methods raise ProjectError or
    StorageError; after one of those the project is as it was before the call and can go on.
    """

    def __init__(self, path: Path, db: Database, lock: ProjectLock | None) -> None:
        """For `create` and `open`."""
        super().__init__(path, db)
        self._lock = lock
        self._header = reading.read_header(db)
        self._bases: dict[int, Trial] = {}

    @classmethod
    def create(
        cls,
        path: str | Path,
        source: ModelSource,
        *,
        model_name: str,
        target: str,
        target_title: str,
        tvm_version: str,
        tasks: tuple[Task, ...],
        operators: tuple[Operator, ...],
        further: Sequence[tuple[Operator, ...]] = (),
        file_nodes: tuple[FileNode, ...] = (),
        device: str = "",
        device_uuid: str = "",
    ) -> Self:
        """A new file at `path`, open for writing; an existing one is never replaced. `further` are
        the operators in the further shapes of the source."""
        header = Header(
            model_name,
            source,
            target,
            target_title,
            tvm_version,
            time.time(),
            device,
            device_uuid,
        )
        place = located(path)
        lock = ProjectLock(place)
        try:
            with PROJECT_FILE.storage(place), new_file(place) as db:
                with writing.change(db):
                    PROJECT_FILE.migrate(db)
                    writing.insert_header(db, header)
                    writing.insert_network(db, tasks, (operators, *further))
                    writing.insert_file_nodes(db, file_nodes)
                    reading.read_snapshot(db, place, texts=True)
                return cls(place, db, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: str | Path, read_only: bool = False) -> Self:
        """An existing file. Runs that a killed process left are interrupted.

        `read_only` takes no lock, changes nothing and works beside a writer; an older file is
        then migrated in memory only.
        """
        place = located(path)
        lock = None if read_only else ProjectLock(place)
        try:
            with PROJECT_FILE.storage(place):
                db = PROJECT_FILE.open_reader(place) if read_only else open_writer(place)
                try:
                    if not read_only:
                        writing.interrupt_runs(db)
                    return cls(place, db, lock)
                except BaseException:
                    db.close()
                    raise
        except BaseException:
            if lock:
                lock.release()
            raise

    @classmethod
    def open_or_view(cls, path: str | Path) -> Self:
        """An existing file for writing, or for reading alone where nothing may be written."""
        try:
            return cls.open(path)
        except ProtectedFile:
            return cls.open(path, read_only=True)

    def close(self) -> None:
        """Close the file and give its lock back; idempotent."""
        super().close()
        if self._lock:
            self._lock.release()

    @property
    def is_read_only(self) -> bool:
        """Whether the file is open for reading alone."""
        return self._lock is None

    @property
    def source(self) -> ModelSource:
        """Where the model comes from."""
        return self._header.source

    @property
    def model_name(self) -> str:
        """The model's name, for a person."""
        return self._header.model_name

    @property
    def target(self) -> str:
        """The target as TVM's JSON text."""
        return self._header.target

    @property
    def target_title(self) -> str:
        """The target in a person's words."""
        return self._header.target_title

    @property
    def device(self) -> str:
        """Which device of this machine it was made for, such as "cuda:1"; empty: the first."""
        return self._header.device

    @property
    def device_uuid(self) -> str:
        """The UUID of that device, a GPU; empty where nobody knows it."""
        return self._header.device_uuid

    @property
    def tvm_version(self) -> str:
        """The version of TVM that made the tasks."""
        return self._header.tvm_version

    def snapshot(self, texts: bool = False) -> Snapshot:
        """The whole project. Workloads and traces are empty unless `texts`: views need none.

        Without a living writer, a run that is still active in the file shows as interrupted.
        """
        written = self._lock is not None or is_held(self._path)
        with PROJECT_FILE.storage(self._path):
            snapshot = reading.read_snapshot(self._db, self._path, texts)
        if written or is_held(self._path):
            return snapshot
        runs = tuple(
            replace(run, state=RunState.INTERRUPTED) if run.state.active else run
            for run in snapshot.runs
        )
        return replace(snapshot, runs=runs)

    def tasks(self) -> tuple[Task, ...]:
        """All tasks by index, workloads included."""
        with PROJECT_FILE.storage(self._path):
            return reading.read_tasks(self._db, texts=True)

    def trial(self, number: int) -> Trial:
        with PROJECT_FILE.storage(self._path):
            return reading.read_trials(self._db, True, "number = ?", [number])[0]

    def trials_of(self, task: int, after: int = 0) -> list[Trial]:
        """A task's trials by number, traces included; those with a number above `after`."""
        where = "task = ? AND number > ?"
        with PROJECT_FILE.storage(self._path):
            return list(reading.read_trials(self._db, True, where, [task, after]))

    def trace_keys(self, task: int) -> frozenset[str]:
        """The keys of all traces that were tried for a task, failed ones too."""
        with PROJECT_FILE.storage(self._path):
            return reading.read_trace_keys(self._db, task)

    def add_trial(self, trial: Trial) -> Trial:
        """Store a trial and give it its number; DuplicateTrial where its task has had it."""
        base = self._base(trial.task)
        with self._change() as db:
            stored = writing.insert_trial(db, trial, base)
        if base is None and stored.trace:
            self._bases[stored.task] = stored
        return stored

    def confirm_trial(self, number: int, samples: tuple[float, ...]) -> Trial:
        """Store the samples of a finalist's second measurement, in seconds; the trial with them."""
        with self._change() as db:
            writing.update_confirmed(db, number, samples)
            return reading.read_trials(db, True, "number = ?", [number])[0]

    def check_trial(self, number: int, check: Check | None, wrong: str = "") -> Trial:
        """Store how a trial's kernel compares with the untuned one, or in a sentence how it is
        `wrong`, which fails the trial; the trial as it is then."""
        with self._change() as db:
            writing.update_checked(db, number, check, wrong)
            return reading.read_trials(db, True, "number = ?", [number])[0]

    def start_run(self, settings: RunSettings) -> int:
        """A new run in state PREPARING; returns its id."""
        with self._change() as db:
            return writing.insert_run(db, settings)

    def set_run(
        self,
        run: int,
        *,
        settings: RunSettings | None = None,
        state: RunState | None = None,
        elapsed_s: float | None = None,
        tuned_latency_s: float | None = None,
        reason: str | None = None,
        ended_at: float | None = None,
        policy_state: dict[str, Any] | None = None,
        progress: dict[str, Any] | None = None,
    ) -> None:
        """Change what is given of a run; an active state clears its end.

        `elapsed_s` is this run's own tuning time. What is JSON in the file comes back as that makes
        it: keys are texts, tuples are lists.
        """
        values = {
            "settings": settings and dump(settings.as_dict()),
            "state": state and state.value,
            "elapsed_s": elapsed_s,
            "tuned_latency_s": tuned_latency_s,
            "reason": reason and clean(stored(reason)),
            "ended_at": ended_at,
            "policy_state": None if policy_state is None else dump(policy_state),
        }
        with self._change() as db:
            if progress is not None:
                values["progress"] = writing.progress_text(db, run, progress)
            writing.update_run(db, run, {k: v for k, v in values.items() if v is not None})

    def set_failed(self, run: int, failed: Mapping[int, str]) -> None:
        """Which tasks a run gave up, and why, by their index."""
        with self._change() as db:
            pairs = [[task, clean(stored(reason))] for task, reason in failed.items()]
            text = writing.progress_text(db, run, {FAILED: pairs})
            writing.update_run(db, run, {"progress": text})

    def run_settings(self, run: int) -> RunSettings:
        """The settings that a run goes on with."""
        with PROJECT_FILE.storage(self._path):
            return reading.read_run_settings(self._db, run)

    def run_policy_state(self, run: int) -> dict[str, Any] | None:
        """What `set_run` last stored of the run's policy."""
        with PROJECT_FILE.storage(self._path):
            return reading.read_policy_state(self._db, run)

    def run_progress(self, run: int) -> dict[str, int | None] | None:
        """What `set_run` last stored of where in its plan a run is."""
        with PROJECT_FILE.storage(self._path):
            return reading.read_progress(self._db, run)

    def trained_to(self, task: int) -> int | None:
        """The last trial that a task's cost model is made of; None where it has no model."""
        with PROJECT_FILE.storage(self._path):
            return job_rows.read_model(self._db, task)

    def set_trained_to(self, task: int, trial: int) -> None:
        """Keep a task's cost model: it is made of the task's records up to a trial."""
        with self._change() as db:
            job_rows.replace_model(db, task, trial)

    def devices(self) -> Devices | None:
        """Those of the last run that measured on several; None where there was none."""
        with PROJECT_FILE.storage(self._path):
            return job_rows.read_devices(self._db)

    def set_devices(self, run: int, devices: Devices) -> None:
        """Store the devices of a run, and which task is measured where, over earlier ones."""
        with self._change() as db:
            job_rows.replace_devices(db, run, devices)

    def set_used(self, run: int, used: bool) -> None:
        """Whether a run's results decide the best records; they are kept in any case."""
        with self._change() as db:
            writing.set_used(db, run, used)

    def add_merged(self, tasks: Iterable[Task]) -> None:
        """Store tasks of merged operators, numbered after all that are there."""
        with self._change() as db:
            writing.insert_tasks(db, tasks)
            reading.read_snapshot(db, self._path, texts=False)

    def add_file_nodes(self, nodes: Iterable[FileNode]) -> None:
        """Store the nodes of the model's file in a project of an older version, which has none."""
        with self._change() as db:
            if not reading.has_file_nodes(db):
                writing.insert_file_nodes(db, nodes)
                reading.read_snapshot(db, self._path, texts=False)

    def set_spaces(self, spaces: Iterable[DesignSpace]) -> None:
        """Store design spaces of tasks, over earlier ones."""
        with self._change() as db:
            writing.replace_spaces(db, spaces)

    def set_clustering(self, clustering: Clustering) -> None:
        """Store the clusters, a partition of all tasks, over earlier ones."""
        with self._change() as db:
            writing.replace_clustering(db, clustering)

    def set_source(self, source: ModelSource) -> None:
        """Where the same model is now."""
        with self._change() as db:
            writing.update_source(db, source)
        self._header = replace(self._header, source=source)

    def set_label(self, subject: Subject, label: Label) -> None:
        """Store a name and a note, over earlier ones; ValueError where there is no such subject."""
        with self._change() as db:
            replace_label(db, subject, label)

    def add_move(self, move: Move) -> Move:
        """Store a step of Droplet and give it its number."""
        with self._change() as db:
            return writing.insert_move(db, move)

    def stage_costs(self) -> list[dict[str, Any]]:
        """The measured latencies of stages, as CostTable.of reads them."""
        with PROJECT_FILE.storage(self._path):
            return reading.read_costs(self._db)

    def add_stage_costs(self, rows: Iterable[dict[str, Any]]) -> None:
        """Store rows of CostTable.rows, over earlier ones of their contents."""
        with self._change() as db:
            writing.insert_costs(db, rows)

    def set_schedule(self, found: FoundSchedule) -> None:
        """Store the schedule, over an earlier one."""
        with self._change() as db:
            writing.replace_schedule(db, found)

    @property
    def has_schedule(self) -> bool:
        """Whether one is stored; a snapshot leaves out one that is not of its operators."""
        with PROJECT_FILE.storage(self._path):
            return reading.has_schedule(self._db)

    def add_slot(self, slot: SlotInfo) -> SlotInfo:
        """Store a slot; where its number is 0 it gets the next one."""
        with self._change() as db:
            return writing.insert_slot(db, slot)

    def set_untuned(self, latency_s: float | None, tasks: dict[int, float]) -> None:
        """Store the untuned latency end to end, unless it is None, and of tasks, by index, in
        seconds."""
        with self._change() as db:
            if latency_s is not None:
                replace_latency(db, UNTUNED, Measured(latency_s, at=time.time()))
            writing.set_task_latencies(db, tasks)

    def set_reference(self, latency_s: float) -> None:
        """Store the reference's end-to-end latency in seconds."""
        self.set_measured(REFERENCE, Measured(latency_s, at=time.time()))

    def set_measured(self, kind: str, measured: Measured) -> None:
        """Store a latency of the whole model, over an earlier one of its kind: UNTUNED, REFERENCE
        or the key of the schedules that it was compiled with."""
        with self._change() as db:
            replace_latency(db, kind, measured)

    def judged(self) -> Judged | None:
        """What `set_judged` last stored."""
        with PROJECT_FILE.storage(self._path):
            return judged_rows.read_judged(self._db)

    def set_judged(self, judged: Judged) -> None:
        """Store what the untuned module was found to answer."""
        with self._change() as db:
            judged_rows.replace_judged(db, judged)

    def add_export(self, directory: str, manifest: dict[str, Any]) -> ExportInfo:
        """Store an export of now."""
        with self._change() as db:
            return writing.insert_export(db, directory, manifest)

    def save_as(self, path: str | Path) -> None:
        """Copy the project to `path`, over what is there, and go on with the copy, to write it.

        Only a whole copy takes the place of an old file; after an error the project goes on
        where it was.
        """
        place = located(path)
        if place == self._path:
            return
        lock = ProjectLock(place)
        try:
            with PROJECT_FILE.storage(place):
                refuse_folder(place)
                with self._copyable():
                    copy_to(self._db, place)
                db = open_writer(place)
        except BaseException:
            lock.release()
            raise
        self.close()
        self._path, self._db, self._lock = place, db, lock

    @contextmanager
    def _copyable(self) -> Iterator[None]:
        """SQLite counts a copy elsewhere as a change, which a reader is kept from."""
        self._db.execute("PRAGMA query_only = off")
        try:
            yield
        finally:
            if self.is_read_only:
                self._db.execute("PRAGMA query_only = on")

    @contextmanager
    def _change(self) -> Iterator[Database]:
        self._require_writer()
        with PROJECT_FILE.storage(self._path), writing.change(self._db):
            yield self._db

    def _require_writer(self) -> None:
        if self._lock is None:
            raise ProjectError(
                Sentence("{path} is open for reading only.", path=shown(self._path)),
                "Open it to tune.",
            )

    def _base(self, task: int) -> Trial | None:
        if task not in self._bases:
            with PROJECT_FILE.storage(self._path):
                found = reading.read_base(self._db, task)
            if found:
                self._bases[task] = Trial(found[0], task, found[1], "")
        return self._bases.get(task)
