"""Which sets are candidates, and that every kernel that splits gives each member its part."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ios.likely_merges import likely_merges
from engine.ios.merge_sets import PER_INPUT, candidate_sets
from engine.ios.merging_rules import OperatorFacts, can_merge
from engine.ios.split_kernel import gpu_lines, split_kernel
from engine.records.network import Operator
from engine.records.task import Task, TensorSpec

SIZE = (8, 8)
POINT = OperatorFacts("conv2d", (0,), size=SIZE, output_size=SIZE)
WIDE = replace(POINT, kernel=(3, 3), padding=((1, 1), (1, 1)))
MATMUL = OperatorFacts("matmul", (0,))


def test_all_subsets_of_a_few_operators_are_candidates_and_no_set_of_two_inputs() -> None:
    facts = {1: POINT, 2: WIDE, 5: POINT, 6: replace(POINT, inputs=(4,)), 7: OperatorFacts("other")}
    assert candidate_sets(facts) == ((1, 2), (1, 2, 5), (1, 5), (2, 5))
    assert candidate_sets(facts, most=2) == ((1, 2), (1, 5), (2, 5))
    assert candidate_sets({1: POINT}) == ()


def test_of_many_sets_the_largest_and_best_filled_are_kept() -> None:
    facts = {1: POINT, 2: WIDE, 5: POINT}
    assert candidate_sets(facts, per_input=2) == ((1, 2, 5), (1, 5))
    many = dict.fromkeys(range(30), MATMUL)
    found = candidate_sets(many, most=8)
    assert len(found) == PER_INPUT
    assert {len(one) for one in found} == {8}


@settings(deadline=None)
@given(st.lists(st.sampled_from([POINT, WIDE, MATMUL, replace(POINT, strides=(2, 2))]), max_size=6))
def test_candidates_are_just_the_sets_that_may_merge(kinds: list[OperatorFacts]) -> None:
    facts = dict(enumerate(kinds))
    every = [one for size in range(2, 7) for one in combinations(facts, size)]
    may = {one for one in every if can_merge([facts[operator] for operator in one])}
    found = candidate_sets(facts, per_input=100)
    assert set(found) == may
    assert found == candidate_sets(dict(reversed(facts.items())), per_input=100)


def operator(number: int, task: int, *inputs: int) -> Operator:
    return Operator(number, "", "", task, inputs, TensorSpec((1,), "float32"))


def layer(index: int, op_class: str, *shapes: tuple[int, ...]) -> Task:
    specs = tuple(TensorSpec(shape, "float32") for shape in shapes)
    return Task(index, "", 1, 0.0, op_class, specs, "")


def test_shapes_alone_tell_how_many_merged_operators_there_may_be() -> None:
    image, bias = (1, 16, 8, 8), (1, 32, 1, 1)
    tasks = (
        layer(0, "conv2d_relu", image, (16, 16, 3, 3), image),
        layer(1, "conv2d_add_relu", image, (32, 16, 3, 3), bias, (1, 32, 8, 8)),
        layer(2, "conv2d_add_relu", image, (32, 16, 1, 1), bias, (1, 32, 8, 8)),
        layer(3, "conv2d_add_relu", image, (32, 1, 1, 1), bias, (1, 32, 8, 8)),
        layer(4, "conv2d_add_clip", image, (32, 16, 1, 1), bias, (1, 32, 8, 8)),
        layer(5, "conv2d_add_relu", image, (32, 16, 1, 1), bias, (1, 32, 4, 4)),
    )
    blocks = [operator(0, 0)]
    blocks += [operator(place, place, 0) for place in range(1, 6)]
    blocks += [operator(6, 0, 1), operator(7, 1, 6), operator(8, 2, 6)]  # the same pair again
    assert likely_merges(blocks, tasks, 16) == 1
    alike = [operator(0, 0), operator(1, 2, 0), operator(2, 2, 0), operator(3, 1, 0)]
    assert likely_merges(alike, tasks, 16) == 3  # two, and both pairs of unlike ones are one
    assert likely_merges(alike, tasks, 1) == 1


@pytest.mark.parametrize(
    ("shape", "axis", "lengths"),
    [
        ((1, 3, 4, 10), 3, (3, 7)),
        ((2, 3, 3, 6), 3, (1, 2, 3)),
        ((2, 5, 3, 4), 1, (4, 1)),
        ((6, 9), 1, (4, 5)),
        ((1, 64, 64, 12), 3, (8, 4)),
        ((1, 1, 1, 4), 3, (2, 2)),
    ],
)
def test_a_split_gives_each_member_its_part(
    shape: tuple[int, ...], axis: int, lengths: tuple[int, ...]
) -> None:
    import tvm

    function = split_kernel(shape, axis, lengths, "float32", gpu=False)
    module = tvm.IRModule({"split": function.with_attr("global_symbol", "split")})
    whole = np.random.default_rng(0).standard_normal(shape).astype("float32")
    wanted = np.split(whole, np.cumsum(lengths)[:-1], axis)
    parts = [tvm.runtime.tensor(np.zeros_like(part)) for part in wanted]
    tvm.compile(module, target="llvm")["split"](tvm.runtime.tensor(whole), *parts)
    for found, part in zip(parts, wanted, strict=True):
        np.testing.assert_array_equal(found.numpy(), part)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=4),
    st.lists(st.integers(1, 5), min_size=2, max_size=3),
    st.data(),
)
def test_on_a_gpu_every_element_is_moved_once(
    shape: list[int], lengths: list[int], data: st.DataObject
) -> None:
    axis = data.draw(st.integers(0, len(shape) - 1))
    shape[axis] = sum(lengths)
    whole = np.arange(np.prod(shape)).reshape(shape)
    wanted = np.split(whole, np.cumsum(lengths)[:-1], axis)
    places = {f"y{place}": np.full_like(part, -1) for place, part in enumerate(wanted)}
    threads = SimpleNamespace(
        int64=int, let=int, unroll=range, thread_binding=lambda count, thread: range(count)
    )
    exec("\n".join(gpu_lines(tuple(shape), axis, lengths)), {"T": threads, "x": whole, **places})
    for found, part in zip(places.values(), wanted, strict=True):
        np.testing.assert_array_equal(found, part)
