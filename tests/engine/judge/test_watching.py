"""Faults put into the engine on purpose are found at the node of the file that they were put in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper

from engine.judge.watching import first_difference
from engine.models import prepare as preparing
from engine.models.reference import random_inputs
from engine.models.relax.converters import converters
from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.rules import RULES
from engine.models.shapes import tensor_spec
from engine.models.simplify import simplify as simplify_file
from engine.records.network import FirstDifference
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.engine.models import build

LENGTH = 6
PLACES = {"the beginning": 0, "the middle": 3, "the end": LENGTH - 1}
each_place = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)

Fault = Callable[[pytest.MonkeyPatch], None]


def rewrite_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(emit: Emitter) -> None:
        emit("Sub", emit.input(0), emit.input(1), out=emit.output(0))

    monkeypatch.setitem(RULES, ("", "Sum"), rule)


def convert_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    from tvm import relax
    from tvm.relax.frontend.onnx import onnx_frontend

    def convert(cls: object, block: object, inputs: list[object], *rest: object) -> object:
        return relax.op.subtract(inputs[0], inputs[1])

    name, base = "Sum", onnx_frontend.OnnxOpConverter
    made = type(name, (base,), {"_impl_v1": classmethod(convert)})
    monkeypatch.setitem(converters(), name, made)
    monkeypatch.delitem(RULES, ("", "Sum"))


def simplify_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = simplify_file

    def wrongly(proto: ModelProto) -> ModelProto:
        slim = plain(proto)
        for node in slim.graph.node:
            if node.op_type == "Add" and "w" in node.input:
                node.op_type = "Sub"
        return slim

    monkeypatch.setattr(preparing, "simplify", wrongly)


each_fault = pytest.mark.parametrize(
    "put_in", [rewrite_wrongly, convert_wrongly, simplify_wrongly], ids=lambda fault: fault.__name__
)


def chain(place: int, name: str = "guilty") -> list[NodeProto]:
    """x -> Tanh, Sigmoid, ... -> y, with the node that the faults hit at a place."""
    names = ["x", *(f"v{number}" for number in range(1, LENGTH)), "y"]
    nodes = []
    for at in range(LENGTH):
        kind = ("Tanh", "Sigmoid")[at % 2]
        nodes.append(helper.make_node(kind, [names[at]], [names[at + 1]], name=f"n{at}"))
    guilty = helper.make_node("Sum", [names[place], "w"], [names[place + 1]], name=name)
    return [*nodes[:place], guilty, *nodes[place + 1 :]]


def model(nodes: list[NodeProto], *outputs: str) -> ModelProto:
    weights = {"w": np.linspace(0.5, 1, 8, dtype=np.float32)}
    shape = (TensorProto.FLOAT, [2, 8])
    given = [(name, TensorProto.FLOAT, None) for name in outputs or ("y",)]
    return build.model(nodes, [("x", *shape)], given, weights)


def found(proto: ModelProto, folder: Path) -> FirstDifference | None:
    source = ModelSource("file", str(build.save(proto, folder / "m.onnx")))
    specs = [(value.name, tensor_spec(value)) for value in proto.graph.input]
    inputs = random_inputs([(name, spec) for name, spec in specs if spec])
    return first_difference(source, resolve("cpu"), inputs)


@each_fault
@each_place
def test_a_fault_in_a_chain_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int, put_in: Fault
) -> None:
    put_in(monkeypatch)
    first = found(model(chain(place)), tmp_path)
    assert first is not None
    assert (first.operator, first.node, first.place) == ("Sum", "guilty", place)
    assert first.among == ("guilty",)
    assert first.output == ("y" if place == LENGTH - 1 else f"v{place + 1}")
    x = first.theirs - first.ours
    assert x == pytest.approx(2 * np.linspace(0.5, 1, 8)[first.index[1]], abs=1e-4)
    assert first.checked <= 3


@pytest.mark.parametrize("side", [0, 1])
def test_a_fault_in_one_of_two_branches_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: int
) -> None:
    rewrite_wrongly(monkeypatch)
    nodes = [helper.make_node("Tanh", ["x"], ["stem"], name="stem")]
    for branch in range(2):
        kind = "Sum" if branch == side else "Mul"
        nodes.append(helper.make_node(kind, ["stem", "w"], [f"a{branch}"], name=f"a{branch}"))
        nodes.append(helper.make_node("Sigmoid", [f"a{branch}"], [f"b{branch}"]))
    nodes.append(helper.make_node("Mul", ["b0", "b1"], ["y"], name="join"))
    first = found(model(nodes), tmp_path)
    assert first is not None
    assert (first.node, first.among) == (f"a{side}", (f"a{side}",))


def test_a_node_without_a_name_has_that_of_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_wrongly(monkeypatch)
    first = found(model(chain(3, name="")), tmp_path)
    assert first is not None
    assert (first.node, first.place) == ("v4", 3)


def test_the_second_output_of_a_node_may_be_the_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tvm import relax
    from tvm.relax.frontend.onnx import onnx_frontend

    def convert(cls: object, block: object, inputs: list[object], *rest: object) -> object:
        made = relax.op.split(inputs[0], 2, axis=1)
        return relax.Tuple([made[0], made[0]])

    made = type("Split", (onnx_frontend.OnnxOpConverter,), {"_impl_v1": classmethod(convert)})
    monkeypatch.setitem(converters(), "Split", made)
    nodes = [
        helper.make_node("Tanh", ["x"], ["t"]),
        helper.make_node("Split", ["t"], ["left", "right"], name="cut", axis=1),
        helper.make_node("Sub", ["left", "right"], ["y"]),
    ]
    first = found(model(nodes), tmp_path)
    assert first is not None
    assert (first.operator, first.node, first.output) == ("Split", "cut", "right")


def test_a_fault_inside_a_function_of_the_model_is_that_of_the_node_which_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_wrongly(monkeypatch)
    proto = model(
        [
            helper.make_node("Tanh", ["x"], ["t"]),
            helper.make_node("Shift", ["t", "w"], ["s"], name="call", domain="own"),
            helper.make_node("Sigmoid", ["s"], ["y"]),
        ]
    )
    proto.opset_import.append(helper.make_opsetid("own", 1))
    inner = [helper.make_node("Sum", ["a", "b"], ["c"]), helper.make_node("Tanh", ["c"], ["d"])]
    opsets = [helper.make_opsetid("", 17)]
    proto.functions.append(helper.make_function("own", "Shift", ["a", "b"], ["d"], inner, opsets))
    first = found(proto, tmp_path)
    assert first is not None
    assert (first.operator, first.node, first.output) == ("Shift", "call", "s")


def test_a_fault_inside_a_branch_is_that_of_the_node_round_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_wrongly(monkeypatch)
    value = helper.make_tensor_value_info
    sides = {
        side: helper.make_graph(
            [helper.make_node(kind, ["t", "w"], [side])],
            side,
            [],
            [value(side, TensorProto.FLOAT, [2, 8])],
        )
        for side, kind in (("then_branch", "Sum"), ("else_branch", "Mul"))
    }
    nodes = [
        helper.make_node("Tanh", ["x"], ["t"]),
        helper.make_node("ReduceMax", ["x"], ["m"], keepdims=0),
        helper.make_node("Greater", ["m", "least"], ["c"]),
        helper.make_node("If", ["c"], ["s"], name="choose", **sides),
        helper.make_node("Sigmoid", ["s"], ["y"]),
    ]
    proto = model(nodes)
    proto.graph.initializer.append(helper.make_tensor("least", TensorProto.FLOAT, [], [-100.0]))
    first = found(proto, tmp_path)
    assert first is not None
    assert (first.operator, first.node) == ("If", "choose")


def test_a_fault_that_only_fusing_brings_is_told_as_an_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = simplify_file

    def wrongly(proto: ModelProto) -> ModelProto:
        """Merge two nodes wrongly, where nobody else reads the first one's result."""
        slim = plain(proto)
        nodes = {node.output[0]: node for node in slim.graph.node}
        if "v3" in nodes and "v3" not in {value.name for value in slim.graph.output}:
            nodes["v3"].op_type = "Relu"
        return slim

    monkeypatch.setattr(preparing, "simplify", wrongly)
    first = found(model(chain(0)), tmp_path)
    assert first is not None
    assert first.among == ("n2", "n3")


