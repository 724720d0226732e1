"""Which operator it is that TVM cannot lower: TVM's own words do not tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.models.relax.binding_names import bindings_of, leaves, owners_of
from engine.models.relax.calls import operator_name
from engine.records.errors import Hint, ModelError
from engine.records.sentences import Sentence

OTHERWISE = Sentence("Replace it in the model, or export the model with another ONNX operator set.")


class NotLowered(ModelError):
    """TVM has no kernel for the operator of a binding; `places` are those of the prepared model's
    nodes that it came of."""

    places: frozenset[int] = frozenset()


def not_lowered(module: Any, attempt: Callable[[Any], object]) -> NotLowered:
    """The error that names the operator of `module` for which `attempt` raises something.

    It is looked for by halving the calls, each of which reads parameters in place of what the
    others give. Where all of them can be lowered by themselves, none is named.
    """
    calls = [binding for binding in bindings_of(module["main"]) if operator_name(binding.value)]
    if not calls or not _fails(calls, attempt):
        return NotLowered(
            "TVM cannot lower the model for this target, though it can lower each operator of it.",
            "Export it in smaller parts, and report it.",
            Hint.CHECK,
        )
    while len(calls) > 1:
        half = calls[: len(calls) // 2]
        calls = half if _fails(half, attempt) else calls[len(half) :]
    operator = operator_name(calls[0].value).removeprefix("relax.").removeprefix("nn.")
    types = ", ".join(_type(argument) for argument in calls[0].value.args if _type(argument))
    error = NotLowered(
        Sentence(
            "TVM cannot lower the operator {operator} for this target (inputs {types}).",
            operator=operator,
            types=types,
        ),
        OTHERWISE,
    )
    error.places = owners_of(calls[0].var)
    return error


def _fails(calls: Sequence[Any], attempt: Callable[[Any], object]) -> bool:
    module = _module(calls)
    try:
        attempt(module)
    except Exception:  # TVM raises whatever the rule of an operator does
        return True
    return False


def _module(calls: Sequence[Any]) -> Any:
    """A module of these calls, which read its parameters and give its results."""
    from tvm import relax

    reads = dict.fromkeys(leaf for call in calls for leaf in leaves(call.value) if _is_var(leaf))
    params = {var: relax.Var(f"p{place}", var.ty) for place, var in enumerate(reads)}

    @relax.expr_functor.mutator
    class Renaming(relax.PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Puts the parameters in the place of what is read."""

    renaming = Renaming()
    for var, param in params.items():
        renaming.set_var_remap(var, param)
    builder = relax.BlockBuilder()
    with builder.function("main", list(params.values())):
        with builder.dataflow():
            made = [builder.emit(renaming.visit_expr(call.value)) for call in calls]
            results = builder.emit_output(relax.Tuple(made))
        builder.emit_func_output(results)
    return builder.get()


def _is_var(leaf: Any) -> bool:
    from tvm import relax

    return isinstance(leaf, relax.Var)


def _type(argument: Any) -> str:
    """ "2x3 float32", "" for what is no tensor."""
    ty = argument.ty
    try:
        shape = "x".join(str(int(size)) for size in ty.shape)
        return f"{shape or 'scalar'} {ty.dtype}"
    except (TypeError, AttributeError):
        return ""
