"""Normalisations with what ONNX Runtime's optimizer puts before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper

from engine.models.prepare import prepare
from engine.records.source import ModelSource
from tests.engine.models.build import save
from tests.engine.models.rewriting.nodes import INT32, assert_rewritten, model_of, normal, own

WIDTH = 8
VALUES = {
    "x": normal(2, 3, WIDTH),
    "skip": normal(2, 3, WIDTH, seed=1),
    "gamma": normal(WIDTH, seed=2),
    "beta": normal(WIDTH, seed=3),
    "bias": normal(WIDTH, seed=4),
}
WEIGHTS = ("gamma", "beta", "bias")


def chosen(*names: str, **others: np.ndarray) -> dict[str, np.ndarray]:
    """Those of VALUES, or others in their place."""
    return {name: (VALUES | others)[name] for name in names if name}


@pytest.mark.parametrize("opset", [11, 17, 18])
@pytest.mark.parametrize("outputs", [["y"], ["y", "", "", "sum"]])
@pytest.mark.parametrize(
    "names", [["x", "skip", "gamma"], ["x", "skip", "gamma", "beta"], [*VALUES]]
)
def test_a_skipped_layer_normalisation(names: list[str], outputs: list[str], opset: int) -> None:
    names = ["x", "skip", *names[2:]]
    node = own("SkipLayerNormalization", names, outputs, epsilon=1e-5)
    constant = [name for name in names if name in WEIGHTS]
    proto, inputs = model_of(node, chosen(*names), constant, opset=opset)
    assert_rewritten(proto, inputs)


def test_it_takes_a_bias_without_a_shift() -> None:
    names = ["x", "skip", "gamma", "", "bias"]
    node = own("SkipLayerNormalization", names, ["y", "", "", "sum"])
    assert_rewritten(*model_of(node, chosen(*names), ["gamma", "bias"]))


@pytest.mark.parametrize("shape", [(1, 3, WIDTH), (3, WIDTH)])
def test_what_is_skipped_may_be_the_same_for_all_sequences(shape: tuple[int, ...]) -> None:
    names = ["x", "skip", "gamma", "beta"]
    values = chosen(*names, skip=normal(*shape, seed=1))
    node = own("SkipLayerNormalization", names)
    assert_rewritten(*model_of(node, values, ["gamma", "beta"]))


@pytest.mark.parametrize("opset", [11, 18])
@pytest.mark.parametrize("outputs", [["y"], ["y", "", "", "sum"]])
@pytest.mark.parametrize("names", [["x", "skip", "gamma"], ["x", "skip", "gamma", "bias"]])
def test_a_skipped_root_mean_square(names: list[str], outputs: list[str], opset: int) -> None:
    node = own("SkipSimplifiedLayerNormalization", names, outputs, epsilon=1e-5)
    constant = [name for name in names if name in WEIGHTS]
    assert_rewritten(*model_of(node, chosen(*names), constant, opset=opset))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("op", ["SkipLayerNormalization", "SkipSimplifiedLayerNormalization"])
def test_halves_are_normalised_in_single_precision(op: str, dtype: str) -> None:
    names = ["x", "skip", "gamma"]
    values = {name: (array * 30).astype(dtype) for name, array in chosen(*names).items()}
    proto, inputs = model_of(own(op, names), values, ["gamma"])
    assert_rewritten(proto, inputs, 1e-5 if dtype == "float32" else 2e-2)


@pytest.mark.parametrize("data_far_from_zero", [False, True])
def test_the_mean_is_taken_off_before_squares_are_summed(data_far_from_zero: bool) -> None:
    values = chosen("x", "skip", "gamma", x=VALUES["x"] + 1000 * data_far_from_zero)
    node = own("SkipLayerNormalization", list(values))
    assert_rewritten(*model_of(node, values, ["gamma"], opset=11), 1e-2)


@pytest.mark.parametrize("segments", [False, True])
@pytest.mark.parametrize("places", [None, 1, 2])
@pytest.mark.parametrize("mask", [False, True])
@pytest.mark.parametrize("outputs", [["y", "index"], ["y", "index", "sum"]])
def test_embedded_words(outputs: list[str], mask: bool, places: int | None, segments: bool) -> None:
    values: dict[str, Any] = {
        "words": np.array([[1, 5, 2], [0, 3, 9]], np.int32),
        "segments": np.array([[0, 0, 1], [0, 1, 1]], np.int32),
        "word_table": normal(10, WIDTH),
        "place_table": normal(6, WIDTH, seed=1),
        "segment_table": normal(2, WIDTH, seed=2),
        "gamma": VALUES["gamma"],
        "beta": VALUES["beta"],
        "mask": np.array([[1, 1, 0], [1, 1, 1]], np.int32),
        "places": np.array([[0, 2, 4], [1, 3, 5]], np.int32)[: places or 1],
    }
    absent = {"segments", "segment_table"} if not segments else set()
    absent |= {"mask"} if not mask else set()
    absent |= {"places"} if places is None else set()
    names = ["" if name in absent else name for name in values]
    node = own("EmbedLayerNormalization", names, outputs)
    kept = {name: array for name, array in values.items() if name not in absent}
    tables = [name for name in kept if name.endswith("table") or name in WEIGHTS]
    types = {"y": 1, "index": INT32, "sum": 1}
    assert_rewritten(*model_of(node, kept, tables, types=types))


@pytest.mark.parametrize("op", ["LayerNormalization", "SimplifiedLayerNormalization"])
def test_what_it_writes_among_standard_operators(op: str, tmp_path: Path) -> None:
    """ONNX Runtime puts these into models of any operator set, as if they were the standard's."""
    names = ["x", "gamma", "beta"] if op == "LayerNormalization" else ["x", "gamma"]
    node = helper.make_node(op, names, ["y"], name="node", axis=-1, epsilon=1e-5)
    proto, inputs = model_of(node, chosen(*names), names[1:], opset=12)
    assert_rewritten(proto, inputs)
    prepared = prepare(ModelSource("file", str(save(proto, tmp_path / "m.onnx"))))
    assert [spec.shape for _, spec in prepared.outputs] == [VALUES["x"].shape]


