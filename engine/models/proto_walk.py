"""Walks over everything that nests inside an ONNX model: nodes and tensors at any depth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto


def walk_nodes(model: ModelProto) -> Iterator[NodeProto]:
    """Every node of the graph, its subgraphs and the model's own functions."""
    yield from _nodes_of(model.graph.node)
    for function in model.functions:
        yield from _nodes_of(function.node)


def walk_graphs(model: ModelProto) -> Iterator[GraphProto]:
    """The graph and every graph inside it."""
    yield model.graph
    for node in walk_nodes(model):
        for attribute in node.attribute:
            yield from _subgraphs(attribute)


def walk_tensors(model: ModelProto) -> Iterator[TensorProto]:
    """Every stored tensor: initializers (sparse ones too) and tensors in attributes."""
    yield from _stored(model.graph)
    for node in walk_nodes(model):
        for attribute in node.attribute:
            yield from _attribute_tensors(attribute)
            for graph in _subgraphs(attribute):
                yield from _stored(graph)


def inner_graphs(node: NodeProto) -> Iterator[GraphProto]:
    """The graphs that a node has as attributes, not those inside them."""
    for attribute in node.attribute:
        yield from _subgraphs(attribute)


def constant_tensor(node: NodeProto) -> TensorProto | None:
    """The tensor of a Constant node of whatever form; None for any other node."""
    import numpy as np
    from onnx import helper, numpy_helper

    if node.op_type != "Constant" or not node.attribute:
        return None
    attribute = node.attribute[0]
    if attribute.name == "value":
        tensor: TensorProto = attribute.t
        return tensor
    dtypes = {"value_float": "float32", "value_floats": "float32"}
    dtypes |= {"value_int": "int64", "value_ints": "int64"}
    if attribute.name not in dtypes:
        return None
    array = np.asarray(helper.get_attribute_value(attribute), dtypes[attribute.name])
    made: TensorProto = numpy_helper.from_array(array)
    return made


def _nodes_of(nodes: object) -> Iterator[NodeProto]:
    for node in nodes:  # type: ignore[attr-defined]
        yield node
        for attribute in node.attribute:
            for graph in _subgraphs(attribute):
                yield from _nodes_of(graph.node)


def _subgraphs(attribute: AttributeProto) -> Iterator[GraphProto]:
    if attribute.HasField("g"):
        yield attribute.g
    yield from attribute.graphs


def _attribute_tensors(attribute: AttributeProto) -> Iterator[TensorProto]:
    if attribute.HasField("t"):
        yield attribute.t
    yield from attribute.tensors
    sparse = [attribute.sparse_tensor] if attribute.HasField("sparse_tensor") else []
    for tensor in [*sparse, *attribute.sparse_tensors]:
        yield from (tensor.values, tensor.indices)


def _stored(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
