"""Inputs that are given one value for good."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.choosing import prepare_any
from engine.models.prepare import PreparedModel
from engine.models.reference import reference_outputs
from engine.models.values import apply_values, parse_values
from engine.records.errors import ShapeError
from engine.records.source import ModelSource


def model() -> ModelProto:
    """y = x + 1 where rate is 16000, else x * 2."""

    def branch(op: str, number: float) -> object:
        constant = helper.make_tensor("c", TensorProto.FLOAT, [1], [number])
        node = helper.make_node(op, ["x", "c"], ["r"])
        made = helper.make_tensor_value_info("r", TensorProto.FLOAT, [2])
        return helper.make_graph([node], op, [], [made], [constant])

    nodes = [
        helper.make_node("Equal", ["rate", "wanted"], ["same"]),
        helper.make_node(
            "If", ["same"], ["y"], then_branch=branch("Add", 1.0), else_branch=branch("Mul", 2.0)
        ),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]),
            helper.make_tensor_value_info("rate", TensorProto.INT64, []),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
        [helper.make_tensor("wanted", TensorProto.INT64, [], [16_000])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


@pytest.mark.parametrize(("rate", "expected"), [(16_000.0, [2, 3]), (8_000.0, [2, 4])])
def test_a_branch_that_hangs_on_the_value_is_chosen(
    rate: float, expected: list[float], tmp_path: Path
) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(model().SerializeToString())
    prepared = prepare_any(ModelSource("file", str(path), values={"rate": rate}))
    assert [name for name, _ in prepared.inputs] == ["x"]
    found = prepared.reference_outputs({"x": np.array([1, 2], np.float32)})
    np.testing.assert_array_equal(found["y"], expected)
    assert isinstance(prepared, PreparedModel)
    assert len(prepared.proto.graph.node) == 1


def test_a_value_fills_the_whole_input() -> None:
    proto = model()
    apply_values(proto, {"x": 3.0})
    found = reference_outputs(proto, {"rate": np.array(1, np.int64)})
    np.testing.assert_array_equal(found["y"], [6, 6])


@pytest.mark.parametrize(
    ("values", "sentence"),
    [({"z": 1.0}, "no input z"), ({"rate": 1.5}, "cannot be 1.5"), ({"rate": 1e30}, "cannot be")],
)
def test_a_value_that_does_not_fit_is_refused(values: dict[str, float], sentence: str) -> None:
    with pytest.raises(ShapeError, match=sentence):
        apply_values(model(), values)


def test_values_are_read_from_texts() -> None:
    assert parse_values(["sr=16000", "a=b=1e-3", "flag=true"]) == {
        "sr": 16000.0,
        "a=b": 0.001,
        "flag": 1.0,
    }
    for text in ("sr", "=1", "sr=fast", "sr=nan", "sr=inf", "sr="):
        with pytest.raises(ShapeError, match="not a value"):
            parse_values([text])
    with pytest.raises(ShapeError, match="two values"):
        parse_values(["sr=1", "sr=2"])


def test_another_format_takes_no_values() -> None:
    with pytest.raises(ShapeError, match="PyTorch file's inputs cannot be given a value"):
        prepare_any(ModelSource("file", "net.pt2", values={"x": 1.0}))


def test_values_are_kept_with_the_source() -> None:
    source = ModelSource("file", "net.onnx", {"x": (1, 2)}, "ab", {"sr": 16_000.0})
    assert ModelSource.from_dict(source.as_dict()) == source
    assert "values" not in ModelSource("file", "net.onnx").as_dict()
