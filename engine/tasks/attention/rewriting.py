"""Relax functions whose attentions are one kernel each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.models.relax.binding_names import (
    bindings_of,
    is_named,
    leaves,
    name_bindings,
    name_joined,
)
from engine.tasks.attention.kernel import NAME, primfunc
from engine.tasks.attention.masks import emitted_mask
from engine.tasks.attention.matching import find
from engine.tasks.attention.planning import Mask, Merged, Plan, Source, plan
from engine.tasks.attention.products import (
    MergedProduct,
    Product,
    emitted,
    part_of,
    products_to_merge,
)
from engine.tasks.attention.reading import Graph, dtype_of, shape_of


def with_attention(
    module: Any, half: str = "float16", worth: Callable[[Any], bool] = lambda _: True
) -> Any:
    """The module with a kernel of halves for each attention, and with products of one tensor that
    attention reads as one product.

    What does not fit precisely stays as it is, and so does what is not `worth` it, by its PrimFunc.
    """
    if not _is_flow(module):
        return module
    kernels = _Kernels(half, worth)
    graph = Graph(module["main"])
    plans = kernels.plans(graph)
    if not plans:
        return module
    merged = products_to_merge(graph, plans, list(leaves(module["main"].body.body)))
    if merged:
        placed = {var: seen for one in merged for var, seen in one.placed()}
        plans = kernels.plans(Graph(module["main"], placed))
    return _rewritten(module, plans, merged, kernels)


def with_merged_products(module: Any) -> Any:
    """The module whose products of one tensor with constant matrices are one, where all of them
    are cut into heads, as attention's are that stays in parts."""
    if not _is_flow(module):
        return module
    merged = products_to_merge(Graph(module["main"]), [], list(leaves(module["main"].body.body)))
    return _rewritten(module, [], merged, _Kernels("")) if merged else module


def _is_flow(module: Any) -> bool:
    """Whether its main is one block of dataflow."""
    from tvm import relax

    blocks = module["main"].body.blocks
    return len(blocks) == 1 and isinstance(blocks[0], relax.DataflowBlock)


@dataclass(frozen=True, slots=True)
class _Kernels:
    """The PrimFuncs of plans, each made once."""

    half: str
    worth: Callable[[Any], bool] = lambda _: True
    _made: dict[str, Any] = field(default_factory=dict)

    def plans(self, graph: Graph) -> list[Plan]:
        """The attentions that become kernels."""
        made = (plan(graph, found, self.half) for found in find(graph))
        return [one for one in made if one is not None and self.worth(self.of(one))]

    def of(self, one: Plan) -> Any:
        key = f"{one.what.text()}{one.what.params}"
        if key not in self._made:
            self._made[key] = primfunc(one.what)
        return self._made[key]


def _rewritten(
    module: Any, plans: list[Plan], merged: list[MergedProduct], kernels: _Kernels
) -> Any:
    from tvm import relax
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    lasts = {one.last.value: one for one in plans}
    parts = {
        call: (whole, part)
        for whole in merged
        for part in whole.parts
        for call in (part.value, *(reader.value for reader in part.heads))
    }
    joined = {str(one.last.var.name): one.names for one in plans}
    bound = {str(binding.var.name) for binding in bindings_of(module["main"])}

    @mutator
    class Attentions(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Writes kernels and merged products in their places."""

        def __init__(self, module: Any) -> None:
            super().__init__(module)
            self._functions: dict[Any, Any] = {}
            self._products: dict[MergedProduct, Any] = {}
            self._given: dict[Any, Any] = {}

        def visit_call_(self, call: Any) -> Any:
            if call in lasts:
                return self._attention(lasts[call])
            if call in parts:
                whole, part = parts[call]
                shape = shape_of(call)
                return part_of(self.builder_, whole, self._whole(whole, part), part, shape)
            return super().visit_call_(call)

        def _whole(self, whole: MergedProduct, part: Product) -> Any:
            """A merged product, computed where its first part was."""
            if whole not in self._products:
                made = emitted(self.builder_, whole, self.visit_expr(part.call.args[0]))
                names = (name for one in whole.parts for name in one.names)
                joined[str(made.name)] = frozenset(names)
                self._products[whole] = made
            return self._products[whole]

        def _attention(self, one: Plan) -> Any:
            shapes, emit = one.what.shapes(), self.builder_.emit
            given = [
                self._halves(source, shape, one.what.half)
                for source, shape in zip(one.sources, shapes, strict=False)
            ]
            if one.mask is not None:
                given.append(self._mask(one.mask, shapes[len(given)]))
            half = one.what.half
            kernel = relax.call_tir(self._function(one), given, relax.TensorType(shapes[-1], half))
            shape, dtype = shape_of(one.last.var), dtype_of(one.last.var)
            if shape != shapes[-1]:
                kernel = relax.op.reshape(emit(kernel), shape)
            return kernel if dtype == half else relax.op.astype(emit(kernel), dtype)

        def _function(self, one: Plan) -> Any:
            made = kernels.of(one)
            if made not in self._functions:
                self._functions[made] = self.builder_.add_func(made, NAME)
            return self._functions[made]

        def _halves(self, source: Source, shape: tuple[int, ...], half: str) -> Any:
            key = (source, shape, half)
            if key not in self._given:
                root, emit = source.root, self.builder_.emit
                merged = isinstance(root, Merged)
                value = self._products[root] if merged else self.visit_expr(root)
                if source.turned:
                    rank = len(shape_of(value) or ())
                    order = [*range(rank - 2), rank - 1, rank - 2]
                    value = emit(relax.op.permute_dims(value, order))
                if dtype_of(value) != half:
                    value = emit(relax.op.astype(value, half))
                self._given[key] = self._reshaped(value, shape)
            return self._given[key]

        def _mask(self, mask: Mask, shape: tuple[int, ...]) -> Any:
            key = (mask.terms, mask.full, shape)
            if key not in self._given:
                self._given[key] = self._mask_anew(mask, shape)
            return self._given[key]

        def _mask_anew(self, mask: Mask, shape: tuple[int, ...]) -> Any:
            if mask.array is not None:
                return relax.const(mask.array.reshape(shape))
            if mask.source is None:
                value = emitted_mask(self.builder_, mask.terms, mask.full, self.visit_expr)
            else:
                value = self.visit_expr(mask.source)
                if mask.dtype == "float32":  # which no mixing of precisions may halve
                    value = self.builder_.emit(relax.op.astype(value, mask.dtype))
            names = (str(getattr(term.tensor, "name", "")) for term in mask.terms)
            joined[str(value.name)] = frozenset(names)
            return self._reshaped(value, shape)

        def _reshaped(self, value: Any, shape: tuple[int, ...]) -> Any:
            if shape_of(value) == shape:
                return value
            return self.builder_.emit(relax.op.reshape(value, shape))

    rewriting = Attentions(module)
    main = module.get_global_var("main")
    rewriting.builder_.update_func(main, rewriting.visit_expr(module["main"]))
    made = rewriting.builder_.get()
    if is_named(module):
        known = {name: names & bound for name, names in joined.items()}
        made = name_bindings(name_joined(made, known, module))
    return relax.transform.DeadCodeElimination()(made)
