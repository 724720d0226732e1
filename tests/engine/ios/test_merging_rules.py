"""What may be merged, and that a merged convolution computes what its members do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ios.merging_rules import OperatorFacts, can_merge, merged_window, obstacle

SIZE = (8, 8)
CONV = OperatorFacts(
    "conv2d", (3,), size=SIZE, output_size=SIZE, kernel=(3, 3), padding=((1, 1), (1, 1))
)
POINT = replace(CONV, kernel=(1, 1), padding=((0, 0), (0, 0)))
MATMUL = OperatorFacts("matmul", (3,))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"inputs": (4,)}, "different inputs"),
        ({"inputs": (3, 4)}, "more than one input"),
        ({"kind": "other"}, "different kinds of operators"),
        ({"kind": "matmul"}, "different kinds of operators"),
        ({"dtype": "float16"}, "different dtypes"),
        ({"layout": "NHWC"}, "different layouts"),
        ({"activation": "relu"}, "different activations"),
        ({"strides": (2, 2)}, "different strides"),
        ({"output_size": (6, 6)}, "outputs of different size"),
        ({"kernel": (3, 3), "dilation": (2, 2), "padding": ((2, 2), (2, 2))}, None),
    ],
)
def test_an_obstacle_is_named(change: dict[str, Any], reason: str | None) -> None:
    assert obstacle([CONV, replace(POINT, **change)]) == (reason or "windows that do not align")
    assert not can_merge([CONV, replace(POINT, **change)])


def test_parallel_convolutions_and_matmuls_merge() -> None:
    assert can_merge([CONV, POINT, replace(CONV, kernel=(5, 5), padding=((2, 2), (2, 2)))])
    assert can_merge([MATMUL, MATMUL])
    assert obstacle([CONV]) == "one operator alone"
    assert obstacle([]) == "one operator alone"
    other = OperatorFacts("other", (3,))
    assert obstacle([other, other]) == "only convolutions and matmuls merge"
    assert obstacle([MATMUL, replace(MATMUL, activation="relu")]) == "different activations"


def test_the_window_covers_the_largest_kernel_and_centres_the_others() -> None:
    five = replace(CONV, kernel=(5, 5), padding=((2, 2), (2, 2)))
    window = merged_window([POINT, five, CONV])
    assert window.kernel == (5, 5)
    assert window.padding == ((2, 2), (2, 2))
    assert window.corners == ((2, 2), (0, 0), (1, 1))


def test_a_tall_and_a_wide_kernel_get_a_square_one() -> None:
    tall = replace(CONV, kernel=(3, 1), padding=((1, 1), (0, 0)))
    wide = replace(CONV, kernel=(1, 3), padding=((0, 0), (1, 1)))
    window = merged_window([tall, wide])
    assert window.kernel == (3, 3)
    assert window.corners == ((0, 1), (1, 0))


@st.composite
def members(draw: st.DrawFn) -> list[OperatorFacts]:
    """Convolutions of any windows over one input of one stride that may be merged."""

    def pair(least: int, most: int) -> tuple[int, int]:
        return draw(st.integers(least, most)), draw(st.integers(least, most))

    size, strides, dilation = pair(6, 9), pair(1, 3), pair(1, 2)
    found: list[OperatorFacts] = []
    for _ in range(4):
        kernel = pair(1, 3)
        front = pair(0, 2)
        # Mostly as much behind as keeps the size, so that members often fit together.
        back = [
            max(0, dilation[axis] * (kernel[axis] - 1) - front[axis] + draw(st.integers(0, 1)))
            for axis in (0, 1)
        ]
        facts = OperatorFacts(
            "conv2d",
            (0,),
            size=size,
            kernel=kernel,
            strides=strides,
            dilation=dilation if draw(st.booleans()) else (1, 1),
            padding=((front[0], back[0]), (front[1], back[1])),
        )
        facts = replace(facts, output_size=output_size(facts))
        if not found or can_merge([*found, facts]):
            found.append(facts)
    return found if len(found) > 1 else found * 2


def output_size(facts: OperatorFacts) -> tuple[int, int]:
    """Height and width of what a convolution gives."""
    height, width = (
        (
            facts.size[axis]
            + sum(facts.padding[axis])
            - facts.dilation[axis] * (facts.kernel[axis] - 1)
            - 1
        )
        // facts.strides[axis]
        + 1
        for axis in (0, 1)
    )
    return height, width


def convolve(image: np.ndarray, weights: np.ndarray, facts: OperatorFacts) -> np.ndarray:
    """One channel to one channel, tap by tap."""
    padded = np.pad(image, facts.padding)
    height, width = output_size(facts)
    result = np.zeros((height, width))
    for y, x in np.ndindex(*facts.kernel):
        top, left = y * facts.dilation[0], x * facts.dilation[1]
        rows = slice(top, top + (height - 1) * facts.strides[0] + 1, facts.strides[0])
        columns = slice(left, left + (width - 1) * facts.strides[1] + 1, facts.strides[1])
        result += weights[y, x] * padded[rows, columns]
    return result


@settings(max_examples=100, deadline=None)
@given(members(), st.integers(0, 1 << 16))
def test_a_merged_convolution_gives_what_its_members_give(
    operators: list[OperatorFacts], seed: int
) -> None:
    random = np.random.default_rng(seed)
    image = random.normal(size=operators[0].size)
    window = merged_window(operators)
    merged = replace(
        operators[0], kernel=window.kernel, dilation=window.dilation, padding=window.padding
    )
    assert output_size(merged) == operators[0].output_size
    for facts, (top, left) in zip(operators, window.corners, strict=True):
        weights = random.normal(size=facts.kernel)
        padded = np.zeros(window.kernel)
        padded[top : top + facts.kernel[0], left : left + facts.kernel[1]] = weights
        np.testing.assert_allclose(
            convolve(image, padded, merged), convolve(image, weights, facts), atol=1e-9
        )
