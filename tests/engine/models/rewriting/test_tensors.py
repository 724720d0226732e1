"""Smaller operators, and settings that TVM would get wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.models.prepare import prepare
from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from engine.models.support import check_model
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import Value, model, save
from tests.engine.models.relax.whole import assert_as_the_file, side_by_side
from tests.engine.models.rewriting.same import draw, operators, rewritten

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL

node = helper.make_node
X: Value = ("x", FLOAT, (4, 3, 2))


@pytest.mark.parametrize(("batch", "time"), [(1, 0), (0, 1)])
def test_sequences_are_reversed_up_to_their_lengths(batch: int, time: int) -> None:
    nodes = [node("ReverseSequence", ["x", "n"], ["y"], batch_axis=batch, time_axis=time)]
    sizes = (4, 3, 2)
    proto = model(nodes, [X, ("n", INT64, (sizes[batch],))], [("y", FLOAT, sizes)])
    lengths = np.arange(sizes[batch]) % sizes[time] + 1
    x = np.random.default_rng(0).standard_normal(sizes).astype("float32")
    rewritten(proto, "ReverseSequence", {"x": x, "n": lengths})


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("axis", [1, -1])
def test_values_are_divided_by_their_norm_and_zeros_stay(order: int, axis: int) -> None:
    proto = model(
        [node("LpNormalization", ["x"], ["y"], p=order, axis=axis)], [X], [("y", FLOAT, X[2])]
    )
    x = np.random.default_rng(0).standard_normal((4, 3, 2)).astype("float32")
    x[1] = 0
    rewritten(proto, "LpNormalization", {"x": x})


def test_integers_are_raised_to_a_power_exactly() -> None:
    proto = model([node("Pow", ["x", "e"], ["y"])], [("x", INT64, (5,))], [("y", INT64, (5,))])
    proto.graph.initializer.extend(model([], [], [], {"e": np.array(3)}).graph.initializer)
    rewritten(proto, "none", {"x": np.array([-3, 0, 1, 7, 2000])})
    assert operators(proto) == ["Cast", "Pow", "Cast"]


@pytest.mark.parametrize("operator", ["ReduceMax", "ReduceMin"])
def test_truth_values_are_reduced_as_numbers(operator: str) -> None:
    nodes = [node(operator, ["x", "axes"], ["y"], keepdims=0)]
    weights = {"axes": np.array([1])}
    proto = model(nodes, [("x", BOOL, (5, 3))], [("y", BOOL, (5,))], weights, opset=20)
    rewritten(proto, "none")
    assert operators(proto) == ["Cast", operator, "Cast"]


def test_a_dropout_passes_on_and_its_mask_is_full() -> None:
    proto = model(
        [node("Dropout", ["x"], ["y", "m"])], [X], [("y", FLOAT, X[2]), ("m", BOOL, X[2])]
    )
    rewritten(proto, "Dropout")


def test_a_dropout_that_drops_nothing_passes_on_while_it_is_trained() -> None:
    constants = {"r": np.array(0, "float32"), "t": np.array(True)}
    ends = [("y", FLOAT, X[2]), ("m", BOOL, X[2])]
    proto = model([node("Dropout", ["x", "r", "t"], ["y", "m"])], [X], ends, constants)
    rewritten(proto, "Dropout")


@pytest.mark.parametrize(
    ("shape", "attributes"),
    [
        ((9, 7), {}),
        ((9, 7), {"auto_pad": "SAME_UPPER"}),
        ((10, 8), {"output_padding": [1, 1]}),
        ((10, 8), {}),
        ((10, 8), {"auto_pad": "SAME_LOWER"}),
        ((7, 8), {"output_padding": [1, 0]}),
    ],
)
def test_a_transposed_convolution_gets_the_size_that_is_named(
    shape: tuple[int, int], attributes: dict[str, Any]
) -> None:
    options = {"strides": [3, 2], "output_shape": list(shape), "name": "up", **attributes}
    nodes = [node("ConvTranspose", ["x", "w"], ["y"], **options)]
    weights = {"w": np.random.default_rng(0).standard_normal((1, 2, 3, 3)).astype("float32")}
    proto = model(nodes, [("x", FLOAT, (1, 1, 3, 3))], [("y", FLOAT, (1, 2, *shape))], weights)
    rewritten(proto, "none")
    assert "output_shape" not in {attribute.name for attribute in proto.graph.node[0].attribute}


NORMS = {name: np.ones(3, "float32") for name in "sbmv"}


@pytest.mark.parametrize(
    ("made", "weights", "opset", "reason"),
    [
        (
            node("Dropout", ["x", "r", "t"], ["y"]),
            {"r": np.float32(0.5), "t": np.array(True)},
            17,
            "training",
        ),
        (
            node("BatchNormalization", ["x", *NORMS], ["y", "a", "d", "e", "f"]),
            NORMS,
            13,
            "training",
        ),
    ],
)
def test_what_tvm_would_get_wrong_is_refused_by_name(
    made: Any, weights: dict[str, Any], opset: int, reason: str, tmp_path: Path
) -> None:
    made.name = "it"
    arrays = {name: np.asarray(value) for name, value in weights.items()}
    proto = model([made], [X], [("y", FLOAT, None)], arrays, opset=opset)
    (support,) = (item for item in check_model(proto) if item.op == made.op_type)
    assert support.state == "missing"
    assert reason in support.note
    with pytest.raises(ModelError, match=rf"{made.op_type} \(it\): .*{reason}"):
        prepare(ModelSource("file", str(save(proto, tmp_path / "m.onnx"))))


def test_pixels_are_put_into_channels_in_the_other_order() -> None:
    nodes = [node("SpaceToDepth", ["x"], ["y"], blocksize=2, mode="CRD")]
    proto = model(nodes, [("x", FLOAT, (1, 2, 4, 6))], [("y", FLOAT, (1, 8, 2, 3))], opset=26)
    x = draw(proto)["x"]
    rewrite(proto)
    blocks = x.reshape(1, 2, 2, 2, 3, 2).transpose(0, 1, 3, 5, 2, 4).reshape(1, 8, 2, 3)
    assert np.array_equal(reference_outputs(proto, {"x": x})["y"], blocks)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (node("NonMaxSuppression", ["boxes", "scores", "n"], ["y"]), "boxes depends on data"),
        (node("RoiAlign", ["image", "rois", "n"], ["y"], mode="max"), "not avg"),
        (node("GridSample", ["volume", "grid"], ["y"], mode="cubic"), "three dimensions"),
    ],
)
def test_detectors_parts_that_tvm_gets_wrong_are_refused_by_name(made: Any, reason: str) -> None:
    made.name = "it"
    shapes = {"boxes": (1, 5, 4), "scores": (1, 2, 5), "image": (1, 2, 6, 6), "rois": (1, 4)}
    shapes |= {"volume": (1, 2, 4, 4, 4), "grid": (1, 3, 3, 3, 3)}
    inputs: list[Value] = [(name, FLOAT, shapes[name]) for name in made.input[:2]]
    kind = INT64 if made.op_type == "NonMaxSuppression" else FLOAT
    proto = model([made], inputs, [("y", kind, None)], {"n": np.array([3])})
    done = rewrite(proto)
    assert reason in done.notes["it"]
    assert done.refused == {"it"}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_value_less_itself_is_0_for_numbers_alone(dtype: str, tmp_path: Path) -> None:
    x = np.array([1, -2.5, np.nan, np.inf, -np.inf, 0, 60_000], dtype)
    nodes = [
        node("Sub", ["x", "x"], ["nothing"]),
        node("Exp", ["nothing"], ["one"]),
        node("Sub", ["x", "one"], ["less"]),
        node("Max", ["less", "nothing"], ["y"]),
    ]
    proto = side_by_side(nodes, {"x": x})
    assert_as_the_file(proto, {"x": x}, tmp_path)
