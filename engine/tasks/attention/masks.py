"""What is added to attention's scores before the softmax, as one tensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engine.tasks.attention.reading import Graph

    Array = npt.NDArray[np.float32]

_ABSORBS = -1e20
"""A sum with less than this is this, for any score: the same as the choice of it instead."""
_HIDES = -1e4
"""The exponential of less than this, beside any score that counts, is 0."""
_ALONE = -1e30
"""Stands for a weaker one of a mask alone: where all is hidden, all scores are equal either way."""

_SINGLE = "float32"


@dataclass(frozen=True, slots=True)
class Term:
    """A tensor that is added to scores of a shape, times a factor; or, with `hidden`, a condition
    that puts this number in the place of those where it is not `shown`."""

    tensor: Any
    shape: tuple[int, ...]
    factor: float = 1.0
    hidden: float | None = None
    shown: bool = True


def hides(value: float) -> bool:
    """Whether a number in the place of a score says that its key is not looked at."""
    return value <= _HIDES


def can_add(terms: Sequence[Term]) -> bool:
    """Whether one tensor that is added does what these terms do, also where they hide all keys."""
    weak = [term for term in terms if term.hidden is not None and term.hidden > _ABSORBS]
    return not weak or len(terms) == 1


def added_number(term: Term) -> float:
    """What a condition's term adds to the scores that it hides."""
    assert term.hidden is not None
    return term.hidden if term.hidden <= _ABSORBS else _ALONE


def constant_mask(graph: Graph, terms: Sequence[Term]) -> Array | None:
    """The sum of terms that no input changes, in float32; it broadcasts to the first one's shape.

    None where one of them depends on inputs.
    """
    import numpy as np

    arrays = [graph.constant(term.tensor) for term in terms]
    if any(array is None for array in arrays):
        return None
    same = len({term.shape for term in terms}) == 1
    with np.errstate(over="ignore", invalid="ignore"):
        total: Array = np.zeros((), np.float32)
        for term, array in zip(terms, arrays, strict=True):
            values = _values(term, array)
            if not same:
                values = np.broadcast_to(values, term.shape).reshape(terms[0].shape)
            total = total + values
    return _without_copies(np.asarray(total, np.float32))


def _values(term: Term, array: Any) -> Array:
    import numpy as np

    if term.hidden is None:
        added: Array = array.astype(np.float32) * np.float32(term.factor)
        return added
    zero, low = np.float32(0), np.float32(added_number(term))
    chosen: Array = np.where(array.astype(bool) == term.shown, zero, low)
    return chosen


def _without_copies(array: Array) -> Array:
    """With extent 1 where all along an axis before the last two is the same."""
    for axis in range(array.ndim - 2):
        first = array.take([0], axis)
        if array.shape[axis] > 1 and bool((array == first).all()):
            array = first
    return array


def is_causal(mask: Array, shape: tuple[int, ...]) -> bool:
    """Whether a mask for scores of a shape hides just the keys behind each query."""
    import numpy as np

    queries, keys = shape[-2:]
    if queries != keys or mask.size != queries * keys or mask.shape[-2:] != (queries, keys):
        return False
    square = mask.reshape(queries, keys)
    seen = np.tril(np.ones((queries, keys), bool))
    return bool((square[seen] == 0).all() and (square[~seen] <= _HIDES).all())


def emitted_mask(
    builder: Any, terms: Sequence[Term], full: tuple[int, ...] | None, mapped: Any
) -> Any:
    """The sum of terms in float32, computed before, with `full` each in this shape; `mapped` gives
    a tensor as it is called now."""
    from tvm import relax

    total = None
    for term in terms:
        given = mapped(term.tensor)
        if term.hidden is None:
            value = builder.emit(relax.op.astype(given, _SINGLE))
            if term.factor != 1:
                value = builder.emit(relax.op.multiply(value, relax.const(term.factor, _SINGLE)))
        else:
            choices = [relax.const(0.0, _SINGLE), relax.const(added_number(term), _SINGLE)]
            value = builder.emit(relax.op.where(given, *choices[:: 1 if term.shown else -1]))
        if full is not None:
            value = builder.emit(relax.op.broadcast_to(value, term.shape))
            value = builder.emit(relax.op.reshape(value, full))
        total = value if total is None else builder.emit(relax.op.add(total, value))
    return builder.emit(relax.op.astype(total, _SINGLE))  # which no mixing of precisions halves
