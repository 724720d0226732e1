"""Which operator's kernel a profile's step is, and that its times are kept with the latency."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.jobs.baseline import kernel_times
from engine.jobs.verifying.whole import keep_measured
from engine.records.events import Event
from engine.records.trial import Measured
from engine.tasks.dataflow import Dataflow, Step
from tests.engine.project.support import new_project

NAMES = ("conv", "conv", "concat", "relu", "concat", "conv")
GOOD = Measured(4e-3, 1e-6, 0.0, at=1.0)
BAD = replace(GOOD, latency_s=9e-3, load=0.9, at=2.0)
KERNELS = ((0, 1e-3), (1, 2e-3))


def program(*names: str) -> Any:
    steps = [Step(name, (), ()) for name in names]
    return SimpleNamespace(dataflow=Dataflow(steps=steps))


@pytest.mark.parametrize(
    ("timed", "operators"),
    [
        (NAMES, (0, 1, 2, 3, 4, 5)),
        (("conv", "conv_into_1x8_1_4", "relu", "concat", "conv"), (0, 1, 3, 4, 5)),
        (("conv_into_1x8_1_0", "conv_into_1x8_1_4", "concat", "relu", "conv"), (0, 1, 2, 3, 5)),
        (("conv_prepacked", "conv_prepacked1", "concat", "relu", "conv"), (0, 1, 2, 3, 5)),
        (("conv_prepacked_into_1x8_1_0", "conv", "relu", "concat", "conv"), (0, 1, 3, 4, 5)),
        ((), ()),
        (("conv", "merged_conv", "relu"), ()),
        ((*NAMES, "conv"), ()),
    ],
)
def test_each_kernel_is_that_of_its_operator_where_some_have_nothing_to_do(
    timed: tuple[str, ...], operators: tuple[int, ...]
) -> None:
    steps = [(name, float(place)) for place, name in enumerate(timed)]
    found = kernel_times(program(*NAMES), steps)
    assert tuple(operator for operator, _ in found) == operators
    assert [seconds for _, seconds in found] == [float(place) for place in range(len(operators))]


@pytest.mark.parametrize(
    ("first", "second", "latency_s", "kernels"),
    [
        (replace(GOOD, kernels=KERNELS), GOOD, 4e-3, KERNELS),
        (GOOD, replace(BAD, kernels=KERNELS), 4e-3, ()),
        (replace(GOOD, kernels=KERNELS), replace(BAD, kernels=((0, 9.0),)), 4e-3, KERNELS),
        (BAD, replace(GOOD, kernels=KERNELS), 4e-3, KERNELS),
        (replace(BAD, kernels=KERNELS), GOOD, 4e-3, ()),
        (replace(BAD, kernels=KERNELS), replace(BAD, latency_s=8e-3), 8e-3, ()),
        (replace(BAD, kernels=KERNELS), replace(BAD, latency_s=10e-3), 9e-3, KERNELS),
        (GOOD, BAD, 4e-3, ()),
    ],
)
def test_kernels_stay_with_the_latency_of_their_schedules(
    tmp_path: Path,
    first: Measured,
    second: Measured,
    latency_s: float,
    kernels: tuple[tuple[int, float], ...],
) -> None:
    told: list[Event] = []
    with new_project(tmp_path / "a.tune") as project:
        for found in (first, second):
            kept = keep_measured(project, told.append, "key", found)
        assert (kept.latency_s, kept.kernels) == (latency_s, kernels)
        assert project.snapshot().measured["key"] == kept
