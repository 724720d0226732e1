"""Trials of GPUs remember that their calls were in a graph; older ones are told apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.jobs import devices
from engine.jobs.tuning import timed_otherwise
from engine.measure.local_runner import LocalRunner, Results
from engine.measure.run_worker import Job
from engine.records.machine import TargetSpec
from engine.records.settings import Budget
from engine.records.trial import ErrorKind, Trial
from engine.targets.targets import resolve
from tests.engine.jobs.support import QUICK, Console

GPU = TargetSpec('{"kind": "cuda", "arch": "sm_90"}', "cuda NVIDIA H200", "cuda:0", 8)


class InGraphs(LocalRunner):
    """Measures as a GPU would, by what it says."""

    def _measure(self, job: Job) -> Results:
        return tuple(replace(result, in_graph=True) for result in super()._measure(job))


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
