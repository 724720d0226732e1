"""Running products and caches, as ONNX Runtime or ONNX's own definition computes them."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from tests.engine.models.rewriting.nodes import assert_rewritten, model_of, normal
from tests.engine.models.rewriting.same import Inputs


def defined(proto: ModelProto, inputs: Inputs) -> Inputs:
    """What ONNX's own evaluator gives: ONNX Runtime may lack the kernel."""
    return {"y": np.asarray(ReferenceEvaluator(proto).run(None, inputs)[0])}


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("exclusive", [0, 1])
@pytest.mark.parametrize("reverse", [0, 1])
def test_a_running_product(reverse: int, exclusive: int, axis: int, dtype: str) -> None:
    values = {"x": (normal(2, 3, 4) * 3).astype(dtype), "axis": np.array(axis)}
    node = helper.make_node(
        "CumProd", list(values), ["y"], name="node", exclusive=exclusive, reverse=reverse
    )
    proto, inputs = model_of(node, values, ["axis"], opset=26)
    proto.ir_version = 12
    assert_rewritten(proto, inputs, 1e-4, defined(proto, inputs))


@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("axis", [1, -2, -1])
@pytest.mark.parametrize("constant", [(), ("at",)])
def test_a_sequence_is_written_into_a_cache(
    constant: tuple[str, ...], axis: int, mode: str
) -> None:
    sizes = [2, 3, 6, 5]
    sizes[axis] = 2
    last = [2, 3, 6, 5][axis] - (1 if mode == "circular" else 2)
    values = {"cache": normal(2, 3, 6, 5), "update": normal(*sizes, seed=1)}
    values["at"] = np.array([1, last])
    node = helper.make_node("TensorScatter", list(values), ["y"], name="node", axis=axis, mode=mode)
    proto, inputs = model_of(node, values, constant, opset=24)
    assert_rewritten(proto, inputs, wanted=defined(proto, inputs))


def test_a_sequence_is_written_at_the_start_by_default() -> None:
    values = {"cache": normal(2, 6, 5), "update": normal(2, 4, 5, seed=1)}
    node = helper.make_node("TensorScatter", list(values), ["y"], name="node")
    proto, inputs = model_of(node, values, opset=24)
    assert_rewritten(proto, inputs, wanted=defined(proto, inputs))
