"""ONNX operators rewritten into others that TVM lowers better."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.models.proto_walk import walk_graphs, walk_nodes

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

Names = Callable[[str], str]


def rewrite(proto: ModelProto) -> None:
    """Rewrite what pays, in place: the model computes the same.

    Sum: TVM stacks its inputs into a tensor of one more axis, which keeps the convolutions round
    it from being laid out and fused; so it becomes a chain of Add, as in the operator's definition.
    """
    fresh = _fresh_names(proto)
    for graph in walk_graphs(proto):
        _rewrite_sums(graph, fresh)


def _rewrite_sums(graph: GraphProto, fresh: Names) -> None:
    if not any(_is_sum(node) for node in graph.node):
        return
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes += _as_adds(node, fresh) if _is_sum(node) else [node]
    del graph.node[:]
    graph.node.extend(nodes)


def _is_sum(node: NodeProto) -> bool:
    return node.op_type == "Sum" and node.domain in ("", "ai.onnx") and len(node.output) == 1


def _as_adds(node: NodeProto, fresh: Names) -> list[NodeProto]:
    from onnx import helper

    first, *others = node.input
    if not others:
        return [helper.make_node("Identity", [first], list(node.output), name=node.name)]
    made = []
    for place, other in enumerate(others, start=1):
        last = place == len(others)
        result = node.output[0] if last else fresh(f"{node.output[0]}_sum{place}")
        name = node.name if last else fresh(f"{node.name}_{place}")
        made.append(helper.make_node("Add", [first, other], [result], name=name))
        first = result
    return made


def _fresh_names(proto: ModelProto) -> Names:
    """Makes names that nothing in the model has: inner graphs see those of outer ones."""
    used = {name for node in walk_nodes(proto) for name in (*node.input, *node.output, node.name)}
    for graph in walk_graphs(proto):
        used |= {value.name for value in (*graph.input, *graph.initializer, *graph.output)}

    def fresh(wanted: str) -> str:
        name = wanted
        while name in used:
            name += "_"
        used.add(name)
        return name

    return fresh
