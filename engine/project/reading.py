"""Reading a project: rows to plain data, with every reference between them checked."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engine.project.file_rows import read_file_node, require_file_nodes
from engine.project.ios_rows import fits, read_cost, read_schedule
from engine.project.judged_rows import read_judged
from engine.project.label_rows import read_labels
from engine.project.latency_rows import read_latencies
from engine.project.pass_rows import read_clustering, read_move, read_space
from engine.project.rows import (
    FAILED,
    read_export,
    read_operator,
    read_run,
    read_settings,
    read_slot,
    read_source,
    read_task,
)
from engine.project.trial_rows import COLUMNS, read_trial
from engine.records.clustering import Clustering
from engine.records.network import FileNode, Operator
from engine.records.options import Index, Seconds
from engine.records.schedule import FoundSchedule
from engine.records.settings import RunSettings
from engine.records.snapshot import REFERENCE, UNTUNED, RunInfo, ShapeInfo, Snapshot, hardware_of
from engine.records.source import ModelSource
from engine.records.space import DesignSpace
from engine.records.task import Task, own_tasks
from engine.records.trial import Measured, Trial
from engine.storage.fields import Malformed, Row, each, read
from engine.storage.packing import unpack_text

if TYPE_CHECKING:
    from sqlite_utils import Database

_T = TypeVar("_T")

_log = logging.getLogger(__name__)

_VIEWED = "id, name, weight, flops, op_class, args, fingerprint, untuned_latency_s, merged"
_RUN = "id, state, settings, started_at, ended_at, elapsed_s, tuned_latency_s, reason, progress"


@dataclass(frozen=True, slots=True)
class Header:
    """What a project is about, which never changes."""

    model_name: str
    source: ModelSource
    target: str
    target_title: str
    tvm_version: str
    created: Seconds
    device: str = ""  # of this machine, such as "cuda:1"; empty: the target's first
    device_uuid: str = ""  # of that GPU; empty where nobody knows it


def read_header(db: Database) -> Header:
    headers = each(db, "SELECT * FROM project", _header)
    if len(headers) != 1:
        raise Malformed("project")
    return headers[0]


def _header(row: Row) -> Header:
    device = {name: row.values.get(name) or "" for name in ("device", "device_uuid")}
    return read({**row.values, "source": read_source(row), **device}, Header)


def read_tasks(db: Database, texts: bool) -> tuple[Task, ...]:
    """All tasks by index; workloads only with `texts`."""
    columns = "*" if texts else _VIEWED
    tasks = each(db, f"SELECT {columns} FROM tasks ORDER BY id", read_task)
    if any(task.index != place for place, task in enumerate(tasks)):
        raise Malformed("tasks")
    return tasks


def read_trials(
    db: Database, texts: bool, where: str = "1", args: Sequence[Any] = ()
) -> tuple[Trial, ...]:
    """The trials that the SQL condition `where` picks, by number; traces only with `texts`."""
    columns = f"{COLUMNS}, base, trace" if texts else COLUMNS
    sql = f"SELECT {columns} FROM trials WHERE {where} ORDER BY number"
    named = {row.values["base"] for row in _rows(db, sql, args)} if texts else set()
    bases = _read_bases(db, named)
    protocols = dict(each(db, "SELECT id, parameters FROM protocols", _protocol))
    return each(db, sql, lambda row: read_trial(row, protocols, bases), args)


def _protocol(row: Row) -> tuple[int, dict[str, Any]]:
    return row.integer("id"), row.mapping("parameters")


def read_trace_keys(db: Database, task: int) -> frozenset[str]:
    """The keys of a task's traces."""
    sql = "SELECT trace_key FROM trials WHERE task = ?"
    return frozenset(each(db, sql, lambda row: row.text("trace_key"), [task]))


def read_base(db: Database, task: int) -> tuple[int, str] | None:
    """Number and trace of the trial that a task's later traces are packed against."""
    rows = _rows(
        db,
        "SELECT number, trace FROM trials WHERE task = ? AND base IS NULL ORDER BY number",
        [task],
    )
    for row in rows:
        if trace := unpack_text(row.blob("trace")):
            return row.integer("number"), trace
    return None


