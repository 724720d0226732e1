"""Scheduled kernels take their weights as the task does, and agree with the untuned one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.measure.build_worker import build_candidate
from engine.measure.run_worker import Bench, Job
from engine.measure.runner import BuildRequest, RunRequest
from engine.records.trial import ErrorKind
from engine.search.task_search import TaskSearch
from engine.tasks.comparable import comparison_of
from tests.engine.measure import kernels
from tests.engine.search.searches import SETTINGS
from tests.engine.tasks.programs import network

RECTIFIED = ["conv_bias_relu", "transposed_conv", "dense"]
NETWORKS = [*RECTIFIED, "depthwise", "attention", "pools", "half"]
NETWORKS += ["quantised", "integers", "split"]
FAULT = ('"prim.Max"', '"prim.Min"')


def built(module: str, path: Path) -> str:
    result = build_candidate(BuildRequest(module, kernels.target(), str(path), whole=True))
    assert result.artifact is not None, result.error_text
    return result.artifact


@pytest.mark.parametrize("name", NETWORKS)
def test_schedules_agree_with_the_untuned_kernel_and_no_more_where_they_are_changed(
    name: str, tmp_path: Path
) -> None:
    program = network(name).program
    bench, spoilt = Bench("cpu"), 0
    for task, workload in zip(program.tasks, program.workloads, strict=True):
        comparison = comparison_of(workload)
        assert comparison is not None
        search = TaskSearch(task, workload, program.target, SETTINGS, 0)
        search.start()
        texts = [task.workload, *(one.module for one in search.propose()[:3])]
        wrong = [text.replace(*FAULT) for text in texts[1:2] if FAULT[0] in text]
        paths = [tmp_path / f"{task.index}-{place}.so" for place in range(len(texts + wrong))]
        libraries = [built(text, path) for text, path in zip(texts + wrong, paths, strict=True)]
        requests = tuple(RunRequest(one, task.args, kernels.QUICK) for one in libraries)
        results = bench.run(Job(requests, comparison=comparison)).results
        assert [one.error for one in results[: len(texts)]] == [None] * len(texts)
        assert all(one.error is ErrorKind.WRONG_RESULT for one in results[len(texts) :])
        spoilt += len(wrong)
    assert spoilt or name not in RECTIFIED
