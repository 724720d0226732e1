"""A plan: kernels in order over buffers at fixed places, as plain JSON-ready data."""

from __future__ import annotations

import math
import re
from typing import Any

from engine.deploy.memory import Lifetime, Placement, place
from engine.tasks.dataflow import Dataflow
from engine.tasks.task import TensorSpec

FORMAT = 1


def byte_size(spec: TensorSpec) -> int:
    """Bytes of a tensor; elements smaller than a byte are packed."""
    width = re.search(r"\d+", spec.dtype)  # the first number: float8_e4m3fn has 8 bits
    bits = int(width.group()) if width else 8  # bool
    return -(-math.prod(spec.shape) * bits // 8)


def make_plan(flow: Dataflow, output_names: tuple[str, ...]) -> dict[str, Any]:
    """The plan of a program.

    `buffers` lists the tensors by value id: shape, dtype, bytes and place, which is a storage (of
    `storage_bytes`), a byte offset in the weights file, or an input; null where nothing touches
    one. `steps` names a kernel and its buffers, inputs before outputs. Values that are views
    share a place.
    """
    placement = _storages(flow)
    weights, weights_size = _weights(flow)
    buffers = []
    for value in flow.values:
        where = _where(flow, flow.root(value.id), placement, weights)
        tensor = {
            "shape": list(value.spec.shape),
            "dtype": value.spec.dtype,
            "bytes": byte_size(value.spec),
        }
        buffers.append(where and tensor | where)
    return {
        "format": FORMAT,
        "storage_bytes": list(placement.sizes),
        "weights_bytes": weights_size,
        "buffers": buffers,
        "inputs": [{"name": flow.values[i].name, "buffer": i} for i in flow.inputs],
        "outputs": [
            {"name": name, "buffer": value}
            for name, value in zip(output_names, flow.outputs, strict=True)
        ],
        "steps": [[step.function, [*step.inputs, *step.outputs]] for step in flow.steps],
    }


def weight_places(flow: Dataflow) -> dict[int, int]:
    """Byte offset in the weights file of each constant, by value id."""
    return _weights(flow)[0]


def _where(
    flow: Dataflow, root: int, placement: Placement, weights: dict[int, int]
) -> dict[str, int] | None:
    """The place of a value that owns its memory; None where no step touches it."""
    if root in flow.inputs:
        return {"input": flow.inputs.index(root)}
    if root in weights:
        return {"weights": weights[root]}
    storage = placement.storage_of.get(root)
    return None if storage is None else {"storage": storage}


def _storages(flow: Dataflow) -> Placement:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for index, step in enumerate(flow.steps):
        for value in (*step.outputs, *step.inputs):
            root = flow.root(value)
            first.setdefault(root, index)
            last[root] = index
    for value in flow.outputs:
        last[flow.root(value)] = len(flow.steps)
    return place(
        [
            Lifetime(root, byte_size(flow.values[root].spec), first[root], last[root])
            for root in first
            if flow.values[root].kind == "intermediate"
        ]
    )


def _weights(flow: Dataflow) -> tuple[dict[int, int], int]:
    offsets, end = {}, 0
    used = {flow.root(value) for step in flow.steps for value in step.inputs}
    used |= {flow.root(value) for value in flow.outputs}
    for value in flow.values:
        if value.kind == "constant" and value.id in used:
            offsets[value.id] = end
            end += -(-byte_size(value.spec) // 64) * 64
    return offsets, end
