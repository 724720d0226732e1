"""Biases of products in 16 bits, as the products' operands and results are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.kernels.blocks import blocks_of, cast_nest, dtype_of
from engine.kernels.epilogues import bias_of
from engine.kernels.products import ProductParts
from engine.models.relax.calls import operator_name, with_main
from engine.tasks.halves.mixing import rounded
from engine.tasks.halves.ranges import SINGLE, fits, is_constant

_CALL = "relax.call_tir"


def with_half_biases(module: Any, dtype: str) -> Any:
    """The lowered module whose products add constants of 16 bits to their columns.

    Vendors' libraries add a bias of the type that they write. The kernel casts it to float32, in
    which it adds; a bias beyond the range of `dtype` stays what it is.
    """
    import tvm

    changed: dict[Any, tuple[Any, int]] = {}
    for var, function in module.functions.items():
        calls = [call for call in _calls(module["main"]) if call.args[0].same_as(var)]
        place = _bias_of(function, dtype) if calls else None
        if place is None:
            continue
        given = [call.args[1].fields[place] for call in calls]
        if all(is_constant(one) and fits(one, dtype) for one in given):
            changed[var] = _narrow(function, place, dtype), place
    if not changed:
        return module
    functions = {var: changed.get(var, (one,))[0] for var, one in module.functions.items()}
    return _with_constants(tvm.IRModule(functions, attrs=module.attrs), changed, dtype)


def _calls(main: Any) -> Iterator[Any]:
    for block in main.body.blocks:
        for binding in block.bindings:
            if operator_name(binding.value) == _CALL:
                yield binding.value


def _bias_of(function: Any, dtype: str) -> int | None:
    """The place of the parameter of float32 that a kernel of results in `dtype` adds to a product
    at once; None where there is none."""
    params = list(getattr(function, "params", ()))
    if not params or dtype_of(params[-1]) != dtype:
        return None
    parts = ProductParts.of(function)
    if parts is None or parts.product.operands != dtype:
        return None
    bias = bias_of(parts)
    found = [place for place, one in enumerate(params) if bias is not None and one.same_as(bias)]
    return found[0] if found and dtype_of(bias) == SINGLE else None


def _narrow(function: Any, place: int, dtype: str) -> Any:
    """The kernel with a parameter of `dtype`, cast behind the product to what it was."""
    from tvm import s_tir, tirx

    old = function.params[place]
    new = tirx.decl_buffer(list(old.ty.shape), dtype, str(old.name))
    params = [new if one.same_as(old) else one for one in function.params]
    root = function.body.block
    nests = list(root.body.seq)
    place_of_sum = [block.sums for block in blocks_of(function) or []].index(True)
    nests.insert(place_of_sum + 1, cast_nest(new, old))
    inner = tirx.SeqStmt(nests)
    block = s_tir.SBlock(
        [], [], [], root.name_hint, inner, None, [*root.alloc_buffers, old], [], root.annotations
    )
    body = s_tir.SBlockRealize([], True, block)
    return tirx.PrimFunc(params, body, function.ret_type, function.attrs)


def _with_constants(module: Any, changed: dict[Any, tuple[Any, int]], dtype: str) -> Any:
    """The module whose calls of changed kernels give them constants of `dtype`."""
    from tvm import relax
    from tvm.relax.expr_functor import mutator

    places = {str(var.name_hint): place for var, (_, place) in changed.items()}

    @mutator
    class Narrow(relax.PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the arguments of calls."""

        def visit_call_(self, call: Any) -> Any:
            if operator_name(call) != _CALL:
                return super().visit_call_(call)
            place = places.get(str(call.args[0].name_hint))
            if place is None:
                return super().visit_call_(call)
            fields = [
                rounded(one, dtype) if at == place else one
                for at, one in enumerate(call.args[1].fields)
            ]
            arguments = [call.args[0], relax.Tuple(fields), *list(call.args)[2:]]
            return relax.Call(call.op, arguments, call.attrs, call.ty_args, call.span)

    return with_main(module, Narrow(module).visit_expr(module["main"]))
