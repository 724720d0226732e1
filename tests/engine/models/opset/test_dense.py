"""Constants that are stored sparsely."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import SparseTensorProto, TensorProto, helper, numpy_helper

from engine.models.opset.dense import make_dense
from engine.models.reference import reference_outputs
from engine.records.errors import ModelError
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import draw

X: Value = ("x", TensorProto.FLOAT, (2, 4))
Y: Value = ("y", TensorProto.FLOAT, (2, 3))


def sparse(indices: object, shape: tuple[int, ...] = (4, 3)) -> SparseTensorProto:
    """Values 1, 2, ... at these places."""
    places = np.asarray(indices, "int64")
    values = np.arange(1, len(places) + 1, dtype="float32")
    return helper.make_sparse_tensor(
        numpy_helper.from_array(values, "w"), numpy_helper.from_array(places), shape
    )


@pytest.mark.parametrize("indices", [[1, 5, 11], [[0, 1], [1, 2], [3, 2]]], ids=["flat", "pairs"])
@pytest.mark.parametrize("form", ["initializer", "constant"])
def test_a_sparse_constant_is_written_in_full(indices: object, form: str) -> None:
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    if form == "constant":
        nodes.insert(0, helper.make_node("Constant", [], ["w"], sparse_value=sparse(indices)))
    proto = model(nodes, [X], [Y])
    if form == "initializer":
        proto.graph.sparse_initializer.append(sparse(indices))
    full = np.zeros((4, 3), "float32")
    full.ravel()[[1, 5, 11]] = 1, 2, 3
    make_dense(proto)
    inputs = draw(proto)
    np.testing.assert_allclose(reference_outputs(proto, inputs)["y"], inputs["x"] @ full, 1e-5)


@pytest.mark.parametrize("indices", [[12], [-1], [[4, 0]], [[0, -1]], [[0, 0, 0]]])
def test_places_outside_a_sparse_constant_are_refused(indices: object) -> None:
    proto = model([], [X], [Y])
    proto.graph.sparse_initializer.append(sparse(indices))
    with pytest.raises(ModelError, match="w has values outside its shape"):
        make_dense(proto)


def test_a_sparse_constant_of_many_gigabytes_is_refused() -> None:
    proto = model([], [X], [Y])
    proto.graph.sparse_initializer.append(sparse([1], (2**20, 2**20)))
    with pytest.raises(ModelError, match="more than 2 GB in full"):
        make_dense(proto)
