"""Jobs of a queue on boards whose servers are killed for good, and started again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partialmethod
from pathlib import Path

import pytest

from engine.measure.remote.rpc_runner import RpcRunner
from engine.project.repository import Project
from engine.queueing import job_run
from engine.queueing.api import JobQueue
from engine.records.job import JobState, QueuedJob
from engine.records.settings import Budget, RunState
from engine.records.source import ModelSource
from engine.records.trial import ErrorKind
from tests.engine.jobs.support import QUICK
from tests.engine.measure.rpc_lab import Lab
from tests.engine.models.build import conv_relu_model, save

PATIENCE_S = 200.0


def until(queue: JobQueue, seen: Callable[[QueuedJob], bool]) -> QueuedJob:
    """The first job, once it is so."""
    end = time.monotonic() + PATIENCE_S
    while True:
        (job,) = queue.snapshot().result(30).jobs
        if seen(job):
            return job
        assert time.monotonic() < end and not job.state.over, (job.state, job.message)
        time.sleep(0.05)


@pytest.mark.long
def test_a_job_waits_for_its_board_whose_server_was_killed_and_goes_on_when_it_is_back(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    brief = partialmethod(RpcRunner.__init__, wait_s=2.0, return_s=0.5, context=lab.context)
    monkeypatch.setattr(RpcRunner, "__init__", brief)
    monkeypatch.setattr(job_run, "_LOOK_S", 0.5)
    served, path = lab.serve("lost"), tmp_path / "tiny.tune"
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    queue = JobQueue(path=tmp_path / "queue.db")
    queue.start().result(30)
    try:
        settings = replace(QUICK, budget=Budget(trials=24), finalists=1)
        source = ModelSource("file", str(model))
        target = str(lab.address("lost"))
        queue.add(source, project=path, target=target, settings=settings).result(30)
        queue.run().result(30)
        until(queue, lambda job: bool(job.progress))
        served.close()
        away = until(queue, lambda job: job.message.startswith("Waits for its device."))
        assert away.state is JobState.PREPARING and away.run == 1
        again = lab.serve("lost")
        queue.wait().result(PATIENCE_S)
        (job,) = queue.snapshot().result(30).jobs
    finally:
        queue.close()
    assert (job.state, job.run) == (JobState.FINISHED, 1), job.message
    with Project.open(path, read_only=True) as project:
        (run,), trials = project.snapshot().runs, project.snapshot().trials
    assert run.state is RunState.FINISHED and run.tuned_latency_s
    assert len(trials) == 24
    lost = [trial for trial in trials if trial.error is not None]
    assert {trial.error for trial in lost} == {ErrorKind.DEVICE_LOST} and len(lost) <= 8
    again.close()
