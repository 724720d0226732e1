"""Models of one node, whose results are declared without shapes, beside ONNX Runtime."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from tests.engine.models.rewriting.same import Inputs, operators

MICROSOFT = "com.microsoft"


def model_of(
    node: NodeProto,
    values: Mapping[str, np.ndarray],
    constant: Collection[str] = (),
    *,
    opset: int = 17,
    types: Mapping[str, int] | None = None,
) -> tuple[ModelProto, Inputs]:
    """A model of this node, and its inputs: all of `values` but those that are `constant`.

    `types` has the ONNX types of results that are not of the first input's.
    """
    fed = {name: array for name, array in values.items() if name not in constant}
    first = helper.np_dtype_to_tensor_dtype(values[node.input[0]].dtype)
    graph = helper.make_graph(
        [node],
        "one",
        [_declared(name, array) for name, array in fed.items()],
        [
            helper.make_tensor_value_info(name, (types or {}).get(name, first), None)
            for name in node.output
            if name
        ],
        [numpy_helper.from_array(values[name], name) for name in constant],
    )
    imports = [helper.make_opsetid("", opset)]
    if node.domain:
        imports.append(helper.make_opsetid(node.domain, 4 if node.domain == "ai.onnx.ml" else 1))
    proto = helper.make_model(graph, opset_imports=imports, ir_version=8 if opset < 20 else 10)
    return proto, fed


def _declared(name: str, array: np.ndarray) -> ValueInfoProto:
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, kind, array.shape)


def own(op: str, inputs: Sequence[str], outputs: Sequence[str] = ("y",), **more: Any) -> NodeProto:
    """A node of ONNX Runtime's own operator."""
    return helper.make_node(op, list(inputs), list(outputs), domain=MICROSOFT, name="node", **more)


def assert_rewritten(
    proto: ModelProto, inputs: Inputs, tolerance: float = 1e-5, wanted: Inputs | None = None
) -> ModelProto:
    """The model becomes one of standard operators, of known shapes, that answers the same.

    `wanted` is what it has to answer, where ONNX Runtime cannot tell.
    """
    wanted = reference_outputs(proto, inputs) if wanted is None else wanted
    done = type(proto).FromString(proto.SerializeToString())
    notes = rewrite(done).notes
    assert proto.graph.node[0].domain not in {node.domain for node in done.graph.node} or (
        proto.graph.node[0].op_type not in operators(done)
    ), notes
    found = reference_outputs(done, inputs)
    for value in done.graph.output:
        array = wanted[value.name]
        dims = value.type.tensor_type.shape.dim
        assert [dim.dim_value for dim in dims] == list(array.shape)
        assert found[value.name].dtype == array.dtype
        np.testing.assert_allclose(found[value.name], array, rtol=tolerance, atol=tolerance)
    return done


def normal(*shape: int, seed: int = 0, dtype: str = "float32") -> np.ndarray:
    """Standard normal numbers."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


FLOAT, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64
