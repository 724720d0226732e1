"""The design space: wide vectors where the channels fill them."""

from __future__ import annotations

import json
import os

import pytest

from engine.records.task import Task, TensorSpec
from engine.search import space
from engine.search.space import wide_vector_bits
from engine.targets.targets import TargetSpec
from tests.engine.search.searches import make_search

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="names x86 processors")


def target(mcpu: str) -> TargetSpec:
    """A CPU that this machine need not be."""
    return TargetSpec(json.dumps({"kind": "llvm", "mcpu": mcpu, "num-cores": 2}), mcpu, "cpu", 2)


def task(op_class: str, channels: int, dtype: str = "float32") -> Task:
    """A task whose last axis is `channels` long."""
    args = (TensorSpec((1, 8, 8, 3), dtype), TensorSpec((1, 8, 8, channels), dtype))
    return Task(0, op_class, 1, 1.0, op_class, args, "")


@pytest.mark.parametrize(
    ("mcpu", "channels", "bits"),
    [
        ("x86-64-v4", 64, 1024),
        ("x86-64-v4", 32, 1024),
        ("x86-64-v4", 48, 512),
        ("x86-64-v4", 16, 512),
        ("x86-64-v4", 8, 0),
        ("x86-64-v4", 1000, 0),
        ("x86-64-v3", 1000, 256),
        ("x86-64-v3", 16, 512),
        ("x86-64-v3", 8, 256),
        ("x86-64-v3", 4, 0),
        ("x86-64", 8, 256),
        ("x86-64", 4, 128),
        ("x86-64", 3, 0),
    ],
)
def test_vectors_are_as_wide_as_the_channels_fill(mcpu: str, channels: int, bits: int) -> None:
    assert wide_vector_bits(task("conv2d_add_relu", channels), target(mcpu)) == bits


@pytest.mark.parametrize(
    ("op_class", "wide"),
    [
        ("conv2d", True),
        ("conv1d", True),
        ("conv2d_transpose_add", True),
        ("matmul_add_relu", True),
        ("dense", True),
        ("concatenate", False),
        ("softmax", False),
        ("max_pool2d", False),
        ("transpose", False),
    ],
)
def test_only_reductions_over_products_are_widened(op_class: str, wide: bool) -> None:
    assert bool(wide_vector_bits(task(op_class, 32), target("x86-64-v4"))) == wide


def test_other_types_gpus_and_scalars_keep_the_default_rules() -> None:
    cpu = target("x86-64-v4")
    gpu = TargetSpec('{"kind": "cuda"}', "", "cuda:0", 2)
    scalar = Task(0, "matmul", 1, 1.0, "matmul", (TensorSpec((), "float32"),), "")
    assert wide_vector_bits(task("conv2d", 32, "float16"), cpu) == 0
    assert wide_vector_bits(task("conv2d", 32), gpu) == 0
    assert wide_vector_bits(scalar, cpu) == 0


@pytest.mark.parametrize("bits", [128, 256])
def test_the_innermost_axis_is_vectorised_to_that_width(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "_register_bits", lambda _: bits // 2)
    search = make_search("dense", "matmul_add_relu")
    search.start()
    for candidate in search.propose():
        inner = f"for i1_1_fused in T.vectorized(T.int64({bits // 32}))"
        assert inner in str(candidate.handle.sch.mod.script())
