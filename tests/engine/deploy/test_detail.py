"""A trial's schedule as text."""

from __future__ import annotations

import pytest

from engine.deploy.detail import describe
from engine.records.errors import TuningError
from tests.engine.search.searches import find_task, make_search
from tests.engine.tasks.programs import cpu


def first_trace(name: str, op_class: str) -> str:
    """What a search proposes first."""
    search = make_search(name, op_class)
    search.start()
    return search.propose()[0].trace


@pytest.mark.parametrize(
    ("name", "op_class"),
    [("dense", "matmul_add_relu"), ("split", "split"), ("scan_and_dense", "cumsum")],
)
def test_a_schedule_is_shown_as_trace_tensorir_and_assembly(name: str, op_class: str) -> None:
    task = find_task(name, op_class)
    texts = describe("It", task.workload, first_trace(name, op_class), cpu().text)
    assert set(texts) == {"trace", "tir", "source"}
    assert "sch." in texts["trace"]
    assert "def main(" in texts["tir"]
    assert ".globl" in texts["source"]
    assert len(texts["source"].splitlines()) <= 3000


@pytest.mark.parametrize("trace", ["", "nonsense", "{}", "[[], []]x"])
def test_a_trace_that_is_damaged_is_refused_with_a_sentence(trace: str) -> None:
    with pytest.raises(TuningError) as caught:
        describe("Trial 7", find_task("dense", "matmul").workload, trace, cpu().text)
    assert caught.value.what == "Trial 7 cannot be shown: the trace is damaged."
    assert caught.value.todo


def test_a_trace_of_another_task_is_refused_with_a_sentence() -> None:
    trace = first_trace("attention", "softmax")
    with pytest.raises(TuningError, match="cannot be shown"):
        describe("Trial 7", find_task("dense", "matmul").workload, trace, cpu().text)


@pytest.mark.parametrize(("workload", "target"), [("", None), ("{}", None), (None, "{}")])
def test_damaged_data_is_refused_with_a_sentence(workload: str | None, target: str | None) -> None:
    task = find_task("concat", "relu_concatenate")
    trace = first_trace("concat", "relu_concatenate")
    given = task.workload if workload is None else workload
    with pytest.raises(TuningError, match="cannot be shown"):
        describe("It", given, trace, target or cpu().text)
