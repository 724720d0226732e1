"""What a model does with an input limits what may be fed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, parser

from engine.models.feeding.input_uses import InputUse, input_uses, within
from engine.models.reference import random_inputs
from engine.records.task import TensorSpec

INT, FLOAT, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL
TABLE = np.zeros((5, 4), np.float32)
FEW = np.zeros((3, 4), np.float32)


def use(
    nodes: list[str], shape: list[int], element: int = INT, domain: str = "", **weights: Any
) -> InputUse:
    """That of the input i of nodes in ONNX's own text."""
    made = [parser.parse_node(node) for node in nodes]
    for node in made:
        node.domain = domain
    graph = helper.make_graph(
        made,
        "g",
        [helper.make_tensor_value_info("i", element, shape)],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return input_uses(helper.make_model(graph, opset_imports=opsets)).inputs["i"]


INDEXING: dict[str, tuple[list[str], list[int], int, int]] = {
    "Gather": (["y = Gather(t, i)"], [2], -5, 4),
    "Gather, axis 1": (["y = Gather <axis = 1> (t, i)"], [2], -4, 3),
    "Gather, axis -1": (["y = Gather <axis = -1> (t, i)"], [2], -4, 3),
    "GatherElements": (["y = GatherElements <axis = 1> (t, i)"], [5, 2], -4, 3),
    "GatherND, the smaller axis": (["y = GatherND(t, i)"], [3, 2], -4, 3),
    "ScatterElements": (["y = ScatterElements (t, i, u)"], [2, 4], -5, 4),
    "ScatterND": (["y = ScatterND(t, i, u)"], [2, 1], -5, 4),
    "OneHot": (["y = OneHot(i, seven, onoff)"], [3], -7, 6),
    "Loss": (["y = NegativeLogLikelihoodLoss(t, i)"], [5], 0, 3),
    "through others": (
        ["a = Cast <to = 6> (i)", "b = Unsqueeze(a, zero)", "c = Identity(b)", "y = Gather(t, c)"],
        [2],
        -5,
        4,
    ),
    "in two tables": (["a = Gather(t, i)", "b = Gather(few, i)", "y = Add(a, b)"], [3], -3, 2),
    "moved by two": (["a = Add(i, two)", "y = Gather(t, a)"], [2], -7, 2),
    "moved back": (["a = Sub(i, two)", "y = Gather(t, a)"], [2], -3, 6),
    "wrapped as exporters do": (
        ["n = Less(i, zero)", "m = Add(i, five)", "w = Where(n, m, i)", "y = Gather(t, w)"],
        [2],
        -5,
        4,
    ),
}


@pytest.mark.parametrize("kind", INDEXING)
def test_an_index_is_within_the_axis_it_counts(kind: str) -> None:
    nodes, shape, low, high = INDEXING[kind]
    found = use(
        nodes,
        shape,
        t=TABLE,
        few=FEW,
        u=np.zeros((2, 4), np.float32),
        seven=np.int64(7),
        onoff=np.array([0, 1], np.float32),
        zero=np.array([0]),
        two=np.array([2]),
        five=np.array([5]),
    )
    assert (found.low, found.high) == (low, high)
    assert not found.free
    assert found.distinct == kind.startswith("Scatter")


def test_the_words_of_a_language_model_are_within_its_tables() -> None:
    nodes = ["y, m = EmbedLayerNormalization(i, , words, places, , g, b)"]
    four = np.ones(4, np.float32)
    found = use(nodes, [1, 3], domain="com.microsoft", words=TABLE, places=FEW, g=four, b=four)
    assert (found.low, found.high) == (0, 4)


@pytest.mark.parametrize("operator", ["Div", "Mod"])
def test_nothing_is_divided_by_zero(operator: str) -> None:
    nodes = [f"a = {operator}(w, i)", "y = Cast <to = 1> (a)"]
    found = use(nodes, [2], w=np.array([7, -7]))
    assert found.divisor
    assert found.free
    specs = [("i", TensorSpec((50,), "int64"))]
    uses = input_uses_of(found)
    assert random_inputs(specs, 0, uses)["i"].all()


def input_uses_of(found: InputUse) -> Any:
    from engine.models.feeding.input_uses import InputUses

    return InputUses({"i": found})


def test_numbers_that_are_only_computed_with_are_free() -> None:
    assert use(["a = Mul(i, w)", "y = Cast <to = 1> (a)"], [2], w=np.array([3])).free
    assert not use(["a = Mul(i, w)", "y = Gather(t, a)"], [2], w=np.array([3]), t=TABLE).free
    assert not use(["y = Expand(x, i)"], [2], x=np.float32(1)).free


def test_a_float_mask_is_known_by_what_it_is_added_to() -> None:
    nodes = ["a = Add(i, w)", "y = Softmax(a)"]
    assert use(nodes, [5, 4], FLOAT, w=TABLE).mask
    assert not use(["a = Mul(i, w)", "y = Softmax(a)"], [5, 4], FLOAT, w=TABLE).mask


@pytest.mark.parametrize(
    ("node", "undefined"),
    [
        ("y = Relu(i)", ""),
        ("y = ArgMax(i)", "ArgMax"),
        ("y = Cast <to = 7> (i)", "Cast"),
        ("y = LSTM <hidden_size = 2> (i, w, r)", "LSTM"),
        ("y = GRU <hidden_size = 2> (i, w, r)", "GRU"),
        ("y = RNN <hidden_size = 2> (i, w, r)", "RNN"),
        ("y = Cast <to = 9> (i)", ""),
        ("y = IsNaN(i)", ""),
    ],
)
def test_what_has_no_answer_for_nan_is_named(node: str, undefined: str) -> None:
    graph = helper.make_graph(
        [parser.parse_node(node)],
        "g",
        [helper.make_tensor_value_info("i", FLOAT, [2])],
        [helper.make_tensor_value_info("y", FLOAT, None)],
    )
    assert input_uses(helper.make_model(graph)).undefined == undefined


def test_indices_that_must_be_distinct_are() -> None:
    found = within(InputUse(-4, 3, distinct=True), np.array([1, 1, 0, 0]))
    assert sorted(found.tolist()) == [0, 1, 2, 3]
