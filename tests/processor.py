"""Tests on other processors: which one they find here, and what must not depend on it.

TUNEWRIGHT_TEST_CPU names the one to find, in LLVM's words. Its code must run here: "znver3" on a
machine with AVX-512. Forked workers, programs that import the tests, and `running` find it, too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engine.records import machine

if TYPE_CHECKING:
    from onnx import ModelProto

_TAKE_BYTES = {
    "ConvInteger",
    "DequantizeLinear",  # which ONNX Runtime joins with the product behind it
    "DynamicQuantizeLSTM",
    "DynamicQuantizeMatMul",
    "MatMulInteger",
    "MatMulIntegerToFloat",
    "QGemm",
    "QLinearConv",
    "QLinearMatMul",
}
_REACH = 64  # 2 * 255 * 64 is the last that 16 bits hold


def pretend() -> None:
    """Let the targets of this process be the asked processor's."""
    if name := os.environ.get("TUNEWRIGHT_TEST_CPU"):
        machine.host_cpu = lambda: name


def running(module: str) -> tuple[str, str]:
    """Python's arguments for a module in a process of its own, which finds that processor, too."""
    if "TUNEWRIGHT_TEST_CPU" not in os.environ:
        return "-m", module
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return "-c", f"import runpy, tests; {run}"


def undecided_weights(proto: ModelProto) -> list[str]:
    """Weights of int8 by which ONNX Runtime's results depend on the processor.

    Without VNNI it adds two products of uint8 and int8 in 16 bits, and stops at their limit.
    """
    from onnx import TensorProto, numpy_helper

    taken = {name for n in proto.graph.node if n.op_type in _TAKE_BYTES for name in n.input}
    return [
        tensor.name
        for tensor in proto.graph.initializer
        if tensor.name in taken and tensor.data_type == TensorProto.INT8 and len(tensor.dims) > 1
        if abs(numpy_helper.to_array(tensor).astype("int32")).max(initial=0) > _REACH
    ]
