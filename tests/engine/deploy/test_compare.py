"""What counts as rounding when two runtimes' outputs are compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from engine.deploy.compare import (
    BRAIN,
    EIGHT_BITS,
    HALF,
    SINGLE,
    Tolerance,
    largest_difference,
    tolerance_of,
)
from engine.records.errors import ExportError
from engine.records.task import TensorSpec
from engine.tasks.dataflow import Value


def compare(
    found: ArrayLike, expected: ArrayLike, dtype: Any = "float32", tolerance: Tolerance = SINGLE
) -> float:
    """The difference of one output."""
    ours, theirs = np.asarray(found, dtype), np.asarray(expected, dtype)
    return largest_difference({"y": ours}, {"y": theirs}, tolerance)


def refused(found: ArrayLike, expected: ArrayLike, dtype: Any = "float32") -> str:
    """The sentence for an output that differs."""
    with pytest.raises(ExportError) as caught:
        compare(found, expected, dtype)
    assert caught.value.todo.startswith("Nothing was exported")
    return caught.value.what


random = np.random.default_rng(0)
NORMAL = random.standard_normal(1000).astype("float32")


def test_equal_outputs_differ_by_nothing() -> None:
    assert compare(NORMAL, NORMAL) == 0
    assert largest_difference({}, {}) == 0
    assert compare([], []) == 0
    assert compare(3.0, 3.0) == 0


def test_the_largest_of_all_outputs_is_reported() -> None:
    expected = {"a": np.ones(2), "b": np.ones(2)}
    found = {"a": np.ones(2), "b": np.array([1, 1 + 1e-4])}
    assert largest_difference(found, expected) == pytest.approx(1e-4)


def test_rounding_passes_at_every_scale() -> None:
    for scale in (1e-6, 1e-3, 1.0, 1e6, 1e30):
        expected = NORMAL * np.float32(scale)
        assert compare(expected * np.float32(1 + 1e-5), expected) > 0


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_an_element_that_cancelled_may_be_off_by_rounding_of_the_largest(scale: float) -> None:
    expected = np.array([1000.0, 1e-3]) * scale
    assert compare([1000 * scale, 0.051 * scale], expected)
    assert "differs from ONNX Runtime's by" in refused([1000 * scale, 0.2 * scale], expected)


def test_outputs_that_are_all_tiny_are_still_compared() -> None:
    scores = np.exp(random.standard_normal(1000))
    classes = (scores / scores.sum()).astype("float32")
    assert classes.max() < 0.05
    assert compare(classes * np.float32(1 + 1e-5), classes)
    assert refused(np.roll(classes, 1), classes)
    assert refused(np.full(1000, 1e-3), classes)


def test_a_map_that_is_empty_but_for_rounding_passes() -> None:
    assert compare([1.2e-7, 0, 5.9e-5], [0, 1.8e-7, 5.87e-5]) > 0
    assert compare([2e-7], [0.0]) > 0


@pytest.mark.parametrize("share", [0.01, 1.0])
def test_a_wrong_element_is_found_among_many(share: float) -> None:
    found = NORMAL.copy()
    found[: int(1000 * share)] += 0.1
    assert "by 0.1" in refused(found, NORMAL)


def test_infinities_and_nans_must_be_where_the_reference_has_them() -> None:
    special = [np.inf, -np.inf, np.nan, 1.0]
    assert compare(special, special) == 0
    for other in ([np.inf, np.inf, np.nan, 1.0], [1.0, -np.inf, np.nan, 1.0], [np.nan] * 4):
        assert "infinities or NaNs" in refused(other, special)
    assert refused([np.inf, 1.0], [1.0, 1.0])
    assert refused([np.nan, 1.0], [1.0, 1.0])


def test_one_infinity_does_not_excuse_the_rest() -> None:
    assert refused([np.inf, 2.0], [np.inf, 1.0])


def test_half_precision_may_differ_more() -> None:
    found, expected = [40.09, 0.3], [40.0, 0.2]
    assert compare(found, expected, "float16", HALF) > 0
    assert refused(found, expected)
    with pytest.raises(ExportError):
        compare([48.0, 0.2], expected, "float16", HALF)


def test_integers_and_booleans_must_be_equal_but_for_near_ties_among_many() -> None:
    assert compare([1, 2], [1, 2], "int64") == 0
    assert "1 of 2 elements" in refused([1, 2], [1, 3], "int64")
    assert refused([True, False], [True, True], "bool")
    many = np.arange(3000)
    flipped = many.copy()
    flipped[[0, 7, 9]] = 5000
    assert compare(flipped, many, "int32") == 5000
    flipped[11] = 0
    assert "4 of 3000" in refused(flipped, many, "int32")


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_rounded_integers_may_be_off_by_one(dtype: str) -> None:
    assert compare([1, 127], [0, 126], dtype) == 1
    assert refused([2, 3], [0, 3], dtype)


def test_a_missing_output_or_another_shape_or_type_is_refused_by_name() -> None:
    reference = {"scores": np.zeros((2, 3), np.float32)}
    cases: list[tuple[dict[str, np.ndarray], str]] = [
        ({}, "missing"),
        ({"scores": np.zeros((3, 2), np.float32)}, "3x2 float32"),
        ({"scores": np.zeros((2, 3), np.int64)}, "2x3 int64"),
    ]
    for found, kind in cases:
        with pytest.raises(ExportError) as caught:
            largest_difference(found, reference)
        assert caught.value.what == (
            f"The output scores is {kind}, not 2x3 float32 as ONNX Runtime's."
        )


@pytest.mark.parametrize(
    ("kind", "dtype", "expected"),
    [
        ("intermediate", "float32", SINGLE),
        ("intermediate", "float16", HALF),
        ("intermediate", "bfloat16", BRAIN),
        ("intermediate", "uint8", EIGHT_BITS),
        ("intermediate", "int8", EIGHT_BITS),
        ("input", "uint8", SINGLE),
    ],
)
def test_rounding_is_that_of_the_types_inside_a_program(
    kind: Any, dtype: str, expected: Tolerance
) -> None:
    values = [
        Value(0, TensorSpec((2,), "float32"), "input"),
        Value(1, TensorSpec((2,), dtype), kind),
    ]
    assert tolerance_of(values) == expected
