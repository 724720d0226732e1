"""Products of one tensor with several constant matrices as one product."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.models.relax.binding_names import leaves
from engine.models.relax.calls import operator_name
from engine.tasks.attention.planning import Plan
from engine.tasks.attention.reading import TURN, Graph, Seen, dtype_of, shape_of
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
    """The constant."""
    bias: Any
    """That constant, None without."""
    names: frozenset[str]
    heads: tuple[Any, ...] = ()
    """The bindings that read it, but for attention, as (..., heads, dim)."""

    @property
    def columns(self) -> int:
        return int(self.weights.value.shape[1])


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
    """The products of one tensor that attention reads, some of them perhaps rotated before.

    Without plans, where attention stays in parts, those that are all cut into heads and turned.
    """
    live = _live(graph, plans, results)
    lasts = {id(plan.last) for plan in plans}
    read = {source.root for plan in plans for source in plan.sources if not source.turned}
    groups: dict[Any, list[Product]] = {}
    for binding in graph.bindings:
        product = _product(graph, binding.var)
        if product is None or binding.var not in live:
            continue
        others = [one for one in graph.readers(binding.var) if id(one) not in lasts]
        others = [one for one in others if one.var in live]
        if all(_by_heads(graph, one, product) for one in others):
            product = replace(product, heads=tuple(others))
            groups.setdefault(_input(graph, product), []).append(product)
    return [
        MergedProduct(tuple(parts), view.shape[0])
        for (_, view, _), parts in groups.items()
        if len(parts) > 1 and (not plans or any(part.var in read for part in parts))
    ]


def _by_heads(graph: Graph, reader: Any, product: Product) -> bool:
    """Whether what reads a product only gives its columns a second axis for what turns them round:
    so a kernel of many steps can read them where they lie."""
    shape, given = shape_of(reader.var) or (), shape_of(product.var) or ()
    if operator_name(reader.value) != "relax.reshape" or len(shape) < 3 or not given:
        return False
    turned = graph.readers(reader.var)
    return (
        shape[-2] * shape[-1] == given[-1]
        and graph.read_once(reader.var)
        and operator_name(turned[0].value) == TURN
    )


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
    value = graph.value(var)
    call, bias, names = _without_bias(graph, value)
    if operator_name(call) != "relax.matmul" or not graph.is_constant(call.args[1]):
        return None
    weights = graph.value(call.args[1])
    if len(weights.value.shape) != 2 or len(shape_of(call.args[0]) or ()) < 2:
        return None
    return Product(var, value, call, weights, bias, names | {str(var.name)})


def _without_bias(graph: Graph, call: Any) -> tuple[Any, Any, frozenset[str]]:
    """A product, the constant row that a call adds to it, None where it adds none, and the names
    of what is between."""
    if operator_name(call) == "relax.add":
        for given, other in (tuple(call.args), tuple(call.args)[::-1]):
            shape, width = shape_of(other) or (), (shape_of(call) or (0,))[-1]
            row = graph.is_constant(other) and math.prod(shape) == width == (0, *shape)[-1]
            product = operator_name(graph.value(given)) == "relax.matmul"
            if row and product and graph.read_once(given):
                return graph.value(given), graph.value(other), frozenset((str(given.name),))
    return call, None, frozenset()


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

    weights = np.concatenate([part.weights.value.numpy() for part in merged.parts], axis=1)
    out_dtype = merged.parts[0].call.attrs.out_dtype
    made = relax.op.matmul(given, relax.const(weights), out_dtype=out_dtype or None)
    if all(part.bias is None for part in merged.parts):
        return builder.emit(made)
    dtype = next(part.bias.value.dtype for part in merged.parts if part.bias is not None)
    biases = [
        np.zeros(part.columns, str(dtype))
        if part.bias is None
        else part.bias.value.numpy().reshape(-1)
        for part in merged.parts
    ]
    product = builder.emit(made)
    return builder.emit(relax.op.add(product, relax.const(np.concatenate(biases))))


def part_of(builder: Any, merged: MergedProduct, whole: Any, part: Product, shape: Any) -> Any:
    """A part's columns in a shape; heads of which are cut out as they are, for the next kernel."""
    from tvm import relax

    begin, width, lead = merged.begin(part), shape[-1], shape[:-2]
    apart = len(shape) > 2 and shape[-2] * width == part.columns
    if not apart or begin % width or merged.columns % width:
        axis = len(shape_of(whole) or ()) - 1
        cut = relax.op.strided_slice(whole, [axis], [begin], [begin + part.columns], [1])
        return relax.op.reshape(builder.emit(cut), shape)
    whole = builder.emit(relax.op.reshape(whole, (*lead, merged.columns // width, width)))
    first, count = begin // width, part.columns // width
    return relax.op.strided_slice(whole, [len(lead)], [first], [first + count], [1])