def test_a_model_that_is_right_has_no_first_difference(tmp_path: Path) -> None:
    assert found(model(chain(2), "y", "v2"), tmp_path) is None


def test_other_formats_are_not_looked_into() -> None:
    source = ModelSource("file", "/nowhere/model.tflite")
    assert first_difference(source, resolve("cpu"), {}) is None


def test_inputs_of_given_shapes_and_values_are_fed_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_wrongly(monkeypatch)
    nodes = [
        helper.make_node("Mul", ["x", "scale"], ["v1"]),
        helper.make_node("Sum", ["v1", "w"], ["y"], name="guilty"),
    ]
    weights = {"w": np.ones(8, np.float32)}
    inputs: list[build.Value] = [
        ("x", TensorProto.FLOAT, ["n", 8]),
        ("scale", TensorProto.FLOAT, [1]),
    ]
    proto = build.model(nodes, inputs, [("y", TensorProto.FLOAT, ["n", 8])], weights)
    path = build.save(proto, tmp_path / "m.onnx")
    source = ModelSource("file", str(path), {"x": (3, 8)}, values={"scale": 2.0})
    x = np.arange(24, dtype=np.float32).reshape(3, 8)
    first = first_difference(source, resolve("cpu"), {"x": x})
    assert first is not None
    assert first.node == "guilty"
    assert first.theirs == 2 * x[first.index] + 1


def test_where_onnx_runtime_has_no_kernel_its_evaluator_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite_wrongly(monkeypatch)
    nodes = [
        helper.make_node("Elu", ["x"], ["v1"]),
        helper.make_node("Sum", ["v1", "w"], ["y"], name="guilty"),
    ]
    shape = (TensorProto.DOUBLE, [2, 8])
    proto = build.model(nodes, [("x", *shape)], [("y", *shape)], {"w": np.ones(8)})
    first = found(proto, tmp_path)
    assert first is not None
    assert (first.node, first.among) == ("guilty", ("guilty",))
