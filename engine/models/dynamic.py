"""Names the operators from which on an ONNX model's shapes depend on its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.shapes import tensor_spec

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

_SHOWN = 5


def dynamic_origins(proto: ModelProto) -> str:
    """ " because of NonZero (node nz1)" and the like for inferred `proto`; "" where none is known.

    An origin has inputs of fixed shapes and an output whose shape is not fixed.
    """
    graph = proto.graph
    values = [*graph.input, *graph.value_info, *graph.output]
    static = {value.name for value in values if tensor_spec(value)}
    static |= {tensor.name for tensor in graph.initializer} | {""}
    origins = [
        _label(node)
        for node in graph.node
        if static.issuperset(node.input) and not static.issuperset(node.output)
    ]
    if not origins:
        return ""
    more = f" and {len(origins) - _SHOWN} more" if len(origins) > _SHOWN else ""
    return f" because of {', '.join(origins[:_SHOWN])}{more}"


def _label(node: NodeProto) -> str:
    return f"{node.op_type} (node {node.name})" if node.name else node.op_type
