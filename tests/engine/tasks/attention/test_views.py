"""Views of tensors, compared with NumPy's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.tasks.attention.views import View, contiguous

SHAPES = [(2, 3, 4), (6, 4), (4, 6), (24,), (2, 12), (1, 2, 3, 4), (3, 2, 2, 2), (2, 1, 12)]


def elements(view: View) -> np.ndarray:
    """The places of a view's elements."""
    made = np.array([view.offset])
    for axis in view.axes:
        for extent, stride in axis:
            made = (made[:, None] + np.arange(extent) * stride).reshape(-1)
    return made.reshape(view.shape)


@pytest.mark.parametrize("seed", range(40))
def test_a_chain_of_steps_reads_what_numpy_reads(seed: int) -> None:
    rng = np.random.default_rng(seed)
    view, array = contiguous((2, 3, 4)), np.arange(24).reshape(2, 3, 4)
    done = 0
    for _ in range(12):
        made, after = _step(rng, view, array)
        if made is not None:
            view, array, done = made, after, done + 1
        np.testing.assert_array_equal(elements(view), array)
    assert done > 3


def _step(
    rng: np.random.Generator, view: View, array: np.ndarray
) -> tuple[View | None, np.ndarray]:
    kind = rng.integers(4)
    axis = int(rng.integers(array.ndim))
    if kind == 0:
        order = [int(one) for one in rng.permutation(array.ndim)]
        return view.turned(order), array.transpose(order)
    if kind == 1:
        fitting = [shape for shape in SHAPES if math.prod(shape) == array.size]
        shape = fitting[int(rng.integers(len(fitting)))] if fitting else array.shape
        return view.reshaped(shape), array.reshape(shape)
    if kind == 2 and array.shape[axis] > 1 and array.size > 8:
        begin, step = int(rng.integers(2)), int(rng.integers(1, 3))
        after = array[(slice(None),) * axis + (slice(begin, None, step),)]
        return view.sliced(axis, begin, after.shape[axis], step), after
    if array.shape[axis] == 1:
        shape = (*array.shape[:axis], 2, *array.shape[axis + 1 :])
        return view.repeated(shape), np.broadcast_to(array, shape)
    return None, array


def test_heads_that_are_repeated_are_an_axis_of_two_strides() -> None:
    view = contiguous((2, 1, 4)).repeated((2, 3, 4))
    assert view is not None
    heads = view.reshaped((6, 4))
    assert heads is not None
    assert heads.axes == (((2, 4), (3, 0)), ((4, 1),))


def test_a_part_of_an_axis_of_two_strides_is_no_view() -> None:
    view = contiguous((2, 1, 4)).repeated((2, 3, 4))
    heads = None if view is None else view.reshaped((6, 4))
    assert heads is not None
    assert heads.sliced(0, 1, 3, 1) is None
    one = heads.sliced(0, 4, 1, 1)
    assert one is not None
    assert elements(one).tolist() == [[4, 5, 6, 7]]
