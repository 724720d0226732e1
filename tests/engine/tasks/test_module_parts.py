"""A module taken apart and put together again."""

from __future__ import annotations

import pytest
from onnx import TensorProto, helper

from engine.tasks.module_parts import put_together, take_apart
from tests.engine.models import build
from tests.engine.tasks.programs import network, program


@pytest.mark.parametrize(
    "name", ["conv_bias_relu", "attention", "constant_output", "input_as_output", "twice"]
)
def test_a_module_is_the_same_again(name: str) -> None:
    import tvm_ffi

    module = network(name).program.module
    assert tvm_ffi.structural_equal(put_together(take_apart(module)), module)


def test_large_constants_are_not_in_the_text_and_one_that_is_shared_is_sent_once() -> None:
    import numpy as np

    shared = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("MatMul", ["r", "w"], ["y"]),
    ]
    proto = build.model(
        nodes,
        [("x", TensorProto.FLOAT, [4, 64])],
        [("y", TensorProto.FLOAT, [4, 64])],
        {"w": shared},
    )
    module = program(proto).module
    parts = take_apart(module)
    (constant,) = parts.constants
    assert np.array_equal(constant, shared)
    flow = program(proto).dataflow
    assert sum(value.kind == "constant" for value in flow.values) == 1
