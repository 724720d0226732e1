"""Tree ensembles and scalers, as ONNX Runtime computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import model
from tests.engine.models.rewriting.same import rewritten

FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE
LEARNING = "ai.onnx.ml"
ROWS, FEATURES = 6, 3


def regressor(**attributes: Any) -> ModelProto:
    """Two trees of different depth with two targets."""
    given = {
        "n_targets": 2,
        "nodes_treeids": [0, 0, 0, 0, 0, 1, 1, 1],
        "nodes_nodeids": [0, 1, 2, 3, 4, 0, 1, 2],
        "nodes_featureids": [0, 1, 0, 0, 0, 2, 0, 0],
        "nodes_modes": ["BRANCH_LEQ"] * 2 + ["LEAF"] * 3 + ["BRANCH_LEQ"] + ["LEAF"] * 2,
        "nodes_values": [0.1, -0.2, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0],
        "nodes_truenodeids": [1, 3, 0, 0, 0, 1, 0, 0],
        "nodes_falsenodeids": [2, 4, 0, 0, 0, 2, 0, 0],
        "target_treeids": [0, 0, 0, 0, 1, 1],
        "target_nodeids": [2, 3, 4, 4, 1, 2],
        "target_ids": [0, 1, 0, 1, 0, 1],
        "target_weights": [1.0, 2.0, 3.0, -4.0, 5.0, 6.0],
        **attributes,
    }
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], name="trees", domain=LEARNING, **given
    )
    x = ("x", FLOAT, (ROWS, FEATURES))
    proto = model([node], [x], [("y", FLOAT, None)])
    proto.opset_import.add(domain=LEARNING, version=3)
    return proto


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"base_values": [0.5], "n_targets": 1, "target_ids": [0] * 6},
        {"aggregate_function": "AVERAGE"},
        {"post_transform": "SOFTMAX"},
        {"nodes_modes": ["BRANCH_GT"] * 2 + ["LEAF"] * 3 + ["BRANCH_GT"] + ["LEAF"] * 2},
    ],
)
def test_a_regressor_gives_the_same(attributes: dict[str, Any]) -> None:
    done = rewritten(regressor(**attributes), "TreeEnsembleRegressor")
    assert set(done.origins.values()) == {"trees"}


def test_missing_values_go_where_the_nodes_say() -> None:
    proto = regressor(nodes_missing_value_tracks_true=[1, 0, 0, 0, 0, 0, 0, 0])
    x = np.random.default_rng(0).standard_normal((ROWS, FEATURES)).astype("float32")
    x[::2, 0] = x[1::3, 2] = np.nan
    rewritten(proto, "TreeEnsembleRegressor", {"x": x})


@pytest.mark.parametrize(("total", "targets"), [(0, 2), (1, 2), (2, 1), (3, 1)])
def test_an_ensemble_of_version_5_in_double_gives_the_same(total: int, targets: int) -> None:
    given = {
        "n_targets": targets,
        "aggregate_function": total,
        "tree_roots": [0, 2],
        "nodes_featureids": [0, 1, 2],
        "nodes_modes": numpy_helper.from_array(np.zeros(3, "uint8")),
        "nodes_splits": numpy_helper.from_array(np.array([0.1, -0.2, 0.3])),
        "nodes_truenodeids": [1, 0, 3],
        "nodes_trueleafs": [0, 1, 1],
        "nodes_falsenodeids": [2, 1, 4],
        "nodes_falseleafs": [1, 1, 1],
        "leaf_targetids": [0, targets - 1, 0, targets - 1, 0],
        "leaf_weights": numpy_helper.from_array(np.array([1.0, 2.0, 3.0, 4.0, 5.0])),
    }
    node = helper.make_node("TreeEnsemble", ["x"], ["y"], domain=LEARNING, **given)
    x = ("x", DOUBLE, (ROWS, FEATURES))
    proto = model([node], [x], [("y", DOUBLE, None)])
    proto.opset_import.add(domain=LEARNING, version=5)
    rewritten(proto, "TreeEnsemble")


def classifier(classes: list[int], weights: list[float], link: str = "NONE") -> ModelProto:
    """The regressor's trees, with `weights` for their leaves and one class after another."""
    leaves = [(0, 2), (0, 3), (0, 4), (1, 1), (1, 2)]
    given = [(leaf, place) for leaf in leaves for place in classes]
    node = regressor().graph.node[0]
    kept = [a for a in node.attribute if a.name.startswith("nodes_")]
    options = {
        "class_treeids": [tree for (tree, _), _ in given],
        "class_nodeids": [number for (_, number), _ in given],
        "class_ids": [place for _, place in given],
        "class_weights": weights,
        "classlabels_int64s": [7, -3, 5][: max(2, len(classes))],
        "post_transform": link,
    }
    made = helper.make_node(
        "TreeEnsembleClassifier", ["x"], ["y", "p"], name="trees", domain=LEARNING, **options
    )
    made.attribute.extend(kept)
    outputs: list[Any] = [("y", TensorProto.INT64, None), ("p", FLOAT, None)]
    proto = model([made], [("x", FLOAT, (ROWS, FEATURES))], outputs)
    proto.opset_import.add(domain=LEARNING, version=1)
    return proto


