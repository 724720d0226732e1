"""What of a branch may not be computed in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.proto_walk import constant_tensor, inner_graphs

if TYPE_CHECKING:
    from onnx import GraphProto, NodeProto

    from engine.models.rewriting.facts import Facts

# Where these read is in their data: computed in vain, they could read outside a tensor.
_READING = {"Gather", "GatherElements", "GatherND"}
_PLACING = {"Compress", "OneHot", "ReverseSequence", "Scatter", "ScatterElements", "ScatterND"}
# By zero these stop the program, unless they compute in floats.
_DIVIDING = {"Div", "Mod"}


def trusting_node(facts: Facts, graph: GraphProto) -> str:
    """The kind of a node in a branch that may fail where the branch is not the one taken, or "".

    Such a node relies on data that the condition has looked at.
    """
    types = _types(facts, graph)
    constants = {tensor.name for tensor in graph.initializer} | set(facts.stored)
    for node in graph.node:
        if constant_tensor(node) is not None:
            constants.update(node.output)
        if _trusts(node, types, constants) or any(inner_graphs(node)):
            return str(node.op_type)
    return ""


def _trusts(node: NodeProto, types: dict[str, int], constants: set[str]) -> bool:
    from onnx import TensorProto

    floats = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16)
    if node.op_type in _READING:
        return node.input[1] not in constants
    if node.op_type in _DIVIDING:
        return types.get(node.output[0]) not in floats
    return node.op_type in _PLACING


def _types(facts: Facts, graph: GraphProto) -> dict[str, int]:
    """The element types of a branch's values, as far as ONNX infers them."""
    from onnx import helper, shape_inference

    own = {name for node in graph.node for name in node.output}
    own |= {tensor.name for tensor in graph.initializer}
    outer = {name for node in graph.node for name in node.input if name} - own
    inputs = [
        helper.make_tensor_value_info(name, facts.type(name), facts.shape(name))
        for name in sorted(outer)
        if facts.type(name)
    ]
    alone = helper.make_graph(graph.node, "branch", inputs, graph.output, graph.initializer)
    imports = [helper.make_opsetid("", facts.opset)]
    model = helper.make_model(alone, opset_imports=imports)
    known = shape_inference.infer_shapes(model).graph
    values = (*known.input, *known.value_info, *known.output)
    return {value.name: value.type.tensor_type.elem_type for value in values}
