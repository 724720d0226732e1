"""The third version of a project file: measured stages, a schedule of stages, merged tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_COSTS = {
    "id": int,
    "device": str,
    "batch": int,
    "strategy": str,
    "groups": str,  # JSON: [[kernel, ...], ...]
    "latency_s": float,  # NULL: it cannot run
}


def add_ios(db: Database) -> None:
    """From version 2. Never change it; add a migration instead."""
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
