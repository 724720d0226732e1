"""Lowering: channels last on a CPU, and what happens where TVM cannot do that."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from engine.records.errors import ModelError
from engine.tasks import lower as lowering
from engine.tasks.lower import first_line
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


def test_a_model_that_cannot_be_lowered_is_refused_with_tvms_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lowering, "_lowered", fail)
    with pytest.raises(ModelError) as caught:
        program(networks.concat())
    assert "no layout for this" in caught.value.what
    assert caught.value.todo


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
