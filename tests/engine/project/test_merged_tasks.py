"""Tasks of merged operators come back; what makes no sense is a damaged file."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import ProjectError
from engine.records.settings import RunSettings
from tests.engine.project.support import TASKS, new_project, new_trial

MERGED = replace(
    TASKS[0], index=3, name="merged", weight=0, fingerprint="f3" * 32, untuned_latency_s=None,
    merged=(0, 1),
)  # fmt: skip
OWN = Clustering("replay", 0.5, tuple(Cluster(index, (index,)) for index in range(3)), edited=True)


def grown(path: Path) -> Path:
    """A closed project with a merged task that has a trial."""
    with new_project(path) as project:
        project.set_clustering(OWN)
        project.add_merged([MERGED])
        project.add_trial(new_trial(1, task=3, run=project.start_run(RunSettings())))
    return path


def test_merged_tasks_come_after_the_models_own_and_leave_clusters_whole(tmp_path: Path) -> None:
    with Project.open(grown(tmp_path / "net.tune")) as project:
        snapshot = project.snapshot(texts=True)
        assert snapshot.tasks == (*TASKS, MERGED)
        assert snapshot.own_tasks == TASKS
        assert snapshot.clustering == OWN
        assert project.trials_of(3)
        project.set_clustering(OWN)


@pytest.mark.parametrize(
    "changes",
    [
        {"index": 2},
        {"index": 5},
        {"weight": 1},
        {"merged": (1, 0)},
        {"merged": (0, 0)},
        {"merged": (1,)},
        {"merged": (0, 9)},
        {"merged": ()},
    ],
)
def test_a_task_that_merges_nothing_is_not_stored(tmp_path: Path, changes: dict[str, int]) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.set_clustering(OWN)
        with pytest.raises((ValueError, ProjectError)):
            project.add_merged([replace(MERGED, **changes)])  # type: ignore[arg-type]
        assert project.snapshot().tasks == project.snapshot().own_tasks
        assert len(project.tasks()) == len(TASKS)


@pytest.mark.parametrize(
    "text", ["", "{", "1", "{}", "[1.5]", "[-1]", "[0]", "[1,0]", "[0,0]", "[0,7]"]
)
def test_operators_that_make_no_sense_are_a_damaged_file(tmp_path: Path, text: str) -> None:
    path = grown(tmp_path / "net.tune")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE tasks SET merged = ? WHERE id = 3", [text])
    connection.commit()
    connection.close()
    with pytest.raises(ProjectError, match="is damaged"), Project.open(path) as project:
        project.snapshot()
