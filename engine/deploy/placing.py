"""A scheduled module as the kernels that a plan runs, some of which write into one buffer."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.kernels.library import library_of
from engine.tasks.dataflow import Dataflow, Step, functions_of, read_dataflow
from engine.tasks.in_place import InPlace, able_kernels, find_in_place
from engine.tasks.lower import first_line

_log = logging.getLogger(__name__)
_INTO = "_into_"


@dataclass(frozen=True, slots=True)
class Placed:
    """Kernels by name, and the steps that call them. A step without buffers does nothing.

    `writers` gives the steps that write each value that several do, parts of it each.
    """

    kernels: dict[str, Any]
    flow: Dataflow
    writers: dict[int, tuple[int, ...]]


def placed(module: Any, axes: Mapping[str, int], gpu: bool) -> Placed:
    """The kernels of a scheduled module; `axes` names those that are concatenations.

    Where all inputs of one can be written in place, its step does nothing, and the steps before
    it call kernels that write there. A kernel that cannot be changed so leaves its concatenation
    as it is.
    """
    flow = read_dataflow(module)
    functions = functions_of(module)
    made = Placed({}, replace(flow, steps=list(flow.steps)), {})
    for one in find_in_place(flow, axes, able_kernels(flow, functions, axes), gpu):
        _join(made, functions, one)
    used = {step.function for step in made.flow.steps if step.outputs}
    made.kernels.update({name: functions[name] for name in used & functions.keys()})
    return made


def function_of(kernel: str) -> str:
    """The function of the program that a kernel was made of."""
    return kernel.rpartition(_INTO)[0] or kernel


def _join(made: Placed, functions: Mapping[str, Any], one: InPlace) -> None:
    steps = made.flow.steps
    shape = made.flow.values[one.whole].spec.shape
    kernels, changed = {}, {}
    for part in one.parts:
        step = steps[part.step]
        where = f"{'x'.join(map(str, shape))}_{one.axis}_{part.offset}"
        name = f"{step.function}{_INTO}{where}"
        try:
            kernels[name] = made.kernels.get(name) or written_into(
                functions[step.function], shape, one.axis, part.offset
            )
        except Exception as error:  # TVM raises whatever its constructors do
            _log.warning("%s does not write in place: %s", step.function, first_line(error))
            return
        changed[part.step] = replace(step, function=name, outputs=(one.whole,))
    made.kernels.update(kernels)
    for number, step in changed.items():
        steps[number] = step
    steps[one.step] = Step(steps[one.step].function, (), (), steps[one.step].binding)
    made.writers[one.whole] = tuple(sorted(changed))


_MATCH = "s_tir.MatchBufferRegion"
_INDEX = "int64"


def written_into(kernel: Any, shape: tuple[int, ...], axis: int, offset: int) -> Any:
    """The kernel (a PrimFunc, scheduled or not) with a last argument of `shape`, into which it
    writes its output from `offset` on along `axis`.

    The output becomes a matched part of that argument, as `match_buffer` declares one, which
    TVM's lowering turns into plain indices: the schedule stays as it is.
    """
    import tvm
    from tvm import tirx

    if library_of(kernel):
        raise ValueError("a library is given whole tensors")
    *others, output = kernel.params
    dtype = str(output.ty.dtype)
    whole = tirx.decl_buffer(_sizes(shape), dtype, f"{output.name}_whole")
    starts = [offset if place == axis else 0 for place in range(len(shape))]
    region = tirx.BufferRegion(
        whole,
        [
            tvm.ir.Range.from_min_extent(start, size)
            for start, size in zip(_sizes(starts), output.ty.shape, strict=True)
        ],
    )
    matched = _with_matches(kernel, [*others, whole], region, (output, _anywhere(output)))
    return _without_last_match(tvm.ir.load_json(_matched(tvm.ir.save_json(matched))))


def _matched(text: str) -> str:
    """The kernel's JSON text with the type of its last match given to the one before.

    TVM matches a part only to a buffer of open strides and offset, and its Python has nothing
    that gives a buffer another type wherever it is used.
    """
    graph = json.loads(text)
    nodes = graph["nodes"]
    matches = [node["data"]["buffer"] for node in nodes if node["type"] == _MATCH]
    output, anywhere = (nodes[index]["data"] for index in matches[-2:])
    output["ty"] = anywhere["ty"]
    return json.dumps(graph)


def _anywhere(buffer: Any) -> Any:
    """A buffer of the same shape, whose strides and offset are open."""
    from tvm import tirx

    strides = [tirx.Var(f"stride_{place}", _INDEX) for place in range(len(buffer.ty.shape))]
    return tirx.decl_buffer(
        buffer.ty.shape,
        str(buffer.ty.dtype),
        "anywhere",
        strides=strides,
        elem_offset=tirx.Var("offset", _INDEX),
        offset_factor=1,
    )


def _with_matches(kernel: Any, params: list[Any], region: Any, buffers: tuple[Any, ...]) -> Any:
    from tvm import s_tir

    matches = [s_tir.MatchBufferRegion(buffer, region) for buffer in buffers]
    return _with(kernel, params, [*kernel.body.block.match_buffers, *matches])


def _without_last_match(kernel: Any) -> Any:
    return _with(kernel, list(kernel.params), list(kernel.body.block.match_buffers)[:-1])


def _with(kernel: Any, params: list[Any], matches: list[Any]) -> Any:
    from tvm import s_tir, tirx

    root, block = kernel.body, kernel.body.block
    changed = s_tir.SBlock(
        block.iter_vars,
        block.reads,
        block.writes,
        block.name_hint,
        block.body,
        block.init,
        block.alloc_buffers,
        matches,
        block.annotations,
    )
    realized = s_tir.SBlockRealize(root.iter_values, root.predicate, changed)
    return tirx.PrimFunc(params, realized, kernel.ret_type, kernel.attrs)


def _sizes(values: Any) -> list[Any]:
    from tvm import tirx

    return [tirx.const(value, _INDEX) for value in values]
