"""Where halving ends, over graphs of plain nodes and a probe that knows the fault."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import pytest

from engine.judge.halving import FileGraph, halve
from engine.judge.worst import Worst
from engine.models.file_nodes import FoundNode
from engine.records.errors import ExportError, ModelError
from engine.records.network import FirstDifference


def node(place: int, *inputs: int, outputs: int = 1) -> FoundNode:
    names = tuple(f"v{place}" if number == 0 else f"v{place}.{number}" for number in range(outputs))
    return FoundNode(f"n{place}", "Relu", inputs, names, None, False)


def chain(length: int) -> list[FoundNode]:
    return [node(place, *([place - 1] if place else [])) for place in range(length)]


def two_branches(length: int) -> list[FoundNode]:
    """Node 0, two chains of `length` in turns, and a last one that joins them."""
    inner = [node(at, max(0, at - 2)) for at in range(1, 2 * length + 1)]
    return [node(0), *inner, node(2 * length + 1, 2 * length - 1, 2 * length)]


class Faulty:
    """A probe of a graph in which a node is at fault, and with it whatever reads it."""

    def __init__(
        self, nodes: Sequence[FoundNode], fault: int, masked: Collection[int] = ()
    ) -> None:
        self.nodes, self.asked = nodes, list[tuple[str, ...]]()
        self.wrong = {fault}
        for place, one in enumerate(nodes):
            if self.wrong.intersection(one.inputs) and place not in masked:
                self.wrong.add(place)
        self.maker = {name: place for place, one in enumerate(nodes) for name in one.outputs}
        self.outputs = nodes[-1].outputs

    def __call__(self, names: Sequence[str]) -> Mapping[str, Worst | None]:
        self.asked.append(tuple(names))
        return {name: self.verdict(name) for name in (*names, *self.outputs)}

    def verdict(self, name: str) -> Worst | None:
        wrong = self.maker[name] in self.wrong
        return Worst(name, (0,), 1.0, 2.0) if wrong else None


def found(nodes: Sequence[FoundNode], probe: Callable[..., Mapping[str, Worst | None]]) -> str:
    result = halve(FileGraph(tuple(nodes)), probe)
    assert result is not None
    assert result.among[-1] == result.node
    return " ".join(result.among)


@pytest.mark.parametrize("length", [1, 2, 40, 1000])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_faulty_node_of_a_chain_is_found_in_few_compiles(length: int, share: float) -> None:
    nodes, fault = chain(length), round(share * (length - 1))
    probe = Faulty(nodes, fault)
    assert found(nodes, probe) == f"n{fault}"
    assert len(probe.asked) <= {1: 1, 2: 1, 40: 2, 1000: 3}[length]


@pytest.mark.parametrize("fault", range(0, 82, 9))
def test_a_fault_in_one_of_two_branches_is_found(fault: int) -> None:
    nodes = two_branches(40)
    assert found(nodes, Faulty(nodes, fault)) == f"n{fault}"


@pytest.mark.parametrize("fault", range(0, 200, 23))
@pytest.mark.parametrize("masked", range(1, 200, 17))
def test_a_fault_behind_a_node_that_hides_it_is_found(fault: int, masked: int) -> None:
    """Such as one that a Relu cuts away in one branch, and that reaches the end by the other."""
    nodes = two_branches(100)
    probe = Faulty(nodes, fault, {masked})
    if probe.verdict(nodes[-1].outputs[0]):
        assert found(nodes, probe) == f"n{fault}"


def test_nothing_is_found_where_the_outputs_agree() -> None:
    nodes = chain(5)
    probe = Faulty(nodes, 9)
    assert halve(FileGraph(tuple(nodes)), probe) is None
    assert len(probe.asked) == 2, "with the values watched, and without"


def test_any_output_of_a_node_may_be_the_one_that_differs() -> None:
    nodes = [node(0, outputs=3), node(1, 0)]

    def probe(names: Sequence[str]) -> Mapping[str, Worst | None]:
        wrong = {"v0.2", "v1"}
        return {n: Worst(n, (3,), 1.0, 2.0) if n in wrong else None for n in (*names, "v1")}

    result = halve(FileGraph(tuple(nodes)), probe)
    assert result == FirstDifference("Relu", "n0", 0, "v0.2", (3,), 1.0, 2.0, ("n0",), 1)


@pytest.mark.parametrize("length", [2, 9, 200])
def test_where_watching_a_value_takes_the_difference_away_the_interval_is_told(
    length: int,
) -> None:
    """As where an operator is wrong only when it is fused with the one before it."""
    nodes, fault = chain(length), length // 2 or 1
    right = Faulty(nodes, length)
    wrong = Faulty(nodes, fault)

    def probe(names: Sequence[str]) -> Mapping[str, Worst | None]:
        return (right if f"v{fault - 1}" in names else wrong)(names)

    assert found(nodes, probe) == f"n{fault - 1} n{fault}"
    assert len(wrong.asked) + len(right.asked) < 20


@pytest.mark.parametrize("error", [ModelError("No."), ExportError("No.")])
def test_a_value_with_which_the_model_cannot_be_compiled_is_not_watched(error: Exception) -> None:
    nodes = chain(50)
    wrong = Faulty(nodes, 20)

    def probe(names: Sequence[str]) -> Mapping[str, Worst | None]:
        if "v20" in names or "v30" in names:
            raise error
        return wrong(names)

    assert found(nodes, probe) == "n20 n21"


def test_a_model_that_cannot_be_compiled_at_all_is_refused() -> None:
    def probe(names: Sequence[str]) -> Mapping[str, Worst | None]:
        raise ModelError("It is broken.")

    with pytest.raises(ModelError, match="broken"):
        halve(FileGraph(tuple(chain(3))), probe)


def test_values_that_cannot_be_compared_are_told_as_possible_faults() -> None:
    nodes = chain(6)
    wrong = Faulty(nodes, 2)

    def probe(names: Sequence[str]) -> Mapping[str, Worst | None]:
        return {name: worst for name, worst in wrong(names).items() if name not in ("v2", "v3")}

    assert found(nodes, probe) == "n2 n3 n4"


def test_values_watched_at_once_fit_into_memory() -> None:
    nodes = chain(30)
    sizes = {f"v{place}": 300 << 20 for place in range(30)} | {"v7": 2 << 30}
    wrong = Faulty(nodes, 7)
    result = halve(FileGraph(tuple(nodes), sizes), wrong)
    assert result is not None
    assert result.among == ("n7", "n8")
    assert max(len(set(names)) for names in wrong.asked) <= 4
    assert not any("v7" in names for names in wrong.asked)


def test_how_many_nodes_are_left_is_told() -> None:
    told: list[int] = []
    nodes = chain(500)
    halve(FileGraph(tuple(nodes)), Faulty(nodes, 250), told.append)
    assert told[0] == 500
    assert told == sorted(told, reverse=True)
