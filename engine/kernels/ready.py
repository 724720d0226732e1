"""Ready kernels: which there are for a task, and their place in a module."""

from __future__ import annotations

from typing import Any

from engine.kernels import attention_kernel
from engine.kernels.attention import Attention
from engine.kernels.marks import text_on

_REALISED = {attention_kernel.NAME: attention_kernel.realised}


def ready_texts(function: Any) -> list[str]:
    """The ready kernels that compute what a PrimFunc does, the likely best first."""
    task = Attention.of(function)
    return [] if task is None else attention_kernel.texts(task)


def serve_all(function: Any) -> bool:
    """Whether nothing else is worth searching for, as a schedule of its blocks cannot keep the
    scores within one kernel."""
    return Attention.of(function) is not None


def with_ready_kernels(module: Any) -> Any:
    """The module in which what a trace marked is what it was marked with.

    ValueError where a mark, maybe a stranger's, names no kernel or one of another task.
    """
    import tvm

    functions = {var: realised(function) for var, function in module.functions.items()}
    same = all(new is module[var] for var, new in functions.items())
    return module if same else tvm.IRModule(functions, attrs=module.attrs)


def realised(function: Any) -> Any:
    """A function as `with_ready_kernels` has it."""
    text = text_on(function)
    if not text:
        return function
    make = _REALISED.get(text.split()[0])
    if make is None:
        raise ValueError(f"There is no kernel {text!r}.")
    return make(function, text)
