"""The way from a model file's nodes to the fused operators that came of them."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx
import pytest
from onnx import TensorProto, helper

from engine.graph.feeding import consumers_share
from engine.jobs.opening.open_worker import OpenedModel
from engine.records.network import Fate, FileNode, Operator, nodes_by_operator
from engine.tasks.origins import ORIGINS, read_origins
from tests.engine.models.build import model
from tests.engine.tasks.networks import IMAGE, conv, node, outputs, weight
from tests.engine.tasks.programs import network, opened


def to_networkx(operators: tuple[Operator, ...]) -> nx.DiGraph:
    """A directed acyclic graph whose nodes are operator ids, each with its `operator`."""
    graph = nx.DiGraph()
    for operator in operators:
        graph.add_node(operator.id, operator=operator)
    for operator in operators:
        graph.add_edges_from((source, operator.id) for source in operator.inputs)
    return graph


def followed_share(nodes: Iterable[FileNode]) -> float:
    """The share of nodes of which it is known what they became; 1.0 of none."""
    fates = [node.fate for node in nodes]
    unknown = fates.count(Fate.UNKNOWN)
    return 1.0 - unknown / len(fates) if fates else 1.0


NAMES = ("conv_bias_relu", "residual", "attention", "concat", "dense", "twin_convs", "integers")
PARTS = {"Conv": "conv2d", "Relu": "relu", "Concat": "concat", "Softmax": "softmax"}
PARTS |= {"Gemm": "matmul", "MatMul": "matmul", "MaxPool": "max_pool2d"}


def fates(made: OpenedModel) -> dict[str, Fate]:
    return {node.op_type: node.fate for node in made.file_nodes}


def classes(made: OpenedModel, op_type: str) -> list[str]:
    """The classes of the operators that came of the first node of a type."""
    found = next(node for node in made.file_nodes if node.op_type == op_type)
    return [made.program.operators[place].op_class for place in found.operators]


@pytest.mark.parametrize("name", NAMES)
def test_every_node_is_followed_to_operators_that_do_its_work(name: str) -> None:
    made = network(name)
    assert followed_share(made.file_nodes) == 1.0
    for found in made.file_nodes:
        if found.op_type in PARTS:
            done = [made.program.operators[place].op_class for place in found.operators]
            assert any(PARTS[found.op_type] in op_class for op_class in done)


@pytest.mark.parametrize("name", NAMES)
def test_operators_of_a_node_never_run_before_those_of_its_inputs(name: str) -> None:
    made = network(name)
    order = nx.transitive_closure_dag(to_networkx(made.program.operators))
    for found in made.file_nodes:
        for source in found.inputs:
            before = made.file_nodes[source].operators
            assert not any(order.has_edge(a, b) for a in found.operators for b in before)


@pytest.mark.parametrize("name", NAMES)
def test_an_operator_without_a_node_of_the_file_only_changes_a_layout(name: str) -> None:
    made = network(name)
    owned = nodes_by_operator(made.file_nodes)
    rest = [item.op_class for item in made.program.operators if item.id not in owned]
    assert set(rest) <= {"transpose"}


def test_equal_layers_are_told_apart() -> None:
    made = network("twin_convs")
    convs = [found.operators for found in made.file_nodes if found.op_type == "Conv"]
    assert len(convs) == len({place for places in convs for place in places}) == 2


def test_what_is_folded_shaped_or_merged_is_said_to_be_so() -> None:
    nodes = [
        node("Add", "w w", "w2"),
        node("Conv", "x w2 b", "c", pads=[1, 1, 1, 1]),
        node("BatchNormalization", "c b b b v", "n"),
        node("Identity", "n", "i"),
        node("Relu", "i", "r"),
        node("Shape", "r", "s"),
        node("Reshape", "r flat", "f"),
        node("Gemm", "f m", "y"),
    ]
    weights = {
        "w": weight(8, 16, 3, 3),
        "b": weight(8),
        "v": abs(weight(8)) + 1,
        "flat": weight(2, dtype="int64") * 0 + [1, 512],
        "m": weight(512, 4),
    }
    made = opened(model(nodes, [IMAGE], [*outputs("y"), ("s", TensorProto.INT64, [4])], weights))
    found = fates(made)
    halves = {found.pop("Conv"), found.pop("BatchNormalization")}
    assert halves == {Fate.MERGED, Fate.OPERATORS}
    assert found == {
        "Add": Fate.CONSTANT,
        "Identity": Fate.OPERATORS,
        "Relu": Fate.OPERATORS,
        "Shape": Fate.CONSTANT,
        "Reshape": Fate.VIEW,
        "Gemm": Fate.OPERATORS,
    }
    assert classes(made, "Conv") == classes(made, "Relu") == ["conv2d_add_relu"]


def test_a_rewritten_node_has_all_operators_that_took_its_place() -> None:
    nodes = [node("GRU", "x w r", "y h", hidden_size=4)]
    weights = {"w": weight(1, 12, 3), "r": weight(1, 12, 4)}
    made = opened(model(nodes, [("x", TensorProto.FLOAT, [2, 1, 3])], outputs("y", "h"), weights))
    (gru,) = made.file_nodes
    assert len(gru.operators) == len(made.program.operators) > 4


def test_nodes_without_names_and_with_equal_names_are_followed_by_their_results() -> None:
    nodes = [conv("x w", "c", name="same"), node("Relu", "c", "r", name="same"), conv("r v", "y")]
    weights = {"w": weight(16, 16, 3, 3), "v": weight(16, 16, 3, 3, seed=1)}
    made = opened(model(nodes, [IMAGE], outputs("y"), weights))
    assert [found.operators for found in made.file_nodes] == [(1,), (1,), (2,)]
    assert [found.name for found in made.file_nodes] == ["same", "same", "y"]


def test_an_inner_graph_reads_what_it_takes_from_outside() -> None:
    inner = helper.make_graph(
        [node("Mul", "c c", "o")], "then", [], [helper.make_tensor_value_info("o", 1, None)]
    )
    branch = helper.make_node("If", ["flag"], ["y"], then_branch=inner, else_branch=inner)
    made = opened(
        model(
            [conv("x w", "c"), branch],
            [IMAGE],
            outputs("y"),
            {"w": weight(16, 16, 3, 3), "flag": weight() > 9},
        )
    )
    assert [(found.op_type, found.inputs) for found in made.file_nodes] == [
        ("Conv", ()),
        ("If", (0,)),
    ]
    assert followed_share(made.file_nodes) == 1.0


def test_origins_travel_with_the_module() -> None:
    module = network("residual").program.module
    assert ORIGINS in module["main"].attrs
    origins = read_origins(module)
    assert origins is not None and not origins.lost


def test_what_has_no_owner_serves_all_that_read_it() -> None:
    one, two, none = frozenset({1}), frozenset({2}), frozenset[int]()
    reads: list[list[int]] = [[], [0], [0], [1]]
    assert consumers_share([none, one, two, none], reads) == [one | two, one, two, none]
