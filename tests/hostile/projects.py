"""A project with a row in every table, and figures that no measurement gives."""

from __future__ import annotations

import json
import math
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.project.migrations import PROJECT_FILE
from engine.records.clustering import Cluster, Clustering
from engine.records.devices import Devices, Probed
from engine.records.labels import PROJECT, Label
from engine.records.network import Judged, Verdict
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import SlotInfo
from engine.records.space import DesignSpace, Knob, KnobKind, Move, Sketch
from engine.records.trial import Check, Source
from tests.engine.project.ios_data import COST, FOUND
from tests.engine.project.support import new_project, new_trial

REALS = (math.inf, -math.inf, -1.0, 1e12, 1e200, 1.7e308, 5e-324, 0.0)
WHOLE = (-1, 0, 2**31, 2**53 + 1, 2**63 - 1, -(2**63))
IN_JSON = (
    *("1e200", "-1e200", "1e999", "-1e999", "NaN", "-1", "0", "5e-324"),
    *(str(2**63), "9" * 400, "9" * 5000),
)
_KNOB = Knob("tile conv2d loop 0", KnobKind.TILE, 56, 4, 64)


def whole_project(path: Path) -> None:
    """A closed project with a row in every table."""
    with new_project(path) as project:
        run = project.start_run(RunSettings())
        project.add_slot(SlotInfo(1, run, 0, 0.0, "first", {"score": 1.0, "tasks": {"0": 2.0}}))
        for seed in range(6):
            project.add_trial(new_trial(seed, task=seed % 2))
        project.add_trial(new_trial(7, source=Source.SHARED, origin={"task": 1, "trial": 1}))
        project.confirm_trial(1, (1e-4, 2e-4))
        project.check_trial(1, Check.AGREES)
        project.set_untuned(1.0, {0: 0.5, 1: 0.1})
        project.set_reference(0.5)
        manifest = {"files": {}, "latency_s": 1e-3, "coverage": 0.5, "max_abs_diff": 1e-6}
        project.add_export("/tmp/out", manifest)
        project.add_stage_costs([COST])
        project.set_schedule(FOUND)
        project.set_spaces([DesignSpace(0, "conv2d_add_relu", (Sketch("ab" * 32, (_KNOB,)),))])
        project.set_clustering(Clustering("jaccard", 0.25, (Cluster(0, (0, 1, 2)),)))
        project.add_move(Move(0, run, 0, 1, 2, "tile", 0.02, 0.4, True, 3.5))
        project.set_label(PROJECT, Label("a name", "a note"))
        project.set_devices(run, Devices((Probed("cpu", "x", 1e-3),), (("cpu",),), {0: "cpu"}))
        project.set_trained_to(0, 1)
        project.set_judged(Judged("ONNX Runtime", (Verdict("zeros", 0, 0.5),), "this module"))
        project.set_run(
            run,
            state=RunState.FINISHED,
            elapsed_s=9.0,
            tuned_latency_s=1e-3,
            ended_at=1.8e9,
            policy_state={"draws": 1},
            progress={"step": 0, "round": 1},
        )
        project.set_used(project.start_run(replace(RunSettings(), seed=1)), False)


def changes(path: Path) -> Iterator[tuple[str, str, list[Any]]]:
    """Every column that holds figures, with what it could be instead."""
    connection = sqlite3.connect(path)
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    for (table,) in connection.execute(named).fetchall():
        for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
            value = connection.execute(
                f"SELECT {column} FROM {table} WHERE {column} NOT NULL LIMIT 1"
            ).fetchone()
            yield table, column, list(_instead(kind, column, value and value[0]))
    connection.close()


def _instead(kind: str, column: str, value: Any) -> Iterator[Any]:
    if kind == "REAL":
        yield from REALS
    if kind == "INTEGER":
        yield from WHOLE
    if column in ("samples", "confirmed"):
        for number in (*REALS, math.nan):
            yield struct.pack("<2d", 1e-4, number)
    if isinstance(value, str) and value.startswith(("[", "{")):
        data = json.loads(value)
        for place in _numbers(data):
            for text in IN_JSON:
                yield json.dumps(_with(data, place, "\0")).replace('"\\u0000"', text)


def _numbers(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        for key, item in items:
            yield from _numbers(item, (*place, key))
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield place


def _with(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    key, *rest = place
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[key] = _with(data[key], tuple(rest), value)
    return copy


def put(path: Path, table: str, column: str, value: Any) -> None:
    """Write a value into every row of a table, as another program might."""
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", [value])
    connection.commit()
    connection.close()


assert PROJECT_FILE.newest == 8, "Has whole_project a row in every table?"
