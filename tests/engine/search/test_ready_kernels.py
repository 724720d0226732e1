"""Kernels that are ready for a task: proposed like schedules, each once, before any search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.jobs.candidates import Provenance, provenance_of
from engine.kernels import ready
from engine.kernels.library import texts
from engine.kernels.marks import text_in, trace_of
from engine.kernels.ready import ready_texts
from engine.records.machine import TargetSpec
from engine.records.task import Task, TensorSpec
from engine.records.trial import Source
from engine.search.task_search import TaskSearch, scheduled_module
from tests.engine.kernels.products import product
from tests.engine.kernels.tasks import CASES, H200, Case
from tests.engine.search.searches import SETTINGS, as_records, results, rounds
from tests.engine.tasks.programs import cpu


def task_of(case: Case) -> Task:
    specs = tuple(map(TensorSpec, case.shapes, case.dtypes))
    return Task(0, "attention", 1, 0.0, "attention", specs, "f" * 64)


def search_of(case: Case) -> TaskSearch:
    import tvm

    workload: Any = tvm.IRModule({"main": case.function()})
    return TaskSearch(task_of(case), workload, H200, replace(SETTINGS, batch=4), 0)


@pytest.mark.parametrize("name", ["merged", "windows"])
def test_each_is_proposed_once_and_then_the_search_is_done(name: str) -> None:
    case, search = CASES[name], search_of(CASES[name])
    search.start()
    wanted = ready_texts(case.function(), H200)
    batches = rounds(search, -(-len(wanted) // 4))
    assert [text_in(item.trace) for batch in batches for item in batch] == wanted
    assert not search.exhausted
    assert search.propose() == [] and search.exhausted


def test_what_is_recorded_is_not_proposed_again() -> None:
    first = search_of(CASES["merged"])
    first.start()
    batches = rounds(first, 2)
    second = search_of(CASES["merged"])
    second.start(as_records(batches))
    known = {item.trace_key for batch in batches for item in batch}
    following = second.propose()
    assert following and known.isdisjoint(item.trace_key for item in following)
    second.learn(results(following))


def test_a_record_of_one_has_the_module_and_the_arguments_of_its_task() -> None:
    import tvm

    case, search = CASES["merged"], search_of(CASES["merged"])
    search.start()
    found = search.propose()[0]
    module = tvm.IRModule({"main": case.function()})
    text, args = scheduled_module(module, found.trace)
    assert text == found.module
    assert args == found.args == task_of(case).args


def test_a_trial_says_which_it_is() -> None:
    search = search_of(CASES["merged"])
    search.start()
    found = search.propose()[0]
    assert provenance_of(found) == Provenance(Source.READY, {"kernel": text_in(found.trace)})
    assert provenance_of(replace(found, trace="[[],[]]")) == Provenance()
    called = provenance_of(replace(found, trace=trace_of("cublaslt 2")))
    assert called == Provenance(Source.LIBRARY, {"kernel": "cublaslt 2"})


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """cuBLASLt lies on this machine."""
    monkeypatch.setattr(ready, "find_library", lambda: Path("libcublasLt.so.13"))


ELSEWHERE = replace(H200, remote="rpc://server:9190/h200")


@pytest.mark.usefixtures("installed")
def test_a_product_is_tried_by_the_librarys_algorithms_and_then_searched() -> None:
    import tvm

    function = product(sizes={"m": 128, "n": 128, "k": 128})
    specs = tuple(TensorSpec((128, 128), dtype) for dtype in ("float16", "float16", "float32"))
    task = Task(0, "matmul", 1, 0.0, "matmul", specs, "f" * 64)
    workload: Any = tvm.IRModule({"main": function})
    search = TaskSearch(task, workload, H200, replace(SETTINGS, batch=8), 0)
    search.start()
    (first,) = rounds(search, 1)
    assert [text_in(item.trace) for item in first] == texts(function)
    assert all(not text_in(item.trace) for item in search.propose())


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("target", [cpu(), ELSEWHERE], ids=["a CPU", "a GPU elsewhere"])
def test_a_library_is_for_gpus_of_this_machine(target: TargetSpec) -> None:
    assert ready_texts(product(), target) == []


def test_a_library_that_is_not_installed_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "find_library", lambda: None)
    assert ready_texts(product(), H200) == []
