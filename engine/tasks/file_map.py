"""From the nodes of a model file to the fused operators that they became."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from engine.models.file_nodes import FoundNode, sources, stored_names, with_shapes
from engine.records.network import Fate, FileNode
from engine.tasks.origins import Origins, read_origins

if TYPE_CHECKING:
    from engine.models.prepare import PreparedModel
    from engine.tasks.extract import Program


def map_file(prepared: PreparedModel, program: Program) -> tuple[FileNode, ...]:
    """The file's nodes, each with the fused operators that came of it or with what became of it.

    What is said was followed through every step of the way; where it was lost, Fate.UNKNOWN.
    """
    found = prepared.file_nodes
    specs = with_shapes(found, prepared.proto)
    origins = read_origins(program.module)
    way = _Way(prepared, program, origins)
    return tuple(
        FileNode(
            id=place,
            name=node.name,
            op_type=node.op_type,
            inputs=node.inputs,
            output=specs.get(place),
            operators=tuple(sorted(way.operators[place])),
            fate=way.fate(place, node),
        )
        for place, node in enumerate(found)
    )


_IDLE = ("Dropout", "Identity")


class _Way:
    """The prepared model's nodes between the file's and the operators."""

    def __init__(self, prepared: PreparedModel, program: Program, origins: Origins | None) -> None:
        steps = {step.binding: index for index, step in enumerate(program.dataflow.steps)}
        came_of = sources(prepared.file_nodes, prepared.proto, prepared.origins, prepared.absorbed)
        self.operators: defaultdict[int, set[int]] = defaultdict(set)
        self._stored = stored_names(prepared.proto)
        self._views: set[int] = set()
        self._kept: frozenset[int] = frozenset()
        self._lost: set[int] | None = None
        if origins is None:
            return
        self._kept = frozenset[int]().union(*came_of)
        self._lost = {node for place in origins.lost for node in came_of[place]}
        for binding, places in enumerate(origins.bindings):
            nodes = {node for place in places for node in came_of[place]}
            if binding in steps:
                for node in nodes:
                    self.operators[node].add(steps[binding])
            else:
                self._views |= nodes
        self._merge(prepared.file_nodes)

    def fate(self, place: int, node: FoundNode) -> Fate:
        """What became of a node."""
        if self.operators[place]:
            return Fate.OPERATORS if place in self._kept else Fate.MERGED
        if place in self._views:
            return Fate.VIEW
        if node.constant or self._stored.intersection(node.outputs):
            return Fate.CONSTANT
        lost = self._lost is None or place in self._lost
        return Fate.UNKNOWN if lost else Fate.SIMPLIFIED

    def _merge(self, nodes: tuple[FoundNode, ...]) -> None:
        """A node whose results are gone is a part of the nodes that read them, if they stayed."""
        for place in range(len(nodes) - 1, -1, -1):
            for source in nodes[place].inputs:
                gone = source not in self._kept and not nodes[source].constant
                if gone and nodes[source].op_type not in _IDLE:
                    self.operators[source] |= self.operators[place]
