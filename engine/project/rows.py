"""Rows of the project file to and from the engine's plain data, all but the trials."""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from engine.records.errors import UsageError
from engine.records.network import Operator
from engine.records.options import LARGEST, Index, bound, fits, hints
from engine.records.sentences import restored, stored
from engine.records.settings import RunSettings, SearchSettings
from engine.records.snapshot import ExportInfo, RunInfo, SlotInfo
from engine.records.source import ModelSource
from engine.records.task import Task, TensorSpec
from engine.records.trial import Protocol
from engine.storage.fields import Malformed, Row, clean, dump, read
from engine.storage.packing import pack_text, unpack_text

FAILED = "failed"  # in the progress of a run: [[task, reason], ...]
OPERATORS_OF_A_SHAPE = 10_000_000  # those of a set's further shapes are numbered from multiples

Values = dict[str, Any]

Shape = Annotated[tuple[Index, ...], Meta(max_length=64)]

_log = logging.getLogger(__name__)


def source_text(source: ModelSource) -> str:
    """A model's source as JSON."""
    return dump(source.as_dict())


def read_source(row: Row) -> ModelSource:
    """The source in column `source`."""
    try:
        return ModelSource.from_dict(row.mapping("source"))
    except UsageError as error:
        raise Malformed("source") from error


def task_row(task: Task) -> Values:
    """A task with its workload packed."""
    merged = {"merged": dump(task.merged)} if task.merged else {}
    return merged | {
        "id": task.index,
        "name": clean(task.name),
        "weight": task.weight,
        "flops": float(task.flops),
        "op_class": clean(task.op_class),
        "args": dump([spec_data(arg) for arg in task.args]),
        "fingerprint": task.fingerprint,
        "workload": pack_text(task.workload),
        "untuned_latency_s": task.untuned_latency_s,
    }


def read_task(row: Row) -> Task:
    """A task; its workload is empty where the column was not selected."""
    values = {
        **row.values,
        "index": row.values.get("id"),
        "args": row.made("args", read_specs),
        "workload": unpack_text(row.blob("workload")) if "workload" in row.values else "",
        "merged": row.optional("merged", row.json) or (),
    }
    return read(values, Task)


def operator_row(operator: Operator, first: int = 0) -> Values:
    """An operator; `first` is the number of the first of its shape's."""
    return {
        "id": first + operator.id,
        "name": clean(operator.name),
        "op_class": clean(operator.op_class),
        "task": operator.task,
        "inputs": dump(operator.inputs),
        "output": dump(spec_data(operator.output)),
        "flops": float(operator.flops),
    }


def read_operator(row: Row) -> tuple[int, Operator]:
    """The place of the shape that an operator is of, and the operator, numbered within it."""
    output = row.made("output", read_spec)
    shape, place = divmod(row.integer("id"), OPERATORS_OF_A_SHAPE)
    values = {**row.values, "id": place, "inputs": row.json("inputs"), "output": output}
    return shape, read(values, Operator)


def read_run(row: Row, trials: int) -> RunInfo:
    """A run that has `trials` trials."""
    values = {**row.values, "settings": read_settings(row), "trials": trials}
    run = read({**values, "failed": read_failed(row)}, RunInfo)
    return replace(run, reason=restored(run.reason))


def read_failed(row: Row) -> dict[int, str]:
    """The tasks that a run gave up, and why, in column `progress`."""
    progress = row.optional("progress", row.mapping) or {}
    pairs = read(progress.get(FAILED, []), list[tuple[Index, str]])
    return {task: restored(reason) for task, reason in pairs}


def read_settings(row: Row) -> RunSettings:
    """The settings in column `settings`."""
    try:
        return RunSettings.from_dict(_bounded(RunSettings, row.mapping("settings")))
    except UsageError as error:
        raise Malformed("settings") from error


def _bounded(kind: Any, values: Values) -> Values:
    """Without numbers out of bounds, which were once stored: they are as by default."""
    kept = dict(values)
    for name, hint in hints(kind).items():
        value = values.get(name)
        if hint in (SearchSettings, Protocol) and isinstance(value, dict):
            kept[name] = _bounded(hint, value)
        elif fits(value, int | float) and fits(value, bound(hint).kind) and not fits(value, hint):
            _log.warning("A stored %s of %s is taken for the default.", name, value)
            del kept[name]
    return kept


def slot_row(slot: SlotInfo) -> Values:
    """A slot with the scores that led to it."""
    return {
        "number": slot.number,
        "run": slot.run,
        "task": slot.task,
        "elapsed_s": float(slot.elapsed_s),
        "reason": clean(stored(slot.reason)),
        "scores": dump(slot.scores),
    }


def read_slot(row: Row) -> SlotInfo:
    slot = read({**row.values, "scores": row.json("scores")}, SlotInfo)
    return replace(slot, reason=restored(slot.reason))


def read_export(row: Row) -> ExportInfo:
    return read({**row.values, "manifest": row.json("manifest")}, ExportInfo)


def spec_data(spec: TensorSpec) -> list[Any]:
    """A tensor's shape and type for JSON."""
    return [spec.shape, spec.dtype]


def read_spec(value: Any) -> TensorSpec:
    """A tensor's shape and type from JSON; it has no more elements than can be counted."""
    spec = TensorSpec(*read(value, tuple[Shape, str]))
    if math.prod(spec.shape) > LARGEST:
        raise Malformed("shape")
    return spec


def read_specs(value: Any) -> tuple[TensorSpec, ...]:
    """The same of a list of them."""
    return tuple(map(read_spec, read(value, list[Any])))