def read_runs(db: Database, trials: Counter[int]) -> tuple[RunInfo, ...]:
    """All runs by id; `trials` counts the trials of each."""
    sql = f"SELECT {_RUN} FROM runs ORDER BY id"
    return each(db, sql, lambda row: read_run(row, trials[row.integer("id")]))


def read_run_settings(db: Database, run: int) -> RunSettings:
    return _of_run(db, run, "settings", read_settings)


def read_policy_state(db: Database, run: int) -> dict[str, Any] | None:
    """What a run's policy last stored."""
    column = "policy_state"
    return _of_run(db, run, column, lambda row: row.optional(column, row.mapping))


def read_progress(db: Database, run: int) -> dict[str, int | None] | None:
    """Where in its plan a run is."""

    def place(value: Any) -> dict[str, int | None]:
        kept = read(value, dict[str, Any])
        return read({name: kept[name] for name in kept if name != FAILED}, dict[str, Index | None])

    return _of_run(
        db, run, "progress", lambda row: row.optional("progress", partial(row.made, make=place))
    )


def read_spaces(db: Database, tasks: Sequence[Task]) -> tuple[DesignSpace, ...]:
    """The design spaces found so far, by task."""

    def made(row: Row) -> DesignSpace:
        if (task := row.integer("task")) >= len(tasks):
            raise Malformed("task")
        return read_space(row, tasks[task].op_class)

    return each(db, "SELECT * FROM spaces ORDER BY task", made)


def _read_clusters(db: Database, tasks: int) -> Clustering | None:
    sql = "SELECT * FROM clusterings WHERE id = 1"
    return next(iter(each(db, sql, lambda row: read_clustering(row, tasks))), None)


def read_costs(db: Database) -> list[dict[str, Any]]:
    """The latencies of stages on every device, as CostTable.of reads them."""
    return list(each(db, "SELECT * FROM stage_costs ORDER BY id", read_cost))


def has_schedule(db: Database) -> bool:
    """Whether a schedule is stored, whatever it is."""
    return bool(_rows(db, "SELECT id FROM schedules WHERE id = 1"))


def _read_schedule(db: Database, operators: Sequence[Operator]) -> FoundSchedule | None:
    """The schedule of these operators; one of others is left out."""
    sql = "SELECT schedule FROM schedules WHERE id = 1"
    found = next(iter(each(db, sql, read_schedule)), None)
    if found is not None and not fits(found, operators):
        _log.warning("The stored schedule is not one of the project's operators.")
        return None
    return found


def has_file_nodes(db: Database) -> bool:
    """Whether nodes of the model's file are stored."""
    return bool(_rows(db, "SELECT id FROM file_nodes LIMIT 1"))


def _read_file_nodes(db: Database, operators: Sequence[Operator]) -> tuple[FileNode, ...]:
    nodes = each(db, "SELECT * FROM file_nodes ORDER BY id", read_file_node)
    require_file_nodes(nodes, operators)
    return nodes


def read_snapshot(db: Database, path: Path, texts: bool) -> Snapshot:
    """The whole project at one moment: the rows are read in one transaction."""
    with db.atomic():
        header = read_header(db)
        tasks = read_tasks(db, texts)
        trials = read_trials(db, texts)
        runs = read_runs(db, Counter(trial.run for trial in trials))
        measured = read_latencies(db)
        shapes = _read_shapes(db, header.source)
        operators = shapes[0].operators
        snapshot = Snapshot(
            path=str(path),
            model_name=header.model_name,
            model_source=header.source.location,
            target=header.target_title,
            tasks=tasks,
            operators=operators,
            trials=trials,
            runs=runs,
            slots=each(db, "SELECT * FROM slots ORDER BY number", read_slot),
            exports=each(db, "SELECT * FROM exports ORDER BY id", read_export),
            untuned_latency_s=_latency_s(measured.get(UNTUNED)),
            reference_latency_s=_latency_s(measured.get(REFERENCE)),
            elapsed_s=_elapsed(runs, trials),
            spaces=read_spaces(db, tasks),
            clustering=_read_clusters(db, len(own_tasks(tasks))),
            moves=each(db, "SELECT * FROM moves ORDER BY number", read_move),
            unused=frozenset(each(db, "SELECT run FROM unused", lambda row: row.integer("run"))),
            schedule=_read_schedule(db, operators),
            file_nodes=_read_file_nodes(db, operators),
            labels=read_labels(db, len(tasks)),
            precision=header.source.precision,
            hardware=hardware_of(header.target, header.target_title),
            judged=read_judged(db),
            measured=measured,
            shapes=shapes if len(shapes) > 1 else (),
        )
    _require_references(snapshot)
    return snapshot


