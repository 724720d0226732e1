"""Which kernels may round their operands to TF32: a mark that a workload carries."""

from __future__ import annotations

from typing import Any

_MARK = "tunewright.tf32"
_HEAVY = ("conv", "matmul", "dense")


def with_tf32(module: Any) -> Any:
    """The lowered module whose convolutions and matrix products are marked.

    The mark is part of a workload, so that a task in TF32 is another than that in float32, and
    the schedules of the one are not taken for the other.
    """
    import tvm

    functions = {
        var: func.with_attr(_MARK, 1) if _is_heavy(str(var.name_hint), func) else func
        for var, func in module.functions.items()
    }
    return tvm.IRModule(functions, attrs=module.attrs)


def is_tf32(workload: Any) -> bool:
    """Whether a task's module is marked."""
    return any(_marked(func) for func in workload.functions.values())


def _is_heavy(name: str, func: Any) -> bool:
    kernel = type(func).__name__ == "PrimFunc"
    return kernel and any(part.startswith(_HEAVY) for part in name.split("_"))


def _marked(func: Any) -> bool:
    return func.attrs is not None and _MARK in func.attrs
