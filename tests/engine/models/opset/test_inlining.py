"""The model's own functions, whatever they are called and whatever they were written for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from engine.models.light_copy import check
from engine.models.opset import inlining
from engine.models.opset.upgrade import settle
from engine.models.reference import reference_outputs
from engine.models.support import check_model
from engine.records.errors import ModelError
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import Inputs, draw

FLOAT, BOOL = TensorProto.FLOAT, TensorProto.BOOL

node = helper.make_node
X: Value = ("x", FLOAT, (2, 3, 4))
Y: Value = ("y", FLOAT, None)


def function(
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    nodes: Sequence[NodeProto],
    attributes: Sequence[str] = (),
    opset: int = 17,
    domain: str = "my",
) -> FunctionProto:
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("my", 1)]
    return helper.make_function(domain, name, inputs, outputs, nodes, imports, attributes)


def calling(
    nodes: Sequence[NodeProto], functions: Sequence[FunctionProto], opset: int = 17
) -> ModelProto:
    proto = model(nodes, [X], [Y], opset=opset, domains=["my"])
    proto.functions.extend(functions)
    return proto


def inlined(proto: ModelProto) -> ModelProto:
    """The model with what is called in the place of calls; ONNX's evaluator sees no difference."""
    inputs = draw(proto)
    evaluator = ReferenceEvaluator(proto)
    before = dict(zip(evaluator.output_names, evaluator.run(None, inputs), strict=True))
    assert_inlined(proto, inputs, before)
    return proto


def assert_inlined(proto: ModelProto, inputs: Inputs, expected: Inputs) -> None:
    """Inlining leaves a valid model without functions, and ONNX Runtime's answers are expected."""
    check(proto)
    settle(proto)
    assert not proto.functions
    check(proto)
    for name, value in reference_outputs(proto, inputs).items():
        np.testing.assert_allclose(value, expected[name], rtol=1e-5)


def softmax(x: np.ndarray, opset: int) -> np.ndarray:
    """Softmax without an axis: of all but the first until operator set 13, then of the last."""
    axes = (1, 2) if opset < 13 else (2,)
    powers = np.exp(x)
    return np.asarray(powers / powers.sum(axis=axes, keepdims=True))


@pytest.mark.parametrize(("own", "models"), [(17, 17), (17, 20), (20, 17), (11, 18), (18, 11)])
@pytest.mark.parametrize("name", ["Relu", "Softmax", "Anything"])
def test_a_function_is_what_it_computes_whatever_its_name_and_operator_set(
    name: str, own: int, models: int
) -> None:
    body = [node("Neg", ["a"], ["n"]), node("Softmax", ["n"], ["b"])]
    nodes = [node("Softmax", ["x"], ["s"]), node(name, ["s"], ["y"], domain="my")]
    proto = calling(nodes, [function(name, ["a"], ["b"], body, opset=own)], models)
    inputs = draw(proto)
    expected = softmax(-softmax(inputs["x"], models), own)
    assert_inlined(proto, inputs, {"y": expected})


def test_nested_functions_take_attributes_from_their_callers_or_their_defaults() -> None:
    inner = function(
        "Inner",
        ["a"],
        ["b"],
        [node("LeakyRelu", ["a"], ["l"]), node("Softmax", ["l"], ["b"])],
        ["slope"],
    )
    _refer(inner.node[0], "alpha", "slope", "f")
    inner.attribute_proto.append(helper.make_attribute("axis", 0))
    _refer(inner.node[1], "axis", "axis", "i")
    call = node("Inner", ["a"], ["b"], domain="my")
    _refer(call, "slope", "steepness", "f")
    outer = function("Outer", ["a"], ["b"], [call], ["steepness"])
    nodes = [
        node("Outer", ["x"], ["one"], domain="my", steepness=0.5),
        node("Inner", ["x"], ["two"], domain="my", axis=2),
        node("Sub", ["one", "two"], ["y"]),
    ]
    proto = calling(nodes, [inner, outer])
    inputs = draw(proto)
    assert_inlined(proto, inputs, reference_outputs(proto, inputs))
    axes = [_attribute(made, "axis") for made in proto.graph.node if made.op_type == "Softmax"]
    assert axes == [0, 2]


def test_values_of_a_function_do_not_meet_those_of_its_caller_or_of_another_call() -> None:
    body = [node("Exp", ["a"], ["x"], name="n"), node("Add", ["x", "a"], ["y"], name="m")]
    nodes = [
        node("Twice", ["x"], ["t"], domain="my", name="n"),
        node("Twice", ["t"], ["y"], domain="my", name="m"),
    ]
    proto = inlined(calling(nodes, [function("Twice", ["a"], ["y"], body)]))
    names = [made.name for made in proto.graph.node]
    assert len(set(names)) == 4


