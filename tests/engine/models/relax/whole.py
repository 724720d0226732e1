"""Models by the whole way, untuned, beside ONNX Runtime on the file as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from engine.models.reference import reference_outputs
from tests.engine.deploy.compiled import compiled
from tests.engine.tasks.programs import opened

Arrays = dict[str, np.ndarray]
Judge = Callable[[ModelProto, Arrays], Arrays]

TOLERANCES = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-6}
"""Attributes are single floats, and a normalisation may compute in them."""


def side_by_side(
    nodes: Sequence[NodeProto],
    inputs: Arrays,
    constants: Arrays | None = None,
    *,
    opset: int = 18,
    judge: Judge = reference_outputs,
) -> ModelProto:
    """A model that gives the first output of every node; its types are those that they have."""
    given = [_value(name, array) for name, array in inputs.items()]
    stored = [numpy_helper.from_array(value, name) for name, value in (constants or {}).items()]
    results = [helper.make_empty_tensor_value_info(node.output[0]) for node in nodes]
    graph = helper.make_graph(list(nodes), "test", given, results, stored)
    imports = [helper.make_opsetid("", opset)]
    proto = helper.make_model(graph, opset_imports=imports, ir_version=10)
    expected = judge(proto, inputs)
    del proto.graph.output[:]
    proto.graph.output.extend(_value(name, array) for name, array in expected.items())
    return proto


def _value(name: str, array: np.ndarray) -> Any:
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, kind, array.shape)


def assert_as_the_file(
    proto: ModelProto, inputs: Arrays, folder: Path, expected: Arrays | None = None
) -> None:
    """Values of all outputs agree, with NaN and infinities in the same places."""
    found = compiled(opened(proto), {}, folder).run(inputs)
    for name, value in (expected or reference_outputs(proto, inputs)).items():
        assert (found[name].dtype, found[name].shape) == (value.dtype, value.shape), name
        tolerance = TOLERANCES.get(value.dtype.name, 0)
        np.testing.assert_allclose(found[name], value, tolerance, tolerance, err_msg=name)