def _read_shapes(db: Database, source: ModelSource) -> tuple[ShapeInfo, ...]:
    """The operators of each of the source's shapes."""
    found: list[list[Operator]] = [[] for _ in source.each]
    for shape, operator in each(db, "SELECT * FROM operators ORDER BY id", read_operator):
        if shape >= len(found):
            raise Malformed("operators.id")
        found[shape].append(operator)
    shapes = zip(source.labels, source.each, found, strict=True)
    return tuple(ShapeInfo(name, one.frequency, tuple(has)) for name, one, has in shapes)


def _latency_s(measured: Measured | None) -> float | None:
    return None if measured is None else measured.latency_s


def _elapsed(runs: Iterable[RunInfo], trials: tuple[Trial, ...]) -> float:
    """Tuning time of the project: its runs', or its last trial's where that is later."""
    return max((sum(run.elapsed_s for run in runs), *(trial.elapsed_s for trial in trials)))


def _require_references(snapshot: Snapshot) -> None:
    """Raise Malformed where something names a task or an operator that is not there.

    An operator reads earlier ones only, so the graph has no cycle.
    """
    known = range(len(snapshot.tasks))
    rows = {
        "trials": snapshot.trials,
        "slots": snapshot.slots,
        "moves": snapshot.moves,
        "operators": [
            item for graph in _graphs(snapshot) for item in graph if item.task is not None
        ],
    }
    for table, named in rows.items():
        if not all(item.task in known for item in named):  # type: ignore[attr-defined]
            raise Malformed(f"{table}.task")
    _require_merged_last(snapshot)
    for graph in _graphs(snapshot):
        earlier: set[int] = set()
        for operator in graph:
            if not earlier.issuperset(operator.inputs):
                raise Malformed("operators.inputs")
            earlier.add(operator.id)


def _graphs(snapshot: Snapshot) -> list[tuple[Operator, ...]]:
    """The operators in each shape of the project."""
    return [shape.operators for shape in snapshot.shapes] or [snapshot.operators]


def _require_merged_last(snapshot: Snapshot) -> None:
    """Raise Malformed where a merged task has a weight, is of no two operators in their order, or
    comes before one of the model's own."""
    operators = {operator.id for operator in snapshot.operators}
    own = len(snapshot.own_tasks)
    for task in snapshot.tasks[own:]:
        members = sorted(set(task.merged))
        if task.weight or len(members) < 2 or list(task.merged) != members:
            raise Malformed("tasks.merged")
        if not operators.issuperset(members):
            raise Malformed("tasks.merged")
    graphs = _graphs(snapshot)
    if any(one.task is not None and one.task >= own for graph in graphs for one in graph):
        raise Malformed("operators.task")


def _read_bases(db: Database, numbers: set[Any]) -> dict[int, str]:
    if numbers <= {None}:
        return {}
    rows = _rows(
        db,
        "SELECT number, trace FROM trials WHERE base IS NULL AND number IN "
        "(SELECT DISTINCT base FROM trials)",
    )
    return {
        row.integer("number"): unpack_text(row.blob("trace"))
        for row in rows
        if row.values["number"] in numbers
    }


def _of_run(db: Database, run: int, column: str, make: Callable[[Row], _T]) -> _T:
    found = each(db, f"SELECT {column} FROM runs WHERE id = ?", make, [run])
    if not found:
        raise LookupError(f"nothing has the number {run}")
    return found[0]


def _rows(db: Database, sql: str, args: Sequence[Any] = ()) -> tuple[Row, ...]:
    return each(db, sql, lambda row: row, args)
