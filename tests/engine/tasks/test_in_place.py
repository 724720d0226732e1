"""Which concatenations cost nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.task import TensorSpec
from engine.tasks.dataflow import Dataflow, Step, functions_of, read_dataflow
from engine.tasks.extract import extract
from engine.tasks.in_place import InPlace, Part, able_kernels, concat_axes, find_in_place
from engine.tasks.lower import lower
from tests.engine.models.build import joined_branches_model
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import cpu, network, opened


def program(
    widths: Sequence[int], dtype: str = "float32", lead: tuple[int, ...] = (1, 4)
) -> Dataflow:
    """x -> conv for each width -> concatenate along the last axis -> pool -> y."""
    flow = Dataflow()
    x = flow.add(TensorSpec((4,), dtype), "input", name="x")
    flow.inputs = (x,)
    for width in widths:
        made = flow.add(TensorSpec((*lead, width), dtype), "intermediate")
        flow.steps.append(Step("conv", (x,), (made,)))
    parts = tuple(range(1, 1 + len(widths)))
    whole = flow.add(TensorSpec((*lead, sum(widths)), dtype), "intermediate")
    flow.steps.append(Step("concatenate", parts, (whole,)))
    y = flow.add(TensorSpec((4,), dtype), "intermediate")
    flow.steps.append(Step("pool", (whole,), (y,)))
    flow.outputs = (y,)
    return flow


def found(flow: Dataflow, axis: int = 2, gpu: bool = False) -> tuple[InPlace, ...]:
    """With convolutions that can write in place."""
    return find_in_place(flow, {"concatenate": axis}, ["conv"], gpu)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_parts_lie_side_by_side_and_fill_the_whole(widths: list[int]) -> None:
    (one,) = found(program(widths))
    assert one.step == len(widths)
    assert one.whole == len(widths) + 1
    ends = [part.offset + widths[part.step] for part in one.parts]
    assert [part.offset for part in one.parts] == [0, *ends[:-1]]
    assert ends[-1] == sum(widths)


def read_twice(flow: Dataflow) -> None:
    flow.steps[-1] = Step("pool", (3, 1), flow.steps[-1].outputs)


def joined_with_itself(flow: Dataflow) -> None:
    flow.steps[2] = Step("concatenate", (1, 1), (3,))


def result_of_the_model(flow: Dataflow) -> None:
    flow.outputs = (*flow.outputs, 2)


def seen_in_another_shape(flow: Dataflow) -> None:
    flow.add(TensorSpec((8,), "float32"), "intermediate", alias_of=1)


def test_of_nested_concatenations_the_inner_one_is_written_in_place_and_the_outer_copies() -> None:
    flow = program([4, 8])
    shape = TensorSpec((1, 4, 16), "float32")
    other = flow.add(TensorSpec((1, 4, 4), "float32"), "intermediate")
    outer = flow.add(shape, "intermediate")
    flow.steps[-1] = Step("conv", (0,), (other,))
    flow.steps.append(Step("concatenate", (3, other), (outer,)))
    able = ["conv", "concatenate"]
    (one,) = find_in_place(flow, {"concatenate": 2}, able, gpu=False)
    assert one.whole == 3


def a_view(flow: Dataflow) -> None:
    view = flow.add(flow.values[1].spec, "intermediate", alias_of=1)
    flow.steps[2] = Step("concatenate", (view, 2), (3,))


def given_by_a_person(flow: Dataflow) -> None:
    flow.steps[2] = Step("concatenate", (0, 2), (3,))


def one_of_two_results(flow: Dataflow) -> None:
    more = flow.add(TensorSpec((1,), "float32"), "intermediate")
    flow.steps[0] = Step("conv", (0,), (1, more))


def of_another_kernel(flow: Dataflow) -> None:
    flow.steps[0] = Step("sort", (0,), (1,))


@pytest.mark.parametrize(
    "change",
    [
        read_twice,
        joined_with_itself,
        result_of_the_model,
        seen_in_another_shape,
        a_view,
        given_by_a_person,
        one_of_two_results,
        of_another_kernel,
    ],
)
def test_an_input_that_must_stay_where_it_is_keeps_the_concatenation(change: Any) -> None:
    flow = program([4, 8])
    assert found(flow)
    change(flow)
    assert found(flow) == ()


@pytest.mark.parametrize(
    ("widths", "dtype", "lead", "axis", "fits"),
    [
        ([4, 8], "float32", (1, 3), 2, True),
        ([2, 8], "float32", (1, 3), 2, False),  # begins at 8 bytes
        ([4, 6], "float32", (1, 3), 2, False),  # rows of 40 bytes
        ([8, 8], "float16", (1, 3), 2, True),
        ([4, 8], "float16", (1, 3), 2, False),
        ([3, 13], "int8", (1, 1), 2, False),
        ([16, 16], "bool", (1, 1), 2, True),
        ([32, 32], "int4", (1, 1), 2, False),  # two elements a byte
    ],
)
def test_on_a_gpu_parts_are_aligned_to_the_widest_store(
    widths: list[int], dtype: str, lead: tuple[int, ...], axis: int, fits: bool
) -> None:
    flow = program(widths, dtype, lead)
    assert bool(found(flow, axis, gpu=True)) is fits
    assert found(flow, axis)


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_kernels_of_other_kinds_are_no_concatenations(name: str) -> None:
    assert (
        concat_axes(functions_of(network(name).program.module)) == {}
    )  # one is fused with what it reads


def test_a_kernel_that_hands_its_tensors_to_other_code_writes_nowhere_else() -> None:
    from tvm import relax

    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((4, 8), "float32"))
    with builder.function("main", [x]):
        with builder.dataflow():
            parts = [
                builder.emit(relax.op.argsort(x, -1, descending=down, dtype="int32"))
                for down in (False, True)
            ]
            y = builder.emit_output(relax.op.concat(parts, 1))
        builder.emit_func_output(y)
    module = lower(builder.get(), cpu())
    functions, flow = functions_of(module), read_dataflow(module)
    axes = concat_axes(functions)
    assert list(axes.values()) == [1]
    assert able_kernels(flow, functions, axes) == frozenset()


def test_a_plain_concatenation_is_found_with_its_axis() -> None:
    axes = concat_axes(functions_of(opened(joined_branches_model()).program.module))
    assert axes == {"concatenate1": 3}  # channels come last


def test_a_program_has_no_task_for_what_is_written_in_place() -> None:
    model = opened(joined_branches_model())
    (one,) = [item for item in model.program.operators if item.op_class == "concatenate"]
    assert (one.task, one.flops, one.name) == (None, 0.0, "concatenate")
    assert len(one.inputs) == 2
    assert "concatenate" not in {task.op_class for task in model.program.tasks}
    before = extract(model.program.module, model.program.target, whole=True)
    assert [task.op_class for task in before.tasks].count("concatenate") == 1
    assert [item.inputs for item in before.operators] == [
        item.inputs for item in model.program.operators
    ]


def test_an_offset_belongs_to_a_step() -> None:
    (one,) = found(program([4, 8]))
    assert one == InPlace(2, 3, 2, (Part(0, 0), Part(1, 4)))
