"""The sixth version of a project file: cost models, and the devices of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES: dict[str, dict[str, type]] = {
    # A model is kept as the records it was made of: those of its task up to this trial.
    "cost_models": {"task": int, "trial": int},
    "run_devices": {"run": int, "devices": str},  # JSON of Devices
}
_FOREIGN = {
    "cost_models": [("task", "tasks", "id")],
    "run_devices": [("run", "runs", "id")],
}


def add_jobs(db: Database) -> None:
    """From version 5. Never change it; add a migration instead."""
    for name, columns in _TABLES.items():
        key = next(iter(columns))
        db.table(name).create(
            columns,
            pk=key,
            not_null=set(columns) - {key},
            foreign_keys=_FOREIGN[name],
            strict=True,
        )
    db.table("project").add_column("device", str)  # "cuda:1"; NULL: the target's first
