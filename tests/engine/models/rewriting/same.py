"""Compares a rewritten model with the original, in ONNX Runtime."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, helper

from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import Rewriting, rewrite

Inputs = dict[str, np.ndarray]


def draw(proto: ModelProto, seed: int = 0) -> Inputs:
    """Random values for all inputs: floats standard normal, integers over the range of 8 bits."""
    rng = np.random.default_rng(seed)
    values: Inputs = {}
    for value in proto.graph.input:
        tensor = value.type.tensor_type
        shape = [dim.dim_value for dim in tensor.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if dtype.kind in "iu":
            limits = np.iinfo("int8" if dtype.kind == "i" else "uint8")
            values[value.name] = rng.integers(limits.min, limits.max + 1, shape).astype(dtype)
        elif dtype.kind == "b":
            values[value.name] = rng.random(shape) < 0.5
        else:
            values[value.name] = rng.standard_normal(shape).astype(dtype)
    return values


def rewritten(
    proto: ModelProto, gone: str, inputs: Inputs | None = None, steps: float = 0, tol: float = 1e-5
) -> Rewriting:
    """Rewrite `proto`; no operator `gone` is left, and the outputs are within `steps` or close."""
    inputs = draw(proto) if inputs is None else inputs
    before = reference_outputs(proto, inputs)
    done = rewrite(proto)
    assert gone not in operators(proto)
    after = reference_outputs(proto, inputs)
    for name, value in before.items():
        assert after[name].dtype == value.dtype
        assert after[name].shape == value.shape
        if steps:
            assert np.abs(after[name].astype("f8") - value).max() <= steps
        else:
            np.testing.assert_allclose(after[name], value, rtol=tol, atol=tol)
    return done


def operators(proto: ModelProto) -> list[str]:
    """The kinds of the outermost graph's nodes, in order."""
    return [node.op_type for node in proto.graph.node]
