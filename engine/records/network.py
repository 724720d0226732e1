"""The model as a graph of fused operators, in plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class Operator:
    """One fused operator of the lowered program, in execution order.

    `task` is the index of its tuning task, None where there is nothing to tune. `inputs` are the
    ids of the operators whose outputs it reads. `output` is its (first) result.
    """

    id: int
    name: str
    op_class: str
    task: int | None
    inputs: tuple[int, ...]
    output: TensorSpec
    flops: float = 0.0


def to_networkx(operators: tuple[Operator, ...]) -> nx.DiGraph:
    """A directed acyclic graph whose nodes are operator ids, each with its `operator`."""
    import networkx as nx  # 0.15 s, which the first window need not wait for

    graph = nx.DiGraph()
    for operator in operators:
        graph.add_node(operator.id, operator=operator)
    for operator in operators:
        graph.add_edges_from((source, operator.id) for source in operator.inputs)
    return graph
