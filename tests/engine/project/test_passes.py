"""What passes keep in a project comes back, and nonsense is a damaged file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.history.history import History
from engine.project.repository import Project
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import ProjectError
from engine.records.settings import RunSettings, Step
from engine.records.space import DesignSpace, Knob, KnobKind, Move, Sketch
from engine.records.trial import Source
from tests.engine.project.support import new_project, new_trial

KNOBS = (
    Knob("tile conv2d loop 0", KnobKind.TILE, 56, 4, 64),
    Knob("unroll", KnobKind.CATEGORICAL, choices=(0, 16, 0.5)),
    Knob("place", KnobKind.LOCATION),
)
SPACE = DesignSpace(0, "conv2d_add_relu", (Sketch("ab" * 32, KNOBS), Sketch("cd" * 32, ())))
CLUSTERS = Clustering("jaccard", 0.25, (Cluster(2, (0, 2)), Cluster(1, (1,))), edited=True)
MOVE = Move(0, 1, 0, 1, 2, "tile conv2d loop 0", -0.02, 0.4, False, 3.5)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with new_project(tmp_path / "net.tune") as made:
        made.start_run(RunSettings())
        made.add_trial(new_trial(0))
        made.add_trial(new_trial(1, source=Source.SHARED, origin={"task": 1, "trial": 1}))
        yield made


def reopened(project: Project) -> Any:
    project.close()
    with Project.open(project.path) as again:
        return again.snapshot()


def test_spaces_clusters_moves_and_origins_come_back(project: Project) -> None:
    project.set_spaces([SPACE])
    project.set_clustering(CLUSTERS)
    stored = project.add_move(MOVE)
    assert stored == replace(MOVE, number=1)
    snapshot = reopened(project)
    assert snapshot.spaces == (SPACE,)
    assert snapshot.clustering == CLUSTERS
    assert snapshot.moves == (stored,)
    assert [trial.origin for trial in snapshot.trials] == [{}, {"task": 1, "trial": 1}]


def test_later_spaces_and_clusters_take_the_place_of_earlier_ones(project: Project) -> None:
    project.set_spaces([SPACE, replace(SPACE, task=1, op_class="max_pool2d")])
    project.set_spaces([replace(SPACE, sketches=())])
    project.set_clustering(CLUSTERS)
    project.set_clustering(replace(CLUSTERS, threshold=1.0))
    snapshot = reopened(project)
    assert [len(space.sketches) for space in snapshot.spaces] == [0, 2]
    assert snapshot.clustering.threshold == 1.0


def test_a_plan_and_where_a_run_is_in_it_come_back(project: Project) -> None:
    plan = (Step("search", trials=500), Step("transfer", {"places": ["a.tune"]}), Step("droplet"))
    settings = RunSettings(steps=plan, repeat=True)
    run = project.start_run(settings)
    assert project.run_progress(run) is None
    project.set_run(run, progress={"step": 2, "round": 1})
    assert project.run_progress(run) == {"step": 2, "round": 1}
    assert reopened(project).runs[1].settings == settings


def test_which_tasks_a_run_gave_up_comes_back_beside_where_it_is(project: Project) -> None:
    run = project.start_run(RunSettings())
    project.set_failed(run, {1: "no schedule \udc80", 0: "a rule broke"})
    project.set_run(run, progress={"step": 2, "round": 1})
    assert project.run_progress(run) == {"step": 2, "round": 1}
    found = reopened(project).runs[1].failed
    assert found == {1: "no schedule ?", 0: "a rule broke"}
    assert reopened(project).runs[0].failed == {}


@pytest.mark.parametrize(
    "progress",
    [
        *('{"failed": 3}', '{"failed": [[-1, "x"]]}', '{"failed": [["x", "y"]]}', "[]", "{"),
        *('{"failed": [[1, 2]]}', '{"failed": {"1": "x"}}', '{"failed": [[1]]}', "[" * 9999),
    ],
)
def test_what_a_stranger_says_of_failed_tasks_is_checked(project: Project, progress: str) -> None:
    run = project.start_run(RunSettings())
    project._db.execute("UPDATE runs SET progress = ? WHERE id = ?", [progress, run])
    with pytest.raises(ProjectError, match="damaged"):
        project.snapshot()


def test_results_that_are_not_used_stay_and_decide_nothing(project: Project) -> None:
    run = project.start_run(RunSettings())
    fast = project.add_trial(new_trial(2, run=run, samples=(1e-6,)))
    before = History(project.snapshot())
    project.set_used(run, False)
    without = History(project.snapshot())
    project.set_used(run, True)
    again = History(project.snapshot())
    assert before.record(0) == again.record(0) == fast.number
    assert without.record(0) != fast.number
    assert without.trial_count == before.trial_count
    assert without.trials(0) == before.trials(0)


def test_a_confirmation_of_a_run_that_is_not_used_decides_nothing(project: Project) -> None:
    run = project.start_run(RunSettings())
    fast = project.add_trial(new_trial(2, run=run, samples=(1e-6,)))
    project.confirm_trial(fast.number, (1e-6, 1e-6))
    project.set_used(run, False)
    assert History(project.snapshot()).record(0) != fast.number


@pytest.mark.parametrize(
    "clusters",
    [
        replace(CLUSTERS, clusters=(Cluster(0, (0, 1)),)),  # a task is missing
        replace(CLUSTERS, clusters=(Cluster(0, (0, 1)), Cluster(1, (1, 2)))),
        replace(CLUSTERS, clusters=(Cluster(0, (1, 2)), Cluster(0, (0,)))),
        replace(CLUSTERS, threshold=2.0),
    ],
)
def test_what_is_no_partition_of_the_tasks_is_refused(
    project: Project, clusters: Clustering
) -> None:
    with pytest.raises(ValueError, match="cannot store"):
        project.set_clustering(clusters)
    assert project.snapshot().clustering is None


NONSENSE = ["", "{", "1", "[]", '{"a":1}', '[["x"]]', "[[1,[]]]", "[" * 50_000]
BAD_STEPS: list[Any] = [
    [],
    [{}, 3],
    3,
    [{"kind": 1}],
    [{"options": []}],
    [{"trials": "x"}],
    [{"trials": 0}],
    [{"code": "x"}],
]
BAD: dict[tuple[str, str], list[Any]] = {
    ("spaces", "sketches"): [*(text for text in NONSENSE if text != "[]"),
                             '[["s",[["k","tile",-1,2,0,[]]]]]', '[["s",[["k","code",1,2,0,[]]]]]',
                             '[["s",[["k","tile",1,2,0,[1e999]]]]]'],
    ("spaces", "task"): [3],
    ("clusterings", "clustering"): NONSENSE,
    ("moves", "gain"): [float("inf"), float("-inf")],
    ("moves", "p_value"): [-1.0],
    ("moves", "start"): [0, -3],
    ("moves", "task"): [9],
    ("trials", "origin"): [*NONSENSE[:4], "null"],
    ("runs", "settings"): [
        json.dumps({**RunSettings().as_dict(), "steps": steps})
        for steps in BAD_STEPS
    ],
}  # fmt: skip


@pytest.mark.parametrize(("table", "column"), BAD)
def test_a_value_that_makes_no_sense_is_a_damaged_file(
    project: Project, tmp_path: Path, table: str, column: str
) -> None:
    project.set_spaces([SPACE])
    project.set_clustering(CLUSTERS)
    project.add_move(MOVE)
    project.close()
    for number, value in enumerate(BAD[table, column]):
        path = tmp_path / f"{number}.tune"
        path.write_bytes(project.path.read_bytes())
        connection = sqlite3.connect(path)
        connection.execute(f"UPDATE {table} SET {column} = ?", [value])
        connection.commit()
        connection.close()
        with pytest.raises(ProjectError, match="is damaged"), Project.open(path) as damaged:
            damaged.snapshot()
