"""The PyTorch reference: what it refuses, and, where PyTorch is installed, that it is right."""

from __future__ import annotations

import importlib.util
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, helper

from engine.errors import ModelError
from engine.models.prepare import prepare
from engine.models.source import ModelSource
from tests.benchmarks import torch_reference
from tests.benchmarks.torch_operators import OPERATORS, Node, _ceil
from tests.benchmarks.torch_reference import check, measured
from tests.engine.models.build import branches_model, unsupported_model


def node(kind: str, **attributes: Any) -> Node:
    return Node(helper.make_node(kind, ["x"], ["y"], **attributes), 13, {})


def test_operators_that_are_not_known_are_refused_by_name() -> None:
    with pytest.raises(ModelError, match=r"PyTorch reference has no If, Twist\."):
        check(unsupported_model())


def test_sizes_that_are_computed_are_refused() -> None:
    proto = helper.make_node("Reshape", ["x", "sizes"], ["y"])
    value = SimpleNamespace(shape=(1, 4))
    with pytest.raises(ModelError, match="no Reshape whose input sizes is computed"):
        OPERATORS["Reshape"](None, Node(proto, 13, {}), [value])


def test_a_machine_without_pytorch_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert measured(ModelProto(), "cuda:0") == {"reason": "PyTorch is not installed."}


def test_a_failure_is_told_by_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(*_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(returncode=1, stderr="Traceback\nRuntimeError: no device\n")

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr("subprocess.run", failed)
    reason = measured(ModelProto(), "cuda:0")["reason"]
    assert reason == "PyTorch failed: RuntimeError: no device"


@given(
    st.integers(1, 60), st.integers(1, 7), st.integers(1, 4), st.integers(0, 6), st.integers(0, 1)
)
def test_rounding_up_stands_for_padding_behind_where_the_windows_are_the_same(
    size: int, kernel: int, stride: int, behind: int, before: int
) -> None:
    pool = node(
        "MaxPool",
        kernel_shape=[kernel] * 2,
        strides=[stride] * 2,
        pads=[before, before, behind, behind],
    )
    if not _ceil(pool, SimpleNamespace(shape=(1, 1, size, size))):
        return
    assert before == 0
    padded = (size + behind - kernel) // stride + 1  # as ONNX counts the outputs
    rounded = -((kernel - size) // stride) + 1  # as PyTorch does
    rounded -= (rounded - 1) * stride >= size
    assert padded == rounded


def test_the_average_pool_of_all_is_a_mean() -> None:
    """As at the end of Inception v1: its window is larger than what it is over."""
    asked = []
    value = SimpleNamespace(shape=(1, 8, 6, 6), mean=lambda *args, **_: asked.append(args))
    pool = node("AveragePool", kernel_shape=[7, 7], pads=[0, 0, 1, 1])
    OPERATORS["AveragePool"](None, pool, [value])
    assert asked == [((2, 3),)]


@pytest.mark.slow
def test_the_outputs_are_those_of_onnx_runtime() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    samples = [prepare(ModelSource("sample", name)) for name in ("inception_v1", "squeezenet")]
    for proto in (branches_model(), *(sample.proto for sample in samples)):
        found = torch_reference.reference(proto, "cpu", seconds=0.0)
        assert [row["note"] for row in found["rows"]] == ["", ""]
        assert found["latency_s"] > 0
