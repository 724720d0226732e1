"""What the benchmark of several jobs makes of their stages and latencies."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.machine import TargetSpec
from engine.records.outstanding import StageKind
from engine.records.stage import StageSpan
from tests.benchmarks.jobs import compared, contamination, use_of
from tests.benchmarks.parts.queue_probe import in_turn


def _run(policy: str, makespan_s: float, latency_s: float | None, hurt: float | None) -> Any:
    jobs = [{"tuned_latency_s": latency_s}]
    use = {"device_use": 0.5, "core_use": 0.5, "mean_completion_s": makespan_s}
    return {
        "policy": policy,
        "makespan_s": makespan_s,
        "jobs": jobs,
        "contamination": hurt,
        "contamination_p90": hurt,
        **use,
    }


def test_use_counts_each_second_of_the_device_once_and_leaves_the_probe_out() -> None:
    target = TargetSpec("{}", "cpu x2", "cpu", 2)
    spans = [
        StageSpan(1, 1, StageKind.BUILD, "conv", "", 1, 0.0, 4.0),
        StageSpan(2, 1, StageKind.MEASUREMENT, "conv", "cpu", 2, 4.0, 6.0),
        StageSpan(3, 2, StageKind.MEASUREMENT, "conv", "cpu", 2, 5.0, 7.0),
        StageSpan(4, 2, StageKind.MEASUREMENT, "probe", "cpu", 2, 7.0, 10.0),
        StageSpan(5, 2, StageKind.BUILD, "conv", "", 1, 9.0),
    ]
    use = use_of(spans, target, 0.0, 10.0)
    assert use["device_use"] == pytest.approx(0.3)
    assert use["core_use"] == pytest.approx((4 + 4 + 4) / 20)


def test_contamination_is_what_the_probe_lost_beside_the_jobs() -> None:
    found = contamination([1.0, 1.0, 1.1], [1.0, 1.2, 1.2, 2.0])
    assert found["contamination"] == pytest.approx(0.2)
    assert found["contamination_p90"] == pytest.approx(1.0)
    assert contamination([1.0], [])["contamination"] is None


def test_policies_are_compared_with_the_sequential_one() -> None:
    runs = [
        _run("sequential", 100.0, 1e-3, 0.0),
        _run("interleaved", 50.0, 1.1e-3, None),
        _run("sequential", 120.0, 1e-3, 0.0),
    ]
    made = compared(runs)
    assert made["interleaved"]["speedup"] == pytest.approx(2.2)
    assert made["interleaved"]["latency_ratios"] == pytest.approx([1.1])
    assert made["interleaved"]["contamination"] is None
    assert compared(runs[1:2])["interleaved"]["speedup"] is None


def test_the_probe_goes_round_the_jobs_that_run() -> None:
    jobs: list[str] = []
    turn = in_turn(lambda: jobs)
    assert turn() == ""
    jobs += ["1", "2"]
    assert {turn(), turn()} == {"1", "2"}
