"""Tiny scheduled modules: some that work, some that never end, some that crash."""

from __future__ import annotations

import functools

from engine.measure.runner import BuildRequest
from engine.records.task import TensorSpec
from engine.records.trial import Protocol

ARGS = (TensorSpec((64,), "float32"), TensorSpec((64,), "float32"))
QUICK = Protocol(sample_s=0.0005, max_s=0.05, timeout_s=30.0)

_MODULE = """
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
        T.func_attr({{"global_symbol": "main", "tirx.noalias": True}})
        for i in range(T.int64({steps})):
            with T.sblock("C"):
                {body}
"""


@functools.cache
def target() -> str:
    """This machine's CPU, as TVM's JSON."""
    import tvm

    return str(tvm.ir.save_json(tvm.target.Target("llvm")))


@functools.cache
def module(steps: int, body: str) -> str:
    """A loop over `body`, as TVM's JSON."""
    import tvm

    return str(tvm.ir.save_json(tvm.script.from_source(_MODULE.format(steps=steps, body=body))))


def add() -> str:
    """C = A + 1 over 64 elements."""
    return module(64, "C[i] = A[i] + T.float32(1)")


def wrong_at_the_end() -> str:
    """C = A + 1, but for the last element."""
    return module(64, "C[i] = T.if_then_else(i < 63, A[i] + T.float32(1), A[i])")


def short() -> str:
    """C = A + 1, and nothing where the last element is."""
    return module(63, "C[i] = A[i] + T.float32(1)")


def spin(steps: int) -> str:
    """A chain of `steps` dependent multiply-adds: some nanoseconds each."""
    return module(steps, "C[0] = C[0] * A[1] + A[2]")


def endless() -> str:
    """A chain that takes days."""
    return spin(10**14)


def stray() -> str:
    """Writes far outside of its buffer."""
    return module(64, "C[i * T.int64(1000000000000)] = A[i]")


def request(text: str, artifact: str) -> BuildRequest:
    """A request to build a module for this machine."""
    return BuildRequest(text, target(), artifact)
