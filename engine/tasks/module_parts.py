"""A TVM module as text and arrays: to be sent to another process at the speed of a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.models.relax.shared import shared_array, shared_tensor

if TYPE_CHECKING:
    import numpy as np

_PLAIN = {"float16", "bfloat16", "float32", "float64", "bool"}
_PLAIN |= {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
_SMALL_BYTES = 256  # such a constant costs less in the text than apart


@dataclass(frozen=True, slots=True)
class ModuleParts:
    """TVM's JSON of a module whose `main` takes its large constants as its last parameters."""

    text: str
    constants: tuple[np.ndarray, ...]


def take_apart(module: Any) -> ModuleParts:
    """The parts of a module with a Relax function `main`. Text alone takes ten times as long."""
    import tvm
    from tvm import relax

    main = module["main"]
    lifted = _large_constants(main)
    body = _replacing(lifted).visit_expr(main.body)
    params = [*main.params, *lifted.values()]
    bare = relax.Function(params, body, main.ret_ty, main.is_pure, main.attrs)
    functions = dict(module.functions.items())
    functions[module.get_global_var("main")] = bare
    text = tvm.ir.save_json(tvm.IRModule(functions, attrs=module.attrs))
    return ModuleParts(text, tuple(shared_array(constant.value) for constant in lifted))


def put_together(parts: ModuleParts) -> Any:
    """The module that `take_apart` was given."""
    import tvm
    from tvm import relax

    module = tvm.ir.load_json(parts.text)
    params = list(module["main"].params)
    lifted = params[len(params) - len(parts.constants) :]
    bound = {var: shared_tensor(array) for var, array in zip(lifted, parts.constants, strict=True)}
    return relax.transform.BindParams("main", bound)(module)


def _large_constants(main: Any) -> dict[Any, Any]:
    """The constants to be sent apart, each with a variable to stand for it."""
    import tvm
    from tvm import relax

    found: dict[Any, Any] = {}

    def visit(node: Any) -> None:
        if not isinstance(node, tvm.ir.GenericConst) or node in found:
            return
        tensor = node.value
        if not isinstance(tensor, tvm.runtime.Tensor) or str(tensor.dtype) not in _PLAIN:
            return
        if shared_array(tensor).nbytes > _SMALL_BYTES:
            found[node] = relax.Var(f"constant_{len(found)}", node.ty)

    relax.analysis.post_order_visit(main, visit)
    return found


def _replacing(lifted: dict[Any, Any]) -> Any:
    from tvm import relax

    @relax.expr_functor.mutator
    class Replacing(relax.PyExprMutator):  # type: ignore[misc]
        """Puts the variables in the constants' places."""

        def visit_generic_const_(self, op: Any) -> Any:
            return lifted.get(op, op)

    return Replacing()