def test_inputs_may_be_left_out_outputs_unused_and_values_handed_through() -> None:
    body = [node("Clip", ["a", "low", "high"], ["c"]), node("Neg", ["c"], ["d"])]
    parts = function("Parts", ["a", "low", "high"], ["a", "c", "d"], body)
    nodes = [
        node("Constant", [], ["high"], value_float=0.5),
        node("Parts", ["x", "", "high"], ["p", "q", "r"], domain="my"),
        node("Sum", ["p", "q", "r"], ["y"]),
    ]
    inlined(calling(nodes, [parts]))


def test_graphs_inside_a_function_keep_their_values_apart() -> None:
    def branch(name: str, operator: str) -> GraphProto:
        out = helper.make_tensor_value_info("x", FLOAT, None)
        return helper.make_graph([node(operator, ["a"], ["x"])], name, [], [out])

    choose = node(
        "If", ["c"], ["b"], then_branch=branch("then", "Exp"), else_branch=branch("else", "Neg")
    )
    body = [
        node("ReduceMax", ["a"], ["m"], keepdims=0),
        node("Constant", [], ["zero"], value_float=0.0),
        node("Greater", ["m", "zero"], ["c"]),
        choose,
    ]
    nodes = [node("Choose", ["x"], ["y"], domain="my")]
    inlined(calling(nodes, [function("Choose", ["a"], ["b"], body)]))


def test_a_call_inside_a_graph_inside_is_inlined() -> None:
    out = helper.make_tensor_value_info("b", FLOAT, None)
    call = helper.make_graph([node("Relu", ["x"], ["b"], domain="my")], "call", [], [out])
    stay = helper.make_graph([node("Neg", ["x"], ["b"])], "stay", [], [out])
    nodes = [
        node("ReduceMax", ["x"], ["m"], keepdims=0),
        node("Cast", ["m"], ["c"], to=BOOL),
        node("If", ["c"], ["y"], then_branch=call, else_branch=stay),
    ]
    inlined(calling(nodes, [function("Relu", ["a"], ["b"], [node("Exp", ["a"], ["b"])])]))


def test_a_function_that_calls_itself_is_refused() -> None:
    loops = [
        function("One", ["a"], ["b"], [node("Two", ["a"], ["b"], domain="my")]),
        function("Two", ["a"], ["b"], [node("One", ["a"], ["b"], domain="my")]),
    ]
    with pytest.raises(ModelError, match="function One calls itself"):
        settle(calling([node("One", ["x"], ["y"], domain="my")], loops))


def test_functions_that_grow_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "_MAX_NODES", 1000)
    functions = [
        function(
            f"F{level}",
            ["a"],
            ["b"],
            [node(f"F{level + 1}", ["a"], [f"v{i}"], domain="my") for i in range(20)]
            + [node("Sum", [f"v{i}" for i in range(20)], ["b"])],
        )
        for level in range(8)
    ]
    functions.append(function("F8", ["a"], ["b"], [node("Neg", ["a"], ["b"])]))
    with pytest.raises(ModelError, match="more than 1000 operators"):
        settle(calling([node("F0", ["x"], ["y"], domain="my")], functions))


@pytest.mark.parametrize("depth", [30, 60, 99])
def test_calls_are_counted_before_one_is_replaced(
    depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inlining, "_Call", lambda *_: pytest.fail("replaced"))
    functions = [function("F0", ["a"], ["b"], [node("Neg", ["a"], ["b"])])]
    for level in range(1, depth):
        twice = [
            node(f"F{level - 1}", [given], [made], domain="my")
            for given, made in (("a", "m"), ("m", "b"))
        ]
        functions.append(function(f"F{level}", ["a"], ["b"], twice))
    with pytest.raises(ModelError, match=rf"{2 ** (depth - 1):,} of them in F{depth - 1}"):
        settle(calling([node(f"F{depth - 1}", ["x"], ["y"], domain="my")], functions))


def test_functions_that_call_each_other_too_deep_are_refused() -> None:
    functions = [
        function(f"F{level}", ["a"], ["b"], [node(f"F{level + 1}", ["a"], ["b"], domain="my")])
        for level in range(3000)
    ]
    with pytest.raises(ModelError, match="100 deep"):
        settle(calling([node("F0", ["x"], ["y"], domain="my")], functions))


def test_a_check_says_that_a_call_is_rewritten() -> None:
    body = [node("Neg", ["a"], ["b"])]
    proto = calling(
        [node("Relu", ["x"], ["y"], domain="my")], [function("Relu", ["a"], ["b"], body)]
    )
    (found,) = [item for item in check_model(proto) if item.domain == "my"]
    assert found.state == "rewritten"


def _refer(made: NodeProto, name: str, source: str, kind: str) -> None:
    """Let an attribute of a function's node be that of the call."""
    value = helper.make_attribute(name, 1.0 if kind == "f" else 1)
    value.ClearField(kind)
    value.ref_attr_name = source
    made.attribute.append(value)


def _attribute(made: NodeProto, name: str) -> int:
    return next(int(a.i) for a in made.attribute if a.name == name)
