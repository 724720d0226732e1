"""The project's kind of file, and from any older one to today's tables, forward only."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from engine.project.file_rows import add_file_nodes
from engine.project.judged_rows import add_judged
from engine.project.label_rows import add_labels
from engine.records.sentences import Sentence
from engine.storage.copies import copy_to
from engine.storage.sqlite_file import FileKind, closed_on_error, pragma

if TYPE_CHECKING:
    from sqlite_utils import Database


APPLICATION_ID = int.from_bytes(b"TUNE")  # what `file` and file managers can tell it by

# What each version added, keys first. Never change it; add a migration instead.
_COLUMNS: dict[str, dict[str, type]] = {
    "project": {
        "id": int,
        "model_name": str,
        "source": str,  # JSON of ModelSource
        "target": str,  # TVM's JSON
        "target_title": str,
        "tvm_version": str,
        "created": float,
    },
    "latencies": {"kind": str, "latency_s": float, "at": float},  # end to end
    "tasks": {
        "id": int,
        "name": str,
        "weight": int,
        "flops": float,
        "op_class": str,
        "args": str,  # JSON: [[shape, dtype], ...]
        "fingerprint": str,
        "workload": bytes,  # packed text
        "untuned_latency_s": float,
    },
    "operators": {
        "id": int,
        "name": str,
        "op_class": str,
        "task": int,
        "inputs": str,  # JSON: [id, ...]
        "output": str,  # JSON: [shape, dtype]
        "flops": float,
    },
    "runs": {
        "id": int,
        "state": str,
        "settings": str,  # JSON of RunSettings, the seed in it
        "started_at": float,
        "ended_at": float,
        "elapsed_s": float,  # its own tuning time; a project's is the sum
        "tuned_latency_s": float,
        "reason": str,
        "policy_state": str,  # JSON
    },
    "slots": {
        "number": int,
        "run": int,
        "task": int,
        "elapsed_s": float,
        "reason": str,
        "scores": str,  # JSON
    },
    "protocols": {"id": int, "parameters": str},  # JSON; many trials share one
    "trials": {
        "number": int,
        "task": int,
        "trace_key": str,
        "base": int,  # the trial whose trace this one is packed against
        "trace": bytes,  # packed text
        "samples": bytes,
        "confirmed": bytes,
        "cut": int,
        "error": str,
        "error_text": str,
        "source": str,
        "build_s": float,
        "run_s": float,
        "slot": int,
        "run": int,
        "elapsed_s": float,
        "at": float,
        "protocol": int,
    },
    "exports": {"id": int, "dir": str, "at": float, "manifest": str},
}
_NULLABLE = {
    "tasks": {"untuned_latency_s"},
    "operators": {"task"},
    "runs": {"ended_at", "tuned_latency_s", "policy_state"},
    "trials": {"base", "error"},
}
_UNIQUE = {"protocols": ["parameters"], "trials": ["task", "trace_key"]}
_PASSES: dict[str, dict[str, type]] = {
    "spaces": {"task": int, "sketches": str},  # JSON
    "clusterings": {"id": int, "clustering": str},  # JSON; one row
    "moves": {
        "number": int,
        "run": int,
        "task": int,
        "start": int,  # trial
        "end": int,  # trial
        "axis": str,
        "gain": float,
        "p_value": float,
        "accepted": int,
        "elapsed_s": float,
    },
    "unused": {"run": int},
}
_COSTS = {
    "id": int,
    "device": str,
    "batch": int,
    "strategy": str,
    "groups": str,  # JSON: [[kernel, ...], ...]
    "latency_s": float,  # NULL: it cannot run
}
_JOBS: dict[str, dict[str, type]] = {
    # A model is kept as the records it was made of: those of its task up to this trial.
    "cost_models": {"task": int, "trial": int},
    "run_devices": {"run": int, "devices": str},  # JSON of Devices
}
_FOREIGN = {
    "operators": [("task", "tasks", "id")],
    "slots": [("run", "runs", "id"), ("task", "tasks", "id")],
    "trials": [("task", "tasks", "id"), ("protocol", "protocols", "id")],
    "spaces": [("task", "tasks", "id")],
    "moves": [("task", "tasks", "id"), ("run", "runs", "id")],
    "unused": [("run", "runs", "id")],
    "cost_models": [("task", "tasks", "id")],
    "run_devices": [("run", "runs", "id")],
}


def create_tables(db: Database) -> None:
    """The first migration: an empty project."""
    _create(db, _COLUMNS)
    for name, columns in _UNIQUE.items():
        db.table(name).create_index(columns, unique=True)


def add_passes(db: Database) -> None:
    """From version 1: what passes over a project's records keep."""
    _create(db, _PASSES)
    db.table("trials").add_column("origin", str)
    db.table("runs").add_column("progress", str)  # JSON: where in its plan a run is


