"""The model as a graph of fused operators and of its file's own nodes, in plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.records.options import Index, Real
from engine.records.task import TensorSpec


@dataclass(frozen=True, slots=True)
class Operator:
    """One fused operator of the lowered program, in execution order.

    `task` is the index of its tuning task, None where there is nothing to tune. `inputs` are the
    ids of the operators whose outputs it reads. `output` is its (first) result.
    """

    id: Index
    name: str
    op_class: str
    task: Index | None
    inputs: tuple[Index, ...]
    output: TensorSpec
    flops: Real = 0.0


class Fate(StrEnum):
    """What became of a node of the file.

    MERGED: simplification left the nodes that read its result, which now do its work, or need none
    of it. VIEW: another shape of the same memory. UNKNOWN: it could not be followed.
    """

    OPERATORS = "operators"
    MERGED = "merged"
    CONSTANT = "constant"
    VIEW = "view"
    SIMPLIFIED = "simplified"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FileNode:
    """One node of the model file, in the file's order; stored constants are none.

    `inputs` are the ids of the nodes whose outputs it reads, `output` its first result where its
    shape is known. `operators` are the ids of the fused operators that compute it or a part of
    it, for a merged node those that it was merged into; where there are none, `fate` says why.
    """

    id: Index
    name: str
    op_type: str
    inputs: tuple[Index, ...]
    output: TensorSpec | None = None
    operators: tuple[Index, ...] = ()
    fate: Fate = Fate.UNKNOWN


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """A node of the file whose value differs while what it reads agrees.

    `place` is the node's among the file's (`FileNode.id`). `ours` and `theirs` are the values of
    its `output` at the worst element, `index`. `among` are the names of the nodes, in the file's
    order and with this one last, of which one is at fault: more than this one where the others
    could not be watched, because that takes the difference away or costs too much. `checked` says
    how many times the model was compiled.
    """

    operator: str
    node: str
    place: int
    output: str
    index: tuple[int, ...]
    ours: float
    theirs: float
    among: tuple[str, ...]
    checked: int


def nodes_by_operator(nodes: Iterable[FileNode]) -> dict[int, tuple[int, ...]]:
    """The ids of the file's nodes that each fused operator came of, those without any left out."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for node in nodes:
        for operator in node.operators:
            found[operator].append(node.id)
    return {operator: tuple(ids) for operator, ids in found.items()}
