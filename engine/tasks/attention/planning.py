"""Fits what was found to the form that a kernel takes: heads, rows and columns with strides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product as pairs_of
from typing import Any, Protocol, runtime_checkable

from engine.tasks.attention.kernel import Attention, Place
from engine.tasks.attention.masks import Term, can_add, constant_mask, is_causal
from engine.tasks.attention.matching import Found, Last
from engine.tasks.attention.reading import Graph, Seen, dtype_of, shape_of
from engine.tasks.attention.views import View, contiguous, merged

Sizes = tuple[int, int, int, int]
"""Batch, heads, rows and columns; or their strides in elements."""


@runtime_checkable
class Merged(Protocol):
    """A product that is not in the function yet."""

    @property
    def elements(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Source:
    """A tensor that the kernel reads: an expression or a `Merged`; with `turned`, its last two axes
    are to be changed over first."""

    root: Any
    turned: bool = False

    @property
    def elements(self) -> int:
        if isinstance(self.root, Merged):
            return self.root.elements
        return math.prod(shape_of(self.root) or ())


@dataclass(frozen=True, slots=True)
class Mask:
    """What is added to the scores: the sum of `terms`, where `full` each in this shape; as a
    constant `array` or a tensor that is there (`source`) it needs no kernel."""

    strides: Sizes
    elements: int
    dtype: str = "float32"
    array: Any = None
    source: Any = None
    terms: tuple[Term, ...] = ()
    full: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """An attention that becomes one kernel, whose parameters are the sources, the mask if there is
    one, and the result."""

    what: Attention
    sources: tuple[Source, ...]
    mask: Mask | None
    last: Any
    """The binding whose result it gives."""
    names: frozenset[str]
    """Of the bindings in whose place it comes."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A way to read an operand; `key_heads` is None where any number is right."""

    source: Source
    offset: int
    strides: Sizes
    scale: float
    cost: int
    names: frozenset[str]
    key_heads: int | None = None


@dataclass(frozen=True, slots=True)
class _Way:
    """Where the kernel ends, and how it reads its operands."""

    last: Last
    heads: int
    q: _Fit
    k: _Fit
    v: _Fit

    @property
    def cost(self) -> int:
        return self.q.cost + self.k.cost + self.v.cost


def plan(graph: Graph, found: Found, half: str) -> Plan | None:
    """How an attention becomes a kernel of this type of 16 bits, or of the file's own, the way that
    copies least; None where none is right."""
    if not can_add(found.scores.terms):
        return None
    best: _Way | None = None
    for way in _all_ways(graph, found):
        if best is None or way.cost < best.cost:
            best = way
        if way.cost == 0:
            break  # what would follow stands for less
    return None if best is None else _planned(graph, found, best, half)


def _all_ways(graph: Graph, found: Found) -> Iterator[_Way]:
    """The ways, those first that stand for most."""
    for last in found.lasts:
        for heads in _heads(graph, found, last.view):
            fits = _fits(graph, found, heads, last.view)
            if fits is not None:
                yield _Way(last, heads, *fits)


