"""Finds attention in a Relax function: softmax(q k^T + mask) v, as exporters write it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from engine.models.relax.calls import operator_name
from engine.tasks.attention.masks import Term, hides
from engine.tasks.attention.reading import (
    FLOATS,
    RESHAPES,
    TURN,
    Graph,
    dtype_of,
    scaled,
    shape_of,
    turn_order,
)
from engine.tasks.attention.views import View, contiguous

_CAST = "relax.astype"


@dataclass(frozen=True, slots=True)
class Scores:
    """The product of queries and keys, and what was done to it before the softmax."""

    product: Any
    """The call of matmul."""
    scale: float = 1.0
    terms: tuple[Term, ...] = ()
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """An attention: its operands (keys turned round, as they are multiplied), and where it ends."""

    scores: Scores
    values: Any
    cleaned: bool
    """NaN, of rows that a mask hides, becomes 0."""
    lasts: tuple[tuple[Any, View], ...]
    """The bindings that may stand for the whole, the farthest first, each with where the product
    of softmax and values lies in its result."""
    names: frozenset[str]
    """Of the bindings it is made of."""
    batch: tuple[int, ...] = field(default=())
    """The leading axes of the product with the values."""

    @property
    def queries(self) -> Any:
        return self.scores.product.args[0]

    @property
    def keys(self) -> Any:
        return self.scores.product.args[1]


def find(graph: Graph) -> Iterator[Found]:
    """The attentions of a function, in order."""
    for binding in graph.bindings:
        if operator_name(binding.value) == "relax.matmul":
            found = _found(graph, binding)
            if found is not None:
                yield found


def _found(graph: Graph, binding: Any) -> Found | None:
    shares, values = binding.value.args
    shape = shape_of(binding.value)
    if shape is None or len(shape) < 3 or dtype_of(binding.var) not in FLOATS:
        return None
    softmax = _softmax(graph, shares)
    if softmax is None:
        return None
    source, cleaned, names = softmax
    scores = _scores(graph, source)
    if scores is None or not _fit(graph, scores, shares, values, shape):
        return None
    lasts = tuple(_lasts(graph, binding))[::-1]
    return Found(
        scores,
        values,
        cleaned,
        lasts,
        scores.names | names | {str(binding.var.name)},
        shape[:-2],
    )


def _fit(graph: Graph, scores: Scores, shares: Any, values: Any, shape: tuple[int, ...]) -> bool:
    """Whether the two products have the shapes of attention."""
    queries, keys = map(shape_of, scores.product.args)
    product, kept, given = shape_of(scores.product), shape_of(shares), shape_of(values)
    if None in (queries, keys, product, kept, given):
        return False
    assert queries and keys and product and kept and given
    return (
        len(queries) >= 2
        and len(keys) >= 2
        and len(given) >= 2
        and kept[-2:] == product[-2:]
        and math.prod(kept[:-2]) == math.prod(product[:-2]) == math.prod(shape[:-2])
        and kept[:-2] == shape[:-2]
        and queries[-1] == given[-1]
        and 0 not in product
        and all(dtype_of(item) in FLOATS for item in (*scores.product.args, values))
    )


def _softmax(graph: Graph, shares: Any) -> tuple[Any, bool, frozenset[str]] | None:
    """What the softmax is of that `shares` come of, whether its NaN become zeros, and the names."""
    names: set[str] = set()
    cleaned = False
    while True:
        call = graph.value(shares)
        name = operator_name(call)
        if name == "relax.where" and not cleaned:
            source = _cleaned(graph, shares, call, names)
            if source is None:
                return None
            shares, cleaned = source, True
            continue
        if not graph.read_once(shares) and not (cleaned and name == "relax.nn.softmax"):
            return None
        names.add(str(shares.name))
        if name == "relax.nn.softmax":
            axis, rank = int(call.attrs.axis), len(shape_of(call) or ())
            return (call.args[0], cleaned, frozenset(names)) if axis in (-1, rank - 1) else None
        if not _passes(call, name):
            return None
        shares = call.args[0]


def _cleaned(graph: Graph, var: Any, call: Any, names: set[str]) -> Any:
    """The softmax whose NaN a choice replaces by 0; None where it is another choice."""
    condition, zero, source = call.args
    test = graph.value(condition)
    if (
        operator_name(test) != "relax.isnan"
        or graph.scalar(zero) != 0
        or not test.args[0].same_as(source)
        or not (graph.read_once(var) and graph.read_once(condition))
        or len(graph.readers(source)) != 2
        or operator_name(graph.value(source)) != "relax.nn.softmax"
        or _is_output(source)
    ):
        return None
    names.update((str(var.name), str(condition.name)))
    return source


def _is_output(var: Any) -> bool:
    from tvm import relax

    return not isinstance(var, relax.DataflowVar)


def _passes(call: Any, name: str) -> bool:
    """Whether a call leaves numbers and the two last axes as they are."""
    if name == _CAST:
        return dtype_of(call) in FLOATS and dtype_of(call.args[0]) in FLOATS
    before, after = (shape_of(call.args[0]), shape_of(call)) if name in RESHAPES else (None, None)
    return before is not None and after is not None and before[-2:] == after[-2:] != ()


def _scores(graph: Graph, var: Any, scale: float = 1.0) -> Scores | None:
    """What the softmax is of; `scale` is what comes between."""
    if not graph.read_once(var) or dtype_of(var) not in FLOATS:
        return None
    call = graph.value(var)
    name = operator_name(call)
    if name == "relax.matmul":
        return Scores(call, scale, (), frozenset((str(var.name),)))
    made: Scores | None = None
    if _passes(call, name):
        made = _scores(graph, call.args[0], scale)
    elif name in ("relax.multiply", "relax.divide"):
        for given, factor in scaled(graph, call):
            made = _scores(graph, given, scale * factor)
    elif name == "relax.add":
        made = _added(graph, call, scale)
    elif name == "relax.where":
        made = _hidden(graph, call, scale)
    return made and replace(made, names=made.names | {str(var.name)})


def _added(graph: Graph, call: Any, scale: float) -> Scores | None:
    for given, other in (tuple(call.args), tuple(call.args)[::-1]):
        shape = shape_of(call)
        if shape is None or shape_of(given) != shape or dtype_of(other) not in FLOATS:
            continue
        made = _scores(graph, given, scale)
        if made is not None:
            return replace(made, terms=(*made.terms, Term(other, shape, scale)))
    return None


def _hidden(graph: Graph, call: Any, scale: float) -> Scores | None:
    """Scores of which a condition hides some, or all but some."""
    condition, *choices = call.args
    for place, other in ((0, 1), (1, 0)):
        value, shape = graph.scalar(choices[other]), shape_of(call)
        given = choices[place]
        if value is None or shape is None or shape_of(given) != shape:
            continue
        made = _scores(graph, given, scale)
        if made is not None and hides(value * scale):
            term = Term(condition, shape, 1.0, value * scale, shown=place == 0)
            return replace(made, terms=(*made.terms, term))
    return None


def _lasts(graph: Graph, binding: Any) -> Iterator[tuple[Any, View]]:
    """The product and what only reshapes it, turns it round or casts it."""
    chain: list[Any] = []
    while True:
        yield binding, _back(chain, shape_of(binding.var) or ())
        var = binding.var
        if not graph.read_once(var):
            return
        (binding,) = graph.readers(var)
        name = operator_name(binding.value)
        cast = name == _CAST and dtype_of(binding.var) in FLOATS
        if not (cast or name == TURN or name in RESHAPES) or shape_of(binding.var) is None:
            return
        chain.append(binding.value)


def _back(chain: list[Any], shape: tuple[int, ...]) -> View:
    """Where the first of a chain of reshaped and turned tensors lies in the last."""
    view = contiguous(shape)
    for call in reversed(chain):
        if operator_name(call) == TURN:
            order = turn_order(call)
            view = view.turned([order.index(axis) for axis in range(len(order))])
        elif operator_name(call) in RESHAPES:
            made = view.reshaped(shape_of(call.args[0]) or ())
            if made is None:
                return View(())  # no such view: not to be used
            view = made
    return view