def grouped(x: np.ndarray, groups: int) -> np.ndarray:
    """(batch, places ..., channels), normalised by groups of channels."""
    rows = x.reshape(x.shape[0], -1, groups, x.shape[-1] // groups).astype("f8")
    mean = rows.mean((1, 3), keepdims=True)
    normal: np.ndarray = ((rows - mean) / np.sqrt(rows.var((1, 3), keepdims=True) + 1e-5)).reshape(
        x.shape
    )
    return normal


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("bent", [0, 1])
def test_groups_of_channels(bent: int, last: int) -> None:
    x = normal(2, 3, 4, WIDTH) + 5
    given = x if last else x.transpose(0, 3, 1, 2).copy()
    names = ["x", "gamma", "beta"]
    node = own("GroupNorm", names, activation=bent, channels_last=last, groups=2, epsilon=1e-5)
    y = grouped(x, 2) * VALUES["gamma"] + VALUES["beta"]
    y = (y / (1 + np.exp(-y)) if bent else y).astype("f4")
    wanted = {"y": y if last else y.transpose(0, 3, 1, 2)}
    proto, inputs = model_of(node, chosen(*names, x=given), ["gamma", "beta"])
    assert_rewritten(proto, inputs, 1e-4, wanted)


@pytest.mark.parametrize("shape", [(2, 3, 4, WIDTH), (2, 1, 1, WIDTH), (2, WIDTH)])
@pytest.mark.parametrize("bias", [False, True])
def test_groups_of_channels_of_a_sum(bias: bool, shape: tuple[int, ...]) -> None:
    names = ["x", "gamma", "beta", "skip", *(["bias"] if bias else [])]
    values = chosen(*names, x=normal(2, 3, 4, WIDTH), skip=normal(*shape, seed=1))
    node = own("SkipGroupNorm", names, ["y", "sum"], activation=0, groups=4, epsilon=1e-5)
    skip = values["skip"].reshape(2, 1, 1, WIDTH) if len(shape) == 2 else values["skip"]
    total = values["x"] + skip + (values["bias"] if bias else 0)
    y = (grouped(total, 4) * values["gamma"] + values["beta"]).astype("f4")
    constant = [name for name in names if name in WEIGHTS]
    assert_rewritten(*model_of(node, values, constant), 1e-4, {"y": y, "sum": total})
