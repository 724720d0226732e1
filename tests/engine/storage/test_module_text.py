"""TVM's JSON of modules is checked before TVM sees it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.storage.module_text import checked_module, read_nodes
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import network
from tests.hostile.modules import KINDS, damaged

Graph = dict[str, Any]


def workload(name: str = "dense") -> str:
    return network(name).program.tasks[0].workload


@pytest.mark.parametrize("name", sorted(set(NETWORKS) - {"only_reshape"}))
def test_every_workload_of_ours_is_taken_as_it_is(name: str) -> None:
    for task in network(name).program.tasks:
        found, own = json.loads(checked_module(task.workload)), json.loads(task.workload)
        assert found["nodes"] == own["nodes"]
        assert found["root_index"] == own["root_index"]


@pytest.mark.parametrize("kind", sorted({"ffi.Function", *KINDS} - {"ffi.String"}))
def test_a_block_of_another_kind_is_refused(kind: str) -> None:
    graph = json.loads(workload())
    block = next(node for node in graph["nodes"] if node["type"] == "s_tir.SBlockRealize")
    block["type"] = kind
    with pytest.raises(ValueError, match=r"holds|not as it must be|no kind"):
        checked_module(json.dumps(graph))


def _first(graph: Graph, kind: str) -> Graph:
    return next(node for node in graph["nodes"] if node["type"] == kind)


def _cycle(graph: Graph) -> None:
    place = graph["nodes"].index(_first(graph, "tirx.For"))
    graph["nodes"][place]["data"]["body"] = place


def _forward(graph: Graph) -> None:
    _first(graph, "tirx.For")["data"]["body"] = len(graph["nodes"]) - 1


def _sums(graph: Graph, count: int, twice: bool) -> None:
    """A sum of sums instead of the whole; with `twice` each is of the one before on both sides."""
    nodes = graph["nodes"]
    del nodes[next(at for at, node in enumerate(nodes) if node["type"] == "ir.IntImm") + 1 :]
    zero = len(nodes) - 1
    rest = {"span": nodes[zero]["data"]["span"], "ty": nodes[zero]["data"]["ty"]}
    for _ in range(count):
        last = len(nodes) - 1
        data = {**rest, "a": last, "b": last if twice else zero}
        nodes.append({"type": "prim.Add", "data": data})
    graph["root_index"] = len(nodes) - 1


DAMAGES: dict[str, Callable[[Graph], Any]] = {
    "a node that holds itself": _cycle,
    "a node that holds a later one": _forward,
    "a place that is not there": lambda graph: _first(graph, "tirx.For")["data"].update(body=-1),
    "a field too few": lambda graph: _first(graph, "tirx.For")["data"].pop("body"),
    "a field too many": lambda graph: _first(graph, "tirx.For")["data"].update(more=0),
    "a list for a place": lambda graph: _first(graph, "tirx.For")["data"].update(body=[0]),
    "a truth for a place": lambda graph: _first(graph, "tirx.For")["data"].update(body=True),
    "an expression for a statement": lambda graph: _first(graph, "tirx.For")["data"].update(
        body=_first(graph, "tirx.For")["data"]["min"]
    ),
    "a loop of no kind": lambda graph: _first(graph, "tirx.For")["data"].update(kind=99),
    "a number without end": lambda graph: _first(graph, "int").update(data=2**64),
    "a type that is none": lambda graph: _first(graph, "ir.PrimType")["data"].update(dtype="int"),
    "a name without end": lambda graph: _first(graph, "ffi.String").update(data="x" * 100_000),
    "a map without a value": lambda graph: _first(graph, "ffi.Map")["data"].append(0),
    "no root": lambda graph: graph.pop("root_index"),
    "a root that is no module": lambda graph: graph.update(root_index=0),
    "no nodes": lambda graph: graph.update(nodes=[]),
    "nodes without end": lambda graph: graph.update(nodes=graph["nodes"][:1] * 300_000),
    "a node without a kind": lambda graph: graph["nodes"][0].pop("type"),
    "a chain of 50,000": lambda graph: _sums(graph, 50_000, False),
    "sums of 2 to the 60": lambda graph: _sums(graph, 60, True),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_text_is_refused(damage: str) -> None:
    graph = json.loads(workload())
    DAMAGES[damage](graph)
    with pytest.raises(ValueError):
        checked_module(json.dumps(graph))


FOREIGN = ["tirx.call_extern", "tirx.call_llvm_intrin", "tirx.ptx.mma"]
LOUD = ["\x00", "\x1b[2J", "\u202e", "\x9b2J", "x" * 1_000]


@pytest.mark.parametrize("key", ["pragma_import_c", "pragma_import_llvm", "", "\x1b[2J", "\x00"])
def test_a_key_under_which_code_could_be_brought_is_refused(key: str) -> None:
    graph = json.loads(workload())
    keyed = next(node for node in graph["nodes"] if node.get("data") == "layout_free_buffers")
    keyed["data"] = key
    with pytest.raises(ValueError, match="annotation") as refused:
        checked_module(json.dumps(graph))
    assert str(refused.value).isprintable() and len(str(refused.value)) < 100


@pytest.mark.parametrize("kind", LOUD)
def test_a_kind_that_nobody_can_read_is_told_in_a_line(kind: str) -> None:
    graph = json.loads(workload())
    graph["nodes"][1]["type"] = kind
    with pytest.raises(ValueError, match="it holds") as refused:
        checked_module(json.dumps(graph))
    assert str(refused.value).isprintable() and len(str(refused.value)) < 100


@pytest.mark.parametrize("name", FOREIGN + LOUD)
def test_a_call_of_foreign_code_is_refused(name: str) -> None:
    graph = json.loads(
        next(task.workload for task in network("pools").program.tasks if '"ir.Op"' in task.workload)
    )
    _first(graph, "ir.Op")["data"] = name
    with pytest.raises(ValueError, match="a call of") as refused:
        checked_module(json.dumps(graph))
    assert str(refused.value).isprintable() and len(str(refused.value)) < 100


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "7", "[]", "{}", '{"nodes": 1, "root_index": 0}', '{"mod": 1}'),
        *("[" * 50_000, '{"nodes":' * 50_000, '{"root_index": 0, "nodes": [[]]}'),
        pytest.param(" " * 9_000_000 + "{}", id="nine million characters"),
    ],
)
@pytest.mark.parametrize("read", [checked_module, read_nodes])
def test_a_text_that_is_no_module_is_refused(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError):
        read(text)


@pytest.mark.parametrize("name", ["dense", "attention", "scan_and_dense"])
def test_whatever_is_damaged_the_text_is_taken_or_refused(name: str) -> None:
    text, taken = workload(name), 0
    for seed in range(150):
        try:
            checked_module(damaged(text, random.Random(seed)))
            taken += 1
        except ValueError as error:
            assert "\n" not in str(error)[:200]
    assert 0 < taken < 150
