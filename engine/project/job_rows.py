"""Rows of cost models and of a run's devices, to and from plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.records.devices import Devices
from engine.records.errors import UsageError
from engine.storage.fields import Malformed, Row, dump

if TYPE_CHECKING:
    from sqlite_utils import Database


def replace_model(db: Database, task: int, trial: int) -> None:
    """A task's cost model is made of its records up to a trial."""
    db.table("cost_models").insert({"task": task, "trial": trial}, replace=True)


def read_model(db: Database, task: int) -> int | None:
    """The last trial that a task's cost model is made of; None where there is no model."""
    rows = [Row(row) for row in db.query("SELECT trial FROM cost_models WHERE task = ?", [task])]
    return rows[0].integer("trial") if rows else None


def replace_devices(db: Database, run: int, devices: Devices) -> None:
    """Store the devices of a run, over earlier ones."""
    row = {"run": run, "devices": dump(devices.as_dict())}
    _read(Row(row))
    db.table("run_devices").insert(row, replace=True)


def read_devices(db: Database) -> Devices | None:
    """The devices of the last run that measured on several; None where there was none."""
    rows = list(db.query("SELECT devices FROM run_devices ORDER BY run DESC LIMIT 1"))
    return _read(Row(rows[0])) if rows else None


def _read(row: Row) -> Devices:
    try:
        return Devices.from_dict(row.mapping("devices"))
    except UsageError as error:
        raise Malformed("devices") from error
