"""What rewritings of Relax modules have in common."""

from __future__ import annotations

from typing import Any


def operator_name(value: Any) -> str:
    """A call's operator, such as relax.add; empty for everything else."""
    return str(getattr(getattr(value, "op", None), "name", ""))


def with_main(module: Any, main: Any) -> Any:
    """The module with another function `main`."""
    import tvm

    functions = dict(module.functions.items())
    functions[module.get_global_var("main")] = main
    return tvm.IRModule(functions, attrs=module.attrs)
