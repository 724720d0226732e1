"""A first look at a file: the nodes that are read later, without its weights, and no crash."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engine.models import sketch
from engine.models.file_nodes import read_nodes
from engine.models.sketch import Sketch, sketch_of
from engine.records.network import Fate
from engine.records.source import ModelSource
from tests.engine.models import build

FLOAT = TensorProto.FLOAT


def looked(path: Path) -> Sketch | None:
    return sketch_of(ModelSource("file", str(path)))


def chain(weights: int = 4, listed: bool = False) -> onnx.ModelProto:
    """Constants of both kinds, a node of weights alone, an optional input, two results of one."""
    kernel = numpy_helper.from_array(np.zeros((4, weights), np.float32), "w")
    value = numpy_helper.from_array(np.zeros(3, np.float32))
    nodes = [
        helper.make_node("Constant", [], ["c"], value=value),
        helper.make_node("Transpose", ["w"], ["t"], name="turn"),
        helper.make_node("Shape", ["x"], ["s"], name="shape"),
        helper.make_node("MatMul", ["x", "t"], ["a"], name="product"),
        helper.make_node("Clip", ["a", "", "c"], ["b"]),
        helper.make_node("Split", ["b"], ["p", "q"], name="split"),
        helper.make_node("Add", ["p", "q"], ["y"], name="sum"),
    ]
    inputs = [helper.make_tensor_value_info("x", FLOAT, ("batch", weights))]
    if listed:
        inputs.append(helper.make_tensor_value_info("w", FLOAT, (4, weights)))
    output = helper.make_tensor_value_info("y", FLOAT, (1, 2))
    inner = [helper.make_tensor_value_info("a", FLOAT, ("batch", 4))]
    graph = helper.make_graph(nodes, "g", inputs, [output], [kernel], value_info=inner)
    return helper.make_model(graph)


def branching() -> onnx.ModelProto:
    """An If whose branches read what is outside of them, one in an If of its own."""

    def branch(name: str, *nodes: onnx.NodeProto) -> onnx.GraphProto:
        result = helper.make_tensor_value_info(nodes[-1].output[0], FLOAT, (1,))
        return helper.make_graph(list(nodes), name, [], [result])

    deep = helper.make_node(
        "If",
        ["which"],
        ["deep"],
        then_branch=branch("c", helper.make_node("Relu", ["second"], ["c"])),
        else_branch=branch("d", helper.make_node("Neg", ["own"], ["d"])),
    )
    nodes = [
        helper.make_node("Relu", ["x"], ["first"], name="first"),
        helper.make_node("Exp", ["x"], ["second"], name="second"),
        helper.make_node(
            "If",
            ["which"],
            ["y"],
            name="choice",
            then_branch=branch("a", helper.make_node("Neg", ["first"], ["a"])),
            else_branch=branch("b", helper.make_node("Abs", ["first"], ["own"]), deep),
        ),
    ]
    inputs = [
        helper.make_tensor_value_info("x", FLOAT, (1,)),
        helper.make_tensor_value_info("which", TensorProto.BOOL, ()),
    ]
    output = helper.make_tensor_value_info("y", FLOAT, (1,))
    return helper.make_model(helper.make_graph(nodes, "g", inputs, [output]))


MODELS = {
    "chain": chain(),
    "listed weights": chain(listed=True),
    "branching": branching(),
    "convolution": build.conv_relu_model(),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_nodes_are_those_that_opening_finds(name: str, tmp_path: Path) -> None:
    proto = MODELS[name]
    onnx.save(proto, tmp_path / "m.onnx")
    seen = looked(tmp_path / "m.onnx")
    assert seen is not None and seen.name == "m"
    found = read_nodes(proto)
    assert [(n.name, n.op_type, n.inputs, n.output) for n in seen.nodes] == [
        (n.name, n.op_type, n.inputs, n.output) for n in found
    ]
    assert [node.fate is Fate.CONSTANT for node in seen.nodes] == [n.constant for n in found]
    assert seen.parameters == sum(int(np.prod(t.dims)) for t in proto.graph.initializer)


def test_weights_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    onnx.save(chain(2_000_000), tmp_path / "m.onnx")
    read = []
    pread = os.pread

    def counted(descriptor: int, count: int, place: int) -> bytes:
        read.append(count)
        return pread(descriptor, count, place)

    monkeypatch.setattr(os, "pread", counted)
    seen = looked(tmp_path / "m.onnx")
    assert seen is not None and seen.parameters == 8_000_000
    assert (tmp_path / "m.onnx").stat().st_size > 30e6 and sum(read) < 1e6


def test_weights_in_other_files_are_counted_and_not_looked_for(tmp_path: Path) -> None:
    proto = chain(1000)
    onnx.save(proto, tmp_path / "m.onnx", save_as_external_data=True, location="w.bin")
    (tmp_path / "w.bin").unlink()
    seen = looked(tmp_path / "m.onnx")
    assert seen is not None and seen.parameters == 4000


@pytest.mark.parametrize("name", MODELS)
def test_a_damaged_file_has_a_sketch_or_none(name: str, tmp_path: Path) -> None:
    data, path = MODELS[name].SerializeToString(), tmp_path / "m.onnx"
    dice = random.Random(5)
    for place in range(len(data)):
        hurt = bytearray(data)
        hurt[place] = dice.randrange(256)
        path.write_bytes(hurt if place % 3 else hurt[:place])
        seen = looked(path)
        assert seen is None or seen.nodes


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 40, b"\x3a\x7f", b"{}" * 100, b"\x08\x07" * 1000, b"\x0b" * 9]
)
def test_what_is_no_model_has_none(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(data)
    assert looked(tmp_path / "m.onnx") is None


@pytest.mark.parametrize("name", ["m.pt2", "m.tflite", "missing.onnx", "."])
def test_what_cannot_be_looked_at_has_none(name: str, tmp_path: Path) -> None:
    (tmp_path / "m.pt2").write_bytes(b"")
    assert looked(tmp_path / name) is None


@pytest.mark.parametrize("limit", ["MOST_NODES", "MOST_BYTES"])
def test_too_much_to_look_at_is_left(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    monkeypatch.setattr(sketch, limit, 3)
    assert looked(tmp_path / "m.onnx") is None


def test_a_sample_is_looked_at_too() -> None:
    seen = sketch_of(ModelSource("sample", "squeezenet"))
    assert seen is not None and len(seen.nodes) > 50
