"""The list that the starter library is made from."""

from __future__ import annotations

import onnx
import pytest
from onnx import shape_inference

from tests.benchmarks.starter.networks import NETWORKS


@pytest.mark.parametrize("name", NETWORKS)
def test_each_network_is_a_model_of_fixed_shapes(name: str) -> None:
    model = NETWORKS[name]()
    onnx.checker.check_model(model, full_check=True)
    inferred = shape_inference.infer_shapes(model, strict_mode=True).graph
    known = {value.name for value in (*inferred.value_info, *inferred.output)}
    assert known >= {name for node in model.graph.node for name in node.output}
