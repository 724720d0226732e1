"""Recordings made of project files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from engine.allocation.policies.round_robin import RoundRobin
from engine.allocation.recording import Recording
from engine.project.repository import Project
from engine.project.search_seconds import estimated_searches
from engine.records.errors import ProjectError
from engine.records.settings import RunSettings, RunState, SearchSettings
from engine.records.snapshot import SlotInfo
from engine.records.trial import ErrorKind, Source
from engine.replay.record_columns import record, recording_of
from engine.replay.recording_file import load_recording
from engine.replay.replay import replay
from tests.engine.project.support import new_project, new_trial


def tuned(path: Path, **changes: Any) -> Project:
    """Two slots of task 0, one of task 1, and then an empty one of it."""
    project = new_project(path, **changes)
    run = project.start_run(RunSettings(seed=5, search=SearchSettings(batch=2)))
    project.set_untuned(5e-3, {1: 2e-5})
    for number, (task, elapsed_s) in enumerate([(0, 0.0), (1, 0.5), (0, 6.0), (1, 8.0)], start=1):
        project.add_slot(SlotInfo(number, run, task, elapsed_s))
    rows = [(0, 1, 3.0), (0, 1, 4.0), (1, 2, 5.0), (0, 3, 7.5), (0, 3, 9.0)]
    for seed, (task, slot, elapsed_s) in enumerate(rows):
        project.add_trial(new_trial(seed, task, slot=slot, elapsed_s=elapsed_s))
    return project


def test_a_recording_holds_each_tasks_trials_in_order_with_their_seconds(tmp_path: Path) -> None:
    with tuned(tmp_path / "a.tune") as project:
        snapshot = project.snapshot()
        made = recording_of(project, device="test machine", peak_flops=1e11)
    assert [task.name for task in made.tasks] == ["conv2d", "pool"]
    conv = made.tasks[0]
    own = [trial for trial in snapshot.trials if trial.task == 0]
    assert conv.latency_s.tolist() == [trial.latency_s for trial in own]
    assert conv.build_s.tolist() == [0.31] * 4
    assert conv.run_s.tolist() == [0.22] * 4
    assert (conv.weight, conv.flops, conv.op_class) == (3, 2.3e8, "conv2d_add_relu")
    assert made.tasks[1].untuned_s == 2e-5
    assert (made.model, made.device, made.target) == ("net", "test machine", "cpu znver4 x2")
    assert (made.seed, made.batch, made.cores, made.peak_flops) == (5, 2, 2, 1e11)
    assert made.date.startswith("2023-11-14T22:13")
    assert made.engine_version.endswith("TVM 0.27.0")
    assert made.protocol["warmup"] == 2
    assert replay(made, RoundRobin()).end == "nothing is left to try"


def test_a_search_is_as_long_as_its_first_candidate_left_room_for(tmp_path: Path) -> None:
    with tuned(tmp_path / "a.tune") as project:
        snapshot = project.snapshot()
        made = recording_of(project)
    on_gpu = estimated_searches(snapshot, on_cpu=False)
    assert on_gpu[1] == pytest.approx(3.0 - 0.22 - 0.31)
    assert on_gpu[3] == pytest.approx(1.5 - 0.22 - 0.31)
    assert 4 not in on_gpu
    # On a CPU two measurements of slot 1 fell into the search of slot 2, and kept it waiting.
    on_cpu = estimated_searches(snapshot, on_cpu=True)
    assert on_cpu[2] == pytest.approx(4.5 - 0.22 - 0.31 - 2 * 0.22)
    assert made.tasks[0].search_s.sum() == pytest.approx(on_cpu[1] + on_cpu[3])
    assert made.tasks[0].search_s[0] == pytest.approx(on_cpu[1] / 2)


def test_known_search_seconds_replace_estimates(tmp_path: Path) -> None:
    with tuned(tmp_path / "a.tune") as project:
        made = recording_of(project, searches={1: 8.0})
    assert made.tasks[0].search_s[:2].tolist() == [4.0, 4.0]
    assert made.tasks[0].search_s[2:].sum() == pytest.approx(1.5 - 0.22 - 0.31)


def test_failures_are_recorded_as_endless_and_other_sources_not_at_all(tmp_path: Path) -> None:
    with tuned(tmp_path / "a.tune") as project:
        failed = {"samples": (), "error": ErrorKind.BUILD_ERROR, "run_s": 0.0}
        project.add_trial(new_trial(20, 0, slot=3, **failed))
        project.add_trial(new_trial(21, 0, slot=3, source=Source.DROPLET))
        column = recording_of(project).tasks[0].latency_s
    assert len(column) == 5
    assert column[-1] == math.inf


@pytest.mark.parametrize(
    ("later", "reason", "exhausted"),
    [
        (0, "the time is spent", False),  # it may have been in flight at the end
        (6, "the time is spent", True),
        (0, "nothing is left to try", True),
    ],
)
def test_an_empty_slot_with_others_after_it_means_an_exhausted_search(
    later: int, reason: str, exhausted: bool, tmp_path: Path
) -> None:
    with tuned(tmp_path / "a.tune") as project:
        for number in range(later):
            project.add_slot(SlotInfo(0, 1, 0, 9.0 + number))
        project.set_run(1, state=RunState.FINISHED, reason=reason)
        made = recording_of(project)
        told = recording_of(project, exhausted=frozenset({0}))
    assert [task.exhausted for task in made.tasks] == [False, exhausted]
    assert [task.exhausted for task in told.tasks] == [True, False]


def test_a_task_without_an_untuned_latency_starts_with_its_first_result(tmp_path: Path) -> None:
    project = tuned(tmp_path / "a.tune")
    with project:
        project.add_trial(new_trial(30, 2, slot=4, samples=(), error=ErrorKind.RUN_ERROR))
        assert len(recording_of(project).tasks) == 2
        project.add_trial(new_trial(31, 2, slot=4, samples=(3e-6,)))
        made = recording_of(project)
    assert made.tasks[2].untuned_s == 3e-6


def test_a_project_without_trials_is_refused_with_a_sentence(tmp_path: Path) -> None:
    new_project(tmp_path / "a.tune").close()
    with pytest.raises(ProjectError, match=r"net has no trials to record\. Tune it first\."):
        record(tmp_path / "a.tune", tmp_path / "a.npz")
    assert not (tmp_path / "a.npz").exists()


def test_a_file_is_recorded_beside_a_writer(tmp_path: Path) -> None:
    with tuned(tmp_path / "a.tune", target_title="cuda NVIDIA H200"):
        made: Recording = record(tmp_path / "a.tune", tmp_path / "a.npz", cores=14)
    assert (made.device, made.cores, made.is_gpu) == ("NVIDIA H200", 14, True)
    assert load_recording(tmp_path / "a.npz").model == "net"
