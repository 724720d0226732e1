"""If: the branch that is always taken, or both branches and a choice between their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.proto_walk import inner_graphs
from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.inline import inline

if TYPE_CHECKING:
    from onnx import GraphProto

# Where these read is in their data: computed in vain, they could read outside a tensor.
_TRUSTING = {"Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND"}
_TRUSTING |= {"Div", "Mod", "Compress", "ReverseSequence", "OneHot"}


def branches(emit: Emitter) -> None:
    """One branch where the condition is constant; else both, where their results have one shape."""
    condition = emit.facts.value(emit.input(0))
    if condition is None:
        _choose(emit)
        return
    side = "then" if condition.all() else "else"
    for inner, outer in zip(_inlined(emit, side), emit.node.output, strict=True):
        if outer:
            emit.identity(inner, outer)


def _choose(emit: Emitter) -> None:
    if any(emit.facts.shape(name) is None for name in emit.node.output if name):
        raise Declined("it branches on data, and its branches' results may differ in shape")
    for side in ("then", "else"):
        for node in _graph(emit, side).node:
            if node.op_type in _TRUSTING or any(inner_graphs(node)):
                raise Declined(f"it branches on data, and {node.op_type} in a branch relies on it")
    both = zip(_inlined(emit, "then"), _inlined(emit, "else"), emit.node.output, strict=True)
    for one, other, outer in both:
        if outer:
            emit("Where", emit.input(0), one, other, out=outer)


def _inlined(emit: Emitter, side: str) -> list[str]:
    return inline(emit, _graph(emit, side), {}, side)


def _graph(emit: Emitter, side: str) -> GraphProto:
    graph: GraphProto = emit.attribute(f"{side}_branch", None)
    return graph
