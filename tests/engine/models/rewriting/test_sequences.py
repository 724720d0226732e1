"""Sequences and optional values become the values that they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper

from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import operators, rewritten

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X: Value = ("x", FLOAT, (2, 5))

node = helper.make_node
WEIGHTS = {"zero": np.array(0), "last": np.array(-1), "two": np.array(2), "s": np.array([1, 3, 1])}
THREE = [node("Neg", ["x"], ["n"]), node("SequenceConstruct", ["x", "n", "x"], ["q"])]


def plain(nodes: Sequence[NodeProto], kind: int = FLOAT) -> None:
    """The model is equal without sequences."""
    proto = model(nodes, [X], [("y", kind, None)], WEIGHTS, opset=18)
    rewritten(proto, "")
    assert not [name for name in operators(proto) if "Sequence" in name or "Optional" in name]


@pytest.mark.parametrize("place", ["zero", "two", "last"])
def test_a_value_is_taken_from_a_sequence(place: str) -> None:
    plain([*THREE, node("SequenceAt", ["q", place], ["y"])])


@pytest.mark.parametrize("given", [[], ["zero"], ["last"], ["two"]])
@pytest.mark.parametrize("operator", ["SequenceInsert", "SequenceErase"])
def test_values_are_put_in_and_taken_out(operator: str, given: list[str]) -> None:
    extra = ["e"] if operator == "SequenceInsert" else []
    plain(
        [
            *THREE,
            node("Exp", ["x"], ["e"]),
            node(operator, ["q", *extra, *given], ["r"]),
            node("ConcatFromSequence", ["r"], ["y"], axis=1),
        ]
    )


@pytest.mark.parametrize("new_axis", [0, 1])
@pytest.mark.parametrize("axis", [0, -1])
def test_a_sequence_is_joined(axis: int, new_axis: int) -> None:
    plain([*THREE, node("ConcatFromSequence", ["q"], ["y"], axis=axis, new_axis=new_axis)])


def test_a_sequence_is_counted_and_begun_empty() -> None:
    nodes = [
        node("SequenceEmpty", [], ["q"]),
        node("SequenceInsert", ["q", "x"], ["r"]),
        node("SequenceLength", ["r"], ["y"]),
    ]
    plain(nodes, INT64)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ([], {"axis": 1}),
        ([], {"axis": -1, "keepdims": 0}),
        (["two"], {"axis": 1}),
        (["s"], {"axis": 1}),
    ],
)
def test_a_tensor_is_cut_into_a_sequence(given: list[str], options: dict[str, Any]) -> None:
    nodes = [
        node("SplitToSequence", ["x", *given], ["q"], **options),
        node("SequenceAt", ["q", "last"], ["a"]),
        node("SequenceAt", ["q", "zero"], ["b"]),
        node("Add", ["a", "b"], ["y"]),
    ]
    plain(nodes)


def test_an_optional_value_is_what_it_holds() -> None:
    nodes = [
        node("Optional", ["x"], ["o"]),
        node("OptionalGetElement", ["o"], ["v"]),
        node("OptionalHasElement", ["o"], ["h"]),
        node("Neg", ["v"], ["n"]),
        node("Where", ["h", "n", "x"], ["y"]),
    ]
    plain(nodes)


@pytest.mark.parametrize("place", [3, -4])
def test_a_place_outside_a_sequence_is_refused(place: int) -> None:
    nodes = [*THREE, node("SequenceAt", ["q", "p"], ["y"], name="at")]
    proto = model(nodes, [X], [("y", FLOAT, None)], {"p": np.array(place)})
    done = rewrite(proto)
    assert done.notes["at"] == f"its position {place} is outside a sequence of 3"
    assert "at" in done.refused
