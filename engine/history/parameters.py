"""How many parameters a kernel has, as far as its arguments tell constants from data."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.records.network import Operator
from engine.records.task import Task, TensorSpec

_PRODUCTS = ("conv", "matmul", "dense")
_LOOKUPS = ("take", "gather")


def constants(
    operator: Operator, task: Task, sources: Sequence[TensorSpec], axes: int
) -> int | None:
    """The elements of what a kernel reads beside the outputs of other operators, its `sources`.

    That may also be an input of the model: only what is in the place of weights, of a product with
    at most so many `axes`, or has one axis alone, is taken for a constant. None where that does not
    tell, or where the kernel has several outputs.
    """
    if not task.args or not _alike(task.args[-1], operator.output):
        return None  # it has several outputs
    left = list(enumerate(task.args[:-1]))
    for source in sources:
        found = next((each for each in left if _alike(each[1], source)), None)
        if found is None:
            return None
        left.remove(found)
    kinds = operator.op_class.split("_")
    weights: tuple[int, ...] = ()
    if any(each.startswith(_PRODUCTS) for each in kinds):
        weights = (0, 1) if sources else (1,)
        left = left if sources else left[1:]  # its data are an input of the model
        is_conv = any(each.startswith("conv") for each in kinds)
        if not is_conv and any(at in weights and len(spec.shape) > axes for at, spec in left):
            return None
    elif any(each.startswith(_LOOKUPS) for each in kinds):
        weights = (0,)
        left = [each for each in left if not _is_whole(each[1])]
    elif not sources and len(left) == 1:
        left = []
    elif any(_is_whole(spec) for _, spec in left):
        return None
    if any(at not in weights and not _is_vector(spec) for at, spec in left):
        return None
    return sum(math.prod(spec.shape) for _, spec in left)


def _alike(one: TensorSpec, other: TensorSpec) -> bool:
    """Whether both may be the same memory."""
    return one.dtype == other.dtype and math.prod(one.shape) == math.prod(other.shape)


def _is_vector(spec: TensorSpec) -> bool:
    return sum(extent != 1 for extent in spec.shape) <= 1


def _is_whole(spec: TensorSpec) -> bool:
    """Whether it is of indices, masks or the like."""
    return "float" not in spec.dtype
