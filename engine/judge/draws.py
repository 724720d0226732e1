"""The inputs on which a module is compared with its file: each a kind on which modules go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.models.feeding.input_uses import InputUse, InputUses, within
from engine.models.reference import random_inputs
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    from engine.models.readers import Prepared

NORMAL = "standard normal"
_FAR, _LARGE = 1000.0, 50.0
_SMALL = 9  # the largest whole number where any may be fed
_HIDDEN = -10_000.0  # what masks add to what a softmax shall not see
_SPARSE = 16  # of so many numbers one is not finite

Specs = tuple[tuple[str, TensorSpec], ...]
Array = np.ndarray
_Make = Callable[[InputUse, np.random.Generator, Array], "Array | None"]


@dataclass(frozen=True, slots=True)
class Draw:
    """Inputs by name; the draw's name and `seed` make them again. `finite`: all of them are."""

    name: str
    seed: int
    inputs: dict[str, Array]
    finite: bool = True


def draws_of(prepared: Prepared, seed: int, *, wide: bool = True) -> tuple[Draw, ...]:
    """All draws for a model; the first is what its latency is measured on.

    Without `wide` no values are far from one: a module that computes in fewer bits than its file
    would overflow, and is not wrong.
    """
    return tuple(_draws(prepared.inputs, prepared.uses, seed, wide))


def _draws(specs: Specs, uses: InputUses, seed: int, wide: bool) -> Iterator[Draw]:
    use = {name: uses.inputs.get(name, InputUse()) for name, _ in specs}
    first = random_inputs(specs, seed, uses)
    yield Draw(NORMAL, seed, first)
    kinds = {**_FLOATS, **(_WIDE if wide else {}), **_WHOLE}
    if not uses.undefined:
        kinds |= _NOT_FINITE
    for place, (name, make) in enumerate(kinds.items(), 1):
        random = np.random.default_rng((seed, place))
        made = {key: make(use[key], random, array) for key, array in first.items()}
        # NumPy makes plain numbers of arrays of rank 0.
        changed = {key: np.asarray(one) for key, one in made.items() if one is not None}
        if any(not np.array_equal(array, first[key]) for key, array in changed.items()):
            yield Draw(name, seed, first | changed, name not in _NOT_FINITE)


def _is_float(array: Array) -> bool:
    return array.dtype.kind not in "biu"  # NumPy takes bfloat16 for no number of its own


def _scaled(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    if not _is_float(x) or use.mask:
        return None
    with np.errstate(over="ignore"):
        return (x.astype(np.float64) * _LARGE).astype(x.dtype)


def _far(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    """A spread of 1 is little to 1000, and yet a thousand of its last places in float32."""
    if not _is_float(x) or use.mask:
        return None
    return (x.astype(np.float64) + _FAR).astype(x.dtype)


def _zeros(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    return np.zeros_like(x) if _is_float(x) else None


def _sprinkled(*values: float) -> _Make:
    """Each value at some places, one at least where there is room."""

    def make(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
        if not _is_float(x) or use.mask or not x.size:
            return None
        made = x.copy().reshape(-1)
        places = random.permutation(x.size)
        each = max(1, x.size // _SPARSE)
        for number, value in enumerate(values):
            made[places[number * each : (number + 1) * each]] = value
        return made.reshape(x.shape)

    return make


def _inside(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    """Any place of the axis, counted from the front."""
    if use.low is None or use.high is None:
        return None
    low = min(max(use.low, 0), use.high)
    return within(use, random.integers(low, use.high + 1, x.shape).astype(x.dtype))


def _ends(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    """The last place of the axis and the first one in turn."""
    if use.low is None or use.high is None:
        return None
    ends = np.array([use.high, min(max(use.low, 0), use.high)])
    return within(use, np.resize(ends, x.shape).astype(x.dtype))


def _negative(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    """Places counted from the end, the farthest one among them."""
    if use.low is None or use.high is None or use.low >= 0 or x.dtype.kind != "i":
        return None
    made = random.integers(use.low, min(-1, use.high) + 1, x.shape).reshape(-1)
    made[:1] = use.low
    distinct = np.resize(np.arange(use.low, min(-1, use.high) + 1), x.size)
    return (distinct if use.distinct else made).reshape(x.shape).astype(x.dtype)


def _any(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
    """Whole numbers of both signs where they are only computed with."""
    if x.dtype.kind not in "iu" or use.low is not None or not use.free:
        return None
    known = np.iinfo(x.dtype)
    most = known.max if x.dtype.itemsize == 1 else _SMALL
    least = known.min if x.dtype.itemsize == 1 else -_SMALL if x.dtype.kind == "i" else 0
    return within(use, random.integers(least, most + 1, x.shape).astype(x.dtype))


def _masking(share: float) -> _Make:
    """Masks that let this share through: truth values, ones among whole numbers, zeros to add."""

    def make(use: InputUse, random: np.random.Generator, x: Array) -> Array | None:
        seen = random.random(x.shape) < share
        if use.mask and _is_float(x):
            return np.where(seen, 0.0, _HIDDEN).astype(x.dtype)
        if _is_float(x) or use.low is not None or use.divisor:
            return None
        return seen.astype(x.dtype)

    return make


_FLOATS: dict[str, _Make] = {"zeros": _zeros}
_WIDE: dict[str, _Make] = {"normal times 50": _scaled, "around 1000": _far}
_NOT_FINITE: dict[str, _Make] = {
    "some NaN": _sprinkled(np.nan),
    "some infinities": _sprinkled(np.inf, -np.inf),
}
_WHOLE: dict[str, _Make] = {
    "indices": _inside,
    "first and last index": _ends,
    "negative indices": _negative,
    "whole numbers": _any,
    "full mask": _masking(1.0),
    "partial mask": _masking(0.5),
    "empty mask": _masking(0.0),
}
