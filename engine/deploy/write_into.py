"""Kernels that write their output into a part of a larger tensor."""

from __future__ import annotations

import json
from typing import Any

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
