"""Which nodes of a graph lead to which: as much of one as a layout asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from engine.graph.shown import ShownNode


class Digraph(Protocol):
    """A directed graph of numbered nodes; those of networkx are such, whose import takes 0.2 s."""

    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def successors(self, node: int, /) -> Iterable[int]:
        """The nodes that read a node."""

    def predecessors(self, node: int, /) -> Iterable[int]:
        """The nodes that a node reads."""


class Links:
    """The graph of nodes that are shown; inputs that are not among them are left out."""

    def __init__(self, nodes: Sequence[ShownNode]) -> None:
        self._before: dict[int, tuple[int, ...]] = dict.fromkeys((node.id for node in nodes), ())
        self._after: dict[int, list[int]] = {node.id: [] for node in nodes}
        for node in nodes:
            inputs = tuple(dict.fromkeys(i for i in node.inputs if i in self._after))
            self._before[node.id] = inputs
            for source in inputs:
                self._after[source].append(node.id)

    def __iter__(self) -> Iterator[int]:
        return iter(self._before)

    def __len__(self) -> int:
        return len(self._before)

    def successors(self, node: int, /) -> Iterable[int]:
        """The nodes that read a node."""
        return self._after[node]

    def predecessors(self, node: int, /) -> Iterable[int]:
        """The nodes that a node reads."""
        return self._before[node]
