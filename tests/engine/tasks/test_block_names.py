"""Blocks' names: plain ones, and those that a stored project's traces go by."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tasks.block_names import (
    block_names,
    plain_names,
    with_block_names,
    with_names_of,
    with_plain_names,
)

names_of_blocks = st.from_regex(r"\A[A-Za-z_]\w{0,12}\Z")


def two_sums(inner: str) -> Any:
    """A module whose first block has this name."""
    import tvm
    from tvm import te

    given = te.placeholder((4, 8), name="given")
    axis = te.reduce_axis((0, 8), name="axis")
    total = te.compute((4,), lambda row: te.sum(given[row, axis], axis), name=inner)
    doubled = te.compute((4,), lambda row: total[row] + total[row], name="doubled")
    func = te.create_prim_func([given, doubled])
    return tvm.IRModule({"main": func.with_attr("global_symbol", "main")})


def text_of(module: Any) -> str:
    import tvm

    return str(tvm.ir.save_json(module))


def test_names_are_read_and_given_and_nothing_else_changes() -> None:
    import tvm
    import tvm_ffi

    module = two_sums("lv7_red")
    names = block_names(text_of(module))
    assert sorted(names) == ["doubled", "lv7_red", "root"]
    changed = tvm.ir.load_json(with_block_names(text_of(module), [f"n_{name}" for name in names]))
    assert block_names(text_of(changed)) == [f"n_{name}" for name in names]
    assert tvm_ffi.structural_hash(changed) == tvm_ffi.structural_hash(module)


def test_equal_workloads_of_two_models_have_equal_names() -> None:
    ours, theirs = (with_plain_names(two_sums(name)) for name in ("lv21_red", "node6x7_red"))
    assert block_names(text_of(ours)) == block_names(text_of(theirs))
    plain = two_sums("T_softmax_expsum")
    assert with_plain_names(plain) is plain


def test_traces_of_a_stored_workload_apply_to_the_one_that_takes_its_names() -> None:
    from tvm.s_tir import Schedule
    from tvm.s_tir.schedule import ScheduleError

    from engine.search.task_search import apply_trace, trace_json

    stored, fresh = two_sums("lv114_red"), two_sums("x_red")
    schedule = Schedule(stored)
    loop = schedule.get_loops(schedule.get_sblock("lv114_red", "main"))[0]
    schedule.split(loop, [2, 2])
    trace = trace_json(schedule.trace)
    with pytest.raises(ScheduleError):
        apply_trace(fresh, trace)
    assert apply_trace(with_names_of(fresh, text_of(stored)), trace).mod is not None
    assert with_names_of(fresh, text_of(fresh)) is fresh


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{}",
        '{"nodes": 3}',
        '{"nodes": [{"type": "s_tir.SBlock", "data": {"name_hint": 9}}]}',
        '{"nodes": [{"type": "s_tir.SBlock", "data": {"name_hint": "only_one"}}]}',
        '{"nodes": [{"type": "s_tir.SBlock", "data": null}]}',
        '{"root_index": 0, "nodes": [{"type": "s_tir.SBlock", "data": {"name_hint": 9}}]}',
        '{"root_index": 0, "nodes": [{"type": "s_tir.SBlock", "data": null}]}',
        "[" * 50_000,
    ],
)
def test_what_a_stranger_stored_is_left_where_it_does_not_fit(stored: str) -> None:
    module = two_sums("x_red")
    assert with_names_of(module, stored) is module


@given(st.lists(names_of_blocks, min_size=3, max_size=3))
def test_names_that_are_given_are_those_that_are_read(names: list[str]) -> None:
    block: dict[str, Any] = {"type": "s_tir.SBlock"}
    graph = {
        "root_index": 0,
        "nodes": [{**block, "data": {"name_hint": f"b{i}"}} for i in range(3)],
    }
    assert block_names(with_block_names(json.dumps(graph), names)) == names


@given(st.lists(names_of_blocks, max_size=6))
def test_plain_names_are_as_many_and_all_different(names: list[str]) -> None:
    plain = plain_names(names)
    assert len(plain) == len(names) == len(set(plain))
