"""Values of a few bits or in float8 are refused by name: TVM would compute something else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from engine.models.prepare import prepare
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models import build

SMALL = (
    *("FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT8E8M0"),
    *("FLOAT4E2M1", "INT4", "UINT4", "INT2", "UINT2"),
)


def cast(before: int, after: int, *, back: bool = False) -> ModelProto:
    """x of the one type made one of the other, and perhaps the first again."""
    nodes = [helper.make_node("Cast", ["x"], ["y"], "there", to=after)]
    if back:
        nodes = [
            helper.make_node("Cast", ["x"], ["m"], "there", to=after),
            helper.make_node("Cast", ["m"], ["y"], "back", to=before),
        ]
    graph = helper.make_graph(
        nodes,
        "cast",
        [helper.make_tensor_value_info("x", before, [2, 3])],
        [helper.make_tensor_value_info("y", before if back else after, [2, 3])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])


def opened(proto: ModelProto, folder: Path) -> None:
    prepare(ModelSource("file", str(build.save(proto, folder / "model.onnx"))))


@pytest.mark.parametrize("kind", SMALL)
def test_a_model_that_takes_gives_or_computes_such_values_is_refused(
    kind: str, tmp_path: Path
) -> None:
    small = TensorProto.DataType.Value(kind)
    for proto in (
        cast(TensorProto.FLOAT, small),
        cast(small, TensorProto.FLOAT),
        cast(TensorProto.FLOAT, small, back=True),
    ):
        with pytest.raises(
            ModelError, match=rf"cannot import Cast \(there\): \w is {kind.lower()}"
        ) as caught:
            opened(proto, tmp_path)
        assert caught.value.node == "there"


def test_a_model_that_only_passes_them_on_is_refused(tmp_path: Path) -> None:
    proto = cast(TensorProto.INT4, TensorProto.INT4)
    proto.graph.node[0].CopyFrom(helper.make_node("Identity", ["x"], ["y"], "same"))
    with pytest.raises(ModelError, match="is int4"):
        opened(proto, tmp_path)


def test_weights_of_four_bits_that_become_floats_are_taken(tmp_path: Path) -> None:
    weight = helper.make_tensor("w", TensorProto.INT4, [3, 2], [1, -2, 3, 4, -5, 6])
    scale = numpy_helper.from_array(np.array(0.5, np.float32), "s")
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["f"]),
        helper.make_node("MatMul", ["x", "f"], ["y"]),
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [2, 3]), ("y", [2, 2]))
    ]
    graph = helper.make_graph(nodes, "weights", ends[:1], ends[1:], [weight, scale])
    opened(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)]), tmp_path)
