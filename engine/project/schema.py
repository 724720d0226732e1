"""The tables of a project file, as its first version made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = int.from_bytes(b"TUNE")  # what `file` and file managers can tell it by

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
_KEYS = {"latencies": "kind", "slots": "number", "trials": "number"}
_NULLABLE = {
    "tasks": {"untuned_latency_s"},
    "operators": {"task"},
    "runs": {"ended_at", "tuned_latency_s", "policy_state"},
    "trials": {"base", "error"},
}
_FOREIGN = {
    "operators": [("task", "tasks", "id")],
    "slots": [("run", "runs", "id"), ("task", "tasks", "id")],
    "trials": [("task", "tasks", "id"), ("protocol", "protocols", "id")],
}
_UNIQUE = {"protocols": ["parameters"], "trials": ["task", "trace_key"]}


def create_tables(db: Database) -> None:
    """The first migration: an empty project. Never change it; add a migration instead."""
    for name, columns in _COLUMNS.items():
        key = _KEYS.get(name, "id")
        table = db.table(name)
        table.create(
            columns,
            pk=key,
            not_null=set(columns) - _NULLABLE.get(name, set()) - {key},
            foreign_keys=_FOREIGN.get(name),
            strict=True,
        )
        if name in _UNIQUE:
            table.create_index(_UNIQUE[name], unique=True)
