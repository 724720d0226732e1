"""If, Loop and Scan where constants decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import GraphProto, ModelProto, TensorProto, helper

from engine.models.prepare import prepare
from engine.models.rewriting.driver import rewrite
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import model, save
from tests.engine.models.rewriting.same import operators, rewritten

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def graph(nodes: list[Any], inputs: list[Any], outputs: list[Any], name: str = "g") -> GraphProto:
    value = helper.make_tensor_value_info
    return helper.make_graph(
        nodes, name, [value(*given) for given in inputs], [value(*made) for made in outputs]
    )


def branching(condition: list[Any], weights: dict[str, Any], other: str = "Neg") -> ModelProto:
    """y = Relu(Abs(x)) or `other`(x); both branches call their inner value the same."""
    then = [helper.make_node("Abs", ["x"], ["inner"]), helper.make_node("Relu", ["inner"], ["t"])]
    orelse = [helper.make_node(other, ["x"], ["inner"]), helper.make_node("Neg", ["inner"], ["e"])]
    node = helper.make_node(
        "If",
        ["c"],
        ["y"],
        name="choose",
        then_branch=graph(then, [], [("t", FLOAT, None)]),
        else_branch=graph(orelse, [], [("e", FLOAT, None)]),
    )
    inputs: list[Any] = [("x", FLOAT, (2, 3))] + ([] if condition else [("c", BOOL, ())])
    return model([*condition, node], inputs, [("y", FLOAT, None)], weights)


@pytest.mark.parametrize(("rows", "made"), [(2, "Abs"), (5, "Neg")])
def test_a_condition_that_follows_from_shapes_leaves_one_branch(rows: int, made: str) -> None:
    condition = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["n"]),
        helper.make_node("Equal", ["n", "rows"], ["c"]),
    ]
    proto = branching(condition, {"zero": np.array(0), "rows": np.array(rows)})
    done = rewritten(proto, "If")
    assert made in operators(proto)
    assert len(proto.graph.node) == 3
    assert set(done.origins.values()) == {"choose"}


@pytest.mark.parametrize("value", [True, False])
def test_where_data_decide_both_branches_are_computed(value: bool) -> None:
    proto = branching([], {})
    inputs = {"x": np.array([[1, -2, 3], [4, 5, -6]], "float32"), "c": np.array(value)}
    rewritten(proto, "If", inputs)
    assert "Where" in operators(proto)


def test_where_data_decide_between_shapes_the_if_stays_and_is_named() -> None:
    proto = branching([], {}, other="Flatten")
    proto.graph.node[0].attribute[1].g.node[0].op_type = "ReduceSum"
    done = rewrite(proto)
    assert "If" in operators(proto)
    assert "differ in shape" in done.notes["choose"]
    assert "choose" in done.refused


def dividing(operator: str, element: int, divisor: str) -> ModelProto:
    """y = `operator`(x, divisor) or -x, as data decide."""
    then = [helper.make_node(operator, ["x", divisor], ["t"])]
    orelse = [helper.make_node("Neg", ["x"], ["e"])]
    made = helper.make_node(
        "If",
        ["c"],
        ["y"],
        name="choose",
        then_branch=graph(then, [], [("t", element, None)]),
        else_branch=graph(orelse, [], [("e", element, None)]),
    )
    inputs: list[Any] = [("x", element, (2, 3)), ("c", BOOL, ()), ("d", INT64, (2,))]
    weights = {"k": np.array([0, 1]), "f": np.array(4, "float32")}
    return model([made], inputs, [("y", element, None)], weights)


@pytest.mark.parametrize(("operator", "divisor"), [("Div", "f"), ("Div", "x"), ("Gather", "k")])
@pytest.mark.parametrize("value", [True, False])
def test_a_branch_may_divide_floats_and_gather_constant_places(
    operator: str, divisor: str, value: bool
) -> None:
    inputs = {"x": np.array([[1, -2, 3], [4, 5, -6]], "float32"), "c": np.array(value)}
    rewritten(dividing(operator, FLOAT, divisor), "If", {**inputs, "d": np.array([0, 1])})


@pytest.mark.parametrize(
    ("operator", "element", "divisor"),
    [("Div", INT64, "x"), ("Mod", INT64, "x"), ("Gather", FLOAT, "d")],
)
def test_a_branch_that_data_could_make_fail_is_refused_by_its_reason(
    operator: str, element: int, divisor: str, tmp_path: Path
) -> None:
    path = save(dividing(operator, element, divisor), tmp_path / "if.onnx")
    with pytest.raises(ModelError, match=rf"If \(choose\).*{operator} in a branch relies on it"):
        prepare(ModelSource("file", str(path)))


def counting_loop(trips: list[str], body: list[Any], condition: str) -> ModelProto:
    """s starts as x; each iteration gives s + 1 and lists its square."""
    work = [
        helper.make_node("Add", ["s", "one"], ["s_out"]),
        helper.make_node("Mul", ["s_out", "s_out"], ["row"]),
    ]
    inner = graph(
        [*body, *work],
        [("i", INT64, ()), ("go", BOOL, ()), ("s", FLOAT, (3,)), ("k", INT64, ())],
        [(condition, BOOL, ()), ("s_out", FLOAT, (3,)), ("k_out", INT64, ()), ("row", FLOAT, (3,))],
    )
    node = helper.make_node(
        "Loop", [*trips, "x", "start"], ["y", "last", "rows"], name="loop", body=inner
    )
    weights = {
        "one": np.float32(1),
        "step": np.array(2),
        "start": np.array(0),
        "end": np.array(5),
        "trips": np.array(4),
        "yes": np.array(True),
    }
    outputs: list[Any] = [("y", FLOAT, (3,)), ("rows", FLOAT, None)]
    arrays = {name: np.asarray(value) for name, value in weights.items()}
    return model([node], [("x", FLOAT, (3,))], outputs, arrays)


def test_a_loop_with_a_fixed_count_is_unrolled() -> None:
    body = [helper.make_node("Add", ["k", "step"], ["k_out"])]
    body.append(helper.make_node("Identity", ["go"], ["go_out"]))
    rewritten(counting_loop(["trips", "yes"], body, "go_out"), "Loop")


def test_a_loop_that_counts_up_to_a_limit_is_unrolled() -> None:
    body = [
        helper.make_node("Add", ["k", "step"], ["k_out"]),
        helper.make_node("Less", ["k_out", "end"], ["go_out"]),
    ]
    proto = counting_loop(["", "yes"], body, "go_out")
    rewritten(proto, "Loop")
    assert operators(proto).count("Mul") == 3


def test_a_loop_that_data_end_stays_and_is_named() -> None:
    body = [
        helper.make_node("Add", ["k", "step"], ["k_out"]),
        helper.make_node("ReduceMax", ["s"], ["most"], keepdims=0),
        helper.make_node("Less", ["most", "one"], ["go_out"]),
    ]
    proto = counting_loop(["trips", "yes"], body, "go_out")
    done = rewrite(proto)
    assert "Loop" in operators(proto)
    assert "decides how often it runs" in done.notes["loop"]


def test_an_endless_loop_is_not_unrolled() -> None:
    body = [helper.make_node("Add", ["k", "step"], ["k_out"])]
    body.append(helper.make_node("Identity", ["go"], ["go_out"]))
    proto = counting_loop(["", ""], body, "go_out")
    assert "more than" in rewrite(proto).notes["loop"]


@pytest.mark.parametrize("backwards", [0, 1])
def test_a_scan_is_unrolled_in_both_directions(backwards: int) -> None:
    body = graph(
        [
            helper.make_node("Add", ["s", "slice"], ["s_out"]),
            helper.make_node("Identity", ["s_out"], ["row"]),
        ],
        [("s", FLOAT, (2,)), ("slice", FLOAT, (2,))],
        [("s_out", FLOAT, (2,)), ("row", FLOAT, (2,))],
    )
    node = helper.make_node(
        "Scan",
        ["first", "x"],
        ["y", "rows"],
        num_scan_inputs=1,
        body=body,
        scan_input_axes=[1],
        scan_input_directions=[backwards],
        scan_output_axes=[1],
        scan_output_directions=[backwards],
    )
    proto = model(
        [node],
        [("first", FLOAT, (2,)), ("x", FLOAT, (2, 4))],
        [("y", FLOAT, (2,)), ("rows", FLOAT, (2, 4))],
    )
    rewritten(proto, "Scan")