SEVERAL = np.random.default_rng(0).random(15).tolist()


@pytest.mark.parametrize(
    "proto",
    [
        classifier([0, 1, 2], SEVERAL),
        classifier([0, 1, 2], SEVERAL, "SOFTMAX"),
        classifier([1], [0.1, 0.4, 0.0, 0.2, 0.3]),
        classifier([0], [0.1, 0.4, 0.0, 0.2, 0.3]),
        classifier([0], [0.1, 0.4, 0.0, 0.2, 0.3], "LOGISTIC"),
        classifier([0], [0.1, -0.4, 0.3, 0.2, -0.3]),
        classifier([1], [0.1, -0.4, 0.3, 0.2, -0.3], "LOGISTIC"),
    ],
)
def test_a_classifier_gives_the_same_labels_and_scores(proto: ModelProto) -> None:
    rewritten(proto, "TreeEnsembleClassifier")


@pytest.mark.parametrize(
    ("proto", "kind"),
    [(regressor(), DOUBLE), (classifier([0, 1, 2], SEVERAL), TensorProto.INT64)],
)
def test_rows_of_other_numbers_give_floats(proto: ModelProto, kind: int) -> None:
    proto.graph.input[0].type.tensor_type.elem_type = kind
    rewritten(proto, proto.graph.node[0].op_type)


def test_a_scaler_gives_the_same() -> None:
    node = helper.make_node(
        "Scaler", ["x"], ["y"], domain=LEARNING, offset=[1.0, 2.0, 3.0], scale=[0.5, 2.0, -1.0]
    )
    proto = model([node], [("x", DOUBLE, (2, 3))], [("y", FLOAT, (2, 3))])
    proto.opset_import.add(domain=LEARNING, version=1)
    rewritten(proto, "Scaler")


EQUAL = ["BRANCH_EQ"] * 2 + ["LEAF"] * 3 + ["BRANCH_EQ"] + ["LEAF"] * 2


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({"nodes_modes": EQUAL}, "BRANCH_EQ"),
        ({"base_values": [0.5, 0.5]}, "nothing from its trees"),
        ({"aggregate_function": "MIN"}, "several targets"),
        ({"post_transform": "PROBIT"}, "PROBIT"),
    ],
)
def test_trees_that_are_not_rewritten_are_named(attributes: dict[str, Any], reason: str) -> None:
    assert reason in rewrite(regressor(**attributes)).notes["trees"]


@pytest.mark.parametrize(
    ("classes", "weights", "link", "reason"),
    [
        ([0, 1], [1.0] * 10, "NONE", "each of two classes"),
        ([0], [0.5] * 5, "PROBIT", "PROBIT"),
    ],
)
def test_classifiers_that_are_not_rewritten_are_named(
    classes: list[int], weights: list[float], link: str, reason: str
) -> None:
    proto = classifier(classes, weights, link)
    assert reason in rewrite(proto).notes["trees"]
