"""Graphs in mixed precision."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from onnx import ModelProto
from tvm.ir import IRModule

from engine.models.prepare import prepare
from engine.records.source import ModelSource
from engine.tasks.halves.mixing import in_half
from tests.engine.models.build import model, save
from tests.engine.tasks.networks import conv, conv_only, node, outputs, weight


def mixed(proto: ModelProto) -> str:
    """The text of a model's graph in mixed precision."""
    return str(in_half(imported(proto)).script(show_meta=False))


def imported(proto: ModelProto) -> IRModule:
    with tempfile.TemporaryDirectory() as folder:
        path = save(proto, Path(folder) / "model.onnx")
        return prepare(ModelSource("file", str(path))).to_relax()


def dtypes(text: str, operator: str) -> list[tuple[str, str]]:
    """What calls of an operator give and take: the types of result and of first operand."""
    kinds = dict(re.findall(r"(\w+): R\.Tensor\(.*?dtype=\"(\w+)\"\)", text))
    calls = re.findall(rf"(\w+): R\.Tensor\([^=]*dtype=\"\w+\"\) = R\.{operator}\((\w+)", text)
    return [(kinds[result], kinds[operand]) for result, operand in calls]


def test_products_take_halves_and_functions_of_large_range_do_not() -> None:
    nodes = [
        conv("x w", "c"),
        node("Relu", "c", "r"),
        node("LRN", "r", "l", size=3),
        conv("l v", "d"),
        node("Sigmoid", "d", "s"),
        node("Softmax", "s", "y"),
    ]
    weights = {"w": weight(8, 4, 3, 3), "v": weight(8, 8, 3, 3)}
    text = mixed(model(nodes, [("x", 1, [1, 4, 6, 6])], outputs("y"), weights))
    assert dtypes(text, "nn.conv2d") == [("float32", "float16")] * 2
    assert dtypes(text, "nn.relu") == [("float16", "float16")]
    for wide in ("multiply", "power", "divide", "sigmoid", "nn.softmax"):
        assert dtypes(text, wide)
        assert set(dtypes(text, wide)) == {("float32", "float32")}, wide
    head = next(line for line in text.splitlines() if "def main" in line)
    assert "float16" not in head


def test_a_model_of_halves_stays_as_it_is() -> None:
    module = imported(conv_only([1, 4, 6, 6], [8, 4, 3, 3], dtype="float16"))
    text = str(in_half(module).script(show_meta=False))
    assert text == str(module.script(show_meta=False))
    assert dtypes(text, "nn.conv2d") == [("float32", "float16")]
