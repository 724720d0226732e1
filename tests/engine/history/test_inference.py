"""One inference, kernel by kernel, out of what a project keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.history.figure import schedules_key
from engine.history.history import History
from engine.history.inference import Bound, inference_of
from engine.history.open_project import OpenProject
from engine.records.network import Operator
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import REFERENCE, UNTUNED, RunInfo, Snapshot
from engine.records.task import Task, TensorSpec
from engine.records.trial import Measured, Trial
from tests.samples import make_task, make_trial

DATA, WEIGHTS = TensorSpec((1, 64), "float32"), TensorSpec((64, 64), "float16")
DENSE = Task(0, "dense", 1, 8192.0, "dense", (DATA, WEIGHTS, DATA), "f")
RELU = Task(1, "relu", 1, 64.0, "relu", (DATA, DATA), "g")
OPERATORS = (
    Operator(0, "dense", "dense", 0, (), DATA, 8192.0),
    Operator(1, "concat", "concat", None, (0,), DATA),
    Operator(2, "relu", "relu", 1, (1,), DATA, 64.0),
)
KERNELS = ((0, 3e-6), (2, 1e-6))


def project(measured: dict[str, Measured], trials: tuple[Trial, ...] = ()) -> Snapshot:
    return Snapshot("", "", "", "", (DENSE, RELU), OPERATORS, trials, measured=measured)


def test_kernels_follow_each_other_in_their_order() -> None:
    found = inference_of(project({UNTUNED: Measured(5e-6, kernels=KERNELS)}))
    assert found is not None
    assert [(run.operator, run.name, run.task) for run in found.kernels] == [
        (0, "dense", 0),
        (2, "relu", 1),
    ]
    assert [run.start_s for run in found.kernels] == [0.0, 3e-6]
    assert [found.sum_s, found.gap_s] == pytest.approx([4e-6, 1e-6])
    assert (found.end_s, found.tuned, found.current) == (5e-6, False, True)


def test_a_whole_that_is_faster_than_its_kernels_has_a_gap_below_nothing() -> None:
    found = inference_of(project({UNTUNED: Measured(3e-6, kernels=KERNELS)}))
    assert found is not None
    assert found.gap_s == pytest.approx(-1e-6)
    assert found.end_s == found.sum_s


def test_the_bytes_are_those_of_all_arguments_each_once() -> None:
    found = inference_of(project({UNTUNED: Measured(5e-6, kernels=KERNELS)}))
    assert found is not None
    assert [(run.read_bytes, run.written_bytes) for run in found.kernels] == [
        (256 + 8192, 256),
        (256, 256),
    ]


@pytest.mark.parametrize(
    ("flops_per_s", "bytes_per_s", "bound", "share"),
    [
        (8192e6, 1e12, Bound.ARITHMETIC, 1e-6 / 3e-6),
        (1e15, 8704e6, Bound.MEMORY, 1e-6 / 3e-6),
        (8192e6, None, Bound.ARITHMETIC, 1e-6 / 3e-6),
        (None, 8704e6, Bound.MEMORY, 1e-6 / 3e-6),
        (None, None, None, None),
        (1e15, 870.4e6, Bound.MEMORY, 1e-5 / 3e-6),  # the cache is faster than the memory
    ],
)
def test_the_peak_that_is_nearer_tells_the_share(
    flops_per_s: float | None, bytes_per_s: float | None, bound: Bound | None, share: float | None
) -> None:
    snapshot = project({UNTUNED: Measured(5e-6, kernels=KERNELS)})
    found = inference_of(snapshot, None, flops_per_s, bytes_per_s)
    assert found is not None
    assert found.kernels[0].bound is bound
    assert found.kernels[0].share == (None if share is None else pytest.approx(share))


def test_nothing_is_told_of_a_kernel_that_does_no_arithmetic_where_memory_is_unknown() -> None:
    operators = (replace(OPERATORS[0], flops=0.0), *OPERATORS[1:])
    snapshot = replace(project({UNTUNED: Measured(5e-6, kernels=KERNELS)}), operators=operators)
    found = inference_of(snapshot, None, 1e12, None)
    assert found is not None
    assert found.kernels[0].share is None


def test_the_schedules_of_now_go_before_earlier_ones_and_those_before_none() -> None:
    untuned, old = Measured(9e-6, at=9.0, kernels=KERNELS), Measured(7e-6, at=1.0, kernels=KERNELS)
    newer = replace(old, latency_s=6e-6, at=2.0)
    tuned = project({}, (make_trial(1, 0, 1e-6),))
    tuned = replace(tuned, tasks=(make_task(0, "dense", 3e-6), make_task(1, "relu", 1e-6)))
    key = schedules_key(History(tuned))
    assert key != UNTUNED

    def shown(**measured: Measured) -> tuple[float, bool, bool]:
        found = inference_of(replace(tuned, measured=measured))
        assert found is not None
        return found.measured.latency_s, found.tuned, found.current

    assert shown(untuned=untuned) == (9e-6, False, False)
    assert shown(untuned=untuned, old=old, newer=newer) == (6e-6, True, False)
    assert shown(**{"untuned": untuned, "newer": newer, key: old}) == (7e-6, True, True)


def test_a_run_that_found_nothing_faster_leaves_the_untuned_kernels() -> None:
    run = RunInfo(1, RunState.FINISHED, RunSettings(), 1.0, 2.0, trials=1, tuned_latency_s=5e-6)
    snapshot = project({UNTUNED: Measured(5e-6, kernels=KERNELS)})
    for known in (replace(snapshot, runs=(run,)), OpenProject(replace(snapshot, runs=(run,))).head):
        found = inference_of(known)
        assert found is not None
        assert found.current


@pytest.mark.parametrize(
    "measured",
    [
        {},
        {UNTUNED: Measured(1.0)},
        {REFERENCE: Measured(1.0, kernels=KERNELS)},
        {UNTUNED: Measured(1.0, kernels=((3, 1.0), (99, 1.0)))},
    ],
)
def test_without_kernels_of_the_model_there_is_no_inference(measured: dict[str, Measured]) -> None:
    assert inference_of(project(measured)) is None


def test_operators_and_tasks_that_are_not_there_are_passed_over() -> None:
    operators = (*OPERATORS[:2], replace(OPERATORS[2], task=7))
    measured = {UNTUNED: Measured(5e-6, kernels=((0, 3e-6), (2, 1e-6), (5, 1e-6)))}
    found = inference_of(replace(project(measured), operators=operators))
    assert found is not None
    assert [run.task for run in found.kernels] == [0, None]
    assert found.kernels[1].written_bytes == 256
