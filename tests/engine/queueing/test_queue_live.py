"""Two small jobs on this machine's CPU, side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.measure.build_cache import BuildCache
from engine.measure.runner import BuildRequest, BuildResult
from engine.project.repository import Project
from engine.queueing.api import JobQueue
from engine.records.errors import UsageError
from engine.records.events import QueueChanged, SpansChanged
from engine.records.job import JobState
from engine.records.outstanding import StageKind
from engine.records.settings import Budget
from engine.records.source import ModelSource
from tests.engine.jobs.support import QUICK
from tests.engine.models.build import conv_relu_model, save


@pytest.mark.long
def test_two_jobs_are_tuned_at_once_and_no_measurement_has_company(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    queue = JobQueue(path=tmp_path / "queue.db")
    queue.start().result(30)
    try:
        settings = replace(QUICK, budget=Budget(trials=2), finalists=1, policy="round-robin")
        for name in "ab":
            model = save(conv_relu_model(), tmp_path / f"{name}.onnx")
            source = ModelSource("file", str(model))
            queue.add(source, target="cpu", settings=settings).result(30)
        queue.run().result(30)
        with pytest.raises(UsageError, match="runs"):
            queue.remove(1).result(30)
        queue.wait().result(400)
        found = queue.snapshot().result(30)
    finally:
        queue.close()
    assert not found.running
    assert [job.state for job in found.jobs] == [JobState.FINISHED] * 2
    for job in found.jobs:
        assert job.best_s and job.untuned_s and job.progress == 1.0
        with Project.open(job.project, read_only=True) as project:
            assert len(project.snapshot().trials) == 2
    told = queue.events.drain()
    assert any(isinstance(event, QueueChanged) and event.running for event in told)
    of_stages = [event for event in told if isinstance(event, SpansChanged)]
    spans = {span.number: span for event in of_stages for span in event.spans}.values()
    assert {span.job for span in spans} == {1, 2}
    measured = [span for span in spans if span.kind == StageKind.MEASUREMENT]
    assert measured and all(span.lane == "cpu" for span in measured)
    for span in measured:
        assert span.until_s is not None
        for other in spans:
            assert other.until_s is not None
            apart = other.until_s <= span.since_s or other.since_s >= span.until_s
            assert apart or other is span


@pytest.mark.long
def test_what_one_job_built_another_job_of_the_queue_does_not_build_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found: list[bool] = []
    find = BuildCache.find

    def watched(self: BuildCache, request: BuildRequest) -> BuildResult | None:
        result = find(self, request)
        found.append(result is not None)
        return result

    monkeypatch.setattr(BuildCache, "find", watched)
    queue = JobQueue(path=tmp_path / "queue.db")
    queue.start().result(30)
    try:
        queue.set_limit(1).result(30)
        settings = replace(QUICK, budget=Budget(trials=4), finalists=0, policy="round-robin")
        for name in "ab":
            model = save(conv_relu_model(), tmp_path / f"{name}.onnx")
            source = ModelSource("file", str(model))
            queue.add(source, target="cpu", settings=settings).result(30)
        queue.run().result(30)
        queue.wait().result(400)
    finally:
        queue.close()
    traces = []
    for name in "ab":
        with Project.open(tmp_path / f"{name}.tune", read_only=True) as project:
            traces.append({trial.trace_key for trial in project.snapshot().trials})
    assert traces[0] & traces[1]
    assert not any(found[:4]) and sum(found) >= len(traces[0] & traces[1])
