"""Trials to and from rows: the many small rows, so compact and quick to read."""

from __future__ import annotations

from typing import Any

from engine.records.trial import Check, ErrorKind, Source, Trial
from engine.storage.fields import Malformed, Row, clean, dump
from engine.storage.packing import pack_samples, pack_text, unpack_samples, unpack_text

# All but the trace, which views do not need and which is most of the bytes.
COLUMNS = (
    "number, task, trace_key, samples, confirmed, cut, error, error_text, source, build_s, "
    "run_s, slot, run, elapsed_s, at, protocol, origin, checked"
)


def trial_row(trial: Trial, protocol: int, base: Trial | None) -> dict[str, Any]:
    """A trial; `protocol` is the id of its parameters, `base` an earlier trial of its task."""
    return {
        "number": trial.number,
        "task": trial.task,
        "trace_key": trial.trace_key,
        "base": base.number if base else None,
        "trace": pack_text(trial.trace, base.trace if base else ""),
        "samples": pack_samples(trial.samples),
        "confirmed": pack_samples(trial.confirmed),
        "cut": int(trial.cut),
        "error": trial.error and trial.error.value,
        "error_text": clean(trial.error_text),
        "source": trial.source.value,
        "build_s": float(trial.build_s),
        "run_s": float(trial.run_s),
        "slot": trial.slot,
        "run": trial.run,
        "elapsed_s": float(trial.elapsed_s),
        "at": float(trial.at),
        "protocol": protocol,
        "origin": dump(trial.origin) if trial.origin else None,
        "checked": trial.checked and trial.checked.value,
    }


def read_trial(row: Row, protocols: dict[int, dict[str, Any]], bases: dict[int, str]) -> Trial:
    """A trial; its trace is empty where the column was not selected.

    `bases` maps trial numbers to their traces. `protocols` maps ids to parameters, which the
    trials share.
    """
    protocol = row.integer("protocol")
    if protocol not in protocols:
        raise Malformed("protocol")
    return Trial(
        number=row.integer("number", 1),
        task=row.integer("task"),
        trace=_trace(row, bases) if "trace" in row.values else "",
        trace_key=row.text("trace_key"),
        samples=unpack_samples(row.blob("samples")),
        cut=row.integer("cut") != 0,
        error=row.optional("error", lambda name: row.enum(name, ErrorKind)),
        error_text=row.text("error_text"),
        source=row.enum("source", Source),
        build_s=row.seconds("build_s"),
        run_s=row.seconds("run_s"),
        slot=row.integer("slot"),
        run=row.integer("run"),
        elapsed_s=row.seconds("elapsed_s"),
        at=row.seconds("at"),
        confirmed=unpack_samples(row.blob("confirmed")),
        protocol=protocols[protocol],
        origin=row.optional("origin", row.mapping) or {},
        checked=row.optional("checked", lambda name: row.enum(name, Check)),
    )


def _trace(row: Row, bases: dict[int, str]) -> str:
    base = row.optional("base", row.integer)
    if base is None:
        return unpack_text(row.blob("trace"))
    if base not in bases:
        raise Malformed("base")
    return unpack_text(row.blob("trace"), bases[base])
