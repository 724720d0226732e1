"""A budget in seconds: what is in flight at its end is ended and given back."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from engine.jobs import devices, starting
from engine.measure import worker_process
from engine.measure.build_pool import BuildPool
from engine.measure.local_runner import LocalRunner
from engine.measure.run_worker import Job, Reply
from engine.measure.runner import BuildRequest, BuildResult
from engine.project.repository import Project
from engine.records.events import Event, RunChanged, Scores, TaskChanged
from engine.records.settings import Budget, RunState
from engine.records.task import TaskState
from tests.engine.jobs.support import QUICK, Console
from tests.engine.measure import hooks

HOUR = 3600.0
SECONDS = replace(
    QUICK, budget=Budget(seconds=2.0), protocol=replace(QUICK.protocol, timeout_s=HOUR)
)


class HangingBuilds(BuildPool):
    """No build ever ends."""

    def __init__(self, workers: int, *, timeout_s: float) -> None:
        super().__init__(workers, timeout_s=HOUR, work=hooks.build_or_misbehave)

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        return super().submit(replace(request, module=hooks.HANG))


class HangingKernels(LocalRunner):
    """No measurement ever ends: its worker stands still."""

    def _ask(self, job: Job) -> Reply:
        worker = self._worker()
        worker.wait_started()
        pid = worker._process.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        return super()._ask(job)


def as_task(event: Event) -> TaskChanged:
    assert isinstance(event, TaskChanged)
    return event


HANGING = {
    "builds": (starting, "BuildPool", HangingBuilds),
    "kernels": (devices, "LocalRunner", HangingKernels),
}


@pytest.mark.parametrize("what", [pytest.param("builds", marks=pytest.mark.long), "kernels"])
def test_what_hangs_at_the_end_of_the_time_is_ended_and_counts_for_nothing(
    what: str, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path)
    monkeypatch.setattr(*HANGING[what])
    monkeypatch.setattr(worker_process, "_LOOK_S", HOUR)  # nobody sees that it stands still
    console.engine.start_run(SECONDS).result(60)
    console.until(lambda event: isinstance(event, RunChanged) and event.state is RunState.RUNNING)
    console.engine.wait().result(120)
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert (last.state, last.reason) == (RunState.FINISHED, "the time is spent")
    with Project.open(path, read_only=True) as project:
        assert project.snapshot().trials == ()
    states = {event.task: event.state for event in map(as_task, console.of(TaskChanged))}
    assert set(states.values()) == {TaskState.WAITING}
    for scores in console.of(Scores):
        assert isinstance(scores, Scores)
        assert scores.trials_per_s == 0
