"""Biases of products are constants of 16 bits, where their numbers allow it."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engine.kernels.library import LibraryTask
from tests.engine.tasks.halves.lowered import Lowered, lowered


def layers(*biases: float) -> onnx.ModelProto:
    """Products of one shape, each with a bias of this size and a rectifier, and a last one."""
    draw = np.random.default_rng(0)
    nodes, weights, before = [], [], "x"
    for number, size in enumerate([*biases, 0.0]):
        w, p = draw.standard_normal((16, 16)), np.full(16, size)
        for name, values in ((f"w{number}", w), (f"p{number}", p)):
            weights.append(numpy_helper.from_array(values.astype(np.float32), name))
        last = number == len(biases)
        steps = [("MatMul", [before, f"w{number}"], "y" if last else f"a{number}")]
        if not last:
            steps += [
                ("Add", [f"a{number}", f"p{number}"], f"b{number}"),
                ("Relu", [f"b{number}"], f"c{number}"),
            ]
        nodes += [helper.make_node(kind, read, [made]) for kind, read, made in steps]
        before = f"c{number}"
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, (6, 16)) for name in "xy")
    graph = helper.make_graph(nodes, "layers", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def biases(made: Lowered) -> list[str]:
    """The types of the biases that the program's kernels are given, in order."""
    flow = made.program.dataflow
    specs = [flow.values[value].spec for step in flow.steps for value in step.inputs]
    return [spec.dtype for spec in specs if spec.shape in ((16,), (1, 16))]


@pytest.mark.parametrize(
    ("sizes", "types"),
    [
        ((1.0,), ["float16"]),
        ((1e6,), ["float32"]),
        ((1.0, 2.0), ["float16", "float16"]),
        ((1.0, 1e6), ["float32", "float32"]),  # of one kernel
    ],
)
def test_a_bias_is_a_half_where_all_of_its_kernel_are_in_range(
    sizes: tuple[float, ...], types: list[str]
) -> None:
    assert biases(lowered(layers(*sizes), "float16", run=False)) == types


def test_a_bias_of_16_bits_is_added_as_before() -> None:
    made = lowered(layers(1.0, 3.0), "float16")
    made.assert_agrees()
    functions = [workload["main"] for workload in made.program.workloads]
    tasks = [found for one in functions if (found := LibraryTask.of(one)) is not None]
    assert [(one.matmul.bias, one.matmul.output, len(one.rest)) for one in tasks] == [
        (True, "float16", 0),
        (False, "float32", 0),
    ]