def add_ios(db: Database) -> None:
    """From version 2: measured stages, a schedule of stages, merged tasks."""
    costs = db.table("stage_costs")
    contents = ["device", "batch", "strategy", "groups"]
    costs.create(_COSTS, pk="id", not_null=set(contents), strict=True)
    costs.create_index(contents, unique=True)
    db.table("schedules").create(
        {"id": int, "schedule": str},  # JSON; one row
        pk="id",
        not_null={"schedule"},
        strict=True,
    )
    db.table("tasks").add_column("merged", str)  # JSON: [operator, ...]


def add_jobs(db: Database) -> None:
    """From version 5: cost models, and the devices of a run."""
    _create(db, _JOBS)
    db.table("project").add_column("device", str)  # "cuda:1"; NULL: the target's first


def add_checks(db: Database) -> None:
    """From version 6: what comparing a trial's kernel with the untuned one gave, and the GPU by
    what stays the same when devices are counted otherwise."""
    db.table("trials").add_column("checked", str)  # NULL: it was not
    db.table("project").add_column("device_uuid", str)  # NULL: nobody knows it


def _create(db: Database, tables: dict[str, dict[str, type]]) -> None:
    for name, columns in tables.items():
        key = next(iter(columns))
        needed = set(columns) - _NULLABLE.get(name, set()) - {key}
        keys = _FOREIGN.get(name)
        db.table(name).create(columns, pk=key, not_null=needed, foreign_keys=keys, strict=True)


PROJECT_FILE = FileKind(
    Sentence("{path}"),
    Sentence("{path} is not a Tunewright project."),
    Sentence("Choose a .tune file."),
    Sentence("Open a backup or an earlier copy of it."),
    Sentence("Update Tunewright to open it."),
    APPLICATION_ID,
    (
        *(create_tables, add_passes, add_ios, add_file_nodes, add_labels, add_jobs, add_checks),
        add_judged,
    ),
)


def open_writer(path: Path) -> Database:
    """An existing project for writing, migrated where it is older. Hold its lock."""
    db = PROJECT_FILE.open(path)
    with closed_on_error(db):
        if db.journal_mode != "delete":
            db.execute("PRAGMA journal_mode = delete")
        if PROJECT_FILE.is_older(db):
            migrate_file(db, path)
        db.execute("PRAGMA foreign_keys = on")
    return db


def migrate_file(db: Database, path: Path) -> None:
    """Copy the older file beside itself, then migrate it; a failure leaves it as it was."""
    backup = _backup_name(path, pragma(db, "user_version"))
    copy_to(db, backup)
    try:
        with db.atomic():
            PROJECT_FILE.migrate(db)
    except BaseException:
        with suppress(OSError):
            backup.unlink()
        raise


def _backup_name(path: Path, version: int) -> Path:
    """NAME.tune.v<N>.bak, or the first free name after it: a copy is never overwritten."""
    endings = chain(("",), (f".{n}" for n in count(2)))
    files = (path.with_name(f"{path.name}.v{version}{ending}.bak") for ending in endings)
    return next(file for file in files if not file.exists())
