"""Removes what nothing reads any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.proto_walk import inner_graphs

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto


def drop_unused(proto: ModelProto) -> None:
    """Take out, in place, the outermost graph's nodes and constants without a use."""
    graph = proto.graph
    read = {value.name for value in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(graph.node):
        if not read.isdisjoint(node.output):
            kept.append(node)
            read.update(_reads(node))
    if len(kept) < len(graph.node):
        nodes = [type(node).FromString(node.SerializeToString()) for node in reversed(kept)]
        del graph.node[:]
        graph.node.extend(nodes)
    stored = [tensor for tensor in graph.initializer if tensor.name in read]
    if len(stored) < len(graph.initializer):
        del graph.initializer[:]
        graph.initializer.extend(stored)


def _reads(node: NodeProto) -> set[str]:
    """What a node takes, its inner graphs included."""
    names = set(node.input)
    for graph in inner_graphs(node):
        names |= _reads_of(graph)
    return names


def _reads_of(graph: GraphProto) -> set[str]:
    names = {value.name for value in graph.output}
    for node in graph.node:
        names |= _reads(node)
    return names
