"""Concatenations that cost nothing: what they join is written where they would put it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.tasks.dataflow import Dataflow, Step

VECTOR_BYTES = 16
"""What a GPU's widest store must be aligned to; compilers take that for granted."""

_HANDING_OVER = ("call_packed", "call_cpacked", "stack_make_array", "access_ptr", "address_of")


@dataclass(frozen=True, slots=True)
class Part:
    """Step `step` writes its output into the whole, from `offset` on along the axis."""

    step: int
    offset: int


@dataclass(frozen=True, slots=True)
class InPlace:
    """The concatenation of step `step` along `axis`, whose result `whole` its parts write."""

    step: int
    whole: int
    axis: int
    parts: tuple[Part, ...]


def able_kernels(
    flow: Dataflow, functions: Mapping[str, Any], axes: Mapping[str, int]
) -> frozenset[str]:
    """The kernels before a concatenation that can be made to write elsewhere."""
    read = {value for step in flow.steps if step.function in axes for value in step.inputs}
    names = {step.function for step in flow.steps if read.intersection(step.outputs)}
    return frozenset(name for name in names if _writes_elements(functions[name]))


def _writes_elements(kernel: Any) -> bool:
    """Whether a kernel is made of blocks, and hands no tensor to other code, as a sort does."""
    import tvm
    from tvm.s_tir import SBlockRealize

    if not isinstance(kernel.body, SBlockRealize):
        return False
    text = tvm.ir.save_json(kernel)
    return not any(operator in text for operator in _HANDING_OVER)


def concat_axes(functions: Mapping[str, Any]) -> dict[str, int]:
    """The kernels that are a concatenation and nothing else, not yet scheduled, with its axis."""
    found = {}
    for name, function in functions.items():
        if "concatenate" in name and (axis := _axis_of(function)) is not None:
            found[name] = axis
    return found


def find_in_place(
    flow: Dataflow, axes: Mapping[str, int], able: Iterable[str], gpu: bool
) -> tuple[InPlace, ...]:
    """The concatenations (kernels in `axes`) all of whose inputs can be written in place.

    That is so where each input is the one output of a kernel in `able`, a concatenation is all
    that reads it, and, on a GPU, its place is aligned to the widest store.
    """
    able = frozenset(able)
    reads = Counter(flow.root(value) for step in flow.steps for value in step.inputs)
    kept = {flow.root(value) for value in flow.outputs}
    kept.update(value.alias_of for value in flow.values if value.alias_of is not None)
    producers = {
        step.outputs[0]: number
        for number, step in enumerate(flow.steps)
        if len(step.outputs) == 1 and step.function in able
    }
    found = []
    for number, step in enumerate(flow.steps):
        axis = axes.get(step.function)
        if axis is None or not _aligned(flow, step, axis, gpu):
            continue
        if all(reads[i] == 1 and i not in kept and i in producers for i in step.inputs):
            found.append(_in_place(flow, number, axis, producers))
            producers.pop(step.outputs[0], None)  # its step does nothing, so writes nowhere else
    return tuple(found)


def _in_place(flow: Dataflow, number: int, axis: int, producers: Mapping[int, int]) -> InPlace:
    step, offset, parts = flow.steps[number], 0, []
    for value in step.inputs:
        parts.append(Part(producers[value], offset))
        offset += flow.values[value].spec.shape[axis]
    return InPlace(number, step.outputs[0], axis, tuple(parts))


def _aligned(flow: Dataflow, step: Step, axis: int, gpu: bool) -> bool:
    """Whether every part begins, and goes on after each gap, at a multiple of the widest store."""
    if not gpu:
        return True
    specs = [flow.values[value].spec for value in (*step.inputs, *step.outputs)]
    unit = int("".join(filter(str.isdigit, specs[0].dtype)) or 8) // 8
    return unit > 0 and all(
        math.prod(spec.shape[axis:]) * unit % VECTOR_BYTES == 0 for spec in specs
    )


def _axis_of(function: Any) -> int | None:
    """The axis along which a kernel is what TVM's own operator makes; None where it is not."""
    import tvm_ffi

    bare = function.with_attr("global_symbol", "main")
    for attr in ("op_pattern", "layout_free_buffers"):
        if attr in bare.attrs:
            bare = bare.without_attr(attr)
    *inputs, output = [_shape(parameter) for parameter in bare.params]
    for axis, length in enumerate(output):
        if all(len(shape) == len(output) for shape in inputs) and length == sum(
            shape[axis] for shape in inputs
        ):
            made = _concatenate(inputs, [str(item.ty.dtype) for item in bare.params], axis)
            if tvm_ffi.structural_equal(made, bare):
                return axis
    return None


def _concatenate(shapes: list[tuple[int, ...]], dtypes: list[str], axis: int) -> Any:
    from tvm import te, tirx, topi

    data = [
        te.placeholder([tirx.const(size, "int64") for size in shape], dtype, f"data_{index}")
        for index, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=False))
    ]
    made = te.create_prim_func([*data, topi.concatenate(data, axis)])
    return made.with_attr("global_symbol", "main")


def _shape(parameter: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in parameter.ty.shape)
