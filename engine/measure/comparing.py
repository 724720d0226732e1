"""How kernels of one task are compared: what they are given, and what counts as rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWS = 2
"""How many sets of arguments two kernels are compared on."""

_OVERFLOWN = 0.5  # of the largest number: what another order of a sum may turn into an infinity


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the kernels of a task are compared.

    `outputs` are the places of the arguments that they write. Integers are drawn in `integers`
    (lowest, highest), as they may be indices or divisors; None stands for what their type holds
    up to 100. With `unit`, floats are in [0, 1), as some are made indices. A value may differ by
    `relative` of itself, or of the typical size of its output's values, and a `share` of the
    values by more, where the kernel rounds or compares. `whole`: integers of the output are such
    roundings, and may differ by one.
    """

    outputs: tuple[int, ...]
    integers: tuple[int, int] | None = None
    unit: bool = False
    relative: float = 0.0
    share: float = 0.0
    whole: bool = False


def arguments(
    specs: tuple[TensorSpec, ...], comparison: Comparison, draw: int
) -> list[NDArray[Any]]:
    """Values for all arguments, outputs too, which tells what a kernel leaves as it was.

    Draw 0 is standard normal; draw 1 positive, spread over some orders of magnitude: nothing
    cancels in its sums, and roots and logarithms have values.
    """
    return [_values(spec, comparison, draw, seed) for seed, spec in enumerate(specs)]


def _values(spec: TensorSpec, comparison: Comparison, draw: int, seed: int) -> NDArray[Any]:
    import ml_dtypes
    import numpy as np

    dice = np.random.default_rng((draw, seed))
    dtype = np.dtype(getattr(ml_dtypes, spec.dtype, None) or spec.dtype)
    if spec.dtype == "bool":
        return np.asarray(dice.random(spec.shape) < 0.5)
    if "float" not in spec.dtype:
        low, high = comparison.integers or _reach(dtype)
        return dice.integers(low, high, spec.shape, endpoint=True).astype(dtype)
    if comparison.unit:
        return np.asarray(dice.random(spec.shape, np.float32)).astype(dtype)
    normal = np.asarray(dice.standard_normal(spec.shape, np.float32))
    if draw:
        spread = 1.5 if dtype.itemsize > 2 else 0.75  # of halves, thousands have to be summed
        normal = np.exp(spread * normal)
    return normal.astype(dtype)


def _reach(dtype: np.dtype[Any]) -> tuple[int, int]:
    import numpy as np

    held = np.iinfo(dtype)
    if dtype.itemsize == 1:
        return int(held.min), int(held.max)
    return max(-100, int(held.min)), 100


def difference(found: NDArray[Any], expected: NDArray[Any], comparison: Comparison) -> str:
    """What differs beyond rounding, as the end of a sentence; empty where nothing does."""
    import numpy as np

    if expected.dtype.kind in "biu":
        step = int(comparison.whole and expected.dtype.kind != "b")
        apart = np.abs(found.astype(np.float64) - expected.astype(np.float64))
        wrong = apart > step
    else:
        ours, theirs = found.astype(np.float64), expected.astype(np.float64)
        finite = np.isfinite(ours) & np.isfinite(theirs)
        sizes = np.abs(theirs[finite])
        typical = float(np.sqrt(np.mean(np.square(sizes)))) if sizes.size else 0.0
        apart = np.full(theirs.shape, np.inf)
        apart[finite] = np.abs(ours[finite] - theirs[finite])
        wrong = np.zeros(theirs.shape, np.bool_)
        wrong[finite] = apart[finite] > comparison.relative * np.maximum(sizes, typical)
        wrong[~finite] = ~_same_limits(ours[~finite], theirs[~finite], expected.dtype)
    count = int(np.count_nonzero(wrong))
    if count <= int(comparison.share * wrong.size):
        return ""
    largest = float(np.max(apart[wrong]))
    how = f"by up to {largest:.3g}" if np.isfinite(largest) else "one of them not finite"
    return f"in {count:,} of {wrong.size:,} values, {how}"


def _same_limits(
    ours: NDArray[np.float64], theirs: NDArray[np.float64], dtype: np.dtype[Any]
) -> NDArray[np.bool_]:
    """Where infinities and NaNs agree; another order of a sum may stop short of an infinity."""
    import ml_dtypes
    import numpy as np

    largest = float(ml_dtypes.finfo(dtype).max)  # type: ignore[no-untyped-call]
    huge = (np.abs(ours) > _OVERFLOWN * largest) & (np.abs(theirs) > _OVERFLOWN * largest)
    same: NDArray[np.bool_] = (np.isnan(ours) & np.isnan(theirs)) | huge & (
        np.sign(ours) == np.sign(theirs)
    )
    return same
