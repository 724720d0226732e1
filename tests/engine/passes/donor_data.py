"""Donors for tests. The figures are made up; no device measured them."""

from __future__ import annotations

import hashlib
from typing import Any

from engine.passes.donor import Donor
from engine.records.task import Task, TensorSpec
from tests.engine.project.support import TARGET, trace_text

TITLE = "cpu znver4 x2"
TVM = "0.27.0"


def conv_args(size: int, inputs: int, outputs: int, kernel: int = 3) -> tuple[TensorSpec, ...]:
    """The arguments of a convolution in NHWC: data, weight, bias, output."""
    shapes = (
        (1, size, size, inputs),
        (outputs, kernel, kernel, inputs),
        (1, 1, 1, outputs),
        (1, size, size, outputs),
    )
    return tuple(TensorSpec(shape, "float32") for shape in shapes)


def conv_task(size: int = 56, inputs: int = 64, outputs: int = 64, kernel: int = 3) -> Task:
    """The task of such a convolution."""
    args = conv_args(size, inputs, outputs, kernel)
    return Task(
        0, "conv", 1, work(args), "conv2d_add_relu", args, digest(f"{args}"), untuned_latency_s=1e-2
    )


def donor(seed: int = 0, args: tuple[TensorSpec, ...] | None = None, **changes: Any) -> Donor:
    """A donor whose trace follows from the seed, and whose task from its arguments."""
    args = conv_args(56, 64, 64) if args is None else args
    trace = trace_text(seed)
    content: dict[str, Any] = {
        "model": "resnet",
        "task": "conv2d_add_relu_1",
        "op_class": "conv2d_add_relu",
        "args": args,
        "flops": work(args) if args else 0.0,
        "latency_s": 1e-3,
        "untuned_latency_s": 1e-2,
        "trace": trace,
        "trace_key": digest(trace),
        "fingerprint": digest(f"elsewhere {args}"),
        "target": TARGET,
        "target_title": TITLE,
        "tvm_version": TVM,
        "place": "/projects/resnet.tune",
        "at": 1.7e9,
    }
    return Donor(**{**content, **changes})


def work(args: tuple[TensorSpec, ...]) -> float:
    """The FLOPs of a convolution with these arguments."""
    _, height, width, outputs = args[3].shape
    _, rows, columns, inputs = args[1].shape
    return 2.0 * height * width * outputs * rows * columns * inputs


def digest(text: str) -> str:
    """A SHA-256, as keys and fingerprints are."""
    return hashlib.sha256(text.encode()).hexdigest()
