"""What a drawing of a graph shows: fused operators, nodes of the file, or folded blocks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.records.network import Fate, FileNode, Operator
from engine.records.task import TensorSpec


@dataclass(frozen=True, slots=True)
class ShownNode:
    """One box. `kind` is its operator's type, `operators` are the fused operators it stands for.

    `inputs` are ids of nodes before it. A folded block stands for `folded` nodes, by their ids.
    A `constant` one is a weight, or made of weights alone. `part` are the number of a folded block
    and how many equal ones there are; without it the `folded` nodes are equal ones, shown once.
    """

    id: int
    name: str
    kind: str
    output: TensorSpec | None
    inputs: tuple[int, ...]
    operators: tuple[int, ...]
    folded: tuple[int, ...] = ()
    constant: bool = False
    part: tuple[int, int] | None = None


def operators_shown(operators: Sequence[Operator]) -> tuple[ShownNode, ...]:
    """The network of fused operators."""
    return tuple(
        ShownNode(op.id, op.name, op.op_class, op.output, op.inputs, (op.id,)) for op in operators
    )


def file_shown(nodes: Sequence[FileNode]) -> tuple[ShownNode, ...]:
    """The network of the file's own nodes."""
    return tuple(
        ShownNode(
            node.id,
            node.name,
            node.op_type,
            node.output,
            node.inputs,
            node.operators,
            constant=node.fate is Fate.CONSTANT,
        )
        for node in nodes
    )
