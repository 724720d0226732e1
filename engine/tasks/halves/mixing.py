"""A graph in mixed precision: values of 16 bits, which operators compute with in float32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.models.relax.binding_names import bindings_of, is_named, name_added
from engine.models.relax.calls import operator_name, with_main
from engine.models.relax.wide_sums import wide_product
from engine.tasks.halves.ranges import (
    PRODUCTS,
    SINGLE,
    is_constant,
    is_float,
    is_result,
    moves,
    ranges_of,
)

_ADDED = "layout_cast"


def in_half(module: Any, dtype: str = "float16") -> Any:
    """The module with operands of convolutions and matrix products in `dtype`, a type of 16 bits.

    What operators give is stored so, too, where its range is known to allow it (`ranges_of`), and
    read through a cast to float32 for each reader, which fusion takes into the reader's kernel.
    Inputs and outputs keep their types; a model whose operands are halves as they are stays what
    it is.
    """
    main = module["main"]
    if not _has_singles(main):
        return module
    mixed = with_main(module, _Mixing(module, dtype).made())
    return name_added(module, mixed) if is_named(module) else mixed


def _has_singles(main: Any) -> bool:
    """Whether a product has operands in float32."""
    return any(
        operator_name(binding.value).startswith(PRODUCTS)
        and any(is_float(item, SINGLE) for item in binding.value.args)
        for binding in bindings_of(main)
    )


class _Mixing:
    """Writes the bindings of a function anew.

    `_values` has what stands for its variables. Of a value that is stored in 16 bits that is the
    stored one; who computes with it casts it.
    """

    def __init__(self, module: Any, dtype: str) -> None:
        from tvm import relax

        self._main = module["main"]
        self._dtype = dtype
        self._stored = ranges_of(self._main, dtype).stored
        self._builder = relax.BlockBuilder(module)
        self._values: dict[Any, Any] = {parameter: parameter for parameter in self._main.params}
        self._casts: dict[Any, Any] = {}  # of what is not stored in 16 bits, and of constants
        self._bindings: list[Any] = []

    def made(self) -> Any:
        """The function."""
        from tvm import relax

        main = self._main
        blocks = []
        for block in main.body.blocks:
            self._bindings = []
            for binding in block.bindings:
                self._write(binding.var, binding.value)
            blocks.append(type(block)(self._bindings))
        body = relax.SeqExpr(blocks, self._with(main.body.body, self._as_single))
        return relax.Function(main.params, body, main.ret_ty, main.is_pure, main.attrs)

    def _write(self, var: Any, value: Any) -> None:
        name = operator_name(value)
        if name == "relax.astype" and self._stands_for(var, value.args[0]):
            return
        if name.startswith(PRODUCTS) and is_float(value.args[0], SINGLE):
            value = wide_product(self._with(value, self._as_narrow))
        elif var in self._stored and moves(value):
            self._values[var] = self._bound(self._with(value, self._as_narrow), var)
            return
        else:
            value = self._with(value, self._as_single)
        self._values[var] = single = self._bound(value, var)
        if var in self._stored:
            self._values[var] = self._cast(single, self._dtype)

    def _stands_for(self, var: Any, source: Any) -> bool:
        """Whether a cast of `source` is there already, for it is stored in the other type."""
        if is_constant(source) or is_result(var):
            return False
        known = self._values[source]
        there = is_float(known, self._dtype) and (
            var in self._stored or (source in self._stored and is_float(var, self._dtype))
        )
        if there:
            self._values[var] = known
        return there

    def _as_narrow(self, item: Any) -> Any:
        """A float32 operand in 16 bits: where it is not stored so, by one cast for all readers."""
        if item in self._stored:
            return self._values[item]
        if item not in self._casts:
            self._casts[item] = (
                rounded(item, self._dtype)
                if is_constant(item)
                else self._cast(self._values[item], self._dtype)
            )
        return self._casts[item]

    def _as_single(self, item: Any) -> Any:
        """A float32 operand in float32: where it is stored in 16 bits, by a cast of its own, which
        fusion can take into the reader's kernel."""
        if is_constant(item):
            return item
        value = self._values[item]
        return self._cast(value, SINGLE) if item in self._stored else value

    def _cast(self, value: Any, dtype: str) -> Any:
        from tvm import relax

        if isinstance(value.ty, relax.TupleType):
            items = [relax.TupleGetItem(value, place) for place in range(len(value.ty.fields))]
            return self._bound(
                relax.Tuple([self._cast(self._bound(item), dtype) for item in items])
            )
        return self._bound(relax.op.astype(value, dtype))

    def _bound(self, value: Any, old: Any = None) -> Any:
        """The variable that a value is bound to, by the name and kind of the `old` one."""
        from tvm import relax

        value = self._builder.normalize(value)
        kind = relax.DataflowVar if old is None else type(old)
        var = kind(_ADDED if old is None else str(old.name), value.ty)
        self._bindings.append(relax.VarBinding(var, value))
        return var

    def _with(self, value: Any, of: Callable[[Any], Any]) -> Any:
        """A value with `of` each operand of float32, and what stands for the others."""
        from tvm import relax

        if isinstance(value, relax.Call):
            items = [self._with(item, of) for item in value.args]
            return relax.Call(value.op, items, value.attrs, value.ty_args, value.span)
        if isinstance(value, relax.Tuple):
            return relax.Tuple([self._with(item, of) for item in value.fields])
        if isinstance(value, relax.TupleGetItem):
            return relax.TupleGetItem(self._with(value.tuple_value, of), value.index)
        if is_float(value, SINGLE) and (is_constant(value) or value in self._values):
            return of(value)
        return self._values.get(value, value) if isinstance(value, relax.Var) else value


def rounded(constant: Any, dtype: str) -> Any:
    """A constant of float32 in a type of 16 bits."""
    import ml_dtypes  # noqa: F401  has NumPy know bfloat16 by its name
    import numpy as np
    from tvm import relax

    with np.errstate(over="ignore"):
        return relax.const(constant.value.numpy().astype(dtype), dtype)
