"""Copies the nodes of an inner graph into the graph round it."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from typing import TYPE_CHECKING

from engine.models.proto_walk import inner_graphs
from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    from onnx import GraphProto


def inline(emit: Emitter, graph: GraphProto, inputs: Mapping[str, str], part: str) -> list[str]:
    """Emit `graph`'s nodes; its outputs by name.

    `inputs` gives values of the surrounding graph for the names of the graph's inputs.
    """
    if graph.sparse_initializer:
        raise Declined("it has sparse constants inside")
    renamed = dict(inputs)
    for tensor in graph.initializer:
        renamed[tensor.name] = emit.name(f"{part}/{tensor.name}")
        copy = type(tensor)()
        copy.CopyFrom(tensor)
        copy.name = renamed[tensor.name]
        emit.constants.append(copy)
    for node in graph.node:
        made = type(node)()
        made.CopyFrom(node)
        for name in node.output:
            if name:
                renamed[name] = emit.name(f"{part}/{name}")
        made.name = emit.name(f"{part}/{node.name or node.op_type.lower()}")
        _rename(made.input, renamed)
        _rename(made.output, renamed)
        for inner in inner_graphs(made):
            _rename_graph(inner, renamed)
        emit.append(made)
    return [renamed.get(value.name, value.name) for value in graph.output]


def _rename_graph(graph: GraphProto, renamed: Mapping[str, str]) -> None:
    """Rename, in a graph at any depth, what it takes from outside."""
    own = {value.name for value in (*graph.input, *graph.initializer)}
    own |= {name for node in graph.node for name in node.output}
    outer = {name: new for name, new in renamed.items() if name not in own}
    for node in graph.node:
        _rename(node.input, outer)
        for inner in inner_graphs(node):
            _rename_graph(inner, outer)
    for value in graph.output:
        value.name = outer.get(value.name, value.name)


def _rename(names: MutableSequence[str], renamed: Mapping[str, str]) -> None:
    for place, name in enumerate(names):
        names[place] = renamed.get(name, name)
