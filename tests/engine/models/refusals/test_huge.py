"""A constant that no memory holds is refused by its operator before anything computes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from engine.models.prepare import prepare
from engine.models.refusals import huge
from engine.models.simplify import simplify
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import save

BIG = 2_000_000_000
SIDE = 44_000  # squared, about as many


def node(op: str, inputs: list[str], output: str, **attributes: Any) -> NodeProto:
    """A node that is named as its operator."""
    return helper.make_node(op, inputs, [output], name=f"the {op}", **attributes)


def ints(*values: int) -> np.ndarray:
    """An int64 vector."""
    return np.array(values, np.int64)


ONE, WIDE = np.ones(1, np.float32), np.ones((SIDE, 1), np.float32)
CASES: dict[str, tuple[list[NodeProto], dict[str, np.ndarray]]] = {
    "ConstantOfShape": ([node("ConstantOfShape", ["n"], "c")], {"n": ints(BIG)}),
    "Expand": ([node("Expand", ["v", "n"], "c")], {"n": ints(BIG), "v": ONE}),
    "Tile": ([node("Tile", ["v", "n"], "c")], {"n": ints(BIG), "v": ONE}),
    "Pad": ([node("Pad", ["v", "n"], "c")], {"n": ints(0, BIG), "v": ONE}),
    "Range": (
        [node("Range", ["a", "n", "d"], "r"), node("Cast", ["r"], "c", to=1)],
        {"a": np.array(0), "n": np.array(BIG), "d": np.array(1)},
    ),
    "Resize": (
        [node("Resize", ["v", "", "", "n"], "r"), node("Reshape", ["r", "m"], "c")],
        {"v": np.ones((1, 1, 2, 2), np.float32), "n": ints(1, 1, 40_000, 50_000), "m": ints(-1)},
    ),
    "OneHot": (
        [node("OneHot", ["i", "n", "v"], "r"), node("Reshape", ["r", "m"], "c")],
        {"i": ints(1, 2), "n": ints(BIG // 2), "v": np.array([0, 1], np.float32), "m": ints(-1)},
    ),
    "MatMul": (
        [node("MatMul", ["v", "t"], "r"), node("Reshape", ["r", "m"], "c")],
        {"v": WIDE, "t": WIDE.T, "m": ints(-1)},
    ),
    "Add": (
        [node("Add", ["v", "t"], "r"), node("Reshape", ["r", "m"], "c")],
        {"v": WIDE, "t": WIDE.T, "m": ints(-1)},
    ),
    "EyeLike": (
        [
            node("Expand", ["v", "n"], "z"),
            node("EyeLike", ["z"], "e", dtype=1),
            node("Reshape", ["e", "m"], "c"),
        ],
        {"v": np.zeros((1, 1), np.float32), "n": ints(SIDE, SIDE), "m": ints(-1)},
    ),
}


def model(nodes: list[NodeProto], constants: dict[str, np.ndarray]) -> ModelProto:
    """x plus the sum of a constant c, which alone would be small."""
    ends = [node("ReduceSum", ["c", "zeroth"], "s"), node("Add", ["x", "s"], "y")]
    graph = helper.make_graph(
        [*nodes, *ends],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()]
        + [numpy_helper.from_array(ints(0), "zeroth")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


@pytest.mark.parametrize("operator", CASES)
def test_a_constant_of_two_milliards_of_elements_is_refused_by_its_operator(
    operator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.models.prepare.simplify", lambda _: pytest.fail("computed"))
    path = save(model(*CASES[operator]), tmp_path / "model.onnx")
    with pytest.raises(ModelError) as caught:
        prepare(ModelSource("file", str(path)))
    named = "Expand" if operator == "EyeLike" else operator
    assert caught.value.what.startswith(f"{named} (the {named}) makes a constant of ")
    assert "GB" in caught.value.what


def test_what_is_large_beside_the_files_own_weights_is_refused_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huge, "_LEAST_BYTES", 1000)
    for times, refused in ((3, False), (5, True)):
        cast = [node("Tile", ["w", "n"], "c")]
        proto = model(cast, {"w": np.ones(1000, np.float32), "n": ints(times)})
        path = save(proto, tmp_path / f"{times}.onnx")
        if refused:
            with pytest.raises(ModelError, match="makes a constant of 5,000 elements"):
                prepare(ModelSource("file", str(path)))
        else:
            prepare(ModelSource("file", str(path)))


def test_a_constant_that_stays_an_operator_is_not_computed_for_what_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from onnx import shape_inference

    monkeypatch.setattr("engine.models.slim_bounds.MAX_FOLDED_BYTES", 1000)
    proto = model([node("Expand", ["v", "n"], "c")], {"n": ints(500), "v": ONE})
    kept = {one.op_type for one in simplify(shape_inference.infer_shapes(proto)).graph.node}
    assert kept == {"Expand", "ReduceSum", "Add"}
    monkeypatch.setattr("engine.models.slim_bounds.MAX_FOLDED_BYTES", 4000)
    kept = {one.op_type for one in simplify(shape_inference.infer_shapes(proto)).graph.node}
    assert kept == {"Add"}


def test_functions_are_not_gone_into_before_they_are_counted() -> None:
    """Thirty that call the last one twice: ONNX's inference would not come back."""
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("my", 1)]
    proto = model([node("Expand", ["v", "n"], "c")], {"n": ints(2), "v": ONE})
    proto.opset_import.append(helper.make_opsetid("my", 1))
    for level in range(30):
        body = [
            helper.make_node(f"F{level - 1}" if level else "Neg", ["a"], ["m"], domain="my"),
            helper.make_node(f"F{level - 1}" if level else "Neg", ["m"], ["b"], domain="my"),
        ]
        proto.functions.append(helper.make_function("my", f"F{level}", ["a"], ["b"], body, imports))
    proto.graph.node.append(helper.make_node("F29", ["x"], ["z"], domain="my"))
    huge.refuse_huge_stored(proto, ())
