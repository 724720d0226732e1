"""Writing a project: each function is one change, to be called inside a transaction.

What is written is read back at once: a value that could not be read again (not finite, of a
wrong type) is the caller's mistake, raises ValueError and undoes the change.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.project.file_rows import file_node_row
from engine.project.ios_rows import cost_row, read_cost, read_schedule, schedule_row
from engine.project.pass_rows import (
    clustering_row,
    move_row,
    read_clustering,
    read_move,
    read_space,
    space_row,
)
from engine.project.reading import Header, read_runs, read_tasks
from engine.project.rows import (
    OPERATORS_OF_A_SHAPE,
    operator_row,
    read_slot,
    slot_row,
    source_text,
    task_row,
)
from engine.project.trial_rows import read_trial, trial_row
from engine.records.clustering import Clustering
from engine.records.errors import ProjectError
from engine.records.network import FileNode, Operator
from engine.records.schedule import FoundSchedule
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import ExportInfo, SlotInfo
from engine.records.source import ModelSource
from engine.records.space import DesignSpace, Move
from engine.records.task import Task
from engine.records.trial import Check, ErrorKind, Trial
from engine.storage.fields import Malformed, Row, clean, dump
from engine.storage.packing import pack_samples

if TYPE_CHECKING:
    from sqlite_utils import Database

_ACTIVE = tuple(state.value for state in RunState if state.active)
_UNKNOWN_END = "The program ended while this run was going on."


class DuplicateTrial(ProjectError):
    """The project holds this candidate of this task already."""

    def __init__(self) -> None:
        super().__init__("This candidate was measured before.", "Its first result stays.")


@contextmanager
def change(db: Database) -> Iterator[None]:
    """A transaction that ends in a commit, or leaves the file as it was."""
    try:
        with db.atomic():
            yield
    except Malformed as error:
        raise ValueError(f"a project cannot store this value: {error}") from error


def insert_header(db: Database, header: Header) -> None:
    row = {
        "id": 1,
        "model_name": clean(header.model_name),
        "source": source_text(header.source),
        "target": header.target,
        "target_title": clean(header.target_title),
        "tvm_version": header.tvm_version,
        "created": header.created,
        "device": header.device,
        "device_uuid": header.device_uuid,
    }
    db.table("project").insert(row)


def update_source(db: Database, source: ModelSource) -> None:
    db.table("project").update(1, {"source": source_text(source)})


def insert_network(
    db: Database, tasks: tuple[Task, ...], operators: Sequence[tuple[Operator, ...]]
) -> None:
    """The tasks of the model, and its operators in each of its shapes."""
    db.table("tasks").insert_all(map(task_row, tasks))
    for shape, found in enumerate(operators):
        first = shape * OPERATORS_OF_A_SHAPE
        db.table("operators").insert_all(operator_row(operator, first) for operator in found)


def insert_file_nodes(db: Database, nodes: Iterable[FileNode]) -> None:
    """The nodes of the model's file."""
    db.table("file_nodes").insert_all(map(file_node_row, nodes))


def insert_tasks(db: Database, tasks: Iterable[Task]) -> None:
    """Tasks of merged operators, after those that are there."""
    db.table("tasks").insert_all(map(task_row, tasks))
    read_tasks(db, texts=True)


def insert_trial(db: Database, trial: Trial, base: Trial | None) -> Trial:
    """Store a trial under the next number; its run's tuning time advances to the trial's."""
    number = _next(db, "trials", "number")
    protocol = _protocol(db, trial.protocol)
    stored = replace(trial, number=number, error_text=clean(trial.error_text))
    row = trial_row(stored, protocol, base)
    bases = {base.number: base.trace} if base else {}
    read_trial(Row(row), {protocol: trial.protocol}, bases)
    known = db.execute(
        "SELECT 1 FROM trials WHERE task = ? AND trace_key = ?", [trial.task, trial.trace_key]
    )
    if known.fetchone():
        raise DuplicateTrial
    db.table("trials").insert(row)
    db.execute(
        "UPDATE runs SET elapsed_s = elapsed_s + max(0, ? - (SELECT total(elapsed_s) FROM runs)) "
        "WHERE id = ?",
        [float(trial.elapsed_s), trial.run],
    )
    return stored


def update_confirmed(db: Database, number: int, samples: tuple[float, ...]) -> None:
    """Store a finalist's second measurement."""
    db.table("trials").update(number, {"confirmed": pack_samples(samples)})


def update_checked(db: Database, number: int, check: Check | None, wrong: str) -> None:
    """Store how a trial's kernel compares with the untuned one; a `wrong` one has failed."""
    values = {"checked": check and check.value}
    if wrong:
        values |= {"error": ErrorKind.WRONG_RESULT.value, "error_text": clean(wrong)}
    db.table("trials").update(number, values)


