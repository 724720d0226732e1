"""Products of one tensor with several constant matrices as one product."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.models.relax.binding_names import leaves
from engine.models.relax.calls import operator_name
from engine.tasks.attention.planning import Merged, Plan
from engine.tasks.attention.reading import Graph, Seen, dtype_of, shape_of
from engine.tasks.attention.views import View, contiguous


@dataclass(frozen=True, slots=True)
class Product:
    """A tensor (rows, depth) times a constant matrix (depth, columns), with its bias if any."""

    var: Any
    value: Any
    """The call whose result the variable is."""
    call: Any
    """Of the product itself."""
    weights: Any
    bias: Any
    names: frozenset[str]

    @property
    def columns(self) -> int:
        return int(self.weights.shape[1])


@dataclass(frozen=True, eq=False, slots=True)
class MergedProduct:
    """Products of one tensor side by side: (rows, columns of all)."""

    parts: tuple[Product, ...]
    rows: int

    @property
    def columns(self) -> int:
        return sum(part.columns for part in self.parts)

    @property
    def elements(self) -> int:
        return self.rows * self.columns

    def begin(self, part: Product) -> int:
        """A part's first column."""
        return sum(one.columns for one in self.parts[: self.parts.index(part)])

    def placed(self) -> Iterator[tuple[Any, Seen]]:
        """Each part's variable with where it lies."""
        whole = contiguous((self.rows, self.columns))
        for part in self.parts:
            view = whole.sliced(1, self.begin(part), part.columns, 1)
            view = view and view.reshaped(shape_of(part.var) or ())
            assert view is not None
            yield part.var, Seen(self, view)


def products_to_merge(
    graph: Graph, plans: Sequence[Plan], results: Iterable[Any]
) -> list[MergedProduct]:
    """The products that nothing but attention reads, of one tensor for each attention."""
    live = _live(graph, plans, results)
    lasts = {id(plan.last) for plan in plans}
    taken: set[Any] = set()
    made = []
    for plan in plans:
        groups: dict[Any, list[Product]] = {}
        for source in plan.sources:
            root = source.root
            if isinstance(root, Merged) or source.turned or root in taken:
                continue
            product = _product(graph, root)
            readers = graph.readers(root)
            if product is None or any(id(one) not in lasts and one.var in live for one in readers):
                continue
            groups.setdefault(_input(graph, product), []).append(product)
        for (_, view, _), parts in groups.items():
            if len(parts) > 1:
                made.append(MergedProduct(tuple(parts), view.shape[0]))
                taken.update(part.var for part in parts)
    return made


def _live(graph: Graph, plans: Sequence[Plan], results: Iterable[Any]) -> set[Any]:
    """The variables that are still needed once each plan is carried out."""
    needed = set(results)
    reads = {id(plan.last): plan for plan in plans}
    for binding in reversed(graph.bindings):
        if binding.var not in needed:
            continue
        plan = reads.get(id(binding))
        if plan is None:
            needed.update(leaves(binding.value))
        else:
            needed.update(source.root for source in plan.sources)
            needed.update(_mask_reads(plan))
    return needed


def _mask_reads(plan: Plan) -> Iterator[Any]:
    if plan.mask is not None:
        yield from (term.tensor for term in plan.mask.terms)
        if plan.mask.source is not None:
            yield plan.mask.source


def _product(graph: Graph, var: Any) -> Product | None:
    """A variable's product; None where it is none with a constant matrix."""
    from tvm import relax

    if not isinstance(var, relax.DataflowVar):
        return None
    value, bias, names = graph.value(var), None, {str(var.name)}
    call = value
    if operator_name(call) == "relax.add":
        for given, other in (tuple(call.args), tuple(call.args)[::-1]):
            inner = graph.value(given)
            array = graph.constant(other)
            if operator_name(inner) == "relax.matmul" and array is not None:
                width = (shape_of(call) or (0,))[-1]
                if array.size != width or array.shape[-1] != width or not graph.read_once(given):
                    return None
                names.add(str(given.name))
                call, bias = inner, array.reshape(-1)
                break
    if operator_name(call) != "relax.matmul":
        return None
    weights = graph.constant(call.args[1])
    if weights is None or weights.ndim != 2 or len(shape_of(call.args[0]) or ()) < 2:
        return None
    return Product(var, value, call, weights, bias, frozenset(names))


def _input(graph: Graph, product: Product) -> tuple[Any, View, str]:
    """What tells the tensor of a product from others: its view as a matrix."""
    given = product.call.args[0]
    seen, shape = graph.seen(given), shape_of(given) or ()
    matrix = (math.prod(shape[:-1]), shape[-1])
    view = seen.view.reshaped(matrix) if seen.scale == 1 else None
    root = seen.root if view is not None else given
    kind = f"{dtype_of(given)} {dtype_of(root)} {dtype_of(product.call)} {dtype_of(product.var)}"
    return root, view if view is not None else contiguous(matrix), kind


def emitted(builder: Any, merged: MergedProduct, given: Any) -> Any:
    """The product of all parts with `given`, (..., depth)."""
    import numpy as np
    from tvm import relax

    first = merged.parts[0]
    weights = np.concatenate([part.weights for part in merged.parts], axis=1)
    out_dtype = first.call.attrs.out_dtype
    made = relax.op.matmul(given, relax.const(weights), out_dtype=out_dtype or None)
    if all(part.bias is None for part in merged.parts):
        return builder.emit(made)
    zeros = [np.zeros(part.columns, weights.dtype) for part in merged.parts]
    biases = [
        zero if part.bias is None else part.bias
        for part, zero in zip(merged.parts, zeros, strict=True)
    ]
    product = builder.emit(made)
    return builder.emit(relax.op.add(product, relax.const(np.concatenate(biases))))


def part_of(builder: Any, merged: MergedProduct, whole: Any, part: Product) -> Any:
    """A part's columns, in its own shape."""
    from tvm import relax

    axis, begin = len(shape_of(whole) or ()) - 1, merged.begin(part)
    cut = relax.op.strided_slice(whole, [axis], [begin], [begin + part.columns], [1])
    return relax.op.reshape(builder.emit(cut), shape_of(part.var))
