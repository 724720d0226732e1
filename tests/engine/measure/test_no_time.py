"""A kernel that takes no time by its device's clock: a failed trial with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from engine.measure.run_worker import NO_TIME, Bench, Job, TvmKernel
from engine.measure.runner import RunRequest
from engine.records.trial import ErrorKind
from tests.engine.measure import kernels
from tests.engine.measure.conftest import Library


@pytest.mark.parametrize("in_turns", [False, True])
@pytest.mark.parametrize(
    ("results", "error"), [((0.0,), ErrorKind.RUN_ERROR), ((1e-9,), None), ((3e-6,), None)]
)
def test_a_latency_of_nothing_is_no_latency(
    results: tuple[float, ...],
    error: ErrorKind | None,
    in_turns: bool,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def batch(self: Any, number: int, repeat: int) -> tuple[float, ...]:
        return results * repeat

    monkeypatch.setattr(TvmKernel, "batch", batch)
    request = RunRequest(library(kernels.add()), kernels.ARGS, kernels.QUICK, best_s=1e-6)
    (result,) = Bench("cpu").run(Job((request,), in_turns=in_turns)).results
    assert result.error is error
    assert result.error_text == ("" if error is None else NO_TIME)
    assert bool(result.samples) == (error is None)
