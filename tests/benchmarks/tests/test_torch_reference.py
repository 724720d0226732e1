"""The PyTorch reference: what it refuses, and, where PyTorch is installed, that it is right."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, helper

from engine.models.prepare import prepare
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.benchmarks.rivals import torch_reference
from tests.benchmarks.rivals.torch_operators import OPERATORS, Node, _ceil
from tests.benchmarks.rivals.torch_reference import Wanted, _child, check, measured, summary
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


def test_a_failure_is_told_by_its_last_line(tmp_path: Path) -> None:
    script = "import sys; print('{}'); sys.exit('Traceback' + chr(10) + 'RuntimeError: no device')"
    lines, reason = _child([sys.executable, "-c", script], 60.0, tmp_path)
    assert lines == ["{}"]
    assert reason == "PyTorch failed: RuntimeError: no device"


def test_what_was_printed_before_the_limit_is_kept(tmp_path: Path) -> None:
    script = "import time; print('first', flush=True); time.sleep(600)"
    watched = _child([sys.executable, "-S", "-c", script], 2.0, tmp_path)
    assert watched == (["first"], "PyTorch took more than 2 s.")


def test_rows_that_do_not_agree_are_not_the_best() -> None:
    row = {"torch": "2", "cudnn": None, "graph": True, "precision": "float16", "latency_s": 1.0}
    found = summary([row | {"note": ""}, row | {"latency_s": 0.5, "note": "differs"}])
    assert found["best"] == {"float32": None, "tf32": None, "float16": 1.0}
    assert summary([])["torch"] is None


def test_what_is_wanted_comes_back_from_the_command_line() -> None:
    wanted = Wanted(("tf32",), ("NHWC",), max_autotune=True, seconds=0.5)
    assert wanted.options() == [
        "--precisions", "tf32", "--layouts", "NHWC", "--seconds", "0.5", "--max-autotune",
    ]  # fmt: skip


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


@pytest.mark.slow
@pytest.mark.long
def test_halves_and_compiled_kernels_give_the_same_outputs() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    halves = Wanted(("float16",), seconds=0.0)
    compiled = Wanted(("float32", "tf32"), max_autotune=True, seconds=0.0)
    for wanted, count in ((halves, 2), (compiled, 1)):
        found = measured(branches_model(), "cpu", wanted)  # apart: PyTorch warns of itself
        assert [row["note"] for row in found["rows"]] == [""] * count
        assert found["best"][wanted.precisions[0]] > 0
