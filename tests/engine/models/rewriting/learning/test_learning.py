"""Operators of ai.onnx.ml as ONNX Runtime computes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, helper

from engine.models.rewriting.driver import rewrite
from tests.engine.models.rewriting.nodes import FLOAT, INT64, assert_rewritten, model_of, normal

NAN = float("nan")


def node(
    op: str, inputs: Sequence[str] = ("x",), outputs: Sequence[str] = ("y",), **more: Any
) -> NodeProto:
    return helper.make_node(op, inputs, outputs, name="node", domain="ai.onnx.ml", **more)


def check(made: NodeProto, x: np.ndarray, **types: int) -> None:
    assert_rewritten(*model_of(made, {"x": x}, types=types), 1e-4)


@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 5)])
@pytest.mark.parametrize("places", [[2], [0, 4, 4]])
def test_features_are_chosen(places: list[int], shape: tuple[int, ...]) -> None:
    values = {"x": normal(*shape), "at": np.array([places])}
    assert_rewritten(*model_of(node("ArrayFeatureExtractor", ["x", "at"]), values))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
def test_numbers_above_a_threshold_are_one(dtype: str) -> None:
    x = np.array([[-2, 0, 1, 2, 3]], dtype)
    made = node("Binarizer", threshold=1.0)
    wanted = {"y": (x > 1).astype(dtype)}
    if dtype == "float32":  # ONNX Runtime has no other kernel
        check(made, x)
    assert rewrite(model_of(made, {"x": x})[0]).notes == {}
    assert wanted["y"].sum() == 2


@pytest.mark.parametrize(
    ("x", "more", "kind"),
    [
        ([3, 7, 1], {"keys_int64s": [7, 3], "values_int64s": [70, 30]}, INT64),
        ([3, 7, 1], {"keys_int64s": [7, 3], "values_floats": [0.7, 0.3]}, FLOAT),
        ([3, 7], {"keys_int64s": [7], "values_int64s": [1], "default_int64": 9}, INT64),
        ([0.5, NAN, 2], {"keys_floats": [0.5, NAN], "values_int64s": [5, 6]}, INT64),
        (
            [0.5, 1, 2],
            {"keys_floats": [1.0, 2.0], "values_floats": [3.0, 4.0], "default_float": -1.5},
            FLOAT,
        ),
    ],
)
def test_labels_are_numbers_for_numbers(x: list[float], more: dict[str, Any], kind: int) -> None:
    array = np.array(x, "float32" if "keys_floats" in more else "int64")
    check(node("LabelEncoder", **more), array[:, None], y=kind)


def test_labels_that_are_texts_are_told() -> None:
    made = node("LabelEncoder", keys_int64s=[1, 2], values_strings=["a", "b"])
    proto, _ = model_of(made, {"x": np.array([1])}, types={"y": 8})
    assert rewrite(proto).notes == {"node": "its values are texts"}


@pytest.mark.parametrize("norm", ["MAX", "L1", "L2"])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_rows_are_scaled(dtype: str, norm: str) -> None:
    x = (normal(3, 5) * 3).astype(dtype)
    x[1] = 0
    check(node("Normalizer", norm=norm), x, y=FLOAT)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("shape", [(4,), (2, 2)])
def test_categories_become_ones(shape: tuple[int, ...], dtype: str) -> None:
    x = np.array([3, 1, 9, 3], dtype).reshape(shape)
    check(node("OneHotEncoder", cats_int64s=[1, 3, 5]), x, y=FLOAT)


@pytest.mark.parametrize(
    ("targets", "link"), [(1, "NONE"), (3, "NONE"), (3, "SOFTMAX"), (3, "LOGISTIC")]
)
def test_a_linear_regression(targets: int, link: str) -> None:
    made = node(
        "LinearRegressor",
        coefficients=normal(targets * 4).tolist(),
        intercepts=normal(targets, seed=1).tolist(),
        targets=targets,
        post_transform=link,
    )
    check(made, normal(5, 4, seed=2))


@pytest.mark.parametrize("link", ["NONE", "SOFTMAX", "LOGISTIC"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_classifier(classes: int, link: str) -> None:
    made = node(
        "LinearClassifier",
        outputs=["y", "scores"],
        coefficients=normal(classes * 4).tolist(),
        intercepts=normal(classes, seed=1).tolist(),
        classlabels_ints=[10, 20, 30][:classes],
        post_transform=link,
    )
    check(made, normal(5, 4, seed=2), y=INT64)


@pytest.mark.parametrize("one_class", [0, 1])
@pytest.mark.parametrize("kernel", ["LINEAR", "POLY", "RBF", "SIGMOID"])
def test_support_vectors(kernel: str, one_class: int) -> None:
    made = node(
        "SVMRegressor",
        coefficients=normal(3).tolist(),
        support_vectors=normal(12, seed=1).tolist(),
        n_supports=3,
        kernel_type=kernel,
        kernel_params=[0.4, 0.3, 2.0],
        rho=[0.1],
        one_class=one_class,
    )
    check(made, normal(5, 4, seed=2))


def test_features_in_a_row() -> None:
    values = {"a": normal(3, 2), "b": normal(3, 4, seed=1)}
    made = node("FeatureVectorizer", ["a", "b"], inputdimensions=[2, 4])
    assert_rewritten(*model_of(made, values))


@pytest.mark.parametrize("values", [[1.5], [1.0, 2.0, 3.0]])
@pytest.mark.parametrize("empty", [NAN, -1.0])
def test_gaps_are_filled(empty: float, values: list[float]) -> None:
    x = normal(2, 3)
    x[0, 1] = x[1, 2] = empty
    check(node("Imputer", imputed_value_floats=values, replaced_value_float=empty), x)
    numbers = np.array([[1, -1, 3]])
    whole = [int(value) for value in values]
    check(node("Imputer", imputed_value_int64s=whole, replaced_value_int64=-1), numbers)
