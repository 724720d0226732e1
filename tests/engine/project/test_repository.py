"""What is stored comes back, and what cannot be stored changes nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.allocation.policies.registry import make_policy
from engine.project.repository import Project
from engine.project.writing import DuplicateTrial
from engine.records.errors import ProjectError
from engine.records.settings import Budget, RunSettings, RunState, SearchSettings
from engine.records.snapshot import SlotInfo, Snapshot
from engine.records.source import ModelSource
from engine.records.trial import Check, ErrorKind, Source, Trial
from tests.engine.project.support import OPERATORS, SOURCE, TARGET, TASKS, new_project, new_trial


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with new_project(tmp_path / "net.tune") as project:
        yield project


def reopened(project: Project) -> Snapshot:
    """What another process would read, texts included."""
    with Project.open(project.path, read_only=True) as reader:
        return reader.snapshot(texts=True)


def test_model_target_tasks_and_operators_come_back(project: Project) -> None:
    snapshot = reopened(project)
    assert snapshot.tasks == TASKS
    assert snapshot.operators == OPERATORS
    assert (snapshot.model_name, snapshot.target) == ("net", "cpu znver4 x2")
    assert snapshot.model_source == SOURCE.location
    assert snapshot.path == str(project.path)
    project.close()
    with Project.open(project.path) as again:
        assert (again.source, again.target, again.tvm_version) == (SOURCE, TARGET, "0.27.0")
        assert (again.model_name, again.target_title) == ("net", "cpu znver4 x2")
        assert again.tasks() == TASKS


def test_a_project_without_tasks_is_a_project(tmp_path: Path) -> None:
    source = ModelSource("sample", "squeezenet")
    with new_project(tmp_path / "n.tune", source=source, tasks=(), operators=()) as project:
        assert reopened(project).tasks == ()
        assert project.source == source


def test_every_field_of_a_trial_comes_back(project: Project) -> None:
    trials = [
        new_trial(0, source=Source.DROPLET, protocol={"warmup": 7}),
        new_trial(1, cut=True, samples=(0.5,)),
        new_trial(2, samples=(), error=ErrorKind.RUN_CRASH, error_text="Fehler: ü \0 \n"),
        new_trial(3, task=1, trace=""),
        new_trial(4, task=1, trace="é" * 60_000),
        new_trial(5, task=1, trace="x" * 60_000),
    ]
    stored = [project.add_trial(trial) for trial in trials]
    assert stored == [replace(trial, number=n) for n, trial in enumerate(trials, 1)]
    assert reopened(project).trials == tuple(stored)
    assert project.trials_of(0) == stored[:3]
    assert project.trials_of(2) == []
    assert project.trial(5) == stored[4]
    assert project.trace_keys(1) == {trial.trace_key for trial in stored[3:]}


def test_a_views_snapshot_leaves_workloads_and_traces_out(project: Project) -> None:
    stored = project.add_trial(new_trial(0))
    snapshot = project.snapshot()
    assert snapshot.trials == (replace(stored, trace=""),)
    assert [task.workload for task in snapshot.tasks] == ["", "", ""]


def test_numbers_and_packing_go_on_after_reopening(project: Project) -> None:
    first = project.add_trial(new_trial(0))
    project.close()
    with Project.open(project.path) as again:
        second = again.add_trial(new_trial(1))
        assert second.number == 2
        assert again.trials_of(0) == [first, second]


def test_a_candidate_of_a_task_is_stored_once(project: Project) -> None:
    stored = project.add_trial(new_trial(0))
    with pytest.raises(DuplicateTrial, match="measured before"):
        project.add_trial(new_trial(0, samples=(9.0,), elapsed_s=50.0))
    other = project.add_trial(new_trial(0, task=1))
    assert reopened(project).trials == (stored, other)


def test_a_confirmation_changes_the_latency_of_its_trial(project: Project) -> None:
    project.add_trial(new_trial(0))
    project.add_trial(new_trial(1))
    confirmed = project.confirm_trial(2, (0.25, 0.75))
    assert confirmed.confirmed == (0.25, 0.75)
    assert confirmed.latency_s == 0.5
    assert reopened(project).trials[1] == confirmed


OF_CURVES = {
    "family": "pow4", "walkers": 20, "steps": 100, "samples": 50, "jump": 0.5, "form": "paper",
    "pooled": 8.0,
}  # fmt: skip


@pytest.mark.parametrize("name", OF_CURVES)
@pytest.mark.parametrize("policy", ["dynatune", "epsilon-greedy", "softmax"])
def test_a_run_whose_policy_once_had_curves_opens_and_can_be_resumed(
    project: Project, policy: str, name: str
) -> None:
    """Such options were every belief's; now the paper's policy alone has them."""
    stored = {name: OF_CURVES[name], "finish_after": 50}
    run = project.start_run(RunSettings(policy=policy, policy_options=dict(stored), seed=3))
    settings = reopened(project).runs[0].settings
    assert settings == project.run_settings(run)
    made = make_policy(settings.policy, settings.policy_options, settings.seed)
    assert (made.options.finish_after, made.seed) == (50, 3)
    if policy == "dynatune":
        assert made.name == "dynatune-paper"
        before = {"form": "relative", "c": 0.1, "pooled": 16.0, "first_pass": False} | stored
        assert all(getattr(made.options, each) == value for each, value in before.items())
    else:
        assert (made.name, settings.policy_options) == (policy, {"finish_after": 50})


def test_a_run_whose_options_every_version_has_keeps_its_policy(project: Project) -> None:
    for policy in ("dynatune", "dynatune-paper", "gradient"):
        wanted = RunSettings(policy=policy, policy_options={"c": 0.3, "first_pass": True})
        assert project.run_settings(project.start_run(wanted)) == wanted


def test_a_run_comes_back_with_its_settings_and_seed(project: Project) -> None:
    settings = RunSettings(
        budget=Budget(trials=100, seconds=60, latency_s=1e-3),
        policy="dynatune",
        policy_options={"c": 2.0, "arms": [1, 2]},
        seed=2**70,
        search=SearchSettings(population=64),
    )
    run = project.start_run(settings)
    project.add_trial(new_trial(0))
    before = reopened(project).runs[0]
    assert (before.state, before.trials, before.ended_at) == (RunState.PREPARING, 1, None)
    project.set_run(
        run,
        state=RunState.FINISHED,
        elapsed_s=12.5,
        tuned_latency_s=2e-3,
        reason="budget spent",
        ended_at=2e9,
        policy_state={"next": 3},
    )
    after = reopened(project).runs[0]
    assert after.settings == settings == project.run_settings(run)
    assert (after.state, after.elapsed_s, after.tuned_latency_s) == (RunState.FINISHED, 12.5, 2e-3)
    assert (after.reason, after.ended_at) == ("budget spent", 2e9)
    assert after.started_at == before.started_at > 1.7e9
    assert project.run_policy_state(run) == {"next": 3}


def test_setting_a_part_of_a_run_keeps_the_rest(project: Project) -> None:
    run = project.start_run(RunSettings())
    project.set_run(run, reason="stopped by hand", ended_at=5.0, elapsed_s=3.0)
    project.set_run(run, tuned_latency_s=1.0)
    project.set_run(run)
    info = reopened(project).runs[0]
    assert (info.reason, info.ended_at, info.elapsed_s) == ("stopped by hand", 5.0, 3.0)
    project.set_run(run, state=RunState.RUNNING, reason="")
    info = reopened(project).runs[0]
    assert (info.state, info.ended_at, info.reason) == (RunState.RUNNING, None, "")
    assert project.run_policy_state(run) is None


def test_tuning_time_advances_with_each_trial_and_adds_up_over_runs(project: Project) -> None:
    first = project.start_run(RunSettings())
    project.add_trial(new_trial(0, run=first, elapsed_s=4.0))
    project.set_run(first, state=RunState.STOPPED, elapsed_s=5.0)
    second = project.start_run(RunSettings())
    project.add_trial(new_trial(1, run=second, elapsed_s=7.0))
    project.add_trial(new_trial(2, run=second, elapsed_s=6.5))
    snapshot = reopened(project)
    assert [run.elapsed_s for run in snapshot.runs] == [5.0, 2.0]
    assert snapshot.elapsed_s == 7.0


def test_slots_come_back_with_their_scores(project: Project) -> None:
    run = project.start_run(RunSettings())
    slot = SlotInfo(1, run, 2, 3.5, "largest score", {"ucb": [1.0, math.inf], "arm": {"0": 2}})
    assert project.add_slot(slot) == slot
    assert project.add_slot(replace(slot, number=0)).number == 2
    assert reopened(project).slots == (slot, replace(slot, number=2))


def test_untuned_and_reference_latencies_come_back_and_can_be_measured_again(
    project: Project,
) -> None:
    assert reopened(project).untuned_latency_s is None
    project.set_untuned(0.3, {1: 0.1})
    project.set_untuned(0.2, {1: 0.05, 2: 0.15})
    project.set_reference(0.01)
    snapshot = reopened(project)
    assert (snapshot.untuned_latency_s, snapshot.reference_latency_s) == (0.2, 0.01)
    assert [task.untuned_latency_s for task in snapshot.tasks] == [1e-3, 0.05, 0.15]


def test_exports_come_back_with_their_manifests(project: Project) -> None:
    manifest = {"files": {"model.so": "ab"}, "latency_s": 0.1, "inputs": [["x", [1, 3]]]}
    info = project.add_export("/tmp/out", manifest)
    assert info.manifest == manifest
    assert reopened(project).exports == (info,)


def test_text_that_is_not_unicode_is_stored_with_marks_in_its_place(project: Project) -> None:
    bad = b"\xff".decode("utf-8", "surrogateescape")
    stored = project.add_trial(new_trial(0, error=ErrorKind.BUILD_ERROR, error_text=bad))
    assert stored.error_text == "?"
    assert reopened(project).trials == (stored,)


@pytest.mark.parametrize(
    "trial",
    [
        new_trial(9, samples=(math.nan,)),
        new_trial(9, samples=(math.inf,)),
        new_trial(9, elapsed_s=math.nan),
        new_trial(9, build_s=-1.0),
    ],
)
def test_a_number_that_makes_no_sense_is_the_callers_mistake(
    project: Project, trial: Trial
) -> None:
    kept = project.add_trial(new_trial(0))
    with pytest.raises(ValueError, match="cannot store"):
        project.add_trial(trial)
    with pytest.raises(ValueError, match="cannot store"):
        project.set_untuned(math.inf, {})
    with pytest.raises(ValueError, match="cannot store"):
        project.confirm_trial(kept.number, (0.0,))
    snapshot = reopened(project)
    assert snapshot.trials == (kept,)
    assert snapshot.untuned_latency_s is None


def test_an_operator_that_reads_a_later_one_is_not_stored(tmp_path: Path) -> None:
    looped = (replace(OPERATORS[0], inputs=(1,)), OPERATORS[1])
    with pytest.raises(ValueError, match="inputs"):
        new_project(tmp_path / "net.tune", operators=looped)
    assert list(tmp_path.iterdir()) == []


def test_a_project_that_is_open_for_reading_refuses_changes(project: Project) -> None:
    with Project.open(project.path, read_only=True) as reader:
        with pytest.raises(ProjectError, match="reading only"):
            reader.add_trial(new_trial(0))
        with pytest.raises(ProjectError, match="reading only"):
            reader.set_reference(1.0)


def test_a_reader_sees_what_the_writer_adds(project: Project) -> None:
    with Project.open(project.path, read_only=True) as reader:
        run = project.start_run(RunSettings())
        project.set_run(run, state=RunState.RUNNING)
        project.add_trial(new_trial(0, run=run))
        snapshot = reader.snapshot()
    assert len(snapshot.trials) == 1
    assert snapshot.runs[0].state is RunState.RUNNING


def test_closing_twice_is_closing_once(project: Project) -> None:
    project.close()
    project.close()


def test_a_trial_takes_less_than_a_kilobyte_of_the_file(project: Project) -> None:
    before = project.path.stat().st_size
    trials = [new_trial(seed, task=seed % 3) for seed in range(300)]
    assert sum(len(trial.trace) for trial in trials) / len(trials) > 4_500
    for trial in trials:
        project.add_trial(trial)
    assert (project.path.stat().st_size - before) / len(trials) < 1_000


def test_a_trial_that_computes_something_else_has_failed_and_keeps_what_was_measured(
    tmp_path: Path,
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        stored = project.add_trial(new_trial(0))
        right = project.check_trial(stored.number, Check.AGREES)
        assert right == replace(stored, checked=Check.AGREES)
        wrong = project.check_trial(stored.number, None, "It differs: ü \0")
        assert (wrong.error, wrong.checked) == (ErrorKind.WRONG_RESULT, None)
        assert wrong.error_text.startswith("It differs: ü")
        assert wrong.samples == stored.samples
        assert project.trial(stored.number) == wrong
