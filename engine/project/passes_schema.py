"""The second version of a project file: what passes over its records keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_COLUMNS: dict[str, dict[str, type]] = {
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
_FOREIGN = {
    "spaces": [("task", "tasks", "id")],
    "moves": [("task", "tasks", "id"), ("run", "runs", "id")],
    "unused": [("run", "runs", "id")],
}


def add_passes(db: Database) -> None:
    """From version 1. Never change it; add a migration instead."""
    for name, columns in _COLUMNS.items():
        key = next(iter(columns))
        db.table(name).create(
            columns,
            pk=key,
            not_null=set(columns) - {key},
            foreign_keys=_FOREIGN.get(name),
            strict=True,
        )
    db.table("trials").add_column("origin", str)
    db.table("runs").add_column("progress", str)  # JSON: where in its plan a run is
