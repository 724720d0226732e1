"""Writes constants that are stored sparsely in full."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.models.proto_walk import walk_graphs, walk_nodes
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import ModelProto, SparseTensorProto, TensorProto

_MAX_BYTES = 2**31 - 1  # a few bytes can describe any size


def make_dense(proto: ModelProto) -> None:
    """Make plain constants of all sparse ones, in place; ModelError where they do not fit."""
    for graph in walk_graphs(proto):
        for sparse in graph.sparse_initializer:
            graph.initializer.append(_dense(sparse))
        del graph.sparse_initializer[:]
    for node in walk_nodes(proto):
        for attribute in node.attribute if node.op_type == "Constant" else ():
            if attribute.HasField("sparse_tensor"):
                attribute.t.CopyFrom(_dense(attribute.sparse_tensor))
                attribute.ClearField("sparse_tensor")
                attribute.name, attribute.type = "value", attribute.TENSOR


def _dense(sparse: SparseTensorProto) -> TensorProto:
    """Indices are places in the flat tensor, or (count, rank) coordinates."""
    import numpy as np
    from onnx import numpy_helper

    name, shape = sparse.values.name, tuple(sparse.dims)
    values, indices = (numpy_helper.to_array(part) for part in (sparse.values, sparse.indices))
    if min(shape, default=0) < 0 or math.prod(shape) * values.itemsize > _MAX_BYTES:
        raise ModelError(
            Sentence("The sparse constant {name} has more than 2 GB in full.", name=name),
            "Store it as a plain constant of a smaller size.",
        )
    full = np.zeros(math.prod(shape), values.dtype)
    try:
        flat = np.ravel_multi_index(tuple(indices.T), shape) if indices.ndim == 2 else indices
        if flat.size and not 0 <= flat.min() <= flat.max() < full.size:
            raise ValueError("outside")
        full[flat] = values.reshape(-1)
    except ValueError as error:
        raise ModelError(
            Sentence("The sparse constant {name} has values outside its shape.", name=name),
            "Export the model again.",
        ) from error
    dense: TensorProto = numpy_helper.from_array(full.reshape(shape), name)
    return dense
