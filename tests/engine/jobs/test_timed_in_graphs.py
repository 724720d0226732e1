"""Trials of GPUs remember that their calls were in a graph; older ones are told apart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.history.open_project import OpenProject
from engine.jobs import devices, tuning
from engine.jobs.measuring import launch_floor
from engine.jobs.tuning import timed_otherwise
from engine.measure.local_runner import LocalRunner, Results
from engine.measure.run_worker import Job
from engine.measure.runner import BuildResult, RunResult
from engine.project.repository import Project
from engine.records.events import TaskChanged
from engine.records.machine import TargetSpec
from engine.records.outstanding import Outstanding
from engine.records.settings import Budget
from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Trial
from engine.records.words import AT_FLOOR
from engine.targets.targets import resolve
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import two_convs_model

GPU = TargetSpec('{"kind": "cuda", "arch": "sm_90"}', "cuda NVIDIA H200", "cuda:0", 8)


class InGraphs(LocalRunner):
    """Measures as a GPU would, by what it says."""

    def _measure(self, job: Job) -> Results:
        return tuple(replace(result, in_graph=True) for result in super()._measure(job))


@pytest.mark.long
@pytest.mark.parametrize("runner", [LocalRunner, InGraphs])
def test_a_trial_says_whether_its_calls_were_in_a_graph(
    runner: type[LocalRunner], console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.open(tmp_path)
    monkeypatch.setattr(devices, "LocalRunner", runner)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=2))).result(60)
    console.engine.wait().result(200)
    trials = console.engine.snapshot().result(10).trials
    assert {trial.protocol.get("in_graph") for trial in trials if trial.samples} == {
        True if runner is InGraphs else None
    }


def trial(protocol: dict[str, Any], **changes: Any) -> Trial:
    return replace(Trial(1, 0, "", "", (1e-6,), protocol=protocol), **changes)


OLD, NEW = trial({"warmup": 2}), trial({"warmup": 2, "in_graph": True})
FAILED = replace(OLD, samples=(), error=ErrorKind.RUN_ERROR)


@pytest.mark.parametrize(
    ("trials", "target", "told"),
    [
        ([], GPU, False),
        ([NEW, FAILED], GPU, False),
        ([NEW, OLD], GPU, True),
        ([NEW, OLD], replace(GPU, remote="rpc://tracker:9190/h200"), False),
        ([OLD], resolve("cpu"), False),
    ],
)
def test_a_gpus_trials_of_before_are_told_apart(
    trials: list[Trial], target: TargetSpec, told: bool
) -> None:
    assert timed_otherwise(trials, target) is told


# The launch's floor


@pytest.mark.parametrize(
    ("target", "here", "result", "floor_s"),
    [
        (GPU, True, RunResult((2e-6, 1e-6, 3e-6), 0.1, in_graph=True), 2e-6),
        (GPU, True, RunResult((2e-6,), 0.1), None),
        (GPU, True, RunResult((), 0.1, error=ErrorKind.RUN_ERROR), None),
        (GPU, False, RunResult((2e-6,), 0.1, in_graph=True), None),
        (resolve("cpu"), True, RunResult((2e-6,), 0.1, in_graph=True), None),
    ],
)
def test_the_floor_is_the_shortest_kernel_timed_as_trials_are(
    target: TargetSpec, here: bool, result: RunResult, floor_s: float | None
) -> None:
    @asynccontextmanager
    async def held(*_: Any, **__: Any) -> AsyncIterator[None]:
        yield

    def done(value: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(value)
        return future

    context = SimpleNamespace(
        model=SimpleNamespace(program=SimpleNamespace(target=target)),
        build_target="",
        artifacts=SimpleNamespace(fresh=lambda suffix: "1.so"),
        settings=QUICK,
        building=held,
        stage=held,
        needs_run=lambda *_, **__: None,
        outstanding=Outstanding(),
        builder=SimpleNamespace(submit=lambda request: done(BuildResult("1.so", 0.1))),
        runner=SimpleNamespace(
            is_here=here,
            reserve=lambda task: "",
            release=lambda place: None,
            submit=lambda request: done(result),
        ),
    )
    assert asyncio.run(launch_floor(cast(Any, context))) == floor_s


def test_a_task_at_the_floor_gets_no_slots_and_the_window_is_told_why(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path, two_convs_model(32, 48))
    console.engine.close_project().result(60)
    with Project.open(path) as project:
        short, *others = [task.index for task in project.snapshot().tasks]
        project.set_untuned(2.0, {short: 1e-12} | dict.fromkeys(others, 1.0))
    console.engine.open_project(path).result(60)

    async def floor(_: object) -> float:
        return 1e-12

    monkeypatch.setattr(tuning, "launch_floor", floor)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=4))).result(60)
    console.engine.wait().result(200)
    snapshot = console.engine.snapshot().result(10)
    assert {trial.task for trial in snapshot.trials} <= set(others) and snapshot.trials
    changes = [event for event in console.of(TaskChanged) if isinstance(event, TaskChanged)]
    told = [event for event in changes if event.reason == AT_FLOOR]
    assert [(event.task, event.state) for event in told] == [(short, TaskState.FINISHED)]
    history = OpenProject(snapshot).history
    history.apply(told)
    assert history.why(short) == AT_FLOOR
