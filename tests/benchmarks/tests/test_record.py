"""Recording a tiny model, stopped on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.allocation.policies.registry import POLICIES
from engine.deploy.bench import BenchResult
from engine.jobs.baseline import Baseline
from engine.project.repository import Project
from engine.records.trial import Measured
from engine.replay.recording_file import load_recording
from tests.benchmarks.parts.record import Fill, record
from tests.engine.allocation.test_board import board
from tests.engine.models.build import conv_relu_model, save


def test_the_policy_fills_every_task_up_and_then_stops() -> None:
    views = board().views()  # one trial each
    assert Fill(Fill.Options(trials=1)).choose(views) is None
    choice = Fill(Fill.Options(trials=2)).choose(views)
    assert choice is not None


@pytest.mark.long
def test_a_recording_goes_on_where_it_stopped_and_keeps_its_search_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = BenchResult({}, (1e-4,), ())
    monkeypatch.setattr("tests.benchmarks.parts.record.peak_flops", lambda spec: 1e11)
    # None of these is in a recording but the tasks' untuned latencies, and they take seconds.
    tuning = "engine.jobs.tuning"
    monkeypatch.setattr(
        f"{tuning}.measure_baseline", lambda _: Baseline(Measured(1e-4), {0: 1e-5, 1: 2e-5})
    )
    monkeypatch.setattr(f"{tuning}.measure_reference", lambda _: Measured(1e-4))
    monkeypatch.setattr(f"{tuning}.measure_module", lambda *_: whole)
    model, out = save(conv_relu_model(), tmp_path / "tiny.onnx"), tmp_path / "tiny.npz"
    known = dict(POLICIES)

    def go_on(trials: int) -> int:
        made = record(str(model), out, target="cpu", trials=trials, seed=1, batch=4)
        return max(len(task.latency_s) for task in made.tasks)

    assert go_on(3) >= 3
    with Project.open(tmp_path / "tiny.tune", read_only=True) as project:
        before = [trial.trace_key for trial in project.snapshot().trials]
    assert go_on(6) >= 6
    with Project.open(tmp_path / "tiny.tune", read_only=True) as project:
        snapshot = project.snapshot()
    assert [trial.trace_key for trial in snapshot.trials][: len(before)] == before
    loaded = load_recording(out)
    assert sum(len(task.latency_s) for task in loaded.tasks) == len(snapshot.trials)
    assert all((task.search_s > 0).all() for task in loaded.tasks)
    assert (loaded.seed, loaded.batch) == (1, 4)
    assert loaded.peak_flops == 1e11
    assert "cores" in loaded.device
    assert known == POLICIES
