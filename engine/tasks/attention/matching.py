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
from engine.tasks.attention.rows import CAST, is_zero, kept_of
from engine.tasks.attention.views import View, contiguous


@dataclass(frozen=True, slots=True)
class Scores:
    """The product of queries and keys, and what was done to it before the softmax."""

    product: Any
    """The call of matmul."""
    scale: float = 1.0
    terms: tuple[Term, ...] = ()
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Shares:
    """What each query takes of each key."""

    softmax: Any
    names: frozenset[str]
    cleaned: bool = False
    """NaN, of rows that a mask hides, becomes 0."""
    score_readers: int = 1
    """With that which finds those rows."""


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
    shares = _shares(graph, product.args[0])
    if shares is None:
        return None
    softmax, shape = shares.softmax, shape_of(shares.softmax)
    scores = _scores(graph, softmax.args[0], readers=shares.score_readers)
    if scores is None or shape is None or not _fit(scores.product, product, shape):
        return None
    lasts = tuple(_lasts(graph, binding, shares.cleaned, scores, shape))[::-1]
    return Found(scores, shape, product, lasts, scores.names | shares.names)


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


def _shares(graph: Graph, var: Any) -> _Shares | None:
    """The softmax that a variable comes of, and nothing else reads."""
    names: frozenset[str] = frozenset()
    while graph.read_once(var):
        call = graph.value(var)
        name = operator_name(call)
        names |= {str(var.name)}
        if name == "relax.nn.softmax":
            return _Shares(call, names) if _is_of_rows(call) else None
        if name == "relax.where":
            made = _cleaned(graph, call)
            return made and replace(made, names=made.names | names)
        if not _passes(call, name):
            return None
        var = call.args[0]
    return None


def _is_of_rows(softmax: Any) -> bool:
    return int(softmax.attrs.axis) in (-1, len(shape_of(softmax) or ()) - 1)


def _cleaned(graph: Graph, choice: Any) -> _Shares | None:
    """The softmax whose rows without keys a choice makes 0; None where it is another choice."""
    condition = choice.args[0]
    for var in choice.args[1:]:
        softmax = graph.value(var)
        if operator_name(softmax) != "relax.nn.softmax" or not _is_of_rows(softmax):
            continue
        readers = [one for one in graph.readers(var) if not _only_shapes(one.value)]
        names = frozenset((str(var.name), str(getattr(condition, "name", ""))))
        if _is_output(var):
            return None
        if _says_nan(graph, condition, var) and var.same_as(choice.args[2]) and len(readers) == 2:
            return _Shares(softmax, names, True) if is_zero(graph, choice.args[1]) else None
        scores = softmax.args[0]
        kept = kept_of(graph, choice, scores)
        if kept is not None and kept.same_as(var) and len(readers) == 1:
            return _Shares(softmax, names, True, score_readers=2)
    return None


def _says_nan(graph: Graph, condition: Any, var: Any) -> bool:
    test = graph.value(condition)
    alone = operator_name(test) == "relax.isnan" and graph.read_once(condition)
    return alone and bool(test.args[0].same_as(var))


def _only_shapes(call: Any) -> bool:
    """Whether a call reads no number of its argument."""
    return operator_name(call) == "relax.full_like"


def _is_output(var: Any) -> bool:
    from tvm import relax

    return not isinstance(var, relax.DataflowVar)


def _passes(call: Any, name: str) -> bool:
    """Whether a call leaves numbers and the last axis as they are."""
    if name == CAST:
        return dtype_of(call) in FLOATS and dtype_of(call.args[0]) in FLOATS
    before, after = (shape_of(call.args[0]), shape_of(call)) if name in RESHAPES else (None, None)
    return before is not None and after is not None and before[-1:] == after[-1:] != ()


def _scores(graph: Graph, var: Any, scale: float = 1.0, readers: int = 1) -> Scores | None:
    """What the softmax is of; `scale` is what comes between."""
    if _is_output(var) or len(graph.readers(var)) != readers or dtype_of(var) not in FLOATS:
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


def _revived(graph: Graph, call: Any, given: Any, scores: Scores, shape: tuple[int, ...]) -> bool:
    """Whether a call puts 0 in the place of the rows of `given` whose keys a mask hides."""
    if len(scores.terms) != 1 or (shape_of(call) or ())[:-1] != shape[:-1]:
        return False
    (term,) = scores.terms
    plain = term.hidden is None and term.factor == 1 and term.shape == shape
    kept = kept_of(graph, call, term.tensor) if plain else None
    return kept is not None and bool(kept.same_as(given))


def _lasts(
    graph: Graph, binding: Any, cleaned: bool, scores: Scores, shape: tuple[int, ...]
) -> Iterator[Last]:
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
        cast = name == CAST and dtype_of(binding.var) in FLOATS
        if shape_of(binding.var) is None:
            return
        turned = any(operator_name(call) == TURN for call in chain)
        if not turned and _revived(graph, binding.value, var, scores, shape):
            cleaned = True
        elif not (cast or name == TURN or name in RESHAPES):
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
