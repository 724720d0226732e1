"""Conversions of types, and the types that are sorted."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import operators, rewritten

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
SMALL = [
    TensorProto.FLOAT8E4M3FN,
    TensorProto.FLOAT8E4M3FNUZ,
    TensorProto.FLOAT8E5M2,
    TensorProto.FLOAT8E5M2FNUZ,
    TensorProto.INT4,
    TensorProto.UINT4,
]

node = helper.make_node


@pytest.mark.parametrize("kind", SMALL)
def test_computed_values_of_few_bits_are_refused(kind: int) -> None:
    nodes = [
        node("Cast", ["x"], ["s"], to=kind, name="narrow"),
        node("Cast", ["s"], ["y"], to=FLOAT, name="wide"),
    ]
    done = rewrite(model(nodes, [("x", FLOAT, (3,))], [("y", FLOAT, (3,))], opset=21))
    assert done.refused == {"narrow", "wide"}
    assert done.notes["narrow"].startswith("it converts to ")


@pytest.mark.parametrize("dtype", ["int4", "uint4", "float8_e4m3fn", "float8_e5m2"])
def test_constants_of_few_bits_are_stored_wider_whatever_their_size(dtype: str) -> None:
    stored: Any = np.arange(2**17).astype("int8").astype(getattr(ml_dtypes, dtype))
    nodes = [node("Cast", ["w"], ["f"], to=FLOAT), node("Mul", ["x", "f"], ["y"])]
    x: Value = ("x", FLOAT, stored.shape)
    proto = model(nodes, [x], [("y", FLOAT, stored.shape)], opset=21)
    proto.graph.initializer.append(numpy_helper.from_array(stored, "w"))
    done = rewrite(proto)
    assert not done.refused
    found = reference_outputs(proto, {"x": np.ones(stored.shape, "float32")})["y"]
    np.testing.assert_array_equal(found, stored.astype("float32"))


@pytest.mark.parametrize("dtype", ["float16", "int32", "bool"])
def test_a_type_may_be_that_of_an_example(dtype: str) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs: list[Value] = [("x", FLOAT, (3,)), ("like", kind, (1,))]
    proto = model([node("CastLike", ["x", "like"], ["y"])], inputs, [("y", kind, (3,))])
    rewritten(proto, "CastLike")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "uint16", "uint32"])
def test_narrow_integers_are_sorted_in_a_wider_type(dtype: str) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    outputs: list[Value] = [("v", kind, None), ("i", INT64, None)]
    nodes = [node("TopK", ["x", "k"], ["v", "i"], axis=0)]
    proto = model(nodes, [("x", kind, (4,))], outputs, {"k": np.array([3])})
    done = rewrite(proto)
    assert not done.refused
    assert operators(proto) == ["Cast", "TopK", "Cast"]
    x = np.array([7, 250, 3, 9]).astype(dtype)
    found = reference_outputs(proto, {"x": x})
    order = np.argsort(-x.astype("int64"), kind="stable")[:3]
    np.testing.assert_array_equal(found["i"], order)
    np.testing.assert_array_equal(found["v"], x[order])
    assert found["v"].dtype == dtype
