"""Ready kernels: which there are for a task, and their place in a module."""

from __future__ import annotations

from typing import Any

from engine.kernels import attention_kernel, library
from engine.kernels.attention import Attention
from engine.kernels.cublaslt import find_library
from engine.kernels.marks import text_on
from engine.records.machine import TargetSpec

_REALISED = {
    attention_kernel.NAME: attention_kernel.realised,
    library.NAME: library.realised,
}


def ready_texts(function: Any, target: TargetSpec) -> list[str]:
    """The ready kernels that compute what a PrimFunc does, the likely best first.

    A library's are among them where it is installed here and the target is a GPU of this machine.
    """
    task = Attention.of(function)
    if task is not None:
        return attention_kernel.texts(task)
    has_library = target.is_gpu and not target.remote and find_library() is not None
    return library.texts(function) if has_library else []


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
