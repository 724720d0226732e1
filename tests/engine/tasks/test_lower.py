"""Lowering: channels last on a CPU, and what happens where TVM cannot do that."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name
from engine.models.relax.importing import INPUT_NAMES
from engine.records.errors import ModelError
from engine.tasks import lower as lowering
from engine.tasks.lower import first_line
from tests.engine.models import build
from tests.engine.tasks import networks
from tests.engine.tasks.programs import network, program


def conv_shapes(found: Any) -> list[tuple[int, ...]]:
    """Shapes of what the convolutions read and write."""
    conv = next(task for task in found.tasks if task.op_class.startswith("conv2d"))
    return [conv.args[0].shape, conv.args[-1].shape]


def test_convolutions_become_channels_last_on_a_cpu() -> None:
    found = network("conv_bias_relu").program
    assert conv_shapes(found) == [(1, 8, 8, 16), (1, 8, 8, 32)]


def test_constant_operands_are_free_in_their_layout_and_computed_ones_are_not() -> None:
    for name, kernel, free in [("dense", "matmul11", [1]), ("attention", "matmul2", [])]:
        found = network(name).program
        functions = {str(var.name_hint): func for var, func in found.module.functions.items()}
        assert list(functions[kernel].attrs["layout_free_buffers"]) == free


def test_a_transposed_convolution_keeps_its_layout_and_the_others_do_not() -> None:
    found = network("transposed_conv").program
    transposed = next(task for task in found.tasks if task.op_class == "conv2d_transpose")
    assert transposed.args[0].shape == (1, 16, 8, 8)
    assert conv_shapes(found) == [(1, 8, 8, 16), (1, 8, 8, 16)]


def fail(*_: object) -> None:
    raise RuntimeError("Check failed\n  no layout for this")


def leave_unlowered(module: Any) -> Any:
    """A change of layout that leads to an operator without a kernel."""
    from tvm import relax

    return relax.transform.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})(module)


@pytest.mark.parametrize("broken", [fail, leave_unlowered])
def test_a_model_that_cannot_be_channels_last_keeps_its_layout(
    broken: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lowering, "_channels_last", broken)
    with caplog.at_level(logging.WARNING, "engine.tasks.lower"):
        found = program(networks.transposed_conv())
    assert conv_shapes(found) == [(1, 16, 8, 8), (1, 16, 8, 8)]
    assert "keeps its layout" in caplog.text


@pytest.mark.parametrize("broken", ["relax.tanh", "relax.nn.relu", "relax.multiply"])
def test_a_model_that_cannot_be_lowered_is_refused_by_the_node_at_fault(
    broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    plain = lowering._lowered

    def lowered(module: Any, *how: Any) -> Any:
        if broken in [operator_name(binding.value) for binding in bindings_of(module["main"])]:
            fail()
        return plain(module, *how)

    monkeypatch.setattr(lowering, "_lowered", lowered)
    nodes = [
        helper.make_node("Tanh", ["x"], ["a"], name="first"),
        helper.make_node("Relu", ["a"], ["b"], name="second"),
        helper.make_node("Mul", ["a", "b"], ["y"], name="third"),
    ]
    shape = (TensorProto.FLOAT, [2, 3])
    with pytest.raises(ModelError) as caught:
        program(build.model(nodes, [("x", *shape)], [("y", *shape)]))
    named = {"relax.tanh": "Tanh (node first)", "relax.nn.relu": "Relu (node second)"}
    assert f"TVM cannot lower {named.get(broken, 'Mul (node third)')}" in caught.value.what
    assert "2x3 float32" in caught.value.what
    assert "no layout" not in str(caught.value), "TVM's words are for the log"
    assert "no layout for this" in caplog.text
    assert caught.value.todo


def test_a_model_that_cannot_be_lowered_as_a_whole_alone_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = lowering._lowered

    def lowered(module: Any, *how: Any) -> Any:
        if module["main"].attrs is not None and INPUT_NAMES in module["main"].attrs:
            fail()
        return plain(module, *how)

    monkeypatch.setattr(lowering, "_lowered", lowered)
    with pytest.raises(ModelError, match="each operator of it") as caught:
        program(networks.concat())
    assert caught.value.todo


@pytest.mark.parametrize("operator", ["ScatterElements", "ScatterND"])
@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_values_scattered_into_constants_are_lowered(operator: str, reduction: str) -> None:
    """The sum of a graph network: its kernel is not made of blocks that can be scheduled."""
    places = [4, 3] if operator == "ScatterElements" else [4, 1]
    weights = {"zero": np.zeros((5, 3), np.float32)}
    nodes = [helper.make_node(operator, ["zero", "i", "x"], ["y"], reduction=reduction)]
    inputs: list[build.Value] = [("i", TensorProto.INT64, places), ("x", TensorProto.FLOAT, [4, 3])]
    outputs: list[build.Value] = [("y", TensorProto.FLOAT, [5, 3])]
    found = program(build.model(nodes, inputs, outputs, weights, opset=18))
    assert found.tasks


def test_a_model_without_a_kernel_is_refused_by_name() -> None:
    with pytest.raises(ModelError) as caught:
        program(networks.only_reshape())
    assert "model has nothing to tune" in caught.value.what


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\n\n  b.  \n\n", "b"), ("", "ValueError"), ("x" * 300, "x" * 200), ("one", "one")],
)
def test_an_errors_reason_is_its_last_line(text: str, line: str) -> None:
    assert first_line(ValueError(text)) == line