def _heads(graph: Graph, found: Found, out: View) -> Iterator[int]:
    """The numbers of heads that are worth a try, the likeliest first."""
    number = math.prod(found.shape[:-2])
    likely = [found.shape[-3]]
    for view in (out, *(graph.seen(item).view for item in (found.queries, found.values))):
        size = math.prod(view.shape)
        whole = view.reshaped((number, size // number)) if size % number == 0 else None
        axis = merged(whole.axes[0]) if whole is not None else ()
        likely += [math.prod(extent for extent, _ in axis[place:]) for place in range(len(axis))]
    likely.append(1)
    yield from dict.fromkeys(heads for heads in likely if number % heads == 0)


def _fits(graph: Graph, found: Found, heads: int, out: View) -> tuple[_Fit, _Fit, _Fit] | None:
    """How queries, keys and values are read, if the result can be written."""
    batch, queries, keys, dim = _sizes(found, heads)
    sizes = (batch, heads, queries, dim)
    if _strides(out, sizes) is None:
        return None
    read, product = (batch, heads, keys, dim), found.scores.product
    q = next(_ways(graph, found.queries, product, None, sizes), None)
    k = list(_ways(graph, found.keys, product, queries, read, turned=True))
    values = _ways(graph, found.values, found.product, queries, read)
    v = [fit for fit in values if fit.scale == 1]  # theirs is not the scores'
    both = [pair for pair in pairs_of(k, v) if _agree(*pair)]
    if q is None or q.key_heads not in (None, heads) or not both:
        return None
    return (q, *min(both, key=lambda pair: pair[0].cost + pair[1].cost))


def _sizes(found: Found, heads: int) -> Sizes:
    """Batch, queries, keys and the size of a head."""
    *lead, queries, keys = found.shape
    return math.prod(lead) // heads, queries, keys, (shape_of(found.values) or (0,))[-1]


def _agree(k: _Fit, v: _Fit) -> bool:
    return None in (k.key_heads, v.key_heads) or k.key_heads == v.key_heads


def _ways(
    graph: Graph,
    expr: Any,
    product: Any,
    queries: int | None,
    sizes: Sizes,
    turned: bool = False,
) -> Iterator[_Fit]:
    """The ways to read an operand of a product, the cheapest first; `queries` are those of a head
    where the operand is that of keys or values."""
    *lead, rows, _ = shape_of(product) or ()
    own = shape_of(expr) or ()
    order = [*range(len(own) - 2), len(own) - 1, len(own) - 2]
    plain = Seen(expr, contiguous(own))
    seen = [graph.seen(expr), plain]
    if turned:
        seen = [replace(item, view=item.view.turned(order)) for item in seen]
    ways = [(Source(item.root), item) for item in seen]
    if turned:
        copy = contiguous(own[axis] for axis in order)
        ways.append((Source(expr, turned=True), replace(plain, view=copy)))
    for cost, (source, item) in enumerate(ways):
        view = item.view.repeated((*lead, *item.view.shape[-2:]))
        if view is not None and queries is not None:  # heads of one key are rows of one product
            axes = (*view.axes[:-2], ((rows // queries, 0),), *view.axes[-2:])
            view = replace(view, axes=axes)
        fit = None if view is None else _operand(view, sizes)
        if view is not None and fit is not None:
            yield _Fit(source, view.offset, fit[0], item.scale, cost, item.names, fit[1])


def _operand(view: View, sizes: Sizes) -> tuple[Sizes, int | None] | None:
    """The strides of a view as an operand, and how many heads it has."""
    split = view.reshaped(sizes)
    if split is None:
        return None
    batch, head, row, column = map(merged, split.axes)
    group = 1
    if len(head) == 2 and head[1][1] == 0:
        group, head = head[1][0], head[:1]
    if any(len(axis) > 1 for axis in (batch, head, row, column)):
        return None
    strides = [axis[0][1] if axis else 0 for axis in (batch, head, row, column)]
    if strides[3] != 1 and sizes[3] != 1:
        return None
    heads = None if strides[1] == 0 else sizes[1] // group
    return (strides[0], strides[1], strides[2], 1), heads


def _strides(view: View, sizes: Sizes) -> Sizes | None:
    """Those of the result."""
    fit = _operand(view, sizes)
    return fit[0] if fit is not None and fit[1] in (None, sizes[1]) else None


def _planned(graph: Graph, found: Found, way: _Way, half: str) -> Plan:
    last, heads, q, k, v = way.last, way.heads, way.q, way.k, way.v
    own = dtype_of(found.queries)
    half = half if own == "float32" else own
    fits = (q, k, v)
    batch, queries, keys, dim = _sizes(found, heads)
    key_heads = next((fit.key_heads for fit in (k, v) if fit.key_heads is not None), 1)
    mask, causal = _mask(graph, found.scores.terms, (batch, heads, queries, keys))
    sources = tuple(dict.fromkeys(fit.source for fit in fits))
    params = [(source.elements, half) for source in sources]
    place = None
    if mask is not None:
        place = Place(len(params), 0, mask.strides)
        params.append((mask.elements, mask.dtype))
    strides = _strides(last.view, (batch, heads, queries, dim))
    assert strides is not None
    places = [Place(sources.index(fit.source), fit.offset, fit.strides) for fit in fits]
    what = Attention(
        *(batch, heads, key_heads, queries, keys, dim),
        scale=found.scores.scale * q.scale * k.scale,
        causal=causal,
        empty_rows_are_zero=last.cleaned,
        params=(*params, (batch * heads * queries * dim, half)),
        q=places[0],
        k=places[1],
        v=places[2],
        o=Place(len(params), 0, strides),
        mask=place,
    )
    names = (found.names | last.names).union(*(fit.names for fit in fits))
    return Plan(what, sources, mask, last.binding, names)


def _mask(graph: Graph, terms: Sequence[Term], sizes: Sizes) -> tuple[Mask | None, bool]:
    """What is added to scores of these sizes, and whether it is the causal mask instead."""
    if not terms:
        return None, False
    array = constant_mask(graph, terms)
    if array is not None:
        return _constant(graph, array, terms, sizes)
    seen = graph.seen(terms[0].tensor)
    if len(terms) == 1 and terms[0].hidden is None and terms[0].factor == seen.scale == 1:
        strides = _mask_strides(seen.view, terms[0].shape, sizes)
        dtype = "" if isinstance(seen.root, Merged) else dtype_of(seen.root)
        if strides is not None and seen.view.offset == 0 and dtype in ("float16", "float32"):
            elements = math.prod(shape_of(seen.root) or ())
            return Mask(strides, elements, dtype, source=seen.root, terms=tuple(terms)), False
    shape = _broadcast(terms) if len({term.shape for term in terms}) == 1 else sizes
    strides = _mask_strides(contiguous(shape), terms[0].shape, sizes) if shape != sizes else None
    full = None if strides is not None else sizes
    strides = strides or _contiguous_strides(sizes)
    size = math.prod(sizes if full else shape)
    return Mask(strides, size, terms=tuple(terms), full=full), False


def _constant(
    graph: Graph, array: Any, terms: Sequence[Term], sizes: Sizes
) -> tuple[Mask | None, bool]:
    import numpy as np

    if is_causal(array, sizes):
        return None, True
    if not array.any():
        return None, False
    shape = terms[0].shape
    strides = _mask_strides(contiguous(array.shape), shape, sizes)
    if strides is None:
        array = np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(sizes)
        strides = _contiguous_strides(sizes)
    known = tuple(replace(term, tensor=graph.value(term.tensor)) for term in terms)
    return Mask(strides, array.size, array=array, terms=known), False


def _mask_strides(view: View, shape: tuple[int, ...], sizes: Sizes) -> Sizes | None:
    full = view.repeated(shape)
    split = None if full is None else full.reshaped(sizes)
    axes = None if split is None else [merged(axis) for axis in split.axes]
    if axes is None or any(len(axis) > 1 for axis in axes):
        return None
    batch, head, row, key = (axis[0][1] if axis else 0 for axis in axes)
    return batch, head, row, key


def _contiguous_strides(sizes: Sizes) -> Sizes:
    batch, head, row, key = (axis[0][1] if axis else 0 for axis in contiguous(sizes).axes)
    return batch, head, row, key


def _broadcast(terms: Sequence[Term]) -> tuple[int, ...]:
    import numpy as np

    return tuple(np.broadcast_shapes(*(shape_of(term.tensor) or () for term in terms)))
