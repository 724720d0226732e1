"""Repeated blocks of a network, and the smaller network that they fold into."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.graph.shown import ShownNode

LONGEST_BLOCK = 512
FARTHEST_INPUT = 64
_SHORT, _OFTEN = 4, 3
"""A block of fewer nodes than this folds only where it comes as often as that."""


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes [start, stop) of the sequence. `id` is negative; `parent` is the block it lies in.

    A block without a parent is a row of `count` equal ones.
    """

    id: int
    start: int
    stop: int
    count: int = 1
    parent: int | None = None


def find_blocks(nodes: Sequence[ShownNode]) -> tuple[Block, ...]:
    """Rows of equal blocks, each row followed by its blocks; the nodes are in topological order.

    Blocks are equal where their nodes are, in order: operator, shape, and where in the block each
    input is. Rows that save most nodes come first where they overlap; none lies in another.
    """
    found: list[Block] = []
    for start, period, count in _rows(_labels(nodes)):
        row = Block(-1 - len(found), start, start + period * count, count)
        found.append(row)
        for turn in range(count):
            begin = start + turn * period
            found.append(Block(-1 - len(found), begin, begin + period, parent=row.id))
    return tuple(found)


def fold(
    nodes: Sequence[ShownNode], blocks: Sequence[Block], opened: Collection[int]
) -> tuple[ShownNode, ...]:
    """The nodes with every block as one that is not `opened`, by id; inside an opened row its
    blocks are folded. Folding keeps the order topological, so there is never a cycle.
    """
    closed: dict[int, Block] = {}
    for block in blocks:
        inside = block.parent is None or block.parent in opened
        if inside and block.id not in opened:
            closed.update(dict.fromkeys(range(block.start, block.stop), block))
    place_of = {node.id: place for place, node in enumerate(nodes)}
    shown: list[ShownNode] = []

    def now(source: int) -> int:
        block = closed.get(place_of[source])
        return block.id if block else source

    for place, node in enumerate(nodes):
        whole = closed.get(place)
        if whole is None:
            inputs = tuple(dict.fromkeys(map(now, node.inputs)))
            shown.append(node if inputs == node.inputs else replace(node, inputs=inputs))
        elif place == whole.start:
            members = nodes[whole.start : whole.stop]
            inputs = tuple(dict.fromkeys(now(i) for node in members for i in node.inputs))
            shown.append(_folded(whole, members, tuple(i for i in inputs if i != whole.id)))
    return tuple(shown)


def around(blocks: Sequence[Block], place: int, opened: Collection[int]) -> Block | None:
    """The innermost opened block round the node at a place of the sequence."""
    inner = [b for b in blocks if b.id in opened and b.start <= place < b.stop]
    return min(inner, key=lambda block: block.stop - block.start, default=None)


def to_open(blocks: Sequence[Block], places: Collection[int]) -> frozenset[int]:
    """The blocks that must be open for the nodes at these places to be seen."""
    return frozenset(b.id for b in blocks if any(b.start <= place < b.stop for place in places))


def _folded(block: Block, members: Sequence[ShownNode], inputs: tuple[int, ...]) -> ShownNode:
    each = (block.stop - block.start) // block.count
    times = f"{block.count} × " if block.count > 1 else ""
    operators = dict.fromkeys(operator for node in members for operator in node.operators)
    return ShownNode(
        id=block.id,
        name=f"{times}block of {each}",
        kind=_commonest(members[:each]),
        output=members[-1].output,
        inputs=inputs,
        operators=tuple(operators),
        folded=tuple(node.id for node in members),
    )


def _commonest(nodes: Sequence[ShownNode]) -> str:
    kinds = [node.kind for node in nodes]
    return max(dict.fromkeys(kinds), key=kinds.count)


def _labels(nodes: Sequence[ShownNode]) -> np.ndarray:
    """A number for each node, equal for nodes that may stand at one place of equal blocks."""
    place_of = {node.id: place for place, node in enumerate(nodes)}
    numbers: dict[object, int] = {}
    labels = np.empty(len(nodes), np.int64)
    for place, node in enumerate(nodes):
        back = tuple(min(place - place_of[i], FARTHEST_INPUT) for i in node.inputs)
        key = (node.kind, node.output, back)
        labels[place] = numbers.setdefault(key, len(numbers))
    return labels


def _rows(labels: np.ndarray) -> list[tuple[int, int, int]]:
    """Rows of equal parts as start, length of a part, number of parts; none overlap."""
    found: list[tuple[int, int, int, int]] = []
    for period in range(2, min(len(labels) // 2, LONGEST_BLOCK) + 1):
        same = np.concatenate(([False], labels[:-period] == labels[period:], [False]))
        edges = np.flatnonzero(same[1:] != same[:-1])
        for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            count = (stop - start) // period + 1
            if count >= 2 and (period >= _SHORT or count >= _OFTEN):
                found.append((-(count - 1) * period, period, start, count))
    taken = np.zeros(len(labels), bool)
    rows = []
    for _, period, start, count in sorted(found):
        stop = start + period * count
        if not taken[start:stop].any():
            taken[start:stop] = True
            rows.append((start, period, count))
    return sorted(rows)
