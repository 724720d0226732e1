"""One task's search: repeatable, never twice the same, and unimpressed by failures."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import subprocess
import sys
from typing import Any

import pytest

from engine.records.errors import TuningError
from engine.search.task_search import (
    TaskSearch,
    apply_trace,
    scheduled_module,
    trace_json,
)
from tests.engine.search.searches import (
    Records,
    as_records,
    find_task,
    keys,
    make_search,
    proposals,
    results,
    rounds,
)
from tests.engine.tasks.programs import network

KINDS = [
    ("dense", "matmul"),
    ("dense", "matmul_add_relu"),
    ("residual", "conv2d_add_relu"),
    ("depthwise", "conv2d"),
    ("attention", "softmax"),
    ("pools", "mean"),
    ("concat", "relu_concatenate"),
    ("split", "split"),
    ("quantised", "strided_slice_isnan_argmax_maximum_minimum_where"),
    ("scan_and_dense", "topk"),
]


def started(records: Records | None = None, **options: Any) -> TaskSearch:
    """A search that has started."""
    search = make_search(**options)
    search.start(records or [])
    return search


# Proposals


@pytest.mark.parametrize(("name", "op_class"), KINDS)
def test_candidates_are_complete_and_distinct(name: str, op_class: str) -> None:
    search = started(name=name, op_class=op_class)
    found = [item for batch in rounds(search, 2) for item in batch]
    assert found
    assert len({item.trace_key for item in found}) == len(found)
    assert len({item.module for item in found}) == len(found)
    for item in found:
        assert item.trace_key == hashlib.sha256(item.trace.encode()).hexdigest()
        assert len(item.args) == len(find_task(name, op_class).args)
        assert json.loads(item.module)


def test_the_same_seed_and_outcomes_give_the_same_proposals_in_another_process() -> None:
    code = (
        "import json; from tests.engine.search.searches import proposals; "
        "print(json.dumps(proposals(seed=5)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = proposals(seed=5)
    assert json.loads(done.stdout.splitlines()[-1]) == ours
    assert sum(map(len, ours)) > 12  # more than the cost model's warm-up


def test_another_seed_gives_other_proposals() -> None:
    assert proposals(seed=1, count=1) != proposals(seed=2, count=1)


def test_prepacked_arguments_have_the_shapes_that_the_schedule_wants() -> None:
    task = find_task("dense", "matmul_add_relu")
    found = rounds(started(name="dense", op_class="matmul_add_relu"), 2)
    packed = [item.args[1].shape for batch in found for item in batch]
    assert any(shape != task.args[1].shape for shape in packed)
    assert all(math.prod(shape) == 32 * 64 for shape in packed)
    for batch in found:
        for item in batch:
            assert item.args[0] == task.args[0]
            assert item.args[-1] == task.args[-1]


# Ends


@pytest.mark.parametrize("op_class", ["relu_concatenate"])
def test_a_space_with_one_schedule_ends(op_class: str) -> None:
    search = started(name="concat", op_class=op_class)
    batch = search.propose()
    assert len(batch) == 1
    assert not search.exhausted
    search.learn(results(batch))
    assert search.propose() == []
    assert search.exhausted
    assert search.propose() == []


def test_a_space_ends_also_where_no_result_came() -> None:
    search = started(name="concat", op_class="relu_concatenate")
    search.propose()
    assert search.propose() == []


def test_a_space_that_earlier_records_exhausted_has_nothing_left() -> None:
    batch = started(name="concat", op_class="relu_concatenate").propose()
    search = started(as_records([batch]), name="concat", op_class="relu_concatenate", seed=9)
    assert search.propose() == []
    assert search.exhausted


# Records


@pytest.mark.parametrize("seed", [0, 3])
def test_replayed_records_are_never_proposed_again(seed: int) -> None:
    import tvm
    import tvm_ffi

    def modules(batches: list[list[Any]]) -> set[int]:
        loaded = [tvm.ir.load_json(item.module) for batch in batches for item in batch]
        return {int(tvm_ffi.structural_hash(module)) for module in loaded}

    before = rounds(started(), 2)
    after = rounds(started(as_records(before), seed=seed), 2)
    assert sum(map(len, after)) > 4
    assert modules(before).isdisjoint(modules(after))


def test_a_resumed_search_is_repeatable_too() -> None:
    records = as_records([started().propose()])
    first, again = (keys(rounds(started(records), 2)) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("trace", ["", "{}", "[[], []]", '[[["Nonsense",[],[],[]]],[]]', "null"])
def test_a_record_that_does_not_replay_is_skipped_with_a_warning(
    trace: str, caplog: pytest.LogCaptureFixture
) -> None:
    foreign = started(name="attention", op_class="softmax").propose()[0].trace
    good = as_records([started().propose()])
    with caplog.at_level(logging.WARNING, "engine.search.task_search"):
        search = started([(trace, (1e-3,)), *good, (foreign, (1e-3,))])
    assert caplog.text.count("does not replay") in (1, 2)  # an empty trace may well apply
    assert search.propose()


def test_only_a_replayed_records_error_matters_where_it_failed() -> None:
    failed: Records = [(trace, ()) for trace, _ in as_records(rounds(started(), 2))]
    search = started(failed)
    assert search.propose()


# Learning


@pytest.mark.parametrize("samples", [(), (math.inf, math.nan, 0.0, -1.0), (1e-3, math.inf)])
def test_a_search_in_which_everything_fails_goes_on(
    samples: tuple[float, ...], caplog: pytest.LogCaptureFixture
) -> None:
    search = started()
    with caplog.at_level(logging.WARNING, "engine.search"):
        for _ in range(3):
            search.learn([(item, samples) for item in search.propose()])
    assert search.propose()
    assert caplog.text == ""


def test_a_part_of_a_batch_may_be_learnt_from_or_none() -> None:
    search = started()
    search.learn(results(search.propose())[:1])
    search.learn([])
    assert search.propose()


def test_a_trained_model_prefers_what_was_fast() -> None:
    search = started()
    batches = rounds(search, 4)
    candidates = [item.handle for batch in batches for item in batch]
    predicted = search._model.predict(search._context, candidates)
    assert len(set(map(float, predicted))) > 4


def test_a_cost_model_that_fails_costs_no_search(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    search = started()
    batch = search.propose()

    class Broken:
        def update(self, *_: object) -> None:
            raise RuntimeError("no features")

    monkeypatch.setattr(search, "_model", Broken())
    with caplog.at_level(logging.WARNING, "engine.search.task_search"):
        search.learn(results(batch))
    assert "did not learn: no features" in caplog.text
    assert search.propose()


def test_a_task_that_tvm_cannot_schedule_says_so_in_a_sentence() -> None:
    with pytest.raises(TuningError) as caught:
        started(name="scatter", op_class="scatter_nd").propose()
    assert caught.value.what.startswith("TVM finds no schedule for scatter_nd: ")
    assert "\n" not in caught.value.what
    assert caught.value.todo


def test_a_design_space_that_fails_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no rule")

    monkeypatch.setattr("engine.search.task_search.space_generator", fail)
    with pytest.raises(TuningError, match="no schedule for matmul: no rule"):
        started()


# Traces


@pytest.mark.parametrize(("name", "op_class"), KINDS)
def test_a_trace_survives_storage_as_text(name: str, op_class: str) -> None:
    import tvm
    import tvm_ffi

    found = network(name).program
    workload = found.workloads[find_task(name, op_class).index]
    for item in started(name=name, op_class=op_class).propose():
        stored = json.loads(json.dumps({"trace": item.trace}))["trace"]
        schedule = apply_trace(workload, stored)
        assert tvm_ffi.structural_equal(schedule.mod, item.handle.sch.mod)
        assert tvm_ffi.structural_equal(tvm.ir.load_json(item.module), schedule.mod)
        assert trace_json(schedule.trace) == item.trace
        module, args = scheduled_module(workload, stored)
        assert args == item.args
        assert tvm_ffi.structural_equal(tvm.ir.load_json(module), schedule.mod)


def test_a_trace_of_another_class_does_not_apply() -> None:
    found = network("dense").program
    trace = started(name="attention", op_class="softmax").propose()[0].trace
    with pytest.raises(RuntimeError):
        apply_trace(found.workloads[0], trace)