def insert_run(db: Database, settings: RunSettings) -> int:
    """A new run, in preparation."""
    run = _next(db, "runs", "id")
    row = {
        "id": run,
        "state": RunState.PREPARING.value,
        "settings": dump(settings.as_dict()),
        "started_at": time.time(),
        "elapsed_s": 0.0,
        "reason": "",
    }
    db.table("runs").insert(row)
    read_runs(db, Counter())
    return run


def update_run(db: Database, run: int, values: dict[str, Any]) -> None:
    """Set columns of a run; one that is active again has no end."""
    if values.get("state") in _ACTIVE:
        values = {"ended_at": None, **values}
    db.table("runs").update(run, values)
    read_runs(db, Counter())


def progress_text(db: Database, run: int, changes: dict[str, Any]) -> str:
    """Column `progress` of a run with these changes."""
    row = db.execute("SELECT progress FROM runs WHERE id = ?", [run]).fetchone()
    known = Row({"progress": row[0]}).mapping("progress") if row and row[0] else {}
    return dump(known | changes)


def interrupt_runs(db: Database) -> None:
    """Runs that a killed process left active are interrupted, as of their last trial."""
    marks = ", ".join("?" * len(_ACTIVE))
    db.execute(
        f"""UPDATE runs SET state = ?, reason = ?, ended_at = coalesce(
            (SELECT at FROM trials WHERE run = runs.id ORDER BY number DESC LIMIT 1), started_at)
            WHERE state IN ({marks})""",
        [RunState.INTERRUPTED.value, _UNKNOWN_END, *_ACTIVE],
    )


def insert_slot(db: Database, slot: SlotInfo) -> SlotInfo:
    """Store a slot; number 0 asks for the next."""
    stored = replace(slot, number=slot.number or _next(db, "slots", "number"))
    row = slot_row(stored)
    read_slot(Row(row))
    db.table("slots").insert(row)
    return stored


def set_task_latencies(db: Database, latencies: dict[int, float]) -> None:
    """Store tasks' untuned latencies in seconds, by the task's index."""
    for task, latency in latencies.items():
        db.table("tasks").update(task, {"untuned_latency_s": float(latency)})
    read_tasks(db, texts=False)


def insert_export(db: Database, directory: str, manifest: dict[str, Any]) -> ExportInfo:
    info = ExportInfo(_next(db, "exports", "id"), clean(directory), time.time(), manifest)
    row = {"id": info.id, "dir": info.dir, "at": info.at, "manifest": dump(manifest)}
    db.table("exports").insert(row)
    return info


def replace_spaces(db: Database, spaces: Iterable[DesignSpace]) -> None:
    """Store design spaces, over earlier ones of their tasks."""
    for space in spaces:
        row = space_row(space)
        read_space(Row(row), space.op_class)
        db.table("spaces").insert(row, replace=True)


def replace_clustering(db: Database, clustering: Clustering) -> None:
    """Store the clusters of the project's tasks, over earlier ones."""
    row = clustering_row(clustering)
    read_clustering(Row(row), db.table("tasks").count_where("merged IS NULL"))
    db.table("clusterings").insert(row, replace=True)


def insert_move(db: Database, move: Move) -> Move:
    """Store a step of Droplet under the next number."""
    stored = replace(move, number=_next(db, "moves", "number"))
    row = move_row(stored)
    read_move(Row(row))
    db.table("moves").insert(row)
    return stored


def insert_costs(db: Database, costs: Iterable[dict[str, Any]]) -> None:
    """Store latencies of stages (rows of CostTable.rows), over earlier ones of their contents."""
    rows = [cost_row(cost) for cost in costs]
    for row in rows:
        read_cost(Row(row))
    db.table("stage_costs").insert_all(rows, replace=True)


def replace_schedule(db: Database, found: FoundSchedule) -> None:
    """Store the project's schedule, over an earlier one."""
    row = schedule_row(found)
    read_schedule(Row(row))
    db.table("schedules").insert(row, replace=True)


def set_used(db: Database, run: int, used: bool) -> None:
    """Whether a run's results count."""
    db.execute("DELETE FROM unused WHERE run = ?", [run])
    if not used:
        db.table("unused").insert({"run": run})


def _next(db: Database, table: str, key: str) -> int:
    return int(db.execute(f"SELECT coalesce(max({key}), 0) + 1 FROM {table}").fetchone()[0])


def _protocol(db: Database, parameters: dict[str, Any]) -> int:
    text = [dump(parameters)]
    db.execute("INSERT OR IGNORE INTO protocols (parameters) VALUES (?)", text)
    found = db.execute("SELECT id FROM protocols WHERE parameters = ?", text)
    return int(found.fetchone()[0])
