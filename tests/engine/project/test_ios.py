"""Measured stages and the schedule come back; what makes no sense is a damaged file."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ios.cost_table import Contents, CostTable
from engine.project.ios_rows import read_schedule, schedule_row
from engine.project.repository import Project
from engine.records.errors import ProjectError
from engine.records.schedule import FoundSchedule, Stage, Strategy
from engine.storage.fields import Malformed, Row
from tests.engine.project.ios_data import COST, FOUND, STAGES
from tests.engine.project.support import new_project

JSON = json.loads(schedule_row(FOUND)["schedule"])


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with new_project(tmp_path / "net.tune") as made:
        yield made


def test_latencies_of_stages_come_back_and_newer_ones_take_the_place_of_older(
    project: Project,
) -> None:
    table = CostTable("cpu znver4 x2", 1)
    table.put(Contents(Strategy.CONCURRENT, (("k0",), ("k1", "k2"))), 1.5e-4)
    table.put(Contents(Strategy.MERGE, (("k0", "k1"),)), math.inf)
    other = CostTable("cpu znver4 x2", 32)
    other.put(Contents(Strategy.CONCURRENT, (("k0",),)), 1.0)
    project.add_stage_costs([*table.rows(), *other.rows()])
    project.add_stage_costs([COST | {"latency_s": 2e-4}])
    project.close()
    with Project.open(project.path) as again:
        found = CostTable.of(again.stage_costs(), "cpu znver4 x2", 1)
    table.put(Contents(Strategy.CONCURRENT, (("k0",), ("k1", "k2"))), 2e-4)
    assert sorted(map(str, found.rows())) == sorted(map(str, table.rows()))
    assert len(CostTable.of(other.rows(), "cpu znver4 x2", 32)) == 1


def test_the_schedule_comes_back_and_the_last_one_stays(project: Project) -> None:
    assert project.snapshot().schedule is None
    assert not project.has_schedule
    project.set_schedule(replace(FOUND, ended="exact"))
    project.set_schedule(FOUND)
    assert project.snapshot().schedule == FOUND
    project.close()
    with Project.open(project.path, read_only=True) as again:
        assert again.has_schedule
        assert again.snapshot().schedule == FOUND


def test_a_bound_beyond_all_numbers_comes_back() -> None:
    endless = replace(FOUND, search=replace(FOUND.search, bound=math.inf))
    assert read_schedule(Row(schedule_row(endless))) == endless


OTHERS = [
    STAGES[:1],  # an operator is missing
    (*STAGES, STAGES[1]),  # one is there twice
    STAGES[::-1],  # one runs before what it reads
    (Stage(Strategy.CONCURRENT, ((1, 0),)), STAGES[1]),
    (Stage(Strategy.CONCURRENT, ((0,), (1,))), STAGES[1]),
    (Stage(Strategy.MERGE, ((0, 1),)), STAGES[1]),
    (Stage(Strategy.CONCURRENT, ((0, 1),)), Stage(Strategy.CONCURRENT, ((3,),))),
]


@pytest.mark.parametrize("stages", OTHERS)
def test_a_schedule_that_is_not_of_the_operators_is_left_out(
    project: Project, stages: tuple[Stage, ...]
) -> None:
    other = replace(
        FOUND, schedule=replace(FOUND.schedule, stages=stages), stage_s=(1e-4,) * len(stages)
    )
    project.set_schedule(other)
    assert project.snapshot().schedule is None
    assert project.has_schedule


@pytest.mark.parametrize(
    "found",
    [
        replace(FOUND, stage_s=(1e-4,)),
        replace(FOUND, alone_s=(1e-4, math.inf, 1e-4)),
        replace(FOUND, schedule=replace(FOUND.schedule, latency_s=math.nan)),
        replace(FOUND, way="greedy"),  # which is none of the ways
        replace(FOUND, ended="never"),
    ],
)
def test_a_schedule_that_contradicts_itself_is_not_stored(
    project: Project, found: FoundSchedule
) -> None:
    with pytest.raises(ValueError, match="cannot store"):
        project.set_schedule(found)
    assert not project.has_schedule


def changed(**values: Any) -> str:
    return json.dumps(JSON | values)


NOT_JSON = ["", "{", "[" * 50_000, "1e"]
BAD: dict[tuple[str, str], list[Any]] = {
    ("stage_costs", "groups"): [*NOT_JSON, "[]", "{}", "[[]]", "[[1]]", '["k"]', '[["k"],[]]'],
    ("stage_costs", "latency_s"): [0.0, -1.0, float("inf")],
    ("stage_costs", "strategy"): ["", "apart"],
    ("stage_costs", "batch"): [-1],
    ("schedules", "schedule"): [
        *NOT_JSON, "[]", "1", "{}",
        changed(stages=[["apart", [[0]]]]), changed(stages=[["merge", [[0], [1]]]]),
        changed(stages=[["concurrent", [[-1]]]]), changed(stages=[["concurrent", []]]),
        changed(stages=[["concurrent", [[]]]]), changed(stages=3), changed(stages=[[[], [[0]]]]),
        changed(stage_s=["1", "2"]), changed(alone_s=[0, 2, 3]), changed(kernels=[1, 2, 3]),
        changed(way=1), changed(options={}), changed(options=JSON["options"] | {"r": 0}),
        changed(options=JSON["options"] | {"strategies": "all"}), changed(search=[]),
        changed(search=JSON["search"] | {"exact": 1}),
        changed(search=JSON["search"] | {"pairs": 1.5}),
        changed(ways=[]), changed(ways=[1]), changed(tradeoffs=[{}]), changed(created_at="now"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("table", "column"), BAD)
def test_a_value_that_makes_no_sense_is_a_damaged_file(
    project: Project, tmp_path: Path, table: str, column: str
) -> None:
    project.add_stage_costs([COST])
    project.set_schedule(FOUND)
    project.close()
    for number, value in enumerate(BAD[table, column]):
        path = tmp_path / f"{number}.tune"
        path.write_bytes(project.path.read_bytes())
        connection = sqlite3.connect(path)
        connection.execute(f'UPDATE {table} SET "{column}" = ?', [value])
        connection.commit()
        connection.close()
        with pytest.raises(ProjectError, match="is damaged"), Project.open(path) as damaged:
            damaged.snapshot()
            damaged.stage_costs()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value)) if type(value) is list else ()
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


@settings(deadline=None)
@given(
    st.sampled_from(list(places(JSON))),
    st.sampled_from([None, True, -1, 0, 2**70, 0.5, "", "merge", [], {}, [[]], math.nan]),
)
def test_any_value_of_a_schedule_changed_is_another_schedule_or_malformed(
    path: tuple[Any, ...], value: Any
) -> None:
    data = json.loads(json.dumps(JSON))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        found = read_schedule(Row({"schedule": json.dumps(data)}))
    except Malformed:
        return
    assert read_schedule(Row(schedule_row(found))) == found
