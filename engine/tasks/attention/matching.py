"""Finds attention in a Relax function: softmax(q k^T + mask) v, as exporters write it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
class Last:
    """A binding that may stand for the whole."""

    binding: Any
    view: View
    """Where the product with the values lies in its result."""
    cleaned: bool
    """NaN, of rows that a mask hides, becomes 0."""
    names: frozenset[str]
    """Of the bindings from that product on."""


@dataclass(frozen=True, slots=True)
class Found:
    """An attention: its operands (keys turned round, as they are multiplied), and where it ends."""

    scores: Scores
    shape: tuple[int, ...]
    """That of the softmax: leading axes, queries, keys."""
    product: Any
    """The call that multiplies the values."""
    lasts: tuple[Last, ...]
    """The bindings that may stand for the whole, the farthest first."""
    names: frozenset[str]
    """Of the bindings it is made of, before `lasts`."""

    @property
    def queries(self) -> Any:
        return self.scores.product.args[0]

    @property
    def keys(self) -> Any:
        return self.scores.product.args[1]

    @property
    def values(self) -> Any:
        return self.product.args[1]


def find(graph: Graph) -> Iterator[Found]:
    """The attentions of a function, in order."""
    for binding in graph.bindings:
        if operator_name(binding.value) == "relax.matmul":
            found = _found(graph, binding)
            if found is not None:
                yield found


def _found(graph: Graph, binding: Any) -> Found | None:
    product = binding.value
    softmax = _softmax(graph, product.args[0])
    if softmax is None:
        return None
    call, cleaned, names = softmax
    scores, shape = _scores(graph, call.args[0]), shape_of(call)
    if scores is None or shape is None or not _fit(scores.product, product, shape):
        return None
    lasts = tuple(_lasts(graph, binding, cleaned, _Alive(graph, scores, shape)))[::-1]
    return Found(scores, shape, product, lasts, scores.names | names)


def _fit(scores: Any, product: Any, shape: tuple[int, ...]) -> bool:
    """Whether two products have the shapes of attention with a softmax of this one.

    Heads with the same keys may be rows below each other in the products.
    """
    known = [shape_of(item) for item in (scores, *scores.args, product, *product.args)]
    if any(one is None or len(one) < 2 or 0 in one for one in known) or len(shape) < 3:
        return False
    first, queries, _, last, shares, values = (one or () for one in known)
    dtypes = {dtype_of(item) for item in (scores, *scores.args, product, *product.args)}
    return (
        math.prod(first) == math.prod(shares) == math.prod(shape)
        and math.prod(last) == math.prod(shape[:-1]) * values[-1]
        and first[-1] == shares[-1] == shape[-1]
        and first[-2] % shape[-2] == last[-2] % shape[-2] == 0
        and queries[-1] == values[-1]
        and dtypes <= FLOATS
    )


def _softmax(graph: Graph, shares: Any) -> tuple[Any, bool, frozenset[str]] | None:
    """The softmax that `shares` come of, whether its NaN become zeros, and the names."""
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
            return (call, cleaned, frozenset(names)) if axis in (-1, rank - 1) else None
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
    """Whether a call leaves numbers and the last axis as they are."""
    if name == _CAST:
        return dtype_of(call) in FLOATS and dtype_of(call.args[0]) in FLOATS
    before, after = (shape_of(call.args[0]), shape_of(call)) if name in RESHAPES else (None, None)
    return before is not None and after is not None and before[-1:] == after[-1:] != ()


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


@dataclass(frozen=True, slots=True)
class _Alive:
    """Knows the condition that a mask leaves a row any key."""

    graph: Graph
    scores: Scores
    shape: tuple[int, ...]

    def zeroes_others(self, call: Any, given: Any) -> bool:
        """Whether a call puts 0 in the place of the rows of `given` that have no key."""
        if operator_name(call) != "relax.where" or len(self.scores.terms) != 1:
            return False
        condition, kept, zero = call.args
        (term,), graph = self.scores.terms, self.graph
        mask = shape_of(term.tensor)
        return (
            kept.same_as(given)
            and graph.scalar(zero) == 0
            and term.hidden is None
            and term.factor == 1
            and term.shape == self.shape
            and (shape_of(call) or ())[:-1] == self.shape[:-1]
            and mask is not None
            and shape_of(condition) == (*mask[:-1], 1)
            and self._any_kept(condition, term.tensor)
        )

    def _any_kept(self, condition: Any, mask: Any) -> bool:
        call = self.graph.value(condition)
        name = operator_name(call)
        if name == _CAST:
            return self._any_kept(call.args[0], mask)
        if name == "relax.maximum":  # of the largest and the first, which a NaN would not leave
            largest, first = call.args
            part = self.graph.value(first)
            return operator_name(part) == "relax.strided_slice" and self._largest(largest, mask)
        return self._largest(condition, mask)

    def _largest(self, value: Any, mask: Any) -> bool:
        call = self.graph.value(value)
        rank = len(shape_of(mask) or ())
        if operator_name(call) != "relax.max" or not call.attrs.keepdims:
            return False
        test = self.graph.value(call.args[0])
        while operator_name(test) == _CAST:
            test = self.graph.value(test.args[0])
        return (
            [int(axis) % rank for axis in call.attrs.axis or ()] == [rank - 1]
            and operator_name(test) == "relax.greater"
            and self.graph.value(test.args[0]) is not None
            and self.graph.value(test.args[0]).same_as(self.graph.value(mask))
            and self.graph.scalar(test.args[1]) == -math.inf
        )


def _lasts(graph: Graph, binding: Any, cleaned: bool, alive: _Alive) -> Iterator[Last]:
    """The product and what only reshapes it, turns it round, casts it or clears its dead rows."""
    chain: list[Any] = []
    names: frozenset[str] = frozenset()
    while True:
        var = binding.var
        names |= {str(var.name)}
        yield Last(binding, _back(chain, shape_of(var) or ()), cleaned, names)
        if not graph.read_once(var):
            return
        (binding,) = graph.readers(var)
        name = operator_name(binding.value)
        cast = name == _CAST and dtype_of(binding.var) in FLOATS
        if shape_of(binding.var) is None:
            return
        if alive.zeroes_others(binding.value, var) and not any(map(_turns, chain)):
            cleaned = True
        elif not (cast or name == TURN or name in RESHAPES):
            return
        chain.append(binding.value)


def _turns(call: Any) -> bool:
    return operator_name(call) == TURN


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
