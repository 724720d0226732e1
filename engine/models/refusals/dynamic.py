"""Names the operators from which on an ONNX model's shapes depend on its data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.models.file_nodes import FoundNode
from engine.models.operators import node_name
from engine.models.shapes import tensor_spec
from engine.records.sentences import Sentence, some

if TYPE_CHECKING:
    from onnx import ModelProto

_SHOWN = 5


def dynamic_origins(proto: ModelProto, file_nodes: Iterable[FoundNode] = ()) -> Sentence | None:
    """ "NonZero (node nz1) and 2 more" and the like for inferred `proto`, None for none."""
    origins = [f"{operator} (node {name})" for operator, name in dynamic_nodes(proto, file_nodes)]
    return some(origins, _SHOWN) if origins else None


def dynamic_nodes(
    proto: ModelProto, file_nodes: Iterable[FoundNode] = ()
) -> tuple[tuple[str, str], ...]:
    """Operators and names of the nodes from which on shapes are not fixed.

    Such a node has inputs of fixed shapes and an output whose shape is not fixed; where there is
    none, it is the first node with such an output. What gives the result of one of `file_nodes`
    has its name: an operator that ONNX defines by others is those now.
    """
    graph = proto.graph
    values = [*graph.input, *graph.value_info, *graph.output]
    static = {value.name for value in values if tensor_spec(value)}
    static |= {tensor.name for tensor in graph.initializer} | {""}
    dynamic = [node for node in graph.node if not static.issuperset(node.output)]
    first = [node for node in dynamic if static.issuperset(node.input)] or dynamic[:1]
    made = {name: node for node in file_nodes for name in node.outputs}
    return tuple(
        (own.op_type, own.name)
        if (own := made.get(next(iter(node.output), "")))
        else (node.op_type, node_name(node))
        for node in first
    )
